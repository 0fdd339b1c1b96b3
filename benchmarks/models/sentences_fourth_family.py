"""Fourth set of sentences for the family in the bungalow."""

from functools import partial

from .sentence import (
    ACTIVATED,
    CLOSED,
    LOCKED,
    MOWING,
    OFF,
    ON,
    PAUSED,
    SMALL_TALK,
    UNLOCKED,
    Kind,
    Sentence,
    degrees,
    hue,
    listed,
    on,
    speed,
    ticked,
)
from .sentences_family import (
    CHORES,
    COFFEE,
    COURSES,
    EMMA,
    FAN,
    FLOOD,
    GATE,
    LAMPADAIRE,
    LUSTRE,
    MOWER,
    NOAH,
    PLAFONNIER,
    SHUTTER,
    STORIES,
    THERMOSTAT,
    TRAMPOLINE,
    TV,
    UNICORN,
)

_FRENCH_NOT_DONE = (
    r"^(?!.*(?:\bj['\u2019]ai (?:lancé|démarré|allumé|activé|mis)"
    r"|\best (?:lancé|démarré|en marche)))"
    r".*(?:\b(?:pas|aucune?|rien|introuvable|impossible|incapable|inconnue?|désolée?"
    r"|malheureusement)\b|\bn['\u2019](?:ai|est|existe|y)\b)"
)
_SPANISH_NOT_DONE = (
    r"^(?!.*\b(?<!no )(?:he (?:subido|abierto|levantado)|está (?:subida|abierta|levantada))\b)"
    r".*\b(?:no|ning[uú]n[ao]?|nada|tampoco|imposible|desconocid[ao]|lamentablemente|lo siento)\b"
)
_POLISH_NOT_DONE = (
    r"^(?!.*\b(?<!nie )(?:włączyłem|włączyłam|włączam)\b)"
    r".*\b(?:nie|brak\w*|niestety|przykro|żad\w+|nieznan\w+|niemożliw\w+)\b"
)
_OPEN_WORDS = r"^(?!.*(?:\bnot open|n['\u2019]t open|\bclosed\b)).*(?:\byes\b|\bopen\b)"
_RAIN_WORDS = (
    r"^(?!.*(?:\bnon\b|pleut pas|pas de pluie)).*(?:\boui\b|pleut|pluie|pluvieux|pluvieuse)"
)
_DENTIST_WORDS = (
    r"\b(?:15|0?3)(?:[:.]00| ?(?:pm|p\.m|o['\u2019]clock)| in the afternoon)"
    r"|\bat (?:15|3)\b|\bthree\b"
)

_french = partial(Sentence, language="fr")
_spanish = partial(Sentence, language="es")
_german = partial(Sentence, language="de")
_polish = partial(Sentence, language="pl")

FOURTH_FAMILY_SENTENCES: tuple[Sentence, ...] = (
    _french("Allume la cafetière, s'il te plaît.", {COFFEE: ON}, kind=Kind.PLAIN),
    _french(
        "Il fait nuit dehors, tu veux bien baisser le volet du salon ?",
        {SHUTTER: CLOSED},
        given={SHUTTER: {"current_cover_position": 100, "is_closed": False}},
        kind=Kind.INDIRECT,
    ),
    _french(
        "Éteins le lustre et allume plutôt le lampadaire.",
        {LUSTRE: OFF, LAMPADAIRE: ON},
        given=on(LUSTRE),
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "Everyone's in, so lock the garden gate and switch the floodlight off.",
        {GATE: LOCKED, FLOOD: OFF},
        given={GATE: {"is_locked": False}} | on(FLOOD),
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "All the lights off in Emma's room, please.",
        {EMMA: OFF, UNICORN: OFF},
        given=on(EMMA, UNICORN, NOAH),
        kind=Kind.GROUP,
    ),
    _french(
        "Allume toutes les lampes ici, on n'y voit rien.",
        {LUSTRE: ON, LAMPADAIRE: ON},
        given=on(PLAFONNIER),
        kind=Kind.AREA,
        area="Salon",
    ),
    Sentence("Can the unicorn be pink, please?", {UNICORN: hue(295, 355)}, kind=Kind.LEVEL),
    Sentence("Put Noah's fan on half speed.", {FAN: speed(50)}, kind=Kind.LEVEL),
    _french(
        "Mets le chauffage à vingt et un degrés.",
        {THERMOSTAT: degrees(21)},
        kind=Kind.LEVEL,
    ),
    _polish("Niech Shaun skosi trawnik.", {MOWER: MOWING}, kind=Kind.MACHINE),
    _spanish(
        "Abre la puerta del jardín, que ya llega la abuela.",
        {GATE: UNLOCKED},
        kind=Kind.MACHINE,
    ),
    _french(
        "Rajoute du lait sur la liste de courses.",
        {COURSES: listed("lait")},
        kind=Kind.LIST,
    ),
    Sentence(
        "I've given kitty her breakfast, so tick that off.",
        {CHORES: ticked("cat")},
        kind=Kind.LIST,
    ),
    Sentence(
        "The kids are tired, can you start bedtime?",
        {"scene.bedtime": ACTIVATED},
        kind=Kind.SCENE,
    ),
    Sentence(
        "Pause Emma's story for a moment, dinner's on the table.",
        {STORIES: PAUSED},
        kind=Kind.MEDIA,
    ),
    _german("Mach mal den Fernseher aus, wir essen jetzt.", {TV: OFF}, kind=Kind.MEDIA),
    Sentence("Put Noah's light on, not the strip.", {NOAH: ON}, kind=Kind.SAME_NAME),
    Sentence("Did someone leave the mailbox open?", says=_OPEN_WORDS, kind=Kind.STATE),
    _german(
        "Wie lang braucht der Trockner noch?",
        says=r"\b35\b|fünfunddreißig",
        kind=Kind.SENSOR,
    ),
    Sentence("What time's Emma's dentist appointment?", says=_DENTIST_WORDS, kind=Kind.CLOCK),
    _french("Il pleut en ce moment ?", says=_RAIN_WORDS, kind=Kind.CLOCK),
    _french("C'est quoi, la capitale de l'Australie ?", says="canberra", kind=Kind.KNOWLEDGE),
    Sentence("Do you like dinosaurs?", says=SMALL_TALK, kind=Kind.TALK),
    _french("Lance le lave-vaisselle, il est plein.", says=_FRENCH_NOT_DONE, kind=Kind.ABSENT),
    _polish("Włącz światło w garażu.", says=_POLISH_NOT_DONE, kind=Kind.ABSENT),
    _spanish(
        "Sube la persiana del cuarto de Emma.",
        says=_SPANISH_NOT_DONE,
        kind=Kind.ABSENT,
    ),
    Sentence(
        "Put the trampoline lights on.",
        {TRAMPOLINE: ON},
        kind=Kind.FOLLOW_UP,
        then=Sentence("Okay, you can turn them off again.", {TRAMPOLINE: OFF}, kind=Kind.FOLLOW_UP),
    ),
    _french(
        "Qu'est-ce qu'il nous reste à acheter ?",
        says=r"^(?=.*beurre)(?=.*pomme)",
        kind=Kind.FOLLOW_UP,
        then=_french(
            "Les pommes, je les ai déjà, tu peux les enlever.",
            {COURSES: ticked("pommes")},
            kind=Kind.FOLLOW_UP,
        ),
    ),
)
