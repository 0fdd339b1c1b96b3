"""Capable profile: native tool calls, and answers as the model wrote them."""
