"""Fourth set of sentences for the household in the city flat."""

from functools import partial

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
    SMALL_TALK,
    UNLOCKED,
    Check,
    Kind,
    Sentence,
    Stepped,
    affirms,
    degrees,
    listed,
    on,
    percent,
    position,
    ticked,
)
from .sentences_flat import (
    ALL_ON,
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
    MUSIC,
    ROBOT,
    TV,
)

_QUIETER: Check = {"volume": Stepped(-1, exact=False)}
_RUNNING: Check = {"state": {"on", "idle", "paused", "playing"}}
_UNLOCKED_WORDS = (
    r"^(?!.*\b(?:weiß|kann ich|keine)\b)"
    r".*(?:\bnein\b|\bnicht\b|offen|aufgeschlossen|un(?:ver|abge)schlossen|entriegelt|entsperrt)"
)

_german = partial(Sentence, language="de")

FOURTH_FLAT_SENTENCES: tuple[Sentence, ...] = (
    _german("Schalt mal die Glotze ein.", {TV: _RUNNING}, kind=Kind.PLAIN),
    _german(
        "Magst du schon mal die Kaffeemaschine warmlaufen lassen?",
        {COFFEE: ON},
        kind=Kind.INDIRECT,
    ),
    _german(
        "Wärst du so lieb und fährst die Markise ein? Es fängt an zu regnen.",
        {AWNING: CLOSED},
        given={AWNING: {"current_cover_position": 100, "is_closed": False}},
        kind=Kind.INDIRECT,
    ),
    _german(
        "Küchenlicht aus und dafür das Flurlicht an, bitte.",
        {KITCHEN: OFF, HALL: ON},
        given=on(KITCHEN),
        kind=Kind.COMPOUND,
    ),
    _german(
        "Ich bin dann weg: Schließ die Tür ab, dreh die Heizung im Wohnzimmer auf siebzehn Grad "
        "und schick Krümel los.",
        {DOOR: LOCKED, HEATING: degrees(17), ROBOT: CLEANING},
        kind=Kind.COMPOUND,
    ),
    _german(
        "Kannst du in der Küche alle Lichter ausmachen?",
        {KITCHEN: OFF, COUNTER: OFF},
        given=ALL_ON,
        kind=Kind.GROUP,
    ),
    _german(
        "Hier kann das Licht aus, ich geh ins Bett.",
        {CEILING: OFF, FLOOR_LAMP: OFF},
        given=on(CEILING, FLOOR_LAMP, HALL),
        kind=Kind.AREA,
        area="Wohnzimmer",
    ),
    _german(
        "Dimm die Deckenlampe mal auf ein Drittel.",
        {CEILING: percent(33)},
        given=on(CEILING),
        kind=Kind.LEVEL,
    ),
    _german(
        "Lass das Rollo im Schlafzimmer halb runter.",
        {BED_BLIND: position(50)},
        kind=Kind.LEVEL,
    ),
    _german(
        "Dreh die Heizung im Bad auf einundzwanzigeinhalb Grad.",
        {BATH_HEATING: degrees(21.5)},
        kind=Kind.LEVEL,
    ),
    _german(
        "Krümel hat genug gesaugt, der soll zurück auf seine Station.",
        {ROBOT: HOMEWARD},
        given={ROBOT: {"activity": "cleaning"}},
        kind=Kind.MACHINE,
    ),
    _german(
        "Schließ mal die Wohnungstür auf, der Paketbote steht davor.",
        {DOOR: UNLOCKED},
        given={DOOR: {"is_locked": True}},
        kind=Kind.MACHINE,
    ),
    _german(
        "Die Hafermilch ist alle, schreib die mal auf.",
        {LIST: listed("hafermilch")},
        kind=Kind.LIST,
    ),
    _german(
        "Beim Bäcker war ich schon, das Brot kannst du also streichen.",
        {LIST: ticked("brot")},
        kind=Kind.LIST,
    ),
    _german(
        "Das Popcorn ist fertig, mach mal Filmabend.",
        {"scene.filmabend": ACTIVATED},
        kind=Kind.SCENE,
        area="Wohnzimmer",
    ),
    _german("Überspring das Lied, das nervt.", {MUSIC: NEXT}, kind=Kind.MEDIA),
    _german("Geht die Musik auch ein bisschen leiser?", {MUSIC: _QUIETER}, kind=Kind.MEDIA),
    _german(
        "Mach nur das Rollo im Wohnzimmer zu, das andere bleibt oben.",
        {LIVING_BLIND: CLOSED},
        kind=Kind.SAME_NAME,
    ),
    _german(
        "Hab ich eigentlich die Wohnungstür abgeschlossen?",
        says=_UNLOCKED_WORDS,
        kind=Kind.STATE,
    ),
    Sentence(
        "Did I leave the coffee machine on?",
        given=on(COFFEE),
        says=affirms(r"\byes\b|\bon\b"),
        kind=Kind.STATE,
    ),
    Sentence(
        "How cold is it out on the balcony?",
        says=r"\b7[.,]5|seven (?:and a half|point five)",
        kind=Kind.SENSOR,
    ),
    _german("Den Wievielten haben wir heute?", says="%DATE%", kind=Kind.CLOCK),
    _german(
        "Die Rechnung war achtzig Euro, wie viel sind da zehn Prozent Trinkgeld?",
        says=r"\b8\b|\bacht\b",
        kind=Kind.KNOWLEDGE,
    ),
    _german("Puh, war das wieder ein langer Tag.", says=SMALL_TALK, kind=Kind.TALK),
    _german(
        "Stell mal die Spülmaschine an, die ist voll.",
        says=NOT_DONE,
        kind=Kind.ABSENT,
    ),
    _german("Zieh im Arbeitszimmer die Vorhänge zu.", says=NOT_DONE, kind=Kind.ABSENT),
    _german(
        "Mach die Nachttischlampe an.",
        {BEDSIDE: ON},
        kind=Kind.FOLLOW_UP,
        then=_german(
            "Nicht so hell bitte, zehn Prozent reichen.",
            {BEDSIDE: percent(10)},
            kind=Kind.FOLLOW_UP,
        ),
    ),
    Sentence(
        "What have we got on the shopping list?",
        says=r"^(?=.*(?:brot|bread))(?=.*(?:käse|cheese))",
        kind=Kind.FOLLOW_UP,
        then=Sentence("Add butter, please.", {LIST: listed("butter")}, kind=Kind.FOLLOW_UP),
    ),
)
