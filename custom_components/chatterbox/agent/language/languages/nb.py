"""Norwegian Bokmål."""

from ..language import Language, split_phrases

LANGUAGE = Language(
    new_conversation=split_phrases("ny samtale, start en ny samtale"),
    decimal_mark=",",
)
