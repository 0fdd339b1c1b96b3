"""Dutch."""

from ..language import Language, split_phrases

LANGUAGE = Language(
    polite=split_phrases("alsjeblieft, alstublieft, graag, nu, dank je, bedankt"),
    stop=split_phrases(
        """
        stop, stoppen, hou op, houd op, annuleer, annuleren, laat maar, genoeg, stil, wees stil,
        vergeet het
        """
    ),
    yes=split_phrases(
        """
        ja, jawel, jazeker, zeker, natuurlijk, prima, ok, oké, okay, doe het, doe het maar,
        doe maar, doe dat, ga je gang, ga door, akkoord, klopt, goed
        """
    ),
    go_on=split_phrases(
        """
        ga verder, ga door, verder, doorgaan, vertel verder, lees verder, meer, de rest
        """
    ),
    conditions=split_phrases("als, wanneer, tenzij, zodra, zolang, mits"),
    all_devices=split_phrases("alles"),
    new_conversation=split_phrases("nieuw gesprek, begin een nieuw gesprek"),
    abbreviations=frozenset(
        split_phrases(
            """
            dr, dhr, mevr, mw, drs, ir, prof, nr, ca, bijv, evt, incl, excl, max, min, st, tel,
            blz, resp
            """
        )
    ),
    units={
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
    },
    decimal_mark=",",
    minus="min",
)
