"""The nearest of several languages."""

from collections.abc import Iterable

from homeassistant.const import MATCH_ALL
from homeassistant.util.language import matches


def nearest_language(language: str, tags: Iterable[str]) -> str | None:
    """Return the tag that comes nearest to a language, None if none is of that language.

    Of several that are equally near, such as those of regions, it is always the same one.
    """
    nearest = [] if language == MATCH_ALL else matches(language, sorted(tags))
    return next(iter(nearest), None)
