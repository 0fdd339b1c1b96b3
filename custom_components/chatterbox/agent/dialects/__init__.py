"""Dialects: requests and answers in the form of a model profile."""
