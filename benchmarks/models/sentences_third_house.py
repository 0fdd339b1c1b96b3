"""What the family of the old house says, the third set."""

from .sentence import (
    ACTIVATED,
    CLEANING,
    CLOSED,
    LOCKED,
    OFF,
    ON,
    OPEN,
    PAUSED,
    PREVIOUS,
    SMALL_TALK,
    UNLOCKED,
    Kind,
    Sentence,
    affirms,
    degrees,
    hue,
    listed,
    on,
    percent,
    position,
    speed,
    ticked,
)
from .sentences_house import (
    BACK,
    BEDSIDE,
    BLINDS,
    CURTAIN,
    EXTRACTOR,
    FAN,
    FRONT,
    GARAGE,
    GROCERIES,
    HALLWAY,
    HOOVER,
    ISLAND,
    JOBS,
    LANDING,
    LOUNGE_LAMP,
    MIRROR,
    PATIO_AWNING,
    PATIO_LIGHT,
    RADIATOR,
    SONOS,
    SPOTS,
    SPRINKLER,
    STUDY_LAMP,
    WATER,
)

NOT_DONE = (
    r"^(?!.*\bI(?:['\u2019]ve| have)? (?:turned|switched|opened|set|sent|started)\b)"
    r".*(?:\b(?:no|not|none|nothing|cannot|unable|unknown|unfamiliar)\b|n['\u2019]t\b"
    r"|\b(?:nicht|keine?[nmrs]?|leider|unbekannt)\b)"
)
"""An answer that owns up to something not being there, and does not claim to have done it."""

THIRD_HOUSE_SENTENCES = (
    Sentence("Pop the landing light on", {LANDING: ON}, kind=Kind.PLAIN),
    Sentence("Kill the spotlights", {SPOTS: OFF}, given=on(SPOTS), kind=Kind.PLAIN),
    Sentence("Get the extractor going in the bathroom", {EXTRACTOR: ON}, kind=Kind.PLAIN),
    Sentence("Fire up the pond pump", {"switch.pump": ON}, kind=Kind.PLAIN),
    Sentence(
        "Take the kitchen island down to a quarter brightness",
        {ISLAND: percent(25)},
        given=on(ISLAND),
        kind=Kind.LEVEL,
    ),
    Sentence(
        "Bedroom radiator to nineteen and a half degrees",
        {RADIATOR: degrees(19.5)},
        kind=Kind.LEVEL,
    ),
    Sentence("I'd like the ceiling fan at sixty percent", {FAN: speed(60)}, kind=Kind.LEVEL),
    Sentence("Bring the bedroom blinds up halfway", {BLINDS: position(50)}, kind=Kind.LEVEL),
    Sentence("Give the lounge lamp a green glow", {LOUNGE_LAMP: hue(85, 160)}, kind=Kind.LEVEL),
    Sentence("Get Hoover cleaning", {HOOVER: CLEANING}, kind=Kind.MACHINE),
    Sentence(
        "Turn the main water off, we've got a leak",
        {WATER: CLOSED},
        given={SPRINKLER: {"is_closed": False}},
        kind=Kind.MACHINE,
    ),
    Sentence("Bolt the front door for me", {FRONT: LOCKED}, kind=Kind.MACHINE),
    Sentence(
        "We're out of coffee filters, stick them on the groceries",
        {GROCERIES: listed("coffee filter")},
        kind=Kind.LIST,
    ),
    Sentence(
        "The gate is fixed, cross that off the house jobs",
        {JOBS: ticked("fix the gate")},
        kind=Kind.LIST,
    ),
    Sentence("Put the dinner scene on", {"scene.dinner": ACTIVATED}, kind=Kind.SCENE),
    Sentence("Take the Sonos back one track", {SONOS: PREVIOUS}, kind=Kind.MEDIA),
    Sentence("Put the study lamp on", {STUDY_LAMP: ON}, kind=Kind.SAME_NAME),
    Sentence(
        "Draw the study curtain and turn on the lamp in there",
        {CURTAIN: CLOSED, STUDY_LAMP: ON},
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "The dog wants out, so unlock the back door and put the patio light on",
        {BACK: UNLOCKED, PATIO_LIGHT: ON},
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "Put bin bags on the groceries and pause the Sonos",
        {GROCERIES: listed("bin bag"), SONOS: PAUSED},
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "It's so dark on the patio I can't see my own plate",
        {PATIO_LIGHT: ON},
        kind=Kind.INDIRECT,
    ),
    Sentence(
        "Would you mind opening the garage? I'm just pulling into the drive",
        {GARAGE: OPEN},
        kind=Kind.INDIRECT,
    ),
    Sentence(
        "Every light upstairs can go off now",
        {STUDY_LAMP: OFF, BEDSIDE: OFF, LANDING: OFF, MIRROR: OFF},
        given=on(STUDY_LAMP, BEDSIDE, LANDING, MIRROR, ISLAND, HALLWAY),
        kind=Kind.GROUP,
    ),
    Sentence("Light on in here, please", {BEDSIDE: ON}, area="Main bedroom", kind=Kind.AREA),
    Sentence(
        "Can you check whether the main water valve is still open?",
        says=affirms(r"\byes\b|\bopen\b"),
        kind=Kind.STATE,
    ),
    Sentence(
        "What are the solar panels making at the moment?",
        says=r"\b2[., ]?340\b|\b2[.,]34\b|\b2[.,]3 ?k",
        kind=Kind.SENSOR,
    ),
    Sentence("Which day of the week have we got today?", says="%WEEKDAY%", kind=Kind.CLOCK),
    Sentence("What's fifteen percent of eighty?", says=r"\b12\b|twelve", kind=Kind.KNOWLEDGE),
    Sentence("Cheers, you've been a great help", says=SMALL_TALK, kind=Kind.TALK),
    Sentence("Switch on my electric blanket", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence(
        "Roll the patio awning out",
        {PATIO_AWNING: OPEN},
        kind=Kind.FOLLOW_UP,
        then=Sentence("It's clouding over, bring it back in", {PATIO_AWNING: CLOSED}),
    ),
)
