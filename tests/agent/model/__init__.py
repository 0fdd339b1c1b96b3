"""Tests of `agent/model`."""
