"""How tool calls travel between the agent and a model."""
