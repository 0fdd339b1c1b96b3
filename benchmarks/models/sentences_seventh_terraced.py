"""Sentences of the household in the terraced house, of the seventh set."""

from functools import partial

from .sentence import (
    ACTIVATED,
    CLEANING,
    CLOSED,
    LOCKED,
    OFF,
    ON,
    OPEN,
    Kind,
    Sentence,
    Stepped,
    degrees,
    hue,
    listed,
    on,
    percent,
    position,
)

BIG, STANDING, TABLE = "light.plafond", "light.staande_lamp", "light.eettafel"
KITCHEN, STRIP = "light.keuken", "light.ledstrip"
HALL, LANDING = "light.hal", "light.overloop"
BED, SEM, GARDEN = "light.bed", "light.sem", "light.tuin"
COFFEE, FAN = "switch.koffie", "fan.slaapkamer"
SHUTTER, SEM_SHUTTER = "cover.rolluik", "cover.rolluik_sem"
CURTAINS, AWNING = "cover.gordijnen", "cover.zonnescherm"
RADIATOR = "climate.badkamer"
FRONT, ROBOT = "lock.voordeur", "vacuum.sjors"
RADIO, GROCERIES = "media_player.radio", "todo.boodschappen"

_dutch = partial(Sentence, language="nl")
_german = partial(Sentence, language="de")
_polish = partial(Sentence, language="pl")
_french = partial(Sentence, language="fr")

_DIMMER = {"state": "on", "brightness": (1, 200)}
_QUIETER = {"volume": (0.01, 0.39)}
_NOT_DONE = (
    r"^(?!.*\b(?:is|staat) (?:nu )?(?:aan|gezet|gestart|ingesteld)\b)"
    r".*\b(?:geen|niet|niets|nee|helaas|sorry|onbekend)\b"
)
_NOT_KNOWN = r"sorry|\bweet\b|\bkan ik\b|\bik kan\b"

SEVENTH_TERRACED_SENTENCES = (
    _dutch("Doe de keukenlamp aan", {KITCHEN: ON}, kind=Kind.PLAIN),
    _dutch("staande lamp uit", {STANDING: OFF}, given=on(STANDING, BIG), kind=Kind.PLAIN),
    _dutch("Rol het zonnescherm uit", {AWNING: OPEN}, kind=Kind.PLAIN),
    _dutch(
        "Kun je de tuinverlichting uitdoen?", {GARDEN: OFF}, given=on(GARDEN), kind=Kind.INDIRECT
    ),
    _dutch(
        "Doe het licht in de hal maar uit",
        {HALL: OFF},
        given=on(HALL, LANDING),
        kind=Kind.SAME_NAME,
    ),
    _dutch(
        "Licht uit",
        {BIG: OFF, STANDING: OFF},
        given=on(BIG, STANDING, KITCHEN),
        area="Woonkamer",
        kind=Kind.AREA,
    ),
    _dutch("Rolluik naar beneden", {SHUTTER: CLOSED}, area="Slaapkamer", kind=Kind.AREA),
    _dutch("Zet de grote lamp op dertig procent", {BIG: percent(30)}, kind=Kind.LEVEL),
    _dutch(
        "In de badkamer is het fris, doe de radiator een graadje hoger",
        {RADIATOR: {"temperature": Stepped(1)}},
        kind=Kind.LEVEL,
    ),
    _dutch("Maak de ledstrip in de keuken paars", {STRIP: hue(260, 310)}, kind=Kind.LEVEL),
    _dutch("Gordijnen half dicht", {CURTAINS: position(50)}, kind=Kind.LEVEL),
    _dutch(
        "Doe de gordijnen dicht en de staande lamp aan",
        {CURTAINS: CLOSED, STANDING: ON},
        kind=Kind.COMPOUND,
    ),
    _dutch("Sjors mag gaan stofzuigen", {ROBOT: CLEANING}, kind=Kind.MACHINE),
    _dutch("Draai de voordeur op slot", {FRONT: LOCKED}, kind=Kind.MACHINE),
    _dutch(
        "Doe boven alle lampen uit",
        {LANDING: OFF, BED: OFF, SEM: OFF},
        given=on(LANDING, BED, SEM, KITCHEN),
        kind=Kind.GROUP,
    ),
    _dutch("Zet de radio wat zachter", {RADIO: _QUIETER}, kind=Kind.MEDIA),
    _dutch("Zet kaas op de boodschappenlijst", {GROCERIES: listed("kaas")}, kind=Kind.LIST),
    _dutch(
        "We gaan een film kijken, zet filmavond aan",
        {"scene.filmavond": ACTIVATED},
        kind=Kind.SCENE,
    ),
    _dutch(
        "Doe het rolluik in de slaapkamer dicht, nee, in de kamer van Sem",
        {SEM_SHUTTER: CLOSED},
        kind=Kind.SAME_NAME,
    ),
    _dutch(
        "Hoe warm is het in de badkamer?",
        says=r"\b20[.,]4\b|\b20\b(?![.,]\d)|twintig",
        kind=Kind.FOLLOW_UP,
        then=_dutch("Zet hem maar op 22", {RADIATOR: degrees(22)}),
    ),
    _dutch(
        "Doe het bedlampje aan",
        {BED: ON},
        kind=Kind.FOLLOW_UP,
        then=_dutch("Iets minder fel graag", {BED: _DIMMER}),
    ),
    _dutch(
        "Staat er nog ergens een raam open?",
        says=r"^(?!.*(?:\bnee\b|\bgeen\b|\bniet\b|sorry)).*(?:\bja\b|\bsem\b)",
        kind=Kind.STATE,
    ),
    _dutch("Hoe lang moet de wasmachine nog?", says=r"\b25\b|vijfentwintig", kind=Kind.SENSOR),
    _dutch(
        "Gaat het morgen regenen?",
        says=rf"^(?!.*(?:{_NOT_KNOWN})).*(?:\bnee\b|\bniet\b|\bgeen\b|\bdroog\b|\bzon)",
        kind=Kind.CLOCK,
    ),
    _dutch(
        "Zet een timer op tien minuten",
        says=_NOT_DONE,
        area="Woonkamer",
        kind=Kind.ABSENT,
        may_ask=True,
    ),
    Sentence("Turn on the light above the dining table", {TABLE: ON}, kind=Kind.PLAIN),
    _german(
        "Mach den Ventilator im Schlafzimmer aus",
        {FAN: OFF},
        given={FAN: {"percentage": 50}},
        kind=Kind.PLAIN,
    ),
    _polish("Wyłącz ekspres do kawy", {COFFEE: OFF}, given=on(COFFEE), kind=Kind.PLAIN),
    _french(
        "La porte de derrière est bien verrouillée ?",
        says=(
            r"^(?!.*(?:\bnon\b|\bpas\b|déverrouill|désol))"
            r".*(?:\boui\b|verrouillé|fermé)"
        ),
        kind=Kind.STATE,
    ),
)
