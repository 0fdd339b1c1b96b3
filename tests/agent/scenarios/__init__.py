"""Scenarios of the whole agent: they name no module."""
