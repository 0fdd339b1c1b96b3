"""Units, percentages and timestamps as they are spoken, in the languages that are known here.

In any other language they stay as they were written: every voice reads digits, and no voice reads a
word of a wrong language well.
"""

import re
from collections.abc import Mapping

type Words = Mapping[str, tuple[str, ...]]
"""A unit's words: for one and for more; in Polish for one, a few, many, and a part."""

_ENGLISH: Words = {
    "°C": ("degree Celsius", "degrees Celsius"),
    "°F": ("degree Fahrenheit", "degrees Fahrenheit"),
    "°": ("degree", "degrees"),
    "%": ("percent", "percent"),
    "km/h": ("kilometre per hour", "kilometres per hour"),
    "m/s": ("metre per second", "metres per second"),
    "mph": ("mile per hour", "miles per hour"),
    "kWh": ("kilowatt hour", "kilowatt hours"),
    "Wh": ("watt hour", "watt hours"),
    "kW": ("kilowatt", "kilowatts"),
    "W": ("watt", "watts"),
    "mm": ("millimetre", "millimetres"),
    "cm": ("centimetre", "centimetres"),
    "km": ("kilometre", "kilometres"),
    "hPa": ("hectopascal", "hectopascals"),
    "lx": ("lux", "lux"),
    "ppm": ("part per million", "parts per million"),
    "€": ("euro", "euros"),
}
_GERMAN: Words = {
    "°C": ("Grad Celsius", "Grad Celsius"),
    "°F": ("Grad Fahrenheit", "Grad Fahrenheit"),
    "°": ("Grad", "Grad"),
    "%": ("Prozent", "Prozent"),
    "km/h": ("Kilometer pro Stunde", "Kilometer pro Stunde"),
    "m/s": ("Meter pro Sekunde", "Meter pro Sekunde"),
    "kWh": ("Kilowattstunde", "Kilowattstunden"),
    "Wh": ("Wattstunde", "Wattstunden"),
    "kW": ("Kilowatt", "Kilowatt"),
    "W": ("Watt", "Watt"),
    "mm": ("Millimeter", "Millimeter"),
    "cm": ("Zentimeter", "Zentimeter"),
    "km": ("Kilometer", "Kilometer"),
    "hPa": ("Hektopascal", "Hektopascal"),
    "lx": ("Lux", "Lux"),
    "€": ("Euro", "Euro"),
}
_FRENCH: Words = {
    "°C": ("degré Celsius", "degrés Celsius"),
    "°F": ("degré Fahrenheit", "degrés Fahrenheit"),
    "°": ("degré", "degrés"),
    "%": ("pour cent", "pour cent"),
    "km/h": ("kilomètre par heure", "kilomètres par heure"),
    "m/s": ("mètre par seconde", "mètres par seconde"),
    "kWh": ("kilowattheure", "kilowattheures"),
    "kW": ("kilowatt", "kilowatts"),
    "W": ("watt", "watts"),
    "mm": ("millimètre", "millimètres"),
    "cm": ("centimètre", "centimètres"),
    "km": ("kilomètre", "kilomètres"),
    "hPa": ("hectopascal", "hectopascals"),
    "€": ("euro", "euros"),
}
_SPANISH: Words = {
    "°C": ("grado Celsius", "grados Celsius"),
    "°F": ("grado Fahrenheit", "grados Fahrenheit"),
    "°": ("grado", "grados"),
    "%": ("por ciento", "por ciento"),
    "km/h": ("kilómetro por hora", "kilómetros por hora"),
    "m/s": ("metro por segundo", "metros por segundo"),
    "kWh": ("kilovatio hora", "kilovatios hora"),
    "kW": ("kilovatio", "kilovatios"),
    "W": ("vatio", "vatios"),
    "mm": ("milímetro", "milímetros"),
    "cm": ("centímetro", "centímetros"),
    "km": ("kilómetro", "kilómetros"),
    "hPa": ("hectopascal", "hectopascales"),
    "€": ("euro", "euros"),
}
_DUTCH: Words = {
    "°C": ("graad Celsius", "graden Celsius"),
    "°F": ("graad Fahrenheit", "graden Fahrenheit"),
    "°": ("graad", "graden"),
    "%": ("procent", "procent"),
    "km/h": ("kilometer per uur", "kilometer per uur"),
    "m/s": ("meter per seconde", "meter per seconde"),
    "kWh": ("kilowattuur", "kilowattuur"),
    "kW": ("kilowatt", "kilowatt"),
    "W": ("watt", "watt"),
    "mm": ("millimeter", "millimeter"),
    "cm": ("centimeter", "centimeter"),
    "km": ("kilometer", "kilometer"),
    "hPa": ("hectopascal", "hectopascal"),
    "€": ("euro", "euro"),
}

_ITALIAN: Words = {
    "°C": ("grado Celsius", "gradi Celsius"),
    "°F": ("grado Fahrenheit", "gradi Fahrenheit"),
    "°": ("grado", "gradi"),
    "%": ("per cento", "per cento"),
    "km/h": ("chilometro all'ora", "chilometri all'ora"),
    "m/s": ("metro al secondo", "metri al secondo"),
    "kWh": ("chilowattora", "chilowattora"),
    "Wh": ("wattora", "wattora"),
    "kW": ("chilowatt", "chilowatt"),
    "W": ("watt", "watt"),
    "mm": ("millimetro", "millimetri"),
    "cm": ("centimetro", "centimetri"),
    "km": ("chilometro", "chilometri"),
    "hPa": ("ettopascal", "ettopascal"),
    "lx": ("lux", "lux"),
    "€": ("euro", "euro"),
}
_POLISH: Words = {
    "°C": ("stopień Celsjusza", "stopnie Celsjusza", "stopni Celsjusza", "stopnia Celsjusza"),
    "°F": (
        "stopień Fahrenheita",
        "stopnie Fahrenheita",
        "stopni Fahrenheita",
        "stopnia Fahrenheita",
    ),
    "°": ("stopień", "stopnie", "stopni", "stopnia"),
    "%": ("procent", "procent", "procent", "procenta"),
    "km/h": (
        "kilometr na godzinę",
        "kilometry na godzinę",
        "kilometrów na godzinę",
        "kilometra na godzinę",
    ),
    "m/s": ("metr na sekundę", "metry na sekundę", "metrów na sekundę", "metra na sekundę"),
    "kWh": ("kilowatogodzina", "kilowatogodziny", "kilowatogodzin", "kilowatogodziny"),
    "Wh": ("watogodzina", "watogodziny", "watogodzin", "watogodziny"),
    "kW": ("kilowat", "kilowaty", "kilowatów", "kilowata"),
    "W": ("wat", "waty", "watów", "wata"),
    "mm": ("milimetr", "milimetry", "milimetrów", "milimetra"),
    "cm": ("centymetr", "centymetry", "centymetrów", "centymetra"),
    "km": ("kilometr", "kilometry", "kilometrów", "kilometra"),
    "hPa": ("hektopaskal", "hektopaskale", "hektopaskali", "hektopaskala"),
    "lx": ("luks", "luksy", "luksów", "luksa"),
    "€": ("euro", "euro", "euro", "euro"),
}

_LANGUAGES: Mapping[str, Words] = {
    "en": _ENGLISH,
    "de": _GERMAN,
    "fr": _FRENCH,
    "es": _SPANISH,
    "nl": _DUTCH,
    "it": _ITALIAN,
    "pl": _POLISH,
}
_MINUS: Mapping[str, str] = {
    "en": "minus",
    "de": "minus",
    "fr": "moins",
    "es": "menos",
    "nl": "min",
    "it": "meno",
    "pl": "minus",
}

# Below it, something is one of its kind.
_FRENCH_PLURAL = 2
_UNITS = sorted({unit for words in _LANGUAGES.values() for unit in words}, key=len, reverse=True)
# What is one word with something else is no unit: 3 W-LAN, 100 W/m².
QUANTITY = re.compile(
    r"(?<![\w.,°%])(?P<sign>[-−])?(?P<number>\d+(?:[.,]\d+)?)[ \u00a0\u202f]?"
    rf"(?P<unit>{'|'.join(map(re.escape, _UNITS))})(?!\w|[-/][^\W\d])"
)
"""A number with its unit, in any of the languages that are known here."""
PERCENTAGE = re.compile(
    rf"\d\s*(?:%|per cent|{'|'.join(sorted({words['%'][0] for words in _LANGUAGES.values()}))})",
    re.IGNORECASE,
)
"""A percentage in digits, in any of the languages that are known here."""
_TIMESTAMP = re.compile(
    r"\b(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::(?!00)\d{2})?)(?::00)?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?"
)


def spoken_units(text: str, language: str) -> str:
    """Return a text with its units and times as they are spoken in a language."""
    text = _TIMESTAMP.sub(r"\1 \2", text)
    tongue = re.split(r"[-_]", language.casefold())[0]
    words = _LANGUAGES.get(tongue)
    if words is None:
        return text

    def spoken(found: re.Match[str]) -> str:
        if (word := words.get(found["unit"])) is None:
            return found.group()
        sign = f"{_MINUS[tongue]} " if found["sign"] else ""
        return f"{sign}{found['number']} {word[_form(found['number'], tongue)]}"

    return QUANTITY.sub(spoken, text)


def _form(number: str, language: str) -> int:
    """Return which of the words of a unit goes with a number."""
    # With three digits behind it, a separator may stand between the thousands.
    value = float(re.sub(r"[.,](?=\d{3}\Z)", "", number).replace(",", "."))
    if language == "fr":
        return int(value >= _FRENCH_PLURAL)
    if language != "pl" or value == 1:
        return int(value != 1)
    if not value.is_integer():
        return 3
    few = value % 10 in {2, 3, 4} and value % 100 not in {12, 13, 14}
    return 1 if few else 2
