"""Fifth set of sentences for the old house."""

from functools import partial

from homeassistant.components.vacuum.const import VacuumActivity

from .sentence import (
    ACTIVATED,
    CLEANING,
    CLOSED,
    LOCKED,
    NEXT,
    NOT_DONE,
    OFF,
    ON,
    SMALL_TALK,
    WARMER,
    Kind,
    Sentence,
    Stepped,
    denies,
    listed,
    on,
    percent,
    position,
    speed,
    ticked,
    volume,
)
from .sentences_house import (
    BACK,
    BEDSIDE,
    BLINDS,
    CURTAIN,
    DUSTY,
    EXTRACTOR,
    FAN,
    FRONT,
    GARAGE,
    GROCERIES,
    HALLWAY,
    HOOVER,
    ISLAND,
    LANDING,
    LOUNGE_LAMP,
    MIRROR,
    PATIO_LIGHT,
    RADIATOR,
    SONOS,
    SPOTS,
    SPRINKLER,
)

_german = partial(Sentence, language="de")
_dutch = partial(Sentence, language="nl")
_polish = partial(Sentence, language="pl")
_italian = partial(Sentence, language="it")

_OPEN_GARAGE = {GARAGE: {"is_closed": False}}
_UNLOCKED_BACK = {BACK: {"is_locked": False}}

FIFTH_HOUSE_SENTENCES = (
    Sentence(
        "could you put the hallway light on, i can't find my keys",
        {HALLWAY: ON},
        kind=Kind.INDIRECT,
    ),
    Sentence(
        "turn of the spotlights in the lounge",
        {SPOTS: OFF},
        given=on(SPOTS, LOUNGE_LAMP),
        kind=Kind.PLAIN,
    ),
    Sentence(
        "turn on the landing light, no sorry, i mean the mirror in the bathroom",
        {MIRROR: ON},
        kind=Kind.PLAIN,
    ),
    Sentence(
        "the lounge lamp is a bit harsh, dim it down some",
        {LOUNGE_LAMP: {"state": "on", "brightness": (1, 200)}},
        given=on(LOUNGE_LAMP),
        kind=Kind.LEVEL,
    ),
    Sentence(
        "Turn off all the lights downstairs except the hallway light",
        {LOUNGE_LAMP: OFF, SPOTS: OFF, ISLAND: OFF},
        given=on(LOUNGE_LAMP, SPOTS, ISLAND, HALLWAY, LANDING),
        kind=Kind.GROUP,
    ),
    Sentence(
        "We're heading out, close the garage and lock the back door but leave the patio light on",
        {GARAGE: CLOSED, BACK: LOCKED},
        given={**_OPEN_GARAGE, **_UNLOCKED_BACK, **on(PATIO_LIGHT)},
        kind=Kind.COMPOUND,
    ),
    Sentence("raise the bedroom blinds to eighty", {BLINDS: position(80)}, kind=Kind.LEVEL),
    Sentence(
        "There's a glare on my screen, could you close the study curtain",
        {CURTAIN: CLOSED},
        kind=Kind.INDIRECT,
    ),
    Sentence(
        "that's enough water, sprinkler off",
        {SPRINKLER: CLOSED},
        given={SPRINKLER: {"is_closed": False}},
        kind=Kind.MACHINE,
    ),
    Sentence("crumbs everywhere, send dusty out", {DUSTY: CLEANING}, kind=Kind.MACHINE),
    Sentence(
        "Stop Hoover, the baby just fell asleep",
        {HOOVER: {"state": {"idle", "paused", "returning", "docked"}}},
        given={HOOVER: {"activity": VacuumActivity.CLEANING}},
        kind=Kind.MACHINE,
    ),
    Sentence(
        "it's freezing in here",
        {RADIATOR: WARMER},
        area="Main bedroom",
        kind=Kind.AREA,
        may_ask=True,
    ),
    Sentence(
        "Turn the bedroom radiator down by two degrees",
        {RADIATOR: {"temperature": Stepped(-2)}},
        kind=Kind.LEVEL,
    ),
    Sentence(
        "put the fan on forty percent",
        {FAN: speed(40)},
        area="Main bedroom",
        kind=Kind.AREA,
    ),
    Sentence("sonos volume sixty", {SONOS: volume(60)}, kind=Kind.MEDIA),
    Sentence(
        "a bit louder please", {SONOS: {"volume": (0.41, 1.0)}}, area="Lounge", kind=Kind.MEDIA
    ),
    Sentence("skip this one", {SONOS: NEXT}, area="Lounge", kind=Kind.MEDIA),
    Sentence(
        "oh and we need oat milk, add that to groceries",
        {GROCERIES: listed("oat milk")},
        kind=Kind.LIST,
    ),
    Sentence("I've got the eggs, tick them off", {GROCERIES: ticked("eggs")}, kind=Kind.LIST),
    Sentence(
        "Food's on the table, switch to dinner lighting",
        {"scene.dinner": ACTIVATED},
        kind=Kind.SCENE,
    ),
    Sentence("do the good night thing", {"script.goodnight": ACTIVATED}, kind=Kind.SCENE),
    Sentence(
        "lock both doors", {FRONT: LOCKED, BACK: LOCKED}, given=_UNLOCKED_BACK, kind=Kind.GROUP
    ),
    Sentence(
        "Everything off in the bathroom please, light and fan",
        {MIRROR: OFF, EXTRACTOR: OFF},
        given={**on(MIRROR, LANDING), EXTRACTOR: {"percentage": 50}},
        kind=Kind.GROUP,
    ),
    Sentence(
        "bedside light on",
        {BEDSIDE: ON},
        kind=Kind.FOLLOW_UP,
        then=Sentence("way too bright, thirty percent", {BEDSIDE: percent(30)}),
    ),
    Sentence(
        "wait is the front door actually locked",
        says=denies(r"\bno\b|\bnot\b|n't|unlocked"),
        kind=Kind.FOLLOW_UP,
        then=Sentence("then lock it please", {FRONT: LOCKED}),
    ),
    Sentence("how warm is my study at the moment", says=r"22[.,]6|\b23\b", kind=Kind.SENSOR),
    Sentence(
        "any lights still burning upstairs and if so which one",
        given=on(LANDING, ISLAND),
        says=r"^(?!.*(?:island|kitchen|mirror|bedside)).*landing",
        kind=Kind.STATE,
    ),
    Sentence("what's left on the house jobs", says=r"gutter.*gate|gate.*gutter", kind=Kind.LIST),
    Sentence(
        "What's the downstairs heating set to?", says=r"\b19\b|nineteen|\b19[.,]0", kind=Kind.STATE
    ),
    Sentence(
        "is it warmer in the study or in the main bedroom",
        says=r"^(?!.*bedroom is (?:\w+ )?(?:warmer|hotter)).*study",
        kind=Kind.SENSOR,
    ),
    Sentence("hey do you have the time", says="%TIME%", kind=Kind.CLOCK),
    Sentence("what's seventeen times six", says=r"\b102\b|hundred and two", kind=Kind.KNOWLEDGE),
    Sentence(
        "what's the capital of portugal",
        says="lisbon",
        kind=Kind.FOLLOW_UP,
        then=Sentence("and of norway", says="oslo"),
    ),
    Sentence(
        "set a timer for twelve minutes",
        says=NOT_DONE,
        area="Lounge",
        kind=Kind.ABSENT,
        may_ask=True,
    ),
    Sentence("open the skylight a crack", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence("Play some Miles Davis on the Sonos", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence("ah never mind, forget it", says=SMALL_TALK, kind=Kind.TALK),
    _german("Mach die Spotlights im Lounge an", {SPOTS: ON}, kind=Kind.PLAIN),
    _dutch(
        "Kan de Sonos wat zachter alsjeblieft",
        {SONOS: {"volume": (0.01, 0.39)}},
        kind=Kind.MEDIA,
    ),
    _dutch("staat de garage nog open", says=r"\bnee\b|\bniet\b|\bdicht|gesloten", kind=Kind.STATE),
    _polish("zamknij garaż proszę", {GARAGE: CLOSED}, given=_OPEN_GARAGE, kind=Kind.MACHINE),
    _italian(
        "spegni il Ceiling fan, fa freddo",
        {FAN: OFF},
        given={FAN: {"percentage": 50}},
        kind=Kind.PLAIN,
    ),
    _italian("metti il pane nella lista Groceries", {GROCERIES: listed("pane")}, kind=Kind.LIST),
    _polish(
        "czy pompa w ogrodzie jest włączona",
        says=r"\bnie\b|wyłączon",
        kind=Kind.STATE,
    ),
    _dutch(
        "laat Hoover boven even zuigen",
        {HOOVER: CLEANING},
        kind=Kind.MACHINE,
    ),
)
