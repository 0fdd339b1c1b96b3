"""Tests of the commands' own code."""
