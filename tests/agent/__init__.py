"""Tests of the agent, which does not depend on Home Assistant."""
