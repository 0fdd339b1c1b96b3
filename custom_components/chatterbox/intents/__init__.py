"""Home Assistant's own sentences: recognition of commands, words of a language, responses."""
