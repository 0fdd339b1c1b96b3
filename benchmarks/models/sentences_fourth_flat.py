"""Fourth set of sentences for the city flat."""

from functools import partial

from homeassistant.components.media_player.const import MediaPlayerState
from homeassistant.components.vacuum.const import VacuumActivity

from .sentence import (
    ACTIVATED,
    CLEANING,
    CLOSED,
    HOMEWARD,
    LOCKED,
    NOT_DONE,
    OFF,
    ON,
    OPEN,
    PREVIOUS,
    SILENT,
    SMALL_TALK,
    UNLOCKED,
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
    ticked,
    volume,
)
from .sentences_flat import (
    AWNING,
    BATH_HEATING,
    BED_BLIND,
    BEDSIDE,
    CEILING,
    COFFEE,
    COUNTER,
    DOOR,
    FAIRY,
    FLOOR_LAMP,
    HALL,
    HEATING,
    KITCHEN,
    LIST,
    LIVING_BLIND,
    MIRROR,
    MUSIC,
    ROBOT,
    TOWELS,
    TV,
)

_german = partial(Sentence, language="de")
_polish = partial(Sentence, language="pl")
_italian = partial(Sentence, language="it")
_dutch = partial(Sentence, language="nl")

_LOCKED_DOOR = {DOOR: {"is_locked": True}}
_OUT = {"current_cover_position": 100, "is_closed": False}
_SHUT = {"current_cover_position": 0, "is_closed": True}

FOURTH_FLAT_SENTENCES = (
    _german(
        "Schließ die Wohnungstür auf, der Paketbote ist da",
        {DOOR: UNLOCKED},
        given=_LOCKED_DOOR,
        kind=Kind.MACHINE,
    ),
    _german("Schalt in der Küche die Arbeitsplatte an", {COUNTER: ON}, kind=Kind.PLAIN),
    _german(
        "Hab ich die Wohnungstür abgeschlossen?",
        says=denies(r"\bnein\b|\bnicht\b|unverschlossen|entriegelt|offen"),
        kind=Kind.STATE,
    ),
    _german("Lass die Markise raus", {AWNING: OPEN}, kind=Kind.PLAIN),
    _german("Lass das Rollo im Wohnzimmer runter", {LIVING_BLIND: CLOSED}, kind=Kind.PLAIN),
    _german(
        "Stell die Nachttischlampe auf ein Drittel",
        {BEDSIDE: percent(33)},
        given=on(BEDSIDE),
        kind=Kind.LEVEL,
    ),
    _german(
        "Heizung im Wohnzimmer auf einundzwanzigeinhalb Grad",
        {HEATING: degrees(21.5)},
        kind=Kind.LEVEL,
    ),
    _german("Musikbox auf fünfunddreißig Prozent", {MUSIC: volume(35)}, kind=Kind.MEDIA),
    _german(
        "Dreh die Stehlampe auf blau",
        {FLOOR_LAMP: hue(210, 260)},
        kind=Kind.LEVEL,
    ),
    _german(
        "Im Bad kann das Spiegellicht jetzt wieder aus",
        {MIRROR: OFF},
        given=on(MIRROR, HALL),
        kind=Kind.PLAIN,
    ),
    _german(
        "Wir fahren weg: Handtuchheizung aus, Kaffeemaschine aus und Wohnungstür abschließen",
        {TOWELS: OFF, COFFEE: OFF, DOOR: LOCKED},
        given=on(TOWELS, COFFEE),
        kind=Kind.COMPOUND,
    ),
    _german(
        "Zieh das Rollo im Schlafzimmer wieder hoch und mach die Nachttischlampe aus",
        {BED_BLIND: OPEN, BEDSIDE: OFF},
        given={**on(BEDSIDE), BED_BLIND: _SHUT},
        kind=Kind.COMPOUND,
    ),
    _german(
        "Krümel, hör auf und fahr heim",
        {ROBOT: HOMEWARD},
        given={ROBOT: {"activity": VacuumActivity.CLEANING}},
        kind=Kind.MACHINE,
    ),
    _german("Lass Krümel mal eine Runde drehen", {ROBOT: CLEANING}, kind=Kind.MACHINE),
    _german(
        "Streich das Brot von der Einkaufsliste, hab ich schon",
        {LIST: ticked("brot")},
        kind=Kind.LIST,
    ),
    _german(
        "Schreib Waschmittel bitte noch auf die Einkaufsliste",
        {LIST: listed("waschmittel")},
        kind=Kind.LIST,
    ),
    _german("Spiel das vorige Lied noch mal", {MUSIC: PREVIOUS}, kind=Kind.MEDIA),
    _german("Ruhe! Stopp die Musik", {MUSIC: SILENT}, kind=Kind.MEDIA),
    _german(
        "Den Fernseher brauchen wir nicht mehr, schalt ihn ab",
        {TV: OFF},
        given={TV: {"state": MediaPlayerState.PLAYING}},
        kind=Kind.INDIRECT,
    ),
    _german(
        "Brennt in der Küche noch Licht?",
        given=on(KITCHEN),
        says=affirms(r"\bja\b|\ban\b|\bbrennt\b|eingeschaltet"),
        kind=Kind.STATE,
    ),
    _german("Ist das Badfenster zu?", says=affirms(r"\bja\b|\bzu\b|geschlossen"), kind=Kind.STATE),
    _german(
        "Wie warm ist es gerade im Bad?",
        says=r"21[.,]8|\b22\b|zweiundzwanzig",
        kind=Kind.SENSOR,
    ),
    _german(
        "Wann ist Goethe geboren?",
        says=r"1749",
        kind=Kind.KNOWLEDGE,
    ),
    _german("Super, vielen Dank für deine Hilfe", says=SMALL_TALK, kind=Kind.TALK),
    _german("Schalt den Geschirrspüler ein", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    _german("Öffne das Dachfenster", says=NOT_DONE, kind=Kind.ABSENT, may_ask=True),
    _german(
        "Zeit für Kino, Filmabend bitte",
        {"scene.filmabend": ACTIVATED},
        kind=Kind.SCENE,
    ),
    _german(
        "Mach hier das Rollo zu",
        {LIVING_BLIND: CLOSED},
        area="Wohnzimmer",
        kind=Kind.AREA,
    ),
    _german(
        "Die Badheizung bitte zwei Grad wärmer",
        {BATH_HEATING: {"temperature": Stepped(2)}},
        kind=Kind.LEVEL,
    ),
    _polish(
        "Otwórz roletę w sypialni", {BED_BLIND: OPEN}, given={BED_BLIND: _SHUT}, kind=Kind.PLAIN
    ),
    _polish("Wyłącz Kaffeemaschine", {COFFEE: OFF}, given=on(COFFEE), kind=Kind.PLAIN),
    _italian("Spegni la Lichterkette", {FAIRY: OFF}, given=on(FAIRY), kind=Kind.PLAIN),
    _italian("Chi ha inventato la radio?", says=r"marconi|tesla|popov", kind=Kind.KNOWLEDGE),
    _dutch("Doe de Deckenlampe uit", {CEILING: OFF}, given=on(CEILING), kind=Kind.PLAIN),
    _dutch(
        "Kun je de Markise weer inhalen?", {AWNING: CLOSED}, given={AWNING: _OUT}, kind=Kind.PLAIN
    ),
    Sentence("Put the awning out", {AWNING: OPEN}, kind=Kind.PLAIN),
)
