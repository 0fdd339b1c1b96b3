"""Seventh set of sentences for the family's bungalow."""

from functools import partial

from .sentence import (
    ACTIVATED,
    CLOSED,
    LOCKED,
    MOWING,
    MUTED,
    NEXT,
    NOT_DONE,
    OFF,
    ON,
    PAUSED,
    PLAYING,
    UNLOCKED,
    Kind,
    Sentence,
    affirms,
    degrees,
    hue,
    listed,
    on,
    ticked,
    volume,
)
from .sentences_family import (
    BLIND,
    CHORES,
    COFFEE,
    COURSES,
    EMMA,
    FAN,
    GATE,
    HUMIDIFIER,
    LAUNDRY,
    LUSTRE,
    MOWER,
    NIGHT,
    NOAH,
    PLAFONNIER,
    SHUTTER,
    STORIES,
    STRIP,
    THERMOSTAT,
    TV,
    UNICORN,
)

_french = partial(Sentence, language="fr")
_spanish = partial(Sentence, language="es")
_polish = partial(Sentence, language="pl")
_german = partial(Sentence, language="de")
_italian = partial(Sentence, language="it")

SEVENTH_FAMILY_SENTENCES = (
    Sentence("turn on the laundry light", {LAUNDRY: ON}, kind=Kind.PLAIN),
    Sentence("Noah's fan off please", {FAN: OFF}, kind=Kind.PLAIN),
    Sentence("Gaming strip to blue", {STRIP: hue(220, 260)}, kind=Kind.LEVEL),
    Sentence("Set the thermostat half a degree lower", {THERMOSTAT: degrees(20)}, kind=Kind.LEVEL),
    Sentence("Turn the TV up to 55", {TV: volume(55)}, kind=Kind.MEDIA),
    Sentence(
        "Skip to the next story on the story box",
        {STORIES: NEXT},
        kind=Kind.MEDIA,
        calls={"media_player.media_next_track": STORIES},
    ),
    Sentence("Get Shaun to mow the lawn", {MOWER: MOWING}, kind=Kind.MACHINE),
    Sentence(
        "Lock the gate behind me please",
        {GATE: LOCKED},
        given={GATE: {"is_locked": False}},
        kind=Kind.MACHINE,
    ),
    Sentence(
        "Put toothpaste on the shopping list", {COURSES: listed("toothpaste")}, kind=Kind.LIST
    ),
    Sentence(
        "The plants are watered, you can tick that off",
        {CHORES: ticked("water the plants")},
        kind=Kind.LIST,
    ),
    Sentence(
        "Turn off the lights in Emma's room and Noah's room",
        {EMMA: OFF, UNICORN: OFF, NOAH: OFF},
        given=on(EMMA, UNICORN, NOAH, LUSTRE),
        kind=Kind.GROUP,
    ),
    Sentence(
        "Switch off every light in the house except the night light",
        {LUSTRE: OFF, EMMA: OFF, PLAFONNIER: OFF},
        given=on(NIGHT, LUSTRE, EMMA, PLAFONNIER),
        kind=Kind.GROUP,
    ),
    Sentence(
        "Start bedtime and close the blind in the nursery",
        {"scene.bedtime": ACTIVATED, BLIND: CLOSED},
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "Pause the TV, the phone is ringing",
        {TV: PAUSED},
        kind=Kind.FOLLOW_UP,
        then=Sentence("Okay, you can play it again", {TV: PLAYING}),
    ),
    Sentence(
        "Read me the chores list",
        says=r"cat.*plants|plants.*cat",
        kind=Kind.FOLLOW_UP,
        then=Sentence("Add wash the car to it", {CHORES: listed("wash the car")}),
    ),
    Sentence(
        "Is the blind still up in the nursery?",
        says=affirms(r"\byes\b|\bup\b|\bopen\b|\b100\b"),
        kind=Kind.STATE,
    ),
    Sentence(
        "When does Noah have judo?",
        says=(
            r"^(?!.*\btoday\b)(?!.*(?<!after )\btomorrow\b)"
            r".*(?:after tomorrow|in (?:2|two) days|\b17[:.]00|\b0?5(?:[:.]00)? ?p\.? ?m|\bfive\b)"
        ),
        kind=Kind.CLOCK,
    ),
    Sentence("Can you tell us a riddle?", says=r"(?:\w+\W+){5}", kind=Kind.TALK),
    Sentence("Find my phone", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    _french("Allume la cafetière", {COFFEE: ON}, kind=Kind.PLAIN),
    _french(
        "Tu peux fermer le volet du salon ?",
        {SHUTTER: CLOSED},
        given={SHUTTER: {"current_cover_position": 100, "is_closed": False}},
        kind=Kind.INDIRECT,
    ),
    _french("Coupe le son de la télé", {TV: MUTED}, kind=Kind.MEDIA),
    _french(
        "Quel temps fera-t-il demain ?",
        says=r"soleil|ensoleill|\bbeau\b|dégagé|\b19\b|dix-neuf",
        kind=Kind.CLOCK,
    ),
    _spanish("Enciende la lámpara de unicornio", {UNICORN: ON}, kind=Kind.PLAIN),
    _polish("Włącz nawilżacz", {HUMIDIFIER: ON}, kind=Kind.PLAIN),
    _german(
        "Ist der Trockner schon fertig?",
        says=r"^(?!.*\bja\b).*(?:\b35\b|fünfunddreißig|\bnein\b|\bnoch\b)",
        kind=Kind.SENSOR,
    ),
    _italian("Sblocca il cancello del giardino", {GATE: UNLOCKED}, kind=Kind.MACHINE),
)
