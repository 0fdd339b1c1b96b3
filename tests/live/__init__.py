"""Tests that talk to a real Home Assistant process."""
