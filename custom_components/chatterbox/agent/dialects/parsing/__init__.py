"""Parsers of tool calls and reasoning in the text of a model, by family."""
