"""Tests of the guided profile."""
