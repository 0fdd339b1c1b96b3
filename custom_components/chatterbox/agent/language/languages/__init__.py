"""The known languages: one module for each, named by its primary language subtag."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from ..language import Language, primary_language

LANGUAGES: Mapping[str, Language] = {
    module.name: import_module(f".{module.name}", __name__).LANGUAGE
    for module in iter_modules(__path__)
}
# The tag of the macrolanguage stands for the written form that nearly everybody uses.
_ALIASES = {"no": "nb"}


def find_language(tag: str) -> Language | None:
    """Return the language of a tag such as `pt-BR`, None if it has no module."""
    primary = primary_language(tag)
    return LANGUAGES.get(_ALIASES.get(primary, primary))
