"""Spanish."""

from ..language import Language, split_phrases

LANGUAGE = Language(
    polite=split_phrases("por favor, gracias, ahora"),
    stop=split_phrases(
        """
        para, detente, alto, cancela, cancelar, déjalo, olvídalo, basta, silencio, cállate, stop,
        ya basta
        """
    ),
    yes=split_phrases(
        """
        sí, claro, por supuesto, vale, de acuerdo, hazlo, adelante, ok, okay, confirmo, seguro,
        desde luego, sigue, continúa, correcto
        """
    ),
    go_on=split_phrases("sigue, siga, continúa, continúe, continuar, seguir, más, el resto"),
    conditions=split_phrases("si, mientras"),
    all_devices=split_phrases("todo"),
    new_conversation=split_phrases(
        """
        nueva conversación, empieza una nueva conversación
        """
    ),
    abbreviations=frozenset(
        split_phrases(
            """
            dr, dra, sr, sra, srta, ud, uds, prof, núm, pág, aprox, av, avda, sto, sta, tel, máx,
            mín
            """
        )
    ),
    halves=split_phrases("mitad"),
    units={
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
    },
    decimal_mark=",",
    minus="menos",
)
