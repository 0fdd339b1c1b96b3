"""Tests of the capable profile."""
