"""Third set of sentences for the city flat."""

from functools import partial

from homeassistant.components.vacuum.const import VacuumActivity

from .sentence import (
    ACTIVATED,
    HOMEWARD,
    LOCKED,
    NOT_DONE,
    OFF,
    ON,
    OPEN,
    WARMER,
    Kind,
    Sentence,
    degrees,
    listed,
    on,
    percent,
    position,
)
from .sentences_flat import (
    AWNING,
    BATH_HEATING,
    BED_BLIND,
    CEILING,
    COUNTER,
    DOOR,
    FAIRY,
    FLOOR_LAMP,
    HALL,
    HEATING,
    KITCHEN,
    LIST,
    MIRROR,
    MUSIC,
    ROBOT,
)

_german = partial(Sentence, language="de")

THIRD_FLAT_SENTENCES = (
    _german("Knips das Spiegellicht im Bad an", {MIRROR: ON}, kind=Kind.PLAIN),
    _german("Das Flurlicht kann aus", {HALL: OFF}, given=on(HALL), kind=Kind.PLAIN),
    _german(
        "Dreh die Badheizung auf zweiundzwanzig Grad",
        {BATH_HEATING: degrees(22)},
        kind=Kind.LEVEL,
    ),
    _german(
        "Lass das Rollo im Schlafzimmer zur Hälfte runter",
        {BED_BLIND: position(50)},
        kind=Kind.LEVEL,
    ),
    _german(
        "Krümel soll zurück an die Ladestation",
        {ROBOT: HOMEWARD},
        given={ROBOT: {"activity": VacuumActivity.CLEANING}},
        kind=Kind.MACHINE,
    ),
    _german("Sperr die Wohnungstür ab", {DOOR: LOCKED}, kind=Kind.MACHINE),
    _german("Olivenöl muss noch auf die Einkaufsliste", {LIST: listed("olivenöl")}, kind=Kind.LIST),
    _german(
        "Mach die Musik ein bisschen leiser", {MUSIC: {"volume": (0.01, 0.39)}}, kind=Kind.MEDIA
    ),
    _german(
        "Wir sind so weit, schalt den Filmabend ein",
        {"scene.filmabend": ACTIVATED},
        kind=Kind.SCENE,
    ),
    _german(
        "Fahr die Markise aus und schalt die Lichterkette ein",
        {AWNING: OPEN, FAIRY: ON},
        kind=Kind.COMPOUND,
    ),
    _german(
        "Mach das Küchenlicht aus und die Arbeitsplatte auch",
        {KITCHEN: OFF, COUNTER: OFF},
        given=on(KITCHEN, COUNTER, HALL),
        kind=Kind.COMPOUND,
    ),
    _german("Im Wohnzimmer friert man ja richtig", {HEATING: WARMER}, kind=Kind.INDIRECT),
    _german(
        "Alle Lampen hier im Raum aus",
        {CEILING: OFF, FLOOR_LAMP: OFF},
        given=on(CEILING, FLOOR_LAMP, HALL),
        area="Wohnzimmer",
        kind=Kind.AREA,
    ),
    _german(
        "Steht irgendwo noch ein Fenster offen?",
        says=r"\bja\b.*küche|küche[^.,]*\b(?:offen|auf|geöffnet)\b|\b(?:offen|geöffnet)\b[^.]*küche",
        kind=Kind.STATE,
    ),
    _german("Wie spät haben wir's eigentlich?", says="%TIME%", kind=Kind.CLOCK),
    _german(
        "Wie viele Bundesländer hat Deutschland?", says=r"\b16\b|sechzehn", kind=Kind.KNOWLEDGE
    ),
    _german("Heiz den Backofen auf 180 Grad vor", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    _german(
        "Knips mal die Stehlampe an",
        {FLOOR_LAMP: ON},
        kind=Kind.FOLLOW_UP,
        then=_german("Und jetzt auf zwanzig Prozent", {FLOOR_LAMP: percent(20)}),
    ),
    Sentence("Give me some light in the hallway", {HALL: ON}, kind=Kind.PLAIN),
    Sentence("How cold is it out on the balcony?", says=r"\b7[.,]5\b", kind=Kind.SENSOR),
)
