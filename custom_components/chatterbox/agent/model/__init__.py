"""Access to a model: provider, its middleware, and the quirks of servers."""
