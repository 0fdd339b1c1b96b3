"""English."""

from ..language import Language, split_phrases

LANGUAGE = Language(
    polite=split_phrases("please, now, thanks, thank you, just"),
    stop=split_phrases(
        """
        stop, stop it, stop that, cancel, cancel that, abort, never mind, nevermind, forget it,
        that's enough, enough, quiet, be quiet, shut up
        """
    ),
    yes=split_phrases(
        """
        yes, yeah, yep, yup, sure, of course, do it, do that, go ahead, go on, ok, okay, confirm,
        confirmed, absolutely, certainly, i do, yes i am sure, i'm sure, correct, right
        """
    ),
    go_on=split_phrases(
        """
        go on, continue, keep going, carry on, more, tell me more, the rest, tell me the rest
        """
    ),
    conditions=split_phrases("unless, until, whenever, once"),
    all_devices=split_phrases("everything"),
    new_conversation=split_phrases(
        """
        new conversation, start a new conversation
        """
    ),
    abbreviations=frozenset(
        split_phrases(
            """
            dr, mr, mrs, ms, prof, st, mt, vs, jr, sr, approx, incl, excl, fig
            """
        )
    ),
    units={
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
    },
    minus="minus",
)
