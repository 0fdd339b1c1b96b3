"""Polish."""

from ..language import Language, split_phrases


def _plural_form(value: float) -> int:
    """Return 0 for one, 1 for a few, 2 for many, 3 for a part of a unit."""
    if value == 1:
        return 0
    if not value.is_integer():
        return 3
    few = value % 10 in {2, 3, 4} and value % 100 not in {12, 13, 14}
    return 1 if few else 2


LANGUAGE = Language(
    polite=split_phrases("proszę, teraz, dziękuję"),
    stop=split_phrases(
        """
        stop, przestań, zatrzymaj, zatrzymaj się, anuluj, dość, wystarczy, nieważne, cisza, cicho
        """
    ),
    yes=split_phrases(
        """
        tak, jasne, oczywiście, pewnie, zgoda, zrób to, ok, okej, okay, potwierdzam, dobrze,
        kontynuuj, śmiało, dalej
        """
    ),
    go_on=split_phrases(
        """
        dalej, kontynuuj, mów dalej, czytaj dalej, opowiadaj dalej, więcej, resztę
        """
    ),
    conditions=split_phrases("jeśli, jeżeli, gdy, kiedy, chyba, dopóki"),
    all_devices=split_phrases("wszystko"),
    new_conversation=split_phrases("nowa rozmowa, zacznij nową rozmowę"),
    abbreviations=frozenset(
        split_phrases(
            """
            dr, prof, inż, mgr, hab, św, ul, al, pl, os, nr, godz, ok, maks, min, ks, pkt, str,
            tel, tzw, np, wg, zob, por
            """
        )
    ),
    ordinal_stops=True,
    halves=split_phrases("pół, połowa, połowę, połowy, połowie"),
    units={
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
    },
    decimal_mark=",",
    minus="minus",
    plural_form=_plural_form,
)
