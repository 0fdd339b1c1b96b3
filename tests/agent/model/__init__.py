"""Tests of providers and their requests."""
