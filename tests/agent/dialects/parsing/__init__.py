"""Tests of `agent/dialects/parsing`."""
