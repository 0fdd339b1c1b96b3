"""The tests of Chatterbox."""
