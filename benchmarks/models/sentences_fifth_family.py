"""Fifth set of sentences for the family's bungalow."""

from functools import partial

from homeassistant.components.lawn_mower.const import LawnMowerActivity

from .sentence import (
    CLOSED,
    LOCKED,
    MUTED,
    NOT_DONE,
    OFF,
    ON,
    OPEN,
    SMALL_TALK,
    WARMER,
    Kind,
    Sentence,
    listed,
    on,
    percent,
)
from .sentences_family import (
    BLIND,
    CHORES,
    COURSES,
    FAN,
    FLOOD,
    GATE,
    HUMIDIFIER,
    LAMPADAIRE,
    LUSTRE,
    MOWER,
    NIGHT,
    NOAH,
    PLAFONNIER,
    STRIP,
    THERMOSTAT,
    TRAMPOLINE,
    TV,
)

_french = partial(Sentence, language="fr")
_spanish = partial(Sentence, language="es")
_polish = partial(Sentence, language="pl")

_SHUT = {"current_cover_position": 0, "is_closed": True}
_QUIETER = {"volume": (0.01, 0.39)}
_LATER = rf"{NOT_DONE}|in (?:ten|10) minutes|timer"

FIFTH_FAMILY_SENTENCES = (
    Sentence(
        "Noah's light off, but he can keep the gaming strip on",
        {NOAH: OFF},
        given=on(NOAH, STRIP),
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "good morning little one, open the nursery blind",
        {BLIND: OPEN},
        given={BLIND: _SHUT},
        kind=Kind.PLAIN,
    ),
    Sentence("night light on very low like five percent", {NIGHT: percent(5)}, kind=Kind.LEVEL),
    Sentence(
        "Shaun has to stop, it's pouring",
        {MOWER: {"state": {"paused", "returning", "docked"}}},
        given={MOWER: {"activity": LawnMowerActivity.MOWING}},
        kind=Kind.MACHINE,
    ),
    Sentence(
        "lock the garden gate and put the floodlight on",
        {GATE: LOCKED, FLOOD: ON},
        given={GATE: {"is_locked": False}},
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "The air's too dry for the baby, bring the humidifier up to fifty five percent",
        {HUMIDIFIER: {"humidity": (55, 55)}},
        given=on(HUMIDIFIER),
        kind=Kind.LEVEL,
    ),
    Sentence("noah's fan slower please", {FAN: {"percentage": (1, 29)}}, kind=Kind.LEVEL),
    Sentence(
        "someone needs to take out the recycling, add it to chores",
        {CHORES: listed("recycling")},
        kind=Kind.LIST,
    ),
    Sentence(
        "the kids want to bounce, could we have the trampoline lights",
        {TRAMPOLINE: ON},
        kind=Kind.INDIRECT,
    ),
    Sentence(
        "anything moving on the driveway",
        says=r"^(?!.*(?:\bcan(?:'t|not)|unable|sorry)).*(?:\bno\b|\bnot\b|n't|nothing|\bclear\b)",
        kind=Kind.STATE,
    ),
    Sentence("what's the humidity in the baby's room", says=r"\b38\b", kind=Kind.SENSOR),
    Sentence("is the dryer done", says=r"\b35\b|thirty[- ]five|\bno\b|\bnot\b", kind=Kind.SENSOR),
    Sentence(
        "will I need an umbrella today",
        says=r"^(?!.*(?:\bno\b|n't need|not need)).*(?:\byes\b|rain)",
        kind=Kind.CLOCK,
    ),
    Sentence("how many strings does a violin have", says=r"\b4\b|\bfour\b", kind=Kind.KNOWLEDGE),
    Sentence("turn Noah's fan off in ten minutes", says=_LATER, kind=Kind.ABSENT, may_ask=True),
    Sentence("get the pool heater going", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence("that's great thank you so much", says=SMALL_TALK, kind=Kind.TALK),
    _french("allume la lumière dans la cuisine", {PLAFONNIER: ON}, kind=Kind.PLAIN),
    _french(
        "éteins le lustre et le lampadaire on sort",
        {LUSTRE: OFF, LAMPADAIRE: OFF},
        given=on(LUSTRE, LAMPADAIRE, PLAFONNIER),
        kind=Kind.COMPOUND,
    ),
    _french("Tu peux mettre la télé moins fort ?", {TV: _QUIETER}, kind=Kind.MEDIA),
    _french(
        "il nous faut du café moulu sur la liste de courses",
        {COURSES: listed("café")},
        kind=Kind.LIST,
    ),
    _french(
        "Il fait un peu frais ici",
        {THERMOSTAT: WARMER},
        area="Salon",
        kind=Kind.AREA,
        may_ask=True,
    ),
    _french(
        "quelle température il fait dans le salon",
        says=r"20[.,]1|\b20\b(?![.,]\d)",
        kind=Kind.SENSOR,
    ),
    _french(
        "Est-ce qu'il va pleuvoir demain ?",
        says=r"\bnon\b|\bpas\b|soleil|beau|ensoleill",
        kind=Kind.CLOCK,
    ),
    _french("lance l'aspirateur", says=r"\bpas\b|\baucun|désol", kind=Kind.ABSENT, may_ask=True),
    _spanish("enciende el Lampadaire por favor", {LAMPADAIRE: ON}, kind=Kind.PLAIN),
    _spanish("Pon la tele en silencio", {TV: MUTED}, kind=Kind.MEDIA),
    _spanish("cierra la persiana del cuarto del bebé", {BLIND: CLOSED}, kind=Kind.PLAIN),
    _spanish(
        "apunta cebollas en la lista de la compra", {COURSES: listed("cebolla")}, kind=Kind.LIST
    ),
    _spanish("¿Qué tiempo hace ahora mismo?", says=r"lluv|llov|12[.,]3|\b12\b", kind=Kind.CLOCK),
    _spanish(
        "cuántos minutos tiene un día", says=r"1[., ]?440|mil cuatrocientos", kind=Kind.KNOWLEDGE
    ),
    _spanish("gracias, eres un sol", says=SMALL_TALK, kind=Kind.TALK),
    _polish("Zgaś Night light", {NIGHT: OFF}, given=on(NIGHT), kind=Kind.PLAIN),
)
