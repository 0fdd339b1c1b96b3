"""Sixth set of sentences for the family's bungalow."""

from functools import partial

from homeassistant.components.lawn_mower.const import LawnMowerActivity

from .sentence import (
    ACTIVATED,
    CLOSED,
    HOMEWARD,
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
    Stepped,
    affirms,
    degrees,
    denies,
    hue,
    listed,
    on,
    percent,
    position,
    ticked,
)
from .sentences_family import (
    BLIND,
    CHORES,
    COFFEE,
    COURSES,
    EMMA,
    HUMIDIFIER,
    LAMPADAIRE,
    LUSTRE,
    MOWER,
    NIGHT,
    NOAH,
    PLAFONNIER,
    SHUTTER,
    STORIES,
    STRIP,
    THERMOSTAT,
    TRAMPOLINE,
    TV,
    UNICORN,
)

_french = partial(Sentence, language="fr")
_spanish = partial(Sentence, language="es")
_polish = partial(Sentence, language="pl")
_german = partial(Sentence, language="de")
_italian = partial(Sentence, language="it")
_dutch = partial(Sentence, language="nl")

_NO = r"\bno\b|\bnot\b|n['\u2019]t\b"

SIXTH_FAMILY_SENTENCES = (
    Sentence("Emma's light off", {EMMA: OFF}, given=on(EMMA, UNICORN), kind=Kind.PLAIN),
    Sentence("turn the kitchen light on", {PLAFONNIER: ON}, kind=Kind.PLAIN),
    Sentence("lights on", {LUSTRE: ON, LAMPADAIRE: ON}, area="Salon", kind=Kind.AREA),
    Sentence("close the blind", {BLIND: CLOSED}, area="Nursery", kind=Kind.AREA),
    Sentence("make the unicorn lamp pink", {UNICORN: hue(290, 355)}, kind=Kind.LEVEL),
    Sentence("chandelier to 40 percent", {LUSTRE: percent(40)}, kind=Kind.LEVEL),
    Sentence(
        "It's a bit warm, put the thermostat down to 19", {THERMOSTAT: degrees(19)}, kind=Kind.LEVEL
    ),
    Sentence(
        "bring the mower back in",
        {MOWER: HOMEWARD},
        given={MOWER: {"activity": LawnMowerActivity.MOWING}},
        kind=Kind.MACHINE,
    ),
    Sentence("put diapers on the shopping list", {COURSES: listed("diaper")}, kind=Kind.LIST),
    Sentence(
        "the cat's been fed, check it off the chores",
        {CHORES: ticked("feed the cat")},
        kind=Kind.LIST,
    ),
    Sentence("bedtime scene please", {"scene.bedtime": ACTIVATED}, kind=Kind.SCENE),
    Sentence("pause the story box", {STORIES: PAUSED}, kind=Kind.MEDIA),
    Sentence(
        "open the nursery blind and turn off the night light",
        {BLIND: OPEN, NIGHT: OFF},
        given={BLIND: {"current_cover_position": 0, "is_closed": True}, **on(NIGHT)},
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "all the lights off in Noah's room",
        {NOAH: OFF, STRIP: OFF},
        given=on(NOAH, STRIP, EMMA),
        kind=Kind.GROUP,
    ),
    Sentence(
        "Turn everything off in Emma's room except the story box",
        {EMMA: OFF, UNICORN: OFF},
        given=on(EMMA, UNICORN, NOAH),
        kind=Kind.GROUP,
    ),
    Sentence(
        "turn off Emma's I mean Noah's light", {NOAH: OFF}, given=on(EMMA, NOAH), kind=Kind.PLAIN
    ),
    Sentence("turn off the unicorn lamb", {UNICORN: OFF}, given=on(UNICORN, EMMA), kind=Kind.PLAIN),
    Sentence(
        "The trampoline lights are still on",
        {TRAMPOLINE: OFF},
        given=on(TRAMPOLINE),
        kind=Kind.INDIRECT,
        may_ask=True,
    ),
    Sentence(
        "what's the humidity in the nursery",
        says=r"\b38\b|thirty[- ]eight",
        kind=Kind.FOLLOW_UP,
        then=Sentence("okay turn on the humidifier", {HUMIDIFIER: ON}),
    ),
    Sentence(
        "mute the TV",
        {TV: MUTED},
        kind=Kind.FOLLOW_UP,
        then=Sentence("you can unmute it again", {TV: {"muted": False}}),
    ),
    Sentence("is the mailbox open", says=affirms(r"\byes\b|\bopen"), kind=Kind.STATE),
    Sentence("Is the washer leaking?", says=denies(rf"{_NO}|\bdry\b|\boff\b"), kind=Kind.STATE),
    Sentence(
        "What's the weather like tomorrow?",
        says=r"sunny|sunshine|\bsun\b|clear sk|\b19\b|nineteen",
        kind=Kind.CLOCK,
    ),
    Sentence(
        "when is Emma's dentist appointment",
        says=r"^(?!.*\btoday\b).*(?:tomorrow|\b0?3(?:[:.]00)? ?p\.? ?m|\b0?3:00|\b15[:.]00|three)",
        kind=Kind.CLOCK,
    ),
    Sentence("how many legs does a spider have", says=r"\b8\b|eight", kind=Kind.KNOWLEDGE),
    Sentence(
        "How do you spell necessary?",
        says=r"n[^a-z]+e[^a-z]+c[^a-z]+e[^a-z]+s[^a-z]+s[^a-z]+a[^a-z]+r[^a-z]+y\b",
        kind=Kind.KNOWLEDGE,
    ),
    Sentence(
        "set a timer for the pasta, nine minutes",
        says=NOT_DONE,
        area="Salon",
        kind=Kind.ABSENT,
        may_ask=True,
    ),
    Sentence("call grandma", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence("how are you today", says=SMALL_TALK, kind=Kind.TALK),
    _french(
        "éteins la lumière de la cuisine",
        {PLAFONNIER: OFF},
        given=on(PLAFONNIER, LUSTRE),
        kind=Kind.PLAIN,
    ),
    _french("Ouvre le volet du salon à 30 %", {SHUTTER: position(30)}, kind=Kind.LEVEL),
    _french(
        "baisse le chauffage d'un degré",
        {THERMOSTAT: {"temperature": Stepped(-1)}},
        kind=Kind.LEVEL,
    ),
    _french(
        "Ajoute des yaourts à la liste de courses.", {COURSES: listed("yaourt")}, kind=Kind.LIST
    ),
    _french(
        "est-ce que la cafetière est allumée",
        says=r"^(?!.*(?:désol|sais pas|peux pas)).*(?:\bnon\b|\bpas\b|éteinte?\b|\boff\b)",
        kind=Kind.STATE,
    ),
    _french(
        "Qu'est-ce qu'on a dans le calendrier demain ?",
        says=r"^(?!.*judo).*dentist",
        kind=Kind.CLOCK,
    ),
    _spanish("apaga la tele", {TV: SILENT}, kind=Kind.MEDIA),
    _spanish("¿Qué hora es?", says="%TIME%", kind=Kind.CLOCK),
    _polish("zasłoń roletę w pokoju malucha", {BLIND: CLOSED}, kind=Kind.PLAIN),
    _polish(
        "Czy furtka w ogrodzie jest zamknięta?",
        says=r"^(?!.*(?:\bnie\b|otwart|niezamkn)).*(?:\btak\b|zamknięt|zablokowan)",
        kind=Kind.STATE,
    ),
    _german("mach bitte das nachtlicht aus", {NIGHT: OFF}, given=on(NIGHT), kind=Kind.PLAIN),
    _german(
        "Wie lange braucht der Trockner noch?",
        says=r"\b35\b|fünfunddreißig",
        kind=Kind.SENSOR,
    ),
    _italian("accendi la macchina del caffè per favore", {COFFEE: ON}, kind=Kind.PLAIN),
    _dutch(
        "hoeveel graden is het buiten",
        says=r"\b12[.,]3\b|\b12\b(?![.,]\d)|twaalf",
        kind=Kind.SENSOR,
    ),
)
