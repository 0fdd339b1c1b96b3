"""Fourth set of sentences for the family's bungalow."""

from functools import partial

from homeassistant.components.lawn_mower.const import LawnMowerActivity

from .sentence import (
    ACTIVATED,
    CLOSED,
    HOMEWARD,
    LOCKED,
    MOWING,
    NOT_DONE,
    OFF,
    ON,
    OPEN,
    PAUSED,
    SILENT,
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
from .sentences_family import (
    BLIND,
    CHORES,
    COFFEE,
    COURSES,
    EMMA,
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

_OUT = {"current_cover_position": 100, "is_closed": False}
_SHUT = {"current_cover_position": 0, "is_closed": True}

FOURTH_FAMILY_SENTENCES = (
    _french("Ouvre le portail du jardin", {GATE: UNLOCKED}, kind=Kind.MACHINE, may_ask=True),
    _french("Baisse le volet du salon", {SHUTTER: CLOSED}, given={SHUTTER: _OUT}, kind=Kind.PLAIN),
    _french(
        "Éteins le plafonnier de la cuisine",
        {PLAFONNIER: OFF},
        given=on(PLAFONNIER),
        kind=Kind.PLAIN,
    ),
    _french("Mets le lustre à trente-cinq pour cent", {LUSTRE: percent(35)}, kind=Kind.LEVEL),
    _french(
        "Règle le thermostat sur vingt et un degrés", {THERMOSTAT: degrees(21)}, kind=Kind.LEVEL
    ),
    _french("Ouvre le volet du salon au tiers", {SHUTTER: position(33)}, kind=Kind.LEVEL),
    _french("Le volet du salon est-il ouvert ?", says=r"\bnon\b|\bfermé", kind=Kind.STATE),
    _french("Est-ce que j'ai éteint la cafetière ?", says=r"\boui\b|éteint", kind=Kind.STATE),
    _french(
        "Allume la cafetière et le plafonnier", {COFFEE: ON, PLAFONNIER: ON}, kind=Kind.COMPOUND
    ),
    _french(
        "Éteins le lampadaire, ferme le volet et mets la télé en pause",
        {LAMPADAIRE: OFF, SHUTTER: CLOSED, TV: PAUSED},
        given={**on(LAMPADAIRE), SHUTTER: _OUT},
        area="Salon",
        kind=Kind.COMPOUND,
    ),
    _french(
        "J'ai acheté les pommes, enlève-les de la liste de courses",
        {COURSES: ticked("pommes")},
        kind=Kind.LIST,
    ),
    _french("Allume le four", says=r"\bpas\b|\baucun|désol", kind=Kind.ABSENT, may_ask=True),
    _french("Merci beaucoup, à demain", says=SMALL_TALK, kind=Kind.TALK),
    _french(
        "Combien de jours y a-t-il dans une année ?",
        says=r"36[56]|trois cent soixante",
        kind=Kind.KNOWLEDGE,
    ),
    _spanish("Enciende la luz de Emma", {EMMA: ON}, kind=Kind.PLAIN),
    _spanish("Apaga la tele del salón", {TV: OFF}, kind=Kind.PLAIN),
    _spanish("Sube la persiana Volet salon", {SHUTTER: OPEN}, kind=Kind.PLAIN),
    _spanish("Pon el Unicorn lamp en verde", {UNICORN: hue(90, 150)}, kind=Kind.LEVEL),
    _spanish(
        "¿He cerrado con llave el Garden gate?",
        says=affirms(r"\bs[íi]\b|cerrad|bloquead"),
        kind=Kind.STATE,
    ),
    _spanish("Baja el ventilador de Noah al veinte por ciento", {FAN: speed(20)}, kind=Kind.LEVEL),
    _polish(
        "Włącz Floodlight i Trampoline lights", {FLOOD: ON, TRAMPOLINE: ON}, kind=Kind.COMPOUND
    ),
    _polish("Ile nóg ma pająk?", says=r"\b8\b|osiem", kind=Kind.KNOWLEDGE),
    Sentence(
        "Shaun should come home now",
        {MOWER: HOMEWARD},
        given={MOWER: {"activity": LawnMowerActivity.MOWING}},
        kind=Kind.MACHINE,
    ),
    Sentence("The grass is a jungle, get the mower going", {MOWER: MOWING}, kind=Kind.MACHINE),
    Sentence("Let the nursery blind down", {BLIND: CLOSED}, kind=Kind.PLAIN),
    Sentence(
        "Open the nursery blind two thirds of the way",
        {BLIND: position(67)},
        given={BLIND: _SHUT},
        kind=Kind.LEVEL,
    ),
    Sentence("Is the garden gate locked?", says=affirms(r"\byes\b|\blocked"), kind=Kind.STATE),
    Sentence(
        "Did Noah turn his gaming strip off?",
        given=on(STRIP),
        says=r"\bno\b|\bnot\b|n't|\bon\b",
        kind=Kind.STATE,
    ),
    Sentence(
        "Can you lock the gate behind me?",
        {GATE: LOCKED},
        given={GATE: {"is_locked": False}},
        kind=Kind.INDIRECT,
    ),
    Sentence("Night light on and make it pink", {NIGHT: hue(290, 350)}, kind=Kind.COMPOUND),
    Sentence(
        "Emma's light out, story box off and bedtime please",
        {EMMA: OFF, STORIES: SILENT, "scene.bedtime": ACTIVATED},
        given=on(EMMA),
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "The air's awfully damp, stop the humidifier",
        {HUMIDIFIER: OFF},
        given=on(HUMIDIFIER),
        kind=Kind.INDIRECT,
    ),
    Sentence(
        "Add hoover the stairs to the chores", {CHORES: listed("hoover the stairs")}, kind=Kind.LIST
    ),
    Sentence("What's in the family calendar for tomorrow?", says=r"dentist", kind=Kind.CLOCK),
    Sentence("Close the front door", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence(
        "Noah is asleep, lights out in his room",
        {NOAH: OFF, STRIP: OFF},
        given=on(NOAH, STRIP, EMMA),
        kind=Kind.GROUP,
    ),
)
