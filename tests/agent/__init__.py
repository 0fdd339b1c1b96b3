"""Tests of the agent, which knows nothing of Home Assistant."""
