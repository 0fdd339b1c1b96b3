"""Sentences of the household in the city flat, second set."""

from functools import partial

from .sentence import (
    CLEANING,
    CLOSED,
    HOMEWARD,
    OFF,
    ON,
    OPEN,
    SILENT,
    SMALL_TALK,
    UNLOCKED,
    Kind,
    Sentence,
    affirms,
    degrees,
    listed,
    on,
    percent,
)
from .sentences_flat import (
    ALL_ON,
    AWNING,
    BATH_HEATING,
    BED_BLIND,
    BEDSIDE,
    COFFEE,
    COUNTER,
    DOOR,
    FLOOR_LAMP,
    KITCHEN,
    LIST,
    LIVING_BLIND,
    MUSIC,
    ROBOT,
    TV,
    UNKNOWN,
)

english = Sentence
german = partial(Sentence, language="de")
french = partial(Sentence, language="fr")
dutch = partial(Sentence, language="nl")
italian = partial(Sentence, language="it")

SECOND_FLAT_SENTENCES = (
    english("Bedside lamp on please", {BEDSIDE: ON}, kind=Kind.PLAIN),
    german("Äh, Arbeitsplatte an, ich will Gemüse schneiden", {COUNTER: ON}, kind=Kind.PLAIN),
    german(
        "Die Sonne ist weg, du kannst die Markise wieder einfahren",
        {AWNING: CLOSED},
        {AWNING: {"is_closed": False, "current_cover_position": 100}},
        kind=Kind.INDIRECT,
    ),
    german(
        "Sperr mal auf, Oma steht vor der Wohnungstür",
        {DOOR: UNLOCKED},
        {DOOR: {"is_locked": True}},
        kind=Kind.MACHINE,
    ),
    english(
        "Um, I think the coffee machine's still on, can you turn it off?",
        {COFFEE: OFF},
        on(COFFEE),
        kind=Kind.INDIRECT,
    ),
    italian(
        "Alza il rollo in camera da letto, per favore",
        {BED_BLIND: OPEN},
        {BED_BLIND: {"is_closed": True, "current_cover_position": 0}},
        kind=Kind.PLAIN,
    ),
    german(
        "Fernseher an, und die Musik kannst du ausmachen",
        {TV: ON, MUSIC: SILENT},
        kind=Kind.COMPOUND,
    ),
    english(
        "Living room blind up and, uh, the floor lamp off",
        {LIVING_BLIND: OPEN, FLOOR_LAMP: OFF},
        {LIVING_BLIND: {"is_closed": True, "current_cover_position": 0}, **on(FLOOR_LAMP)},
        kind=Kind.COMPOUND,
    ),
    german("Überall Licht aus, wir sind weg", dict.fromkeys(ALL_ON, OFF), ALL_ON, kind=Kind.GROUP),
    german("Badheizung runter auf achtzehn", {BATH_HEATING: degrees(18)}, kind=Kind.LEVEL),
    english(
        "Kitchen light at 45%, that's plenty", {KITCHEN: percent(45)}, on(KITCHEN), kind=Kind.LEVEL
    ),
    german(
        "Wir haben kein Spülmittel mehr, schreib's auf die Einkaufsliste",
        {LIST: listed("spülmittel")},
        kind=Kind.LIST,
    ),
    german(
        "Hab ich das Fenster im Bad zugemacht?",
        says=affirms(r"\bja\b|geschlossen|\bzu|\byes\b|\bclosed"),
        kind=Kind.STATE,
    ),
    french(
        "La machine à café est allumée ?",
        says=r"\bnon\b|éteint|n'est pas (?:allum|en marche)|\bno\b|\boff\b",
        kind=Kind.STATE,
    ),
    english("How warm is it in the bathroom right now?", says=r"21[.,]8|\b22\b", kind=Kind.SENSOR),
    german("Den Wievielten haben wir heute nochmal?", says="%DATE%", kind=Kind.CLOCK),
    dutch("Hoeveel is 96 gedeeld door 6?", says=r"\b16\b|zestien", kind=Kind.KNOWLEDGE),
    italian("Chi ha scritto la Divina Commedia?", says=r"\bdante\b", kind=Kind.KNOWLEDGE),
    german("Na, alles klar bei dir?", says=SMALL_TALK, kind=Kind.TALK),
    german("Mach im Keller das Licht an", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    german("Uff, das blendet, Rollo zu", {LIVING_BLIND: CLOSED}, kind=Kind.AREA, area="Wohnzimmer"),
    english(
        "Send the vacuum round, would you",
        {ROBOT: CLEANING},
        kind=Kind.FOLLOW_UP,
        then=english("Hm, actually no, get it back", {ROBOT: HOMEWARD}, kind=Kind.FOLLOW_UP),
    ),
)
"""Sentences of the household and its guests from abroad."""
