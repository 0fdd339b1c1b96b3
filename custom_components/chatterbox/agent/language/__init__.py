"""Everything that depends on the user's language: whole utterances, and text as it is spoken."""
