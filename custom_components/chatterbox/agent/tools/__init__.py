"""Tools: registry, dispatchers, execution, and the built-in tools."""
