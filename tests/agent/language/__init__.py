"""Tests of languages and speech."""
