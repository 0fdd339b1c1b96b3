"""Fourth set of sentences for the old house."""

from functools import partial

from homeassistant.components.media_player.const import MediaPlayerState
from homeassistant.components.vacuum.const import VacuumActivity

from .sentence import (
    ACTIVATED,
    CLEANING,
    CLOSED,
    HOMEWARD,
    LOCKED,
    NEXT,
    NOT_DONE,
    OFF,
    ON,
    OPEN,
    PAUSED,
    PLAYING,
    SMALL_TALK,
    UNLOCKED,
    Kind,
    Sentence,
    affirms,
    degrees,
    denies,
    listed,
    on,
    percent,
    position,
    speed,
    ticked,
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
    HEATING,
    HOOVER,
    ISLAND,
    JOBS,
    LANDING,
    LOUNGE_LAMP,
    MIRROR,
    PATIO_AWNING,
    PATIO_LIGHT,
    RADIATOR,
    RADIO,
    SONOS,
    SPOTS,
    SPRINKLER,
    STUDY_LAMP,
    WATER,
)
from .sentences_second_house import PUMP

_german = partial(Sentence, language="de")
_dutch = partial(Sentence, language="nl")
_polish = partial(Sentence, language="pl")
_italian = partial(Sentence, language="it")

_OUT = {"current_cover_position": 100, "is_closed": False}

FOURTH_HOUSE_SENTENCES = (
    Sentence("Draw the curtain in the study", {CURTAIN: CLOSED}, kind=Kind.PLAIN),
    Sentence("Let the bedroom blinds up", {BLINDS: OPEN}, kind=Kind.PLAIN),
    Sentence(
        "Let the bedroom blinds down",
        {BLINDS: CLOSED},
        given={BLINDS: _OUT},
        kind=Kind.PLAIN,
    ),
    Sentence("Flick the hallway light on for a second", {HALLWAY: ON}, kind=Kind.PLAIN),
    Sentence(
        "Lock the front door, close the garage, switch the spotlights off and set the downstairs "
        "heating to seventeen degrees",
        {FRONT: LOCKED, GARAGE: CLOSED, SPOTS: OFF, HEATING: degrees(17)},
        given={**on(SPOTS), GARAGE: {"is_closed": False}},
        kind=Kind.COMPOUND,
    ),
    Sentence("Turn the sprinkler on, the lawn is dying", {SPRINKLER: OPEN}, kind=Kind.MACHINE),
    Sentence(
        "The plumber's finished, you can open the main water valve again",
        {WATER: OPEN},
        given={WATER: {"is_closed": True}},
        kind=Kind.MACHINE,
    ),
    Sentence(
        "Is the sprinkler still running?",
        says=denies(r"\bno\b|\bnot\b|n't|\bclosed|\boff"),
        kind=Kind.STATE,
    ),
    Sentence("Did I lock the back door?", says=affirms(r"\byes\b|\blocked"), kind=Kind.STATE),
    Sentence(
        "Have the bedroom blinds been closed?",
        says=affirms(r"\byes\b|\bclosed|\bshut"),
        kind=Kind.STATE,
    ),
    Sentence(
        "Could you lock the back of the house? Back door, I mean",
        {BACK: LOCKED},
        given={BACK: {"is_locked": False}},
        kind=Kind.INDIRECT,
    ),
    Sentence(
        "Unlock the front door",
        {FRONT: UNLOCKED},
        given={FRONT: {"is_locked": True}},
        kind=Kind.MACHINE,
    ),
    Sentence("Vacuum the ground floor", {DUSTY: CLEANING}, kind=Kind.MACHINE, may_ask=True),
    Sentence(
        "Hoover's been at it for hours, send it back to its dock",
        {HOOVER: HOMEWARD},
        given={HOOVER: {"activity": VacuumActivity.CLEANING}},
        kind=Kind.MACHINE,
    ),
    Sentence("Lamp on in the lounge", {LOUNGE_LAMP: ON}, kind=Kind.SAME_NAME),
    Sentence(
        "Retract the patio awning",
        {PATIO_AWNING: CLOSED},
        given={PATIO_AWNING: _OUT},
        kind=Kind.SAME_NAME,
    ),
    Sentence(
        "Switch off the patio light but leave the awning where it is",
        {PATIO_LIGHT: OFF},
        given={**on(PATIO_LIGHT), PATIO_AWNING: _OUT},
        kind=Kind.SAME_NAME,
    ),
    Sentence(
        "Dim the study lamp to forty-five percent", {STUDY_LAMP: percent(45)}, kind=Kind.LEVEL
    ),
    Sentence("Study curtain a quarter open", {CURTAIN: position(25)}, kind=Kind.LEVEL),
    Sentence("Crank the extractor to full", {EXTRACTOR: speed(100)}, kind=Kind.LEVEL),
    Sentence("Bedroom radiator at eighteen and a half", {RADIATOR: degrees(18.5)}, kind=Kind.LEVEL),
    Sentence(
        "All downstairs lights off",
        {LOUNGE_LAMP: OFF, SPOTS: OFF, ISLAND: OFF, HALLWAY: OFF},
        given=on(LOUNGE_LAMP, SPOTS, ISLAND, HALLWAY, LANDING),
        kind=Kind.GROUP,
    ),
    Sentence(
        "Switch off everything that's lit in the bathroom",
        {MIRROR: OFF},
        given=on(MIRROR, LANDING),
        kind=Kind.GROUP,
    ),
    Sentence("Fan on, please", {FAN: ON}, area="Main bedroom", kind=Kind.AREA),
    Sentence(
        "Get the radio playing in the kitchen",
        {RADIO: PLAYING},
        given={RADIO: {"state": MediaPlayerState.PAUSED}},
        kind=Kind.MEDIA,
    ),
    Sentence(
        "I don't like this song, play the next one on the Sonos", {SONOS: NEXT}, kind=Kind.MEDIA
    ),
    Sentence("Hold the music on the Sonos for a moment", {SONOS: PAUSED}, kind=Kind.MEDIA),
    Sentence(
        "Can you add birthday candles to the groceries?",
        {GROCERIES: listed("candle")},
        kind=Kind.LIST,
    ),
    Sentence(
        "The gutters are clean now, so take that off the house jobs",
        {JOBS: ticked("gutters")},
        kind=Kind.LIST,
    ),
    Sentence("We're turning in, run good night", {"script.goodnight": ACTIVATED}, kind=Kind.SCENE),
    Sentence("How many people live in London?", says=r"million", kind=Kind.KNOWLEDGE),
    Sentence(
        "If I close a door and lock it, how many things did I do?",
        says=r"\b2\b|\btwo\b",
        kind=Kind.KNOWLEDGE,
    ),
    Sentence("That's all, thanks ever so much", says=SMALL_TALK, kind=Kind.TALK),
    Sentence("Turn on the microwave", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence("Lock the cellar door", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    Sentence(
        "Start the pond pump",
        {PUMP: ON},
        kind=Kind.FOLLOW_UP,
        then=Sentence("OK, that's enough, stop it", {PUMP: OFF}),
    ),
    _german(
        "Ist die Back door abgeschlossen?",
        says=affirms(r"\bja\b|abgeschlossen|verriegelt"),
        kind=Kind.STATE,
    ),
    _german("Mach das Bedside light aus", {BEDSIDE: OFF}, given=on(BEDSIDE), kind=Kind.PLAIN),
    _dutch("Doe de voordeur op slot", {FRONT: LOCKED}, kind=Kind.MACHINE),
    _dutch("Zet de Sonos even op pauze", {SONOS: PAUSED}, kind=Kind.MEDIA),
    _polish("Zgaś światło na Landing", {LANDING: OFF}, given=on(LANDING), kind=Kind.PLAIN),
    _italian(
        "Chiudi il garage",
        {GARAGE: CLOSED},
        given={GARAGE: {"is_closed": False}},
        kind=Kind.MACHINE,
    ),
)
