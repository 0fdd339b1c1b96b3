"""Parsers of tool calls and reasoning in the text of a model, one module for each syntax.

Each module names its sources: chat templates, in `tokenizer_config.json` or `chat_template.jinja`
of the model's repository on Hugging Face, or the documentation of the model's maker.
"""
