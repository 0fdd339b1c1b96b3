"""German."""

from ..language import Language, split_phrases

LANGUAGE = Language(
    polite=split_phrases("bitte, jetzt, danke, mal"),
    stop=split_phrases(
        """
        stopp, stop, halt, abbrechen, abbruch, brich ab, hör auf, schluss, vergiss es, genug, ruhe,
        sei still, schon gut, lass es
        """
    ),
    yes=split_phrases(
        """
        ja, jawohl, klar, na klar, sicher, natürlich, gerne, gern, ok, okay, mach das, mach es,
        tu das, tu es, einverstanden, richtig, genau, mach weiter, auf jeden fall, unbedingt
        """
    ),
    go_on=split_phrases(
        """
        weiter, mach weiter, weitermachen, red weiter, rede weiter, sprich weiter, erzähl weiter,
        lies weiter, fahr fort, mehr, den rest, und weiter
        """
    ),
    conditions=split_phrases("wenn, falls, solange, sofern"),
    all_devices=split_phrases("alles"),
    new_conversation=split_phrases(
        """
        neues gespräch, neue unterhaltung, beginne ein neues gespräch
        """
    ),
    abbreviations=frozenset(
        split_phrases(
            """
            dr, prof, dipl, ing, hr, fr, st, nr, str, bzw, ca, evtl, ggf, inkl, exkl, max, min,
            mind, abs, bd, tel, sog, vgl, allg, insb, zzgl
            """
        )
    ),
    ordinal_stops=True,
    halves=split_phrases("hälfte"),
    units={
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
    },
    decimal_mark=",",
    spoken_states={"ein": "an"},
    minus="minus",
)
