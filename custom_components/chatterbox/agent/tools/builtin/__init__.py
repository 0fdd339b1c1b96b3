"""Tools that the agent brings itself."""
