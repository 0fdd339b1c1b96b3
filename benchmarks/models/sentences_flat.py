"""Sentences of the household in the city flat."""

from functools import partial

from .sentence import (
    ACTIVATED,
    CLEANING,
    CLOSED,
    HOMEWARD,
    LOCKED,
    NEXT,
    OFF,
    ON,
    OPEN,
    PAUSED,
    SMALL_TALK,
    Kind,
    Sentence,
    affirms,
    degrees,
    denies,
    hue,
    listed,
    on,
    percent,
    position,
    ticked,
    volume,
)

CEILING, FLOOR_LAMP = "light.deckenlampe", "light.stehlampe"
KITCHEN, COUNTER = "light.kuechenlicht", "light.arbeitsplatte"
BEDSIDE, MIRROR, HALL = "light.nachttischlampe", "light.spiegellicht", "light.flurlicht"
FAIRY = "light.lichterkette"
COFFEE, TOWELS = "switch.kaffeemaschine", "switch.handtuchheizung"
LIVING_BLIND, BED_BLIND, AWNING = (
    "cover.rollo_wohnzimmer",
    "cover.rollo_schlafzimmer",
    "cover.markise",
)
HEATING, BATH_HEATING = "climate.heizung_wohnzimmer", "climate.heizung_bad"
DOOR, ROBOT = "lock.wohnungstuer", "vacuum.kruemel"
MUSIC, TV, LIST = "media_player.musikbox", "media_player.fernseher", "todo.einkaufsliste"
ALL_ON = on(CEILING, FLOOR_LAMP, KITCHEN, COUNTER, HALL)

UNKNOWN = r"\bkein\w*\b|\bnicht\b|\bunbekannt|\bleider\b|entschuldig|\bno\b|n't|\bnot\b"

german = partial(Sentence, language="de")

FLAT_SENTENCES = (
    german("Mach mal das Küchenlicht an", {KITCHEN: ON}, kind=Kind.PLAIN),
    german("Stehlampe aus", {FLOOR_LAMP: OFF}, on(FLOOR_LAMP, CEILING), kind=Kind.PLAIN),
    german("Schalte die Kaffeemaschine ein", {COFFEE: ON}, kind=Kind.PLAIN),
    german("Rollo im Schlafzimmer runter", {BED_BLIND: CLOSED}, kind=Kind.PLAIN),
    german("Kannst du mal die Markise rausfahren?", {AWNING: OPEN}, kind=Kind.INDIRECT),
    german(
        "Mein Handtuch ist noch klamm, schmeiß doch bitte die Handtuchheizung an",
        {TOWELS: ON},
        kind=Kind.INDIRECT,
    ),
    german(
        "Wärst du so nett und machst das Licht im Flur aus?",
        {HALL: OFF},
        on(HALL, KITCHEN),
        kind=Kind.INDIRECT,
    ),
    german(
        "Dimm die Nachttischlampe auf fünfzehn Prozent",
        {BEDSIDE: percent(15)},
        on(BEDSIDE),
        kind=Kind.LEVEL,
    ),
    german("Die Stehlampe soll lila leuchten", {FLOOR_LAMP: hue(260, 310)}, kind=Kind.LEVEL),
    german("Fahr das Rollo im Wohnzimmer auf 40 %", {LIVING_BLIND: position(40)}, kind=Kind.LEVEL),
    german("Stell die Heizung im Bad auf 22 Grad", {BATH_HEATING: degrees(22)}, kind=Kind.LEVEL),
    german(
        "Mach die Deckenlampe aus und das Rollo im Wohnzimmer zu",
        {CEILING: OFF, LIVING_BLIND: CLOSED},
        on(CEILING),
        kind=Kind.COMPOUND,
    ),
    german(
        "Schließ die Wohnungstür ab, mach das Flurlicht aus und schick Krümel los",
        {DOOR: LOCKED, HALL: OFF, ROBOT: CLEANING},
        on(HALL),
        kind=Kind.COMPOUND,
    ),
    german(
        "Alle Lichter in der Küche ausschalten",
        {KITCHEN: OFF, COUNTER: OFF},
        ALL_ON,
        kind=Kind.GROUP,
    ),
    german(
        "Alle Rollos runter bitte",
        {LIVING_BLIND: CLOSED, BED_BLIND: CLOSED},
        kind=Kind.GROUP,
    ),
    german(
        "Mach das Licht aus",
        {CEILING: OFF, FLOOR_LAMP: OFF},
        ALL_ON,
        kind=Kind.AREA,
        area="Wohnzimmer",
    ),
    german(
        "Hier ist es zu kalt, stell auf 22 Grad",
        {HEATING: degrees(22)},
        kind=Kind.AREA,
        area="Wohnzimmer",
    ),
    german("Krümel soll saugen", {ROBOT: CLEANING}, kind=Kind.MACHINE),
    german(
        "Schick den Saugroboter zurück zur Station",
        {ROBOT: HOMEWARD},
        {ROBOT: {"activity": "cleaning"}},
        kind=Kind.MACHINE,
    ),
    german("Schließ bitte die Wohnungstür ab", {DOOR: LOCKED}, kind=Kind.MACHINE),
    german("Setz Hafermilch auf die Einkaufsliste", {LIST: listed("hafermilch")}, kind=Kind.LIST),
    german(
        "Den Käse hab ich gekauft, hak ihn auf der Einkaufsliste ab",
        {LIST: ticked("käse")},
        kind=Kind.LIST,
    ),
    german("Starte die Szene Filmabend", {"scene.filmabend": ACTIVATED}, kind=Kind.SCENE),
    german("Musik pausieren", {MUSIC: PAUSED}, kind=Kind.MEDIA),
    german(
        "Nächstes Lied",
        {MUSIC: NEXT},
        kind=Kind.MEDIA,
        area="Wohnzimmer",
        calls={"media_player.media_next_track": MUSIC},
    ),
    german(
        "Ist in der Küche noch ein Fenster offen?",
        says=affirms(r"\bja\b|\boffen|geöffnet|\bopen\b"),
        kind=Kind.STATE,
    ),
    german(
        "Ist die Wohnungstür abgeschlossen?",
        says=denies(r"\bnein\b|\bnicht\b|unverschlossen|entriegelt|offen|unlocked"),
        kind=Kind.STATE,
    ),
    german(
        "Wie kalt ist es draußen auf dem Balkon?", says=r"7[.,]5|\bacht\b|\b8\b", kind=Kind.SENSOR
    ),
    german("Wie ist die Luft im Schlafzimmer, wie viel CO2?", says=r"\b870\b", kind=Kind.SENSOR),
    german("Wie spät ist es?", says="%TIME%", kind=Kind.CLOCK),
    german("Was ergibt 17 mal 6?", says=r"\b102\b|hundertzwei|hundertundzwei", kind=Kind.KNOWLEDGE),
    german("Wie heißt die Hauptstadt von Portugal?", says=r"lissabon|lisbo", kind=Kind.KNOWLEDGE),
    german("Danke dir, das war's!", says=SMALL_TALK, kind=Kind.TALK),
    german("Mach die Sauna an", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    german("Öffne das Garagentor", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    german(
        "Mach die Lichterkette auf dem Balkon an",
        {FAIRY: ON},
        kind=Kind.FOLLOW_UP,
        then=german("Und jetzt wieder aus", {FAIRY: OFF}, kind=Kind.FOLLOW_UP),
    ),
    german(
        "Stell die Musikbox auf 20 Prozent",
        {MUSIC: volume(20)},
        kind=Kind.FOLLOW_UP,
        then=german("Doch lieber 30", {MUSIC: volume(30)}, kind=Kind.FOLLOW_UP),
    ),
    # Guests, and a neighbor from Warsaw.
    Sentence("Could you turn the Spiegellicht on?", {MIRROR: ON}, kind=Kind.INDIRECT),
    Sentence(
        "Switch the TV off, that's the Fernseher",
        {TV: OFF},
        {TV: {"state": "on"}},
        kind=Kind.MEDIA,
    ),
    Sentence("Włącz światło w kuchni", {KITCHEN: ON, COUNTER: ON}, kind=Kind.PLAIN, language="pl"),
    Sentence(
        "Zamknij drzwi na klucz, Wohnungstür", {DOOR: LOCKED}, kind=Kind.MACHINE, language="pl"
    ),
    Sentence("Dziękuję bardzo!", says=SMALL_TALK, kind=Kind.TALK, language="pl"),
    Sentence(
        "Ile to jest dwanaście razy dwanaście?",
        says=r"\b144\b|sto czterdzieści cztery",
        kind=Kind.KNOWLEDGE,
        language="pl",
    ),
    Sentence("Zet het licht in de Flur aan", {HALL: ON}, kind=Kind.PLAIN, language="nl"),
    Sentence(
        "Zet de Heizung in de woonkamer op 21 graden",
        {HEATING: degrees(21)},
        kind=Kind.LEVEL,
        language="nl",
    ),
)
