"""Sentences of the family in the bungalow, second set."""

from functools import partial

from .sentence import (
    CLOSED,
    LOCKED,
    OFF,
    ON,
    OPEN,
    SMALL_TALK,
    UNKNOWN,
    Kind,
    Sentence,
    affirms,
    degrees,
    denies,
    listed,
    on,
    speed,
)
from .sentences_family import (
    BLIND,
    CHORES,
    EMMA,
    FAN,
    FLOOD,
    GATE,
    HUMIDIFIER,
    LAMPADAIRE,
    LAUNDRY,
    LUSTRE,
    NIGHT,
    PLAFONNIER,
    SHUTTER,
    THERMOSTAT,
    TV,
    UNICORN,
)

english = Sentence
german = partial(Sentence, language="de")
french = partial(Sentence, language="fr")
spanish = partial(Sentence, language="es")

SECOND_FAMILY_SENTENCES = (
    english("Laundry light off, I'm done in there", {LAUNDRY: OFF}, on(LAUNDRY), kind=Kind.PLAIN),
    english(
        "Could we have the floodlight on? Something's rustling outside",
        {FLOOD: ON},
        kind=Kind.INDIRECT,
    ),
    english(
        "Baby's awake, blind up in the nursery",
        {BLIND: OPEN},
        {BLIND: {"is_closed": True, "current_cover_position": 0}},
        kind=Kind.PLAIN,
    ),
    english(
        "The garden gate still needs locking",
        {GATE: LOCKED},
        {GATE: {"is_locked": False}},
        kind=Kind.MACHINE,
    ),
    english("Noah's fan can go off now", {FAN: OFF}, kind=Kind.PLAIN),
    french(
        "Ferme le volet du salon, y a trop de soleil",
        {SHUTTER: CLOSED},
        {SHUTTER: {"is_closed": False, "current_cover_position": 100}},
        kind=Kind.PLAIN,
    ),
    english("TV off and chandelier on, dinner's ready", {TV: OFF, LUSTRE: ON}, kind=Kind.COMPOUND),
    english(
        "Humidifier on in the nursery and, um, night light off",
        {HUMIDIFIER: ON, NIGHT: OFF},
        on(NIGHT),
        kind=Kind.COMPOUND,
    ),
    english("Lights on in Emma's room, both of them", {EMMA: ON, UNICORN: ON}, kind=Kind.GROUP),
    english("Thermostat to nineteen please", {THERMOSTAT: degrees(19)}, kind=Kind.LEVEL),
    spanish("Pon el ventilador de Noah al 50 por ciento", {FAN: speed(50)}, kind=Kind.LEVEL),
    english(
        "Stick call the vet on the chores list", {CHORES: listed("call the vet")}, kind=Kind.LIST
    ),
    english(
        "Anybody in the driveway?",
        says=denies(r"\bno\b|\bno[- ]?(?:body|one)\b|\bnot\b|n't|\boff\b|\bclear\b"),
        kind=Kind.STATE,
    ),
    english(
        "Did someone lock the garden gate?",
        says=affirms(r"\byes\b|\blocked"),
        kind=Kind.STATE,
    ),
    spanish(
        "¿Qué temperatura hay en el salón?",
        # Not 20.5, which is only what it is set to.
        says=r"20[.,]1|\b20\b(?![.,]\d)|\bveinte grados",
        kind=Kind.SENSOR,
    ),
    english(
        "Do I need an umbrella tomorrow?",
        says=r"\bsun|^no\b|\bno (?:need|umbrella)|(?:n't|\bnot) need|\bdry\b",
        kind=Kind.CLOCK,
    ),
    english("How many sides has a hexagon got?", says=r"\b6\b|\bsix\b", kind=Kind.KNOWLEDGE),
    english("What do bees make?", says=r"\bhoney|\bwax", kind=Kind.KNOWLEDGE),
    english("I'm bored", says=SMALL_TALK, kind=Kind.TALK),
    english("Disco ball on!", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    german(
        "Licht an, ich seh ja gar nichts",
        {LUSTRE: ON, LAMPADAIRE: ON},
        kind=Kind.AREA,
        area="Salon",
    ),
    french(
        "Tu mets le lampadaire ?",
        {LAMPADAIRE: ON},
        kind=Kind.FOLLOW_UP,
        then=french("Et le plafonnier aussi, tiens", {PLAFONNIER: ON}, kind=Kind.FOLLOW_UP),
    ),
)
"""Sentences of the family and its relatives."""
