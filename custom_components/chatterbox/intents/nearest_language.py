"""The nearest of several languages."""

from collections.abc import Iterable
from functools import lru_cache

from homeassistant.const import MATCH_ALL
from homeassistant.util.language import matches


def nearest_language(language: str, tags: Iterable[str]) -> str | None:
    """Return the tag nearest to a language, None if no tag is of that language.

    Among equally near ones, such as those of regions, the choice is always the same.
    """
    return _nearest(language, tuple(sorted(tags)))


@lru_cache
def _nearest(language: str, tags: tuple[str, ...]) -> str | None:
    """Return the nearest tag; every turn asks for the same few languages."""
    nearest = [] if language == MATCH_ALL else matches(language, tags)
    return next(iter(nearest), None)
