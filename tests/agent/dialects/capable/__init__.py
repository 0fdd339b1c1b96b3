"""Tests of `agent/dialects/capable`."""
