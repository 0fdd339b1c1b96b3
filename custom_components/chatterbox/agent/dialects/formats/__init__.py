"""How the families of models write tool calls into their text."""
