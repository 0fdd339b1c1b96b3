"""Tests of `agent/memory`."""
