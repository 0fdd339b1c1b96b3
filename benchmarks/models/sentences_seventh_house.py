"""Seventh set of sentences for the old house."""

from functools import partial

from .sentence import (
    ACTIVATED,
    CLEANING,
    CLOSED,
    LOCKED,
    NEXT,
    NOT_DONE,
    OFF,
    ON,
    OPEN,
    Kind,
    Sentence,
    Stepped,
    degrees,
    listed,
    on,
    percent,
    position,
)
from .sentences_house import (
    BACK,
    BEDSIDE,
    BLINDS,
    CURTAIN,
    EXTRACTOR,
    FRONT,
    GARAGE,
    GROCERIES,
    HALLWAY,
    HEATING,
    HOOVER,
    ISLAND,
    LANDING,
    LOUNGE_LAMP,
    PATIO_AWNING,
    SONOS,
    SPOTS,
    SPRINKLER,
    STUDY_LAMP,
)

_german = partial(Sentence, language="de")
_french = partial(Sentence, language="fr")
_spanish = partial(Sentence, language="es")
_italian = partial(Sentence, language="it")
_polish = partial(Sentence, language="pl")

_PUMP = "switch.pump"
_BRIGHTER = {"state": "on", "brightness": (206, 255)}
_DIMMER = {"state": "on", "brightness": (1, 200)}

SEVENTH_HOUSE_SENTENCES = (
    Sentence("Light on on the landing, please", {LANDING: ON}, kind=Kind.PLAIN),
    Sentence("Kitchen light on", {ISLAND: ON}, kind=Kind.PLAIN),
    Sentence("Open the garage for me, would you?", {GARAGE: OPEN}, kind=Kind.INDIRECT),
    Sentence(
        "Kill the lights in here",
        {LOUNGE_LAMP: OFF, SPOTS: OFF},
        given=on(LOUNGE_LAMP, SPOTS, ISLAND),
        area="Lounge",
        kind=Kind.AREA,
    ),
    Sentence(
        "turn the bedside light down to ten percent",
        {BEDSIDE: percent(10)},
        given=on(BEDSIDE),
        kind=Kind.LEVEL,
    ),
    Sentence("Brighten up the spotlights a bit", {SPOTS: _BRIGHTER}, on(SPOTS), kind=Kind.LEVEL),
    Sentence(
        "Turn the downstairs heating up by two degrees",
        {HEATING: {"temperature": Stepped(2)}},
        kind=Kind.LEVEL,
    ),
    Sentence("Shut the study curtain halfway", {CURTAIN: position(50)}, kind=Kind.LEVEL),
    Sentence(
        "Next track please",
        {SONOS: NEXT},
        area="Lounge",
        kind=Kind.MEDIA,
        calls={"media_player.media_next_track": SONOS},
    ),
    Sentence(
        "Add dishwasher tablets to the shopping list",
        {GROCERIES: listed("dishwasher tablets")},
        kind=Kind.LIST,
    ),
    Sentence("Good night routine, please", {"script.goodnight": ACTIVATED}, kind=Kind.SCENE),
    Sentence("Send Hoover round upstairs", {HOOVER: CLEANING}, kind=Kind.MACHINE),
    Sentence(
        "Turn the sprinkler on and the pond pump off",
        {SPRINKLER: OPEN, _PUMP: OFF},
        given=on(_PUMP),
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "Every light in the house off apart from the one on the landing",
        {LOUNGE_LAMP: OFF, ISLAND: OFF, HALLWAY: OFF},
        given=on(LOUNGE_LAMP, ISLAND, HALLWAY, LANDING),
        kind=Kind.GROUP,
    ),
    Sentence(
        "Wind the awning back in, there's a storm coming",
        {PATIO_AWNING: CLOSED},
        given={PATIO_AWNING: {"current_cover_position": 100, "is_closed": False}},
        kind=Kind.SAME_NAME,
    ),
    Sentence(
        "Turn on the lamp in the lounge, sorry, in the study",
        {STUDY_LAMP: ON},
        kind=Kind.SAME_NAME,
    ),
    Sentence(
        "What's the temperature downstairs?",
        says=r"\b18[.,]3\b|\b18\b(?![.,]\d)|eighteen",
        kind=Kind.FOLLOW_UP,
        then=Sentence("Put it up to 21", {HEATING: degrees(21)}),
    ),
    Sentence(
        "Turn the counter light on",
        {ISLAND: ON},
        kind=Kind.FOLLOW_UP,
        then=Sentence("Now a bit dimmer", {ISLAND: _DIMMER}),
    ),
    Sentence(
        "Have I left any doors unlocked?",
        says=(
            r"^(?!.*(?:^\W*no\b|\bnone\b|\bboth\b|sorry"
            r"|back door (?:is|was) (?:also )?unlocked))"
            r".*(?:\byes\b|front)"
        ),
        kind=Kind.STATE,
    ),
    Sentence("Could you tell me the time?", says="%TIME%", kind=Kind.CLOCK),
    Sentence("Who wrote Pride and Prejudice?", says="austen", kind=Kind.KNOWLEDGE),
    Sentence("Turn on the tumble dryer", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    _german("Schalt im Bad die Lüftung ein", {EXTRACTOR: ON}, kind=Kind.PLAIN),
    _french(
        "Ferme la porte du garage",
        {GARAGE: CLOSED},
        given={GARAGE: {"is_closed": False}},
        kind=Kind.MACHINE,
    ),
    _spanish("Abre las persianas del dormitorio, por favor", {BLINDS: OPEN}, kind=Kind.PLAIN),
    _italian(
        "Quanta corrente stanno producendo i pannelli solari?",
        says=r"2[,. ]?340|2[.,]34?\b|duemilatrecento",
        kind=Kind.SENSOR,
    ),
    _polish(
        "Zamknij na klucz drzwi wejściowe i tylne",
        {FRONT: LOCKED, BACK: LOCKED},
        given={BACK: {"is_locked": False}},
        kind=Kind.COMPOUND,
    ),
)
