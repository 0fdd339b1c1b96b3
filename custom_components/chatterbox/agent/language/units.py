"""Units, percentages and timestamps as they are spoken.

In a language whose units are not known they stay as they are written: every voice reads digits, and
no voice reads a word of a wrong language well.
"""

import re

from .languages import LANGUAGES, find_language

_UNITS = sorted(
    {unit for language in LANGUAGES.values() for unit in language.units}, key=len, reverse=True
)
# A part of a longer word is no unit: 3 W-LAN, 100 W/m².
_NUMBER = r"(?P<number>\d+(?:[.,]\d+)?)[ \u00a0\u202f]?"
_SYMBOL = rf"(?P<unit>{'|'.join(map(re.escape, _UNITS))})(?!\w|[-/][^\W\d])"
_QUANTITY = re.compile(rf"(?<![\w.,°%])(?P<sign>[-−])?{_NUMBER}{_SYMBOL}")
_NAMES = sorted(
    {name for language in LANGUAGES.values() for names in language.units.values() for name in names}
)
QUANTITY = re.compile(rf"{_NUMBER}(?:{_SYMBOL}|(?:{'|'.join(map(re.escape, _NAMES))})\b)")
"""A number with a unit, or with the name of one, in any of the known languages."""
LONGEST_UNIT = max(map(len, [*_UNITS, *_NAMES]))
_UNIT_STARTS = sorted({unit[:size] for unit in _UNITS for size in range(1, len(unit) + 1)}, key=len)
UNIT_MAY_FOLLOW = (
    rf"[ \u00a0\u202f]?(?:(?:{'|'.join(map(re.escape, _UNITS))})(?!\w)"
    rf"|(?:{'|'.join(map(re.escape, _UNIT_STARTS))})\Z)"
)
"""Pattern of a unit after a number, or of what may become one at the end of a text."""
_TIMESTAMP = re.compile(
    r"\b(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::(?!00)\d{2})?)(?::00)?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?"
)


def spoken_units(text: str, language: str) -> str:
    """Return a text with its units and times as they are spoken in a language."""
    text = _TIMESTAMP.sub(r"\1 \2", text)
    known = find_language(language)
    if known is None:
        return text

    def spoken(found: re.Match[str]) -> str:
        if (forms := known.units.get(found["unit"])) is None:
            return found.group()
        sign = f"{known.minus} " if found["sign"] else ""
        return f"{sign}{found['number']} {forms[known.plural_form(_value(found['number']))]}"

    return _QUANTITY.sub(spoken, text)


def _value(number: str) -> float:
    # Before three digits, a separator may be the one between thousands.
    return float(re.sub(r"[.,](?=\d{3}\Z)", "", number).replace(",", "."))
