"""Integrations of the benchmark, which Home Assistant loads from here."""
