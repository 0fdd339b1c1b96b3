"""Tools: their registry, the guard around every call, and the built-in ones."""
