"""Tests of the parsers of tool calls in text."""
