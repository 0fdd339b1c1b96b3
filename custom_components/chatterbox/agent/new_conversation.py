"""How people say that they want to begin anew."""

import unicodedata
from collections.abc import Mapping

_PHRASES: Mapping[str, tuple[str, ...]] = {
    "en": ("new conversation", "start a new conversation", "start over", "let's start over"),
    "de": (
        "neues gespräch",
        "neue unterhaltung",
        "beginne ein neues gespräch",
        "fang von vorne an",
    ),
    "fr": ("nouvelle conversation", "commence une nouvelle conversation", "recommençons à zéro"),
    "es": ("nueva conversación", "empieza una nueva conversación", "empecemos de nuevo"),
    "nl": ("nieuw gesprek", "begin een nieuw gesprek", "begin opnieuw"),
    "it": ("nuova conversazione", "inizia una nuova conversazione", "ricominciamo da capo"),
    "pl": ("nowa rozmowa", "zacznij nową rozmowę", "zacznijmy od nowa"),
    "pt": ("nova conversa", "começa uma nova conversa", "vamos recomeçar"),
    "sv": ("ny konversation", "nytt samtal", "börja om från början"),
    "da": ("ny samtale", "start en ny samtale", "start forfra"),
    "nb": ("ny samtale", "start en ny samtale", "begynn på nytt"),
}


def wants_new_conversation(text: str, language: str) -> bool:
    """Tell whether somebody says, and says nothing else, that a new conversation begins.

    English is understood beside every language.
    """
    said = _plain(text)
    code = language.partition("-")[0].lower()
    phrases = (*_PHRASES.get("nb" if code == "no" else code, ()), *_PHRASES["en"])
    return any(said == _plain(phrase) for phrase in phrases)


def _plain(text: str) -> str:
    """Return the words without accents, case, punctuation and politeness around them."""
    letters = (
        char if char.isalnum() else " "
        for char in unicodedata.normalize("NFKD", text).casefold()
        if not unicodedata.combining(char)
    )
    return " ".join(word for word in "".join(letters).split() if word not in {"please", "bitte"})
