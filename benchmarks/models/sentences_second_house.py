"""Sentences of the family in the old house, second set."""

from functools import partial

from .sentence import (
    CLEANING,
    CLOSED,
    LOCKED,
    OFF,
    ON,
    OPEN,
    SILENT,
    SMALL_TALK,
    UNKNOWN,
    UNLOCKED,
    Kind,
    Sentence,
    denies,
    on,
    percent,
    speed,
)
from .sentences_house import (
    BACK,
    BLINDS,
    CURTAIN,
    DUSTY,
    EXTRACTOR,
    FAN,
    FRONT,
    GARAGE,
    HOOVER,
    ISLAND,
    LANDING,
    MIRROR,
    PATIO_AWNING,
    PATIO_LIGHT,
    RADIO,
    SPOTS,
    SPRINKLER,
)

PUMP = "switch.pump"

english = Sentence
german = partial(Sentence, language="de")
spanish = partial(Sentence, language="es")
dutch = partial(Sentence, language="nl")
italian = partial(Sentence, language="it")

SECOND_HOUSE_SENTENCES = (
    english("Mirror light off, would you", {MIRROR: OFF}, on(MIRROR, LANDING), kind=Kind.PLAIN),
    english("Blinds up in the bedroom", {BLINDS: OPEN}, kind=Kind.PLAIN),
    english(
        "My mum's at the front door, unlock it so she can get in",
        {FRONT: UNLOCKED},
        {FRONT: {"is_locked": True}},
        kind=Kind.MACHINE,
    ),
    english(
        "The pond pump's making a racket, can we have it off?",
        {PUMP: OFF},
        on(PUMP),
        kind=Kind.INDIRECT,
    ),
    english(
        "Oh, I forgot about the sprinkler, shut it please",
        {SPRINKLER: CLOSED},
        {SPRINKLER: {"is_closed": False}},
        kind=Kind.MACHINE,
    ),
    dutch(
        "Doe het gordijn in de studeerkamer open",
        {CURTAIN: OPEN},
        {CURTAIN: {"is_closed": True, "current_cover_position": 0}},
        kind=Kind.PLAIN,
    ),
    english(
        "Garage shut and back door locked, we're off",
        {GARAGE: CLOSED, BACK: LOCKED},
        {GARAGE: {"is_closed": False}, BACK: {"is_locked": False}},
        kind=Kind.COMPOUND,
    ),
    english(
        "Can you get the awning in and put the patio light on?",
        {PATIO_AWNING: CLOSED, PATIO_LIGHT: ON},
        {PATIO_AWNING: {"is_closed": False, "current_cover_position": 100}},
        kind=Kind.COMPOUND,
    ),
    english(
        "Right, both vacuums out, Gran's coming",
        {DUSTY: CLEANING, HOOVER: CLEANING},
        kind=Kind.GROUP,
    ),
    english("Counter light, thirty percent", {ISLAND: percent(30)}, on(ISLAND), kind=Kind.LEVEL),
    english("Extractor on at 40%", {EXTRACTOR: speed(40)}, kind=Kind.LEVEL),
    spanish(
        "Quita la radio, que estoy al teléfono",
        {RADIO: SILENT},
        {RADIO: {"state": "playing"}},
        kind=Kind.MEDIA,
    ),
    english("Is Dusty still going?", says=denies(r"\bno\b|\bnot\b|n't|\bdock"), kind=Kind.STATE),
    italian(
        "Il garage è rimasto aperto?",
        says=r"\bno\b|non è (?:rimasto|aperto)|\bchius|\bclosed",
        kind=Kind.STATE,
    ),
    english("So how warm is it downstairs?", says=r"18[.,]3|\b18\b", kind=Kind.SENSOR),
    english("Got the time?", says="%TIME%", kind=Kind.CLOCK),
    english("What's a fifth of 65?", says=r"\b13\b|thirteen", kind=Kind.KNOWLEDGE),
    german(
        "Wie viele Tage hat der Februar in einem Schaltjahr?",
        says=r"\b29\b|neunundzwanzig",
        kind=Kind.KNOWLEDGE,
    ),
    english("Ugh, what a day. Say something nice", says=SMALL_TALK, kind=Kind.TALK),
    english("Put the kettle on", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    english(
        "Fan off, I'm freezing",
        {FAN: OFF},
        {FAN: {"percentage": 50}, EXTRACTOR: {"percentage": 50}},
        kind=Kind.AREA,
        area="Main bedroom",
    ),
    dutch(
        "Kunnen de Spotlights even aan?",
        {SPOTS: ON},
        kind=Kind.FOLLOW_UP,
        then=dutch("Te fel, doe maar 35 procent", {SPOTS: percent(35)}, kind=Kind.FOLLOW_UP),
    ),
)
"""Sentences of the family and its au pairs."""
