"""Short names of areas: the only bedroom may be called *Main bedroom*."""

from collections.abc import Collection, Mapping

from .mentions import ExposedEntity, Place
from .text_match import words

_SHORTEST_NAME = 3


def find_short_names(
    areas: Collection[Place],
    floors: Collection[Place],
    entities: Collection[ExposedEntity],
    known: Collection[str],
) -> Mapping[str, str]:
    """Return the areas by a word of their names that no other place has, nor a device elsewhere.

    `known` are words that distinguish nothing.
    """
    return {
        word: area.name
        for area in areas
        for word in _words_of(area) - {"".join(words(area.name))}
        if len(word) >= _SHORTEST_NAME
        and word not in known
        and not any(word in _words_of(each) for each in (*areas, *floors) if each is not area)
        and not any(word in _words_of(each) for each in entities if each.area != area.name)
    }


def _words_of(named: Place | ExposedEntity) -> set[str]:
    return {word for name in named.names for word in words(name)}
