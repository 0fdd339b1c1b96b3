"""Fourth set of sentences for the household in the old house."""

from functools import partial

from .sentence import (
    ACTIVATED,
    CLOSED,
    LOCKED,
    NOT_DONE,
    OFF,
    ON,
    OPEN,
    PREVIOUS,
    SMALL_TALK,
    Kind,
    Sentence,
    Stepped,
    affirms,
    degrees,
    hue,
    listed,
    on,
    percent,
    ticked,
)
from .sentences_house import (
    CURTAIN,
    FAN,
    FRONT,
    GARAGE,
    GROCERIES,
    HALLWAY,
    HEATING,
    ISLAND,
    LANDING,
    LOUNGE_LAMP,
    PATIO_AWNING,
    SONOS,
    SPOTS,
    SPRINKLER,
    STUDY_LAMP,
    UPSTAIRS,
    WATER,
)

_german = partial(Sentence, language="de")
_spanish = partial(Sentence, language="es")
_dutch = partial(Sentence, language="nl")
_italian = partial(Sentence, language="it")

FOURTH_HOUSE_SENTENCES: tuple[Sentence, ...] = (
    _spanish("¿Me enciendes la luz del pasillo?", {HALLWAY: ON}, kind=Kind.PLAIN),
    Sentence(
        "The sun's right on my screen, could you draw the study curtain?",
        {CURTAIN: CLOSED},
        kind=Kind.INDIRECT,
    ),
    Sentence(
        "It's bucketing down, we'd better not keep the sprinkler running.",
        {SPRINKLER: CLOSED},
        given={SPRINKLER: {"is_closed": False}},
        kind=Kind.INDIRECT,
    ),
    Sentence(
        "I'm off to work, shut the garage and lock the front door behind me.",
        {GARAGE: CLOSED, FRONT: LOCKED},
        given={GARAGE: {"is_closed": False}},
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "Spotlights off and the lamp on instead, please.",
        {SPOTS: OFF, LOUNGE_LAMP: ON},
        given=on(SPOTS),
        kind=Kind.COMPOUND,
        area="Lounge",
    ),
    Sentence(
        "Kill all the lights upstairs.",
        dict.fromkeys(UPSTAIRS, OFF),
        given=on(*UPSTAIRS, ISLAND),
        kind=Kind.GROUP,
    ),
    Sentence(
        "It's stuffy in here, get the fan going.",
        {FAN: ON},
        kind=Kind.AREA,
        area="Main bedroom",
    ),
    Sentence("Put the kitchen island on at a quarter.", {ISLAND: percent(25)}, kind=Kind.LEVEL),
    Sentence(
        "Knock the downstairs heating back to eighteen and a half.",
        {HEATING: degrees(18.5)},
        kind=Kind.LEVEL,
    ),
    _italian(
        "Fai diventare blu la lampada in salotto.",
        {LOUNGE_LAMP: hue(210, 260)},
        kind=Kind.LEVEL,
    ),
    Sentence(
        "There's water everywhere under the sink, turn it off at the main valve!",
        {WATER: CLOSED},
        kind=Kind.MACHINE,
    ),
    _german("Mach die Garage auf, ich bin gleich da.", {GARAGE: OPEN}, kind=Kind.MACHINE),
    Sentence(
        "I've picked up the detergent, you can cross it off.",
        {GROCERIES: ticked("washing powder")},
        kind=Kind.LIST,
    ),
    _dutch(
        "Zet nog even yoghurt op de boodschappenlijst.",
        {GROCERIES: listed("yog")},
        kind=Kind.LIST,
    ),
    Sentence(
        "Food's nearly ready, put the dinner scene on.",
        {"scene.dinner": ACTIVATED},
        kind=Kind.SCENE,
    ),
    Sentence("Go back a song, I liked that one.", {SONOS: PREVIOUS}, kind=Kind.MEDIA),
    Sentence(
        "Put the patio awning out, it's scorching.",
        {PATIO_AWNING: OPEN},
        kind=Kind.SAME_NAME,
    ),
    Sentence(
        "Can you pop the lamp on in the study?",
        {STUDY_LAMP: ON},
        kind=Kind.SAME_NAME,
        area="Lounge",
    ),
    Sentence(
        "Did anyone lock the back door?",
        says=affirms(r"\byes\b|\blocked\b"),
        kind=Kind.STATE,
    ),
    Sentence(
        "How much are the solar panels making at the moment?",
        says=r"\b2[.,\s]?340\b|\b2[.,]34?\b|two thousand three hundred|two point three",
        kind=Kind.SENSOR,
    ),
    Sentence("Have you got the time?", says="%TIME%", kind=Kind.CLOCK),
    Sentence("Who was it that painted the Sunflowers?", says="gogh", kind=Kind.KNOWLEDGE),
    Sentence("Cheers, you've been a great help today.", says=SMALL_TALK, kind=Kind.TALK),
    Sentence(
        "Put the electric blanket on low.",
        says=NOT_DONE,
        kind=Kind.ABSENT,
        area="Main bedroom",
    ),
    Sentence(
        "Someone left the light on in the loft, turn it off.", says=NOT_DONE, kind=Kind.ABSENT
    ),
    _german("Heiz schon mal den Backofen auf 180 Grad vor.", says=NOT_DONE, kind=Kind.ABSENT),
    Sentence(
        "Landing light on, please.",
        {LANDING: ON},
        kind=Kind.FOLLOW_UP,
        then=Sentence(
            "That's too bright, bring it down a bit.",
            {LANDING: {"brightness": Stepped(-1, exact=False)}},
            kind=Kind.FOLLOW_UP,
        ),
    ),
    Sentence(
        "How warm is it in the study?",
        says=r"22[.,]6|twenty[- ]two point six|\b23\b",
        kind=Kind.FOLLOW_UP,
        then=Sentence(
            "And in the bedroom?",
            says=r"17[.,]9|seventeen point nine|\b18\b|eighteen",
            kind=Kind.FOLLOW_UP,
        ),
    ),
)
