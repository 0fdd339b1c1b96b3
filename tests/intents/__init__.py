"""Tests of `intents`."""
