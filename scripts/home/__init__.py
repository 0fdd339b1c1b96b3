"""A demo home with Chatterbox in it: what `scripts/chat` and `scripts/develop` are made of."""
