"""Names of rooms in all languages, from Home Assistant's translations."""

from collections import defaultdict
from collections.abc import Mapping

from ..agent.text_match import normalize
from .translations import load_translation, translation_languages

# It creates the first areas of a home.
_SOURCE = "onboarding"


def load_room_names(language: str) -> Mapping[str, str]:
    """Return the names of rooms in a language, by their normalized name in any language.

    A name that stands for different rooms in different languages is left out.
    """
    own = _rooms(language)
    found: defaultdict[str, set[str]] = defaultdict(set)
    for other in translation_languages(_SOURCE):
        for room, name in _rooms(other).items():
            found[normalize(name)].add(room)
    return {
        name: own[room] for name, (room, *others) in found.items() if room in own and not others
    }


def _rooms(language: str) -> Mapping[str, str]:
    """Return the names of rooms in a language, by room."""
    rooms: Mapping[str, str] = load_translation(_SOURCE, language).get("area", {})
    return rooms
