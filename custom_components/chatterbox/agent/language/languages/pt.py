"""Portuguese."""

from ..language import Language, split_phrases

LANGUAGE = Language(
    new_conversation=split_phrases("nova conversa, começa uma nova conversa"),
    decimal_mark=",",
)
