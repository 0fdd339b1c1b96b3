"""Sixth set of sentences for the old house."""

from functools import partial

from .sentence import (
    ACTIVATED,
    CLOSED,
    LOCKED,
    NOT_DONE,
    OFF,
    ON,
    OPEN,
    SMALL_TALK,
    Kind,
    Sentence,
    affirms,
    degrees,
    denies,
    listed,
    on,
    percent,
    position,
    ticked,
    volume,
)
from .sentences_house import (
    BACK,
    BEDSIDE,
    BLINDS,
    CURTAIN,
    FAN,
    FRONT,
    GARAGE,
    GROCERIES,
    HALLWAY,
    HEATING,
    ISLAND,
    LANDING,
    LOUNGE_LAMP,
    MIRROR,
    RADIO,
    SONOS,
    SPOTS,
    SPRINKLER,
    STUDY_LAMP,
    WATER,
)

_german = partial(Sentence, language="de")
_dutch = partial(Sentence, language="nl")
_spanish = partial(Sentence, language="es")
_italian = partial(Sentence, language="it")
_polish = partial(Sentence, language="pl")
_french = partial(Sentence, language="fr")

_NO = r"\bno\b|\bnot\b|n['\u2019]t\b"
_PUMP = "switch.pump"
_OPEN_GARAGE = {GARAGE: {"is_closed": False}}
_UNLOCKED_BACK = {BACK: {"is_locked": False}}
_OPEN_BLINDS = {BLINDS: {"current_cover_position": 100, "is_closed": False}}
_RUNNING = {"state": {"on", "idle", "playing"}}

SIXTH_HOUSE_SENTENCES = (
    Sentence("hall light off", {HALLWAY: OFF}, given=on(HALLWAY, LANDING), kind=Kind.PLAIN),
    Sentence("open the bedroom blinds", {BLINDS: OPEN}, kind=Kind.PLAIN),
    Sentence("Turn on the ceiling fan.", {FAN: ON}, kind=Kind.PLAIN),
    Sentence(
        "Can you switch the pond pump off, please?",
        {_PUMP: OFF},
        given=on(_PUMP),
        kind=Kind.INDIRECT,
    ),
    Sentence("study lamp on", {STUDY_LAMP: ON}, kind=Kind.SAME_NAME),
    Sentence("light on please", {BEDSIDE: ON}, area="Main bedroom", kind=Kind.AREA),
    Sentence(
        "It's a bit dark in here, can you turn the lamp up?",
        {LOUNGE_LAMP: {"state": "on", "brightness": (206, 255)}},
        given=on(LOUNGE_LAMP),
        area="Lounge",
        kind=Kind.AREA,
    ),
    Sentence("set the kitchen island to 60 percent", {ISLAND: percent(60)}, kind=Kind.LEVEL),
    Sentence(
        "put paper towels on the groceries", {GROCERIES: listed("paper towels")}, kind=Kind.LIST
    ),
    Sentence(
        "I bought washing powder, you can take it off the list",
        {GROCERIES: ticked("washing powder")},
        kind=Kind.LIST,
    ),
    Sentence("Volume to twenty five", {SONOS: volume(25)}, area="Lounge", kind=Kind.MEDIA),
    Sentence("turn the radio on in the kitchen", {RADIO: _RUNNING}, kind=Kind.MEDIA),
    Sentence("set the dinner scene", {"scene.dinner": ACTIVATED}, kind=Kind.SCENE),
    Sentence(
        "lock the front door and turn off the landing light",
        {FRONT: LOCKED, LANDING: OFF},
        given=on(LANDING, BEDSIDE),
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "Close the study curtain and put the lamp on in there",
        {CURTAIN: CLOSED, STUDY_LAMP: ON},
        kind=Kind.COMPOUND,
    ),
    Sentence(
        "turn off all the lights upstairs",
        {STUDY_LAMP: OFF, BEDSIDE: OFF, LANDING: OFF},
        given=on(STUDY_LAMP, BEDSIDE, LANDING, ISLAND),
        kind=Kind.GROUP,
    ),
    Sentence(
        "close all the blinds and curtains",
        {BLINDS: CLOSED, CURTAIN: CLOSED},
        given=_OPEN_BLINDS,
        kind=Kind.GROUP,
    ),
    Sentence(
        "set the bedside light to fifty no make that twenty percent",
        {BEDSIDE: percent(20)},
        kind=Kind.LEVEL,
    ),
    Sentence("turn on the spotlights in the launch", {SPOTS: ON}, kind=Kind.PLAIN),
    Sentence(
        "I think I left the back door unlocked",
        {BACK: LOCKED},
        given=_UNLOCKED_BACK,
        kind=Kind.INDIRECT,
        may_ask=True,
    ),
    Sentence(
        "if the garage is still open, close it",
        {GARAGE: CLOSED},
        given=_OPEN_GARAGE,
        kind=Kind.MACHINE,
    ),
    Sentence(
        "turn on the spotlights",
        {SPOTS: ON},
        area="Lounge",
        kind=Kind.FOLLOW_UP,
        then=Sentence("and the lamp too", {LOUNGE_LAMP: ON}, area="Lounge"),
    ),
    Sentence(
        "Is the main water valve open?",
        says=affirms(r"\byes\b|\bopen\b"),
        kind=Kind.FOLLOW_UP,
        then=Sentence("Ok, close it please.", {WATER: CLOSED}),
    ),
    Sentence(
        "who painted the mona lisa",
        says=r"leonardo|da vinci",
        kind=Kind.FOLLOW_UP,
        then=Sentence("and where can you see it", says=r"louvre|paris"),
    ),
    Sentence("is the back door locked", says=affirms(r"\byes\b|\blocked\b"), kind=Kind.STATE),
    Sentence(
        "Is the garage door closed?",
        says=(
            r"^(?!.*(?:\bno\b|(?:\bnot|n['\u2019]t) (?:closed|shut|sure)"
            r"|\bcan(?:not|['\u2019]t)|sorry))"
            r".*(?:\byes\b|\bclosed\b|\bshut\b|not open)"
        ),
        kind=Kind.STATE,
    ),
    Sentence(
        "which lights are on",
        given=on(ISLAND, MIRROR),
        says=(
            r"^(?!.*(?:hallway|landing|bedside|spotlights|patio))"
            r".*(?:(?:island|kitchen).*(?:mirror|bathroom)|(?:mirror|bathroom).*(?:island|kitchen))"
        ),
        kind=Kind.STATE,
    ),
    Sentence(
        "is the washing machine finished", says=denies(rf"{_NO}|\bstill\b|rins"), kind=Kind.SENSOR
    ),
    Sentence(
        "how much power are the solar panels making right now",
        says=r"2[,. ]?340|2[.,]34?\s*(?:k|kilo)|two thousand,? three hundred",
        kind=Kind.SENSOR,
    ),
    Sentence("what day is it today", says="%WEEKDAY%", kind=Kind.CLOCK),
    Sentence(
        "How many feet are in a mile?",
        says=r"5[,. ]?280|five thousand,? two hundred (?:and )?eighty",
        kind=Kind.KNOWLEDGE,
    ),
    Sentence("what's fifteen percent of eighty", says=r"\b12\b|twelve", kind=Kind.KNOWLEDGE),
    Sentence("turn on the lights in the basement", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence("What's the weather tomorrow?", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence("thank you", says=SMALL_TALK, kind=Kind.TALK),
    Sentence("tell me a joke", says=r"(?:\w+\W+){5}", kind=Kind.TALK),
    _german("garagentor zu bitte", {GARAGE: CLOSED}, given=_OPEN_GARAGE, kind=Kind.MACHINE),
    _german(
        "Sind oben noch Lichter an?",
        given=on(BEDSIDE),
        says=(
            r"^(?!.*(?:\bnein\b|keine lichter|kein licht"
            r"|(?:landing|mirror)\w*(?: light)? ist (?:noch )?(?:an|ein)))"
            r".*(?:\bja\b|bedside|nachttisch|schlafzimmer|\bein licht)"
        ),
        kind=Kind.STATE,
    ),
    _dutch(
        "doe de spotjes in de lounge uit",
        {SPOTS: OFF},
        given=on(SPOTS, LOUNGE_LAMP),
        kind=Kind.PLAIN,
    ),
    _dutch(
        "Is de voordeur op slot?",
        says=(
            r"^(?!.*(?:sorry|\bweet\b))"
            r".*(?:\bnee\b|\bniet\b|ontgrendeld|\bopen\b|van (?:het )?slot|unlocked)"
        ),
        kind=Kind.STATE,
    ),
    _dutch("gordijn in de studeerkamer half dicht", {CURTAIN: position(50)}, kind=Kind.LEVEL),
    _spanish(
        "añade tomates a la lista de la compra", {GROCERIES: listed("tomate")}, kind=Kind.LIST
    ),
    _italian(
        "chiudi a chiave la porta sul retro",
        {BACK: LOCKED},
        given=_UNLOCKED_BACK,
        kind=Kind.MACHINE,
    ),
    _italian(
        "Che temperatura c'è nello studio?",
        says=r"\b22[.,]6\b|\b23\b|ventidue (?:virgola|e mezz)|quasi ventitré",
        kind=Kind.SENSOR,
    ),
    _polish(
        "wyłącz zraszacz w ogrodzie",
        {SPRINKLER: CLOSED},
        given={SPRINKLER: {"is_closed": False}},
        kind=Kind.MACHINE,
    ),
    _french(
        "mets le chauffage du rez-de-chaussée à 21 degrés", {HEATING: degrees(21)}, kind=Kind.LEVEL
    ),
)
