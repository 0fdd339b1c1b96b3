"""Tests of conversation memory."""
