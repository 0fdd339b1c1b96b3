"""Scenarios of the whole agent; they concern no single module."""
