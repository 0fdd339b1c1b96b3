"""Tests of how tool calls travel."""
