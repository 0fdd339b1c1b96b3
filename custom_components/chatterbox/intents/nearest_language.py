"""The nearest of several languages."""

from collections.abc import Iterable

from homeassistant.const import MATCH_ALL
from homeassistant.util.language import matches


def nearest_language(language: str, tags: Iterable[str]) -> str | None:
    """Return the tag nearest to a language, None if no tag is of that language.

    Among equally near ones, such as those of regions, the choice is always the same.
    """
    nearest = [] if language == MATCH_ALL else matches(language, sorted(tags))
    return next(iter(nearest), None)
