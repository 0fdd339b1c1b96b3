"""Campaign: random people, servers and tools against one agent, and what has to hold throughout."""
