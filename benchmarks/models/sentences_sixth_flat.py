"""Sixth set of sentences for the city flat."""

from functools import partial

from homeassistant.components.vacuum.const import VacuumActivity

from .sentence import (
    ACTIVATED,
    CLEANING,
    CLOSED,
    HOMEWARD,
    LOCKED,
    MUTED,
    NOT_DONE,
    OFF,
    ON,
    OPEN,
    PAUSED,
    SILENT,
    SMALL_TALK,
    Kind,
    Sentence,
    degrees,
    denies,
    listed,
    on,
    percent,
    position,
)
from .sentences_flat import (
    AWNING,
    BATH_HEATING,
    BED_BLIND,
    BEDSIDE,
    CEILING,
    COFFEE,
    COUNTER,
    DOOR,
    FLOOR_LAMP,
    HALL,
    HEATING,
    KITCHEN,
    LIST,
    LIVING_BLIND,
    MIRROR,
    MUSIC,
    ROBOT,
    TOWELS,
    TV,
)

_german = partial(Sentence, language="de")
_italian = partial(Sentence, language="it")
_dutch = partial(Sentence, language="nl")
_polish = partial(Sentence, language="pl")
_spanish = partial(Sentence, language="es")
_french = partial(Sentence, language="fr")

_NO = r"\bno\b|\bnot\b|n['\u2019]t\b"
_QUIETER = {"volume": (0.01, 0.39)}
_RUNNING = {"state": {"on", "idle", "playing"}}

SIXTH_FLAT_SENTENCES = (
    _german(
        "mach mal bitte das Spiegellicht im Bad aus",
        {MIRROR: OFF},
        given=on(MIRROR, HALL),
        kind=Kind.PLAIN,
    ),
    _german(
        "licht aus",
        {CEILING: OFF, FLOOR_LAMP: OFF},
        given=on(CEILING, FLOOR_LAMP, KITCHEN),
        area="Wohnzimmer",
        kind=Kind.AREA,
    ),
    _german(
        "rollo im schlafzimmer auf dreißig prozent", {BED_BLIND: position(30)}, kind=Kind.LEVEL
    ),
    _german("Mach die Musik ein bisschen leiser.", {MUSIC: _QUIETER}, kind=Kind.MEDIA),
    _german(
        "Wir gucken jetzt einen Film, mach mal Filmabend an",
        {"scene.filmabend": ACTIVATED},
        kind=Kind.SCENE,
    ),
    _german(
        "krümel soll zurück zur ladestation",
        {ROBOT: HOMEWARD},
        given={ROBOT: {"activity": VacuumActivity.CLEANING}},
        kind=Kind.MACHINE,
    ),
    _german("badheizung auf 22 grad", {BATH_HEATING: degrees(22)}, kind=Kind.LEVEL),
    _german(
        "Deckenlampe aus und Stehlampe auf zwanzig Prozent",
        {CEILING: OFF, FLOOR_LAMP: percent(20)},
        given=on(CEILING),
        kind=Kind.COMPOUND,
    ),
    _german(
        "Mach alle Lichter aus außer der Stehlampe",
        {CEILING: OFF, KITCHEN: OFF, HALL: OFF},
        given=on(CEILING, KITCHEN, HALL, FLOOR_LAMP),
        kind=Kind.GROUP,
    ),
    _german(
        "Falls die Wohnungstür nicht abgeschlossen ist, schließ sie bitte ab",
        {DOOR: LOCKED},
        kind=Kind.MACHINE,
    ),
    _german("schalte die nacht tischlampe ein", {BEDSIDE: ON}, kind=Kind.PLAIN),
    _german(
        "Was steht auf der Einkaufsliste?",
        says=r"brot.*käse|käse.*brot",
        kind=Kind.FOLLOW_UP,
        then=_german("setz noch Butter drauf", {LIST: listed("butter")}),
    ),
    _german(
        "welche fenster sind gerade offen",
        says=(
            r"^(?!.*(?:bad\w*(?: ist| sind)? (?:auch |noch )?(?:offen|geöffnet|auf\b)"
            r"|küchenfenster und (?:das )?badfenster|badfenster und (?:das )?küchenfenster"
            r"|kein fenster|keine fenster)).*küche"
        ),
        kind=Kind.STATE,
    ),
    _german(
        "Wie warm ist es gerade im Wohnzimmer?",
        says=r"\b19[.,]4\b|\b19\b(?![.,]\d)|neunzehn",
        kind=Kind.SENSOR,
    ),
    _german(
        "wie lange muss ein weich gekochtes ei kochen",
        says=r"\b[3-7]\b|drei|vier|fünf|sechs|sieben",
        kind=Kind.KNOWLEDGE,
    ),
    _german("Danke, das war's für heute.", says=SMALL_TALK, kind=Kind.TALK),
    Sentence("Turn on the light in the bathroom", {MIRROR: ON}, kind=Kind.PLAIN),
    Sentence(
        "Set the living room heating to 21 and a half", {HEATING: degrees(21.5)}, kind=Kind.LEVEL
    ),
    Sentence(
        "turn everything off in the kitchen",
        {KITCHEN: OFF, COUNTER: OFF, COFFEE: OFF},
        given=on(KITCHEN, COUNTER, COFFEE, HALL),
        kind=Kind.GROUP,
    ),
    Sentence(
        "Lights off in the living room and pause the music",
        {CEILING: OFF, FLOOR_LAMP: OFF, MUSIC: PAUSED},
        given=on(CEILING, FLOOR_LAMP, HALL),
        kind=Kind.COMPOUND,
    ),
    Sentence("start the vacuum", {ROBOT: CLEANING}, kind=Kind.MACHINE),
    Sentence("tv on", {TV: _RUNNING}, kind=Kind.MEDIA),
    Sentence("Can you mute the music please?", {MUSIC: MUTED}, kind=Kind.MEDIA),
    Sentence(
        "is the front door locked",
        says=denies(rf"{_NO}|unlocked|\bopen\b"),
        kind=Kind.STATE,
    ),
    Sentence("Is the coffee machine on?", says=denies(rf"{_NO}|\boff\b"), kind=Kind.STATE),
    Sentence(
        "how cold is it outside",
        says=r"\b7[.,]5\b|seven (?:and a half|point five)|\b8 ?(?:°|degrees)",
        kind=Kind.SENSOR,
    ),
    Sentence("how many tablespoons are in a cup", says=r"\b16\b|sixteen", kind=Kind.KNOWLEDGE),
    Sentence("turn on the air conditioning", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence("Good morning!", says=SMALL_TALK, kind=Kind.TALK),
    _italian("chiudi la tapparella della camera da letto", {BED_BLIND: CLOSED}, kind=Kind.PLAIN),
    _italian("Aggiungi il latte alla lista della spesa", {LIST: listed("latte")}, kind=Kind.LIST),
    _italian(
        "c'è qualche luce accesa?",
        given=on(HALL),
        says=(
            r"^(?!.*(?:nessuna luce|^\W*no\b|(?:deckenlampe|stehlampe|küchenlicht)[^.,;]*acces))"
            r".*(?:^\W*s[iì]\b|\buna luce|\b1 luce|flur|corridoio|ingresso)"
        ),
        kind=Kind.STATE,
    ),
    _dutch(
        "doe de lamp in de slaapkamer uit",
        {BEDSIDE: OFF},
        given=on(BEDSIDE, HALL),
        kind=Kind.PLAIN,
    ),
    _dutch("Zet de handdoekverwarming even aan", {TOWELS: ON}, kind=Kind.PLAIN),
    _polish("wyłącz muzykę", {MUSIC: SILENT}, kind=Kind.MEDIA),
    _polish("Opuść roletę w salonie do połowy", {LIVING_BLIND: position(50)}, kind=Kind.LEVEL),
    _polish(
        "ile to jest osiemnaście razy cztery",
        says=r"\b72\b|siedemdziesiąt dwa",
        kind=Kind.KNOWLEDGE,
    ),
    _spanish("apaga la luz del pasillo", {HALL: OFF}, given=on(HALL, KITCHEN), kind=Kind.PLAIN),
    _spanish(
        "¿A cuánto está puesta la calefacción del salón?",
        says=r"\b20\b(?![.,][1-9])|\bveinte\b",
        kind=Kind.STATE,
    ),
    _french("sors le store du balcon s'il te plaît", {AWNING: OPEN}, kind=Kind.PLAIN),
)
