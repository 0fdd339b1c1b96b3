"""Seventh set of sentences for the city flat."""

from functools import partial

from homeassistant.components.vacuum.const import VacuumActivity

from .sentence import (
    CLOSED,
    HOMEWARD,
    NOT_DONE,
    OFF,
    ON,
    OPEN,
    SILENT,
    UNLOCKED,
    WARMER,
    Kind,
    Sentence,
    affirms,
    hue,
    listed,
    on,
    position,
    ticked,
)
from .sentences_flat import (
    AWNING,
    BED_BLIND,
    BEDSIDE,
    CEILING,
    COFFEE,
    COUNTER,
    DOOR,
    FAIRY,
    FLOOR_LAMP,
    HALL,
    HEATING,
    KITCHEN,
    LIST,
    LIVING_BLIND,
    MIRROR,
    MUSIC,
    ROBOT,
    TV,
)

_german = partial(Sentence, language="de")
_polish = partial(Sentence, language="pl")
_italian = partial(Sentence, language="it")
_french = partial(Sentence, language="fr")
_spanish = partial(Sentence, language="es")

_DIMMER = {"state": "on", "brightness": (1, 200)}
_LOUDER = {"volume": (0.41, 1.0)}
_RUNNING = {"state": {"on", "idle", "playing"}}
_SHUT = {"current_cover_position": 0, "is_closed": True}

SEVENTH_FLAT_SENTENCES = (
    _german("Schalt bitte die Lichterkette ein", {FAIRY: ON}, kind=Kind.PLAIN),
    _german(
        "Mach das Licht in der Küche aus", {KITCHEN: OFF}, given=on(KITCHEN, HALL), kind=Kind.PLAIN
    ),
    _german("kaffeemaschine aus", {COFFEE: OFF}, given=on(COFFEE), kind=Kind.PLAIN),
    _german(
        "Mach die Deckenlampe, nein, die Stehlampe an",
        {FLOOR_LAMP: ON},
        kind=Kind.PLAIN,
    ),
    _german(
        "Kannst du das Rollo im Wohnzimmer ganz runterfahren?",
        {LIVING_BLIND: CLOSED},
        kind=Kind.INDIRECT,
    ),
    _german(
        "Mach es hier ein bisschen wärmer", {HEATING: WARMER}, area="Wohnzimmer", kind=Kind.AREA
    ),
    _german("Die Stehlampe bitte auf Grün", {FLOOR_LAMP: hue(90, 150)}, kind=Kind.LEVEL),
    _german(
        "Die Nachttischlampe ist mir zu hell, mach sie dunkler",
        {BEDSIDE: _DIMMER},
        given=on(BEDSIDE),
        kind=Kind.LEVEL,
    ),
    _german(
        "Mach beide Rollos halb auf",
        {LIVING_BLIND: position(50), BED_BLIND: position(50)},
        given={LIVING_BLIND: _SHUT, BED_BLIND: _SHUT},
        kind=Kind.GROUP,
    ),
    _german(
        "Mach den Fernseher an und die Deckenlampe aus",
        {TV: _RUNNING, CEILING: OFF},
        given=on(CEILING),
        kind=Kind.COMPOUND,
    ),
    _german(
        "Ich geh jetzt ins Bett, mach überall das Licht aus",
        {CEILING: OFF, HALL: OFF, MIRROR: OFF},
        given=on(CEILING, HALL, MIRROR),
        kind=Kind.GROUP,
    ),
    _german(
        "In der Küche alles aus außer der Kaffeemaschine",
        {KITCHEN: OFF, COUNTER: OFF},
        given=on(KITCHEN, COUNTER, COFFEE),
        kind=Kind.GROUP,
    ),
    _german(
        "Krümel, hör auf zu saugen",
        {ROBOT: {"state": {"idle", "paused", *HOMEWARD["state"]}}},
        given={ROBOT: {"activity": VacuumActivity.CLEANING}},
        kind=Kind.MACHINE,
    ),
    _german(
        "Sperr mal die Tür auf, es hat geklingelt",
        {DOOR: UNLOCKED},
        given={DOOR: {"is_locked": True}},
        kind=Kind.MACHINE,
    ),
    _german(
        "Das Klopapier ist alle, setz es auf den Einkaufszettel",
        {LIST: listed("klopapier")},
        kind=Kind.LIST,
    ),
    _german(
        "Brot haben wir schon, das kann von der Einkaufsliste runter",
        {LIST: ticked("brot")},
        kind=Kind.LIST,
    ),
    _german("Musik lauter", {MUSIC: _LOUDER}, area="Wohnzimmer", kind=Kind.MEDIA),
    _german(
        "Fahr die Markise aus",
        {AWNING: OPEN},
        kind=Kind.FOLLOW_UP,
        then=_german("Und jetzt wieder rein damit", {AWNING: CLOSED}),
    ),
    _german(
        "Ist der Fernseher noch an?",
        given={TV: {"state": "on"}},
        says=affirms(r"\bja\b|\ban\b|eingeschaltet|läuft"),
        kind=Kind.FOLLOW_UP,
        then=_german("Dann mach ihn aus", {TV: SILENT}),
    ),
    _german(
        "Hab ich das Küchenfenster zugemacht?",
        says=r"^(?!.*(?:\bja\b|leider|weiß)).*(?:\bnein\b|\bnicht\b|offen|geöffnet|\bauf\b)",
        kind=Kind.STATE,
    ),
    _german(
        "Wie viel Grad hat das Bad gerade?",
        says=r"\b21[.,]8\b|\b22\b(?![.,]\d)|einundzwanzig komma acht|zweiundzwanzig",
        kind=Kind.SENSOR,
    ),
    _german("In welchem Land liegt Marrakesch?", says="marokko", kind=Kind.KNOWLEDGE),
    _german("Mach den Kamin an", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    _polish("Zgaś światło w łazience", {MIRROR: OFF}, given=on(MIRROR, HALL), kind=Kind.PLAIN),
    _italian(
        "Spegni la lampada da terra",
        {FLOOR_LAMP: OFF},
        given=on(FLOOR_LAMP, CEILING),
        kind=Kind.PLAIN,
    ),
    _spanish(
        "Sube la persiana del dormitorio",
        {BED_BLIND: OPEN},
        given={BED_BLIND: _SHUT},
        kind=Kind.PLAIN,
    ),
    _french(
        "Il fait combien sur le balcon ?",
        says=r"\b7[.,]5\b|sept (?:degrés )?et demi|sept virgule cinq|\b8 ?(?:°|degrés)",
        kind=Kind.SENSOR,
    ),
)
