"""French."""

from ..language import Language, split_phrases

# The plural begins at two: 1,5 degré, 2 degrés.
_PLURAL = 2


def _plural_form(value: float) -> int:
    return int(value >= _PLURAL)


LANGUAGE = Language(
    polite=split_phrases("s'il te plaît, s'il vous plaît, merci, maintenant"),
    stop=split_phrases(
        """
        stop, arrête, arrêtez, arrête ça, annule, annuler, laisse tomber, ça suffit, tais-toi,
        silence, oublie
        """
    ),
    yes=split_phrases(
        """
        oui, ouais, d'accord, bien sûr, vas-y, allez-y, ok, okay, fais-le, je confirme, confirme,
        certainement, continue, exactement
        """
    ),
    go_on=split_phrases(
        """
        continue, continuez, vas-y, la suite, et ensuite, encore, poursuis, poursuivez, le reste
        """
    ),
    conditions=split_phrases("lorsque, dès, tant"),
    all_devices=split_phrases("tout"),
    new_conversation=split_phrases(
        """
        nouvelle conversation, commence une nouvelle conversation
        """
    ),
    abbreviations=frozenset(
        split_phrases(
            """
            dr, mr, mme, mlle, mgr, st, ste, av, bd, boul, env, max, min, tél, vol, chap
            """
        )
    ),
    halves=split_phrases("moitié, demi"),
    units={
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
    },
    decimal_mark=",",
    minus="moins",
    plural_form=_plural_form,
)
