"""Swedish."""

from ..language import Language, split_phrases

LANGUAGE = Language(
    new_conversation=split_phrases("ny konversation, nytt samtal"),
    decimal_mark=",",
)
