"""Italian."""

from ..language import Language, split_phrases

LANGUAGE = Language(
    polite=split_phrases("per favore, per piacere, grazie, adesso, ora"),
    stop=split_phrases(
        """
        stop, fermati, ferma, annulla, basta, lascia stare, lascia perdere, zitto, silenzio
        """
    ),
    yes=split_phrases(
        """
        sì, si, certo, certamente, va bene, ok, okay, fallo, procedi, d'accordo, confermo, sicuro,
        vai, continua, esatto
        """
    ),
    go_on=split_phrases(
        """
        continua, continui, vai avanti, vada avanti, avanti, prosegui, prosegua, ancora, il resto
        """
    ),
    conditions=split_phrases("appena, finché"),
    all_devices=split_phrases("tutto"),
    new_conversation=split_phrases(
        """
        nuova conversazione, inizia una nuova conversazione
        """
    ),
    abbreviations=frozenset(
        split_phrases(
            """
            dott, dr, ing, avv, prof, sig, sigg, geom, rag, arch, ca, num, pag, tel, max, min
            """
        )
    ),
    units={
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
    },
    decimal_mark=",",
    minus="meno",
)
