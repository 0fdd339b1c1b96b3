"""The agent: an agentic loop over an OpenAI-compatible model, without Home Assistant."""
