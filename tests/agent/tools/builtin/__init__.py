"""Tests of `agent/tools/builtin`."""
