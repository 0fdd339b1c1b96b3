"""Tests of `agent/dialects/guided`."""
