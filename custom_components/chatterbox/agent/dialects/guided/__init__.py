"""Guided profile: replies in an action grammar."""
