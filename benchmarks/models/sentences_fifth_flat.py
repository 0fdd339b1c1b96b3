"""Fifth set of sentences for the city flat."""

from functools import partial

from homeassistant.components.media_player.const import MediaPlayerState
from homeassistant.components.vacuum.const import VacuumActivity

from .sentence import (
    ACTIVATED,
    CLOSED,
    LOCKED,
    NEXT,
    NOT_DONE,
    OFF,
    ON,
    PAUSED,
    SMALL_TALK,
    UNLOCKED,
    Kind,
    Sentence,
    affirms,
    degrees,
    hue,
    listed,
    on,
)
from .sentences_flat import (
    AWNING,
    BED_BLIND,
    BEDSIDE,
    CEILING,
    COFFEE,
    DOOR,
    FAIRY,
    FLOOR_LAMP,
    HALL,
    HEATING,
    LIST,
    LIVING_BLIND,
    MUSIC,
    ROBOT,
    TV,
)

_german = partial(Sentence, language="de")
_polish = partial(Sentence, language="pl")
_italian = partial(Sentence, language="it")
_dutch = partial(Sentence, language="nl")

_OUT = {"current_cover_position": 100, "is_closed": False}
_LOUDER = {"volume": (0.41, 1.0)}

FIFTH_FLAT_SENTENCES = (
    _german("mach mal die deckenlampe an", {CEILING: ON}, kind=Kind.PLAIN),
    _german(
        "Mach überall das Licht aus, nur die Lichterkette soll anbleiben",
        {CEILING: OFF, HALL: OFF},
        given=on(CEILING, HALL, FAIRY),
        kind=Kind.GROUP,
    ),
    _german("Stehlampe auf Orange bitte", {FLOOR_LAMP: hue(15, 45)}, kind=Kind.LEVEL),
    _german(
        "bitte beide rollos zumachen", {LIVING_BLIND: CLOSED, BED_BLIND: CLOSED}, kind=Kind.GROUP
    ),
    _german(
        "Es fängt an zu regnen, hol bitte die Markise rein",
        {AWNING: CLOSED},
        given={AWNING: _OUT},
        kind=Kind.INDIRECT,
    ),
    _german("kannst du die wohnungstür zusperren", {DOOR: LOCKED}, kind=Kind.MACHINE),
    _german(
        "Stell die Heizung auf achtzehn und mach die Deckenlampe aus",
        {HEATING: degrees(18), CEILING: OFF},
        given=on(CEILING),
        area="Wohnzimmer",
        kind=Kind.COMPOUND,
    ),
    _german("Wir brauchen noch Eier", {LIST: listed("eier")}, kind=Kind.LIST, may_ask=True),
    _german(
        "Hab ich die Kaffeemaschine angelassen?",
        given=on(COFFEE),
        says=affirms(r"\bja\b|\ban\b|eingeschaltet|läuft"),
        kind=Kind.STATE,
    ),
    _german(
        "wie viel grad hat es auf dem balkon",
        says=r"\b7[.,]5\b|sieben(?:ein)?halb|sieben komma fünf",
        kind=Kind.FOLLOW_UP,
        then=_german("Und im Bad?", says=r"21[.,]8|\b22\b|zweiundzwanzig"),
    ),
    _german("was ist 240 geteilt durch 8", says=r"\b30\b|dreißig", kind=Kind.KNOWLEDGE),
    _german("Weck mich morgen um sieben", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    _german("Danke dir und schlaf gut", says=SMALL_TALK, kind=Kind.TALK),
    Sentence(
        "unlock the Wohnungstür for the delivery guy",
        {DOOR: UNLOCKED},
        given={DOOR: {"is_locked": True}},
        kind=Kind.MACHINE,
    ),
    Sentence("pause the music for a sec", {MUSIC: PAUSED}, kind=Kind.MEDIA),
    Sentence(
        "we're out of toothpaste, put it on the shopping list",
        {LIST: listed("toothpaste")},
        kind=Kind.LIST,
    ),
    Sentence(
        "Is the air okay in the bedroom? What's the CO2 at?", says=r"\b870\b", kind=Kind.SENSOR
    ),
    Sentence(
        "is the vacuum still cleaning",
        given={ROBOT: {"activity": VacuumActivity.CLEANING}},
        says=affirms(r"\byes\b|\bcleaning\b"),
        kind=Kind.STATE,
    ),
    _italian("accendi la Deckenlampe in soggiorno", {CEILING: ON}, kind=Kind.PLAIN),
    _italian("alza un po' il volume della Musikbox", {MUSIC: _LOUDER}, kind=Kind.MEDIA),
    _italian("quanto fa otto per sette", says=r"\b56\b|cinquantasei", kind=Kind.KNOWLEDGE),
    _italian(
        "La porta di casa è chiusa a chiave?",
        says=r"\bno\b|\bnon\b|apert|sbloccat",
        kind=Kind.STATE,
    ),
    _dutch("in de gang mag het licht aan", {HALL: ON}, kind=Kind.PLAIN),
    _dutch("Volgende nummer graag", {MUSIC: NEXT}, area="Wohnzimmer", kind=Kind.MEDIA),
    _dutch("wat is de hoofdstad van Zweden", says=r"stockholm", kind=Kind.KNOWLEDGE),
    _polish("włącz światło w sypialni", {BEDSIDE: ON}, kind=Kind.PLAIN),
    _polish("Czy okno w kuchni jest otwarte?", says=r"\btak\b|(?<!nie)otwarte", kind=Kind.STATE),
    _polish("uruchom zmywarkę", says=r"\bnie\b|\bbrak|żadn", kind=Kind.ABSENT, may_ask=True),
    _polish("Włącz scenę Filmabend", {"scene.filmabend": ACTIVATED}, kind=Kind.SCENE),
    _german(
        "lass den fernseher an aber mach das flurlicht aus",
        {HALL: OFF},
        given={**on(HALL), TV: {"state": MediaPlayerState.PLAYING}},
        kind=Kind.COMPOUND,
    ),
)
