"""Stored conversations, and the part of them that is sent."""
