"""Sentences of the household in the old house."""

from functools import partial

from .sentence import (
    ACTIVATED,
    CLEANING,
    CLOSED,
    HOMEWARD,
    LOCKED,
    MUTED,
    NEXT,
    OFF,
    ON,
    OPEN,
    PAUSED,
    PLAYING,
    SMALL_TALK,
    UNKNOWN,
    UNLOCKED,
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
    speed,
    ticked,
    volume,
)

LOUNGE_LAMP, STUDY_LAMP, SPOTS = "light.lounge_lamp", "light.study_lamp", "light.lounge_spots"
ISLAND, HALLWAY, BEDSIDE = "light.island", "light.hallway", "light.bedroom_main"
LANDING, MIRROR = "light.landing", "light.bathroom_mirror"
PATIO_LIGHT, PATIO_AWNING = "light.patio", "cover.patio"
GARAGE, BLINDS, CURTAIN = "cover.garage", "cover.bedroom", "cover.study"
FRONT, BACK = "lock.front", "lock.back"
SPRINKLER, WATER = "valve.sprinkler", "valve.main_water"
DUSTY, HOOVER = "vacuum.dusty", "vacuum.upstairs_vacuum"
HEATING, RADIATOR = "climate.downstairs", "climate.bedroom"
FAN, EXTRACTOR = "fan.bedroom", "fan.bathroom"
SONOS, RADIO = "media_player.lounge", "media_player.kitchen"
GROCERIES, JOBS = "todo.groceries", "todo.jobs"
UPSTAIRS = (STUDY_LAMP, BEDSIDE, LANDING, MIRROR)


english = Sentence
german = partial(Sentence, language="de")
spanish = partial(Sentence, language="es")
dutch = partial(Sentence, language="nl")
italian = partial(Sentence, language="it")

HOUSE_SENTENCES = (
    english("Turn on the kitchen island", {ISLAND: ON}, kind=Kind.PLAIN),
    english("Landing light off", {LANDING: OFF}, on(LANDING, BEDSIDE), kind=Kind.PLAIN),
    english("Switch the hallway light on", {HALLWAY: ON}, kind=Kind.PLAIN),
    english("Turn on the pond pump", {"switch.pump": ON}, kind=Kind.PLAIN),
    english("Start the extractor", {EXTRACTOR: ON}, kind=Kind.PLAIN),
    english("Close the study curtain", {CURTAIN: CLOSED}, kind=Kind.PLAIN),
    english("Would you mind putting the counter light on?", {ISLAND: ON}, kind=Kind.INDIRECT),
    english(
        "I can't see my own face in here, put the bathroom mirror on",
        {MIRROR: ON},
        kind=Kind.INDIRECT,
    ),
    english(
        "The sun's in my eyes, can you shut the curtain in the study?",
        {CURTAIN: CLOSED},
        kind=Kind.INDIRECT,
    ),
    english(
        "Somebody left the bedside light on again, get rid of it please",
        {BEDSIDE: OFF},
        on(BEDSIDE, HALLWAY),
        kind=Kind.INDIRECT,
    ),
    english(
        "Lock the front door and switch off the hallway light",
        {FRONT: LOCKED, HALLWAY: OFF},
        on(HALLWAY),
        kind=Kind.COMPOUND,
    ),
    english(
        "Open the bedroom blinds and turn the ceiling fan on",
        {BLINDS: OPEN, FAN: ON},
        kind=Kind.COMPOUND,
    ),
    english(
        "Turn on the spotlights, open the garage door and start Dusty",
        {SPOTS: ON, GARAGE: OPEN, DUSTY: CLEANING},
        kind=Kind.COMPOUND,
    ),
    english(
        "Put the radio on pause and set the bedroom radiator to 19",
        {RADIO: PAUSED, RADIATOR: degrees(19)},
        {RADIO: {"state": "playing"}},
        kind=Kind.COMPOUND,
    ),
    english(
        "All lights off upstairs",
        dict.fromkeys(UPSTAIRS, OFF),
        on(*UPSTAIRS, HALLWAY, ISLAND),
        kind=Kind.GROUP,
    ),
    english(
        "Turn every light in the lounge on",
        {LOUNGE_LAMP: ON, SPOTS: ON},
        kind=Kind.GROUP,
    ),
    english(
        "Lock all the doors",
        {FRONT: LOCKED, BACK: LOCKED},
        {BACK: {"is_locked": False}},
        kind=Kind.GROUP,
    ),
    english(
        "Turn off the light",
        {BEDSIDE: OFF},
        on(BEDSIDE, SPOTS, HALLWAY),
        kind=Kind.AREA,
        area="Main bedroom",
    ),
    english(
        "Lights on please",
        {LOUNGE_LAMP: ON, SPOTS: ON},
        kind=Kind.AREA,
        area="Lounge",
    ),
    english("Lamp on", {LOUNGE_LAMP: ON}, kind=Kind.AREA, area="Lounge"),
    english("Spotlights to a quarter brightness", {SPOTS: percent(25)}, on(SPOTS), kind=Kind.LEVEL),
    english("Make the lamp in the lounge orange", {LOUNGE_LAMP: hue(15, 48)}, kind=Kind.LEVEL),
    english("Bedroom blinds to 35 percent", {BLINDS: position(35)}, kind=Kind.LEVEL),
    english(
        "Set the downstairs heating to 21.5 degrees", {HEATING: degrees(21.5)}, kind=Kind.LEVEL
    ),
    english("Ceiling fan at 60 percent please", {FAN: speed(60)}, kind=Kind.LEVEL),
    english("Send Dusty out to clean", {DUSTY: CLEANING}, kind=Kind.MACHINE),
    english(
        "Hoover, go home", {HOOVER: HOMEWARD}, {HOOVER: {"activity": "cleaning"}}, kind=Kind.MACHINE
    ),
    english("Water the garden, open the sprinkler", {SPRINKLER: OPEN}, kind=Kind.MACHINE),
    english("Shut off the main water valve!", {WATER: CLOSED}, kind=Kind.MACHINE),
    english("Unlock the back door for the dog sitter", {BACK: UNLOCKED}, kind=Kind.MACHINE),
    english(
        "Close the garage", {GARAGE: CLOSED}, {GARAGE: {"is_closed": False}}, kind=Kind.MACHINE
    ),
    english(
        "Put oat biscuits on the groceries", {GROCERIES: listed("oat biscuits")}, kind=Kind.LIST
    ),
    english(
        "Add paint the fence to my house jobs", {JOBS: listed("paint the fence")}, kind=Kind.LIST
    ),
    english(
        "I've fixed the gate, tick it off the house jobs", {JOBS: ticked("gate")}, kind=Kind.LIST
    ),
    english("Dinner scene please", {"scene.dinner": ACTIVATED}, kind=Kind.SCENE),
    english("Run the good night script", {"script.goodnight": ACTIVATED}, kind=Kind.SCENE),
    english("Pause the Sonos", {SONOS: PAUSED}, kind=Kind.MEDIA),
    english(
        "Skip this song on the Sonos",
        {SONOS: NEXT},
        kind=Kind.MEDIA,
        calls={"media_player.media_next_track": SONOS},
    ),
    english("Sonos volume to 25", {SONOS: volume(25)}, kind=Kind.MEDIA),
    english("Mute the Sonos, the phone's ringing", {SONOS: MUTED}, kind=Kind.MEDIA),
    english(
        "Carry on with the radio", {RADIO: PLAYING}, {RADIO: {"state": "paused"}}, kind=Kind.MEDIA
    ),
    english("Turn on the patio light", {PATIO_LIGHT: ON}, kind=Kind.SAME_NAME),
    english("Extend the awning on the patio", {PATIO_AWNING: OPEN}, kind=Kind.SAME_NAME),
    english("Open the patio cover", {PATIO_AWNING: OPEN}, kind=Kind.SAME_NAME),
    english(
        "Dim the patio to 20 percent",
        {PATIO_LIGHT: percent(20)},
        on(PATIO_LIGHT),
        kind=Kind.SAME_NAME,
    ),
    english("Turn the lamp in the study on", {STUDY_LAMP: ON}, kind=Kind.SAME_NAME),
    english(
        "Is the front door locked?", says=denies(r"\bno\b|\bnot\b|n't|\bunlocked"), kind=Kind.STATE
    ),
    english("Is the main water on?", says=affirms(r"\byes\b|\bopen\b|\bon\b"), kind=Kind.STATE),
    english(
        "Which lights are on upstairs?",
        {},
        on(LANDING, ISLAND),
        r"landing(?!.*island)",
        kind=Kind.STATE,
    ),
    english(
        "Did I leave the garage open?",
        says=denies(r"\bno\b|\bnot\b|\bclosed|\bshut"),
        kind=Kind.STATE,
    ),
    english(
        "How much are the solar panels making?", says=r"2[.,]?340|2[.,]34?\b", kind=Kind.SENSOR
    ),
    english("What's the temperature in the study?", says=r"22[.,]6|\b23\b", kind=Kind.SENSOR),
    english("What is the washing machine doing?", says=r"rins", kind=Kind.SENSOR),
    english("What day is it today?", says="%WEEKDAY%", kind=Kind.CLOCK),
    english("What time is it?", says="%TIME%", kind=Kind.CLOCK),
    english(
        "How many minutes are in two and a half hours?",
        says=r"\b150\b|hundred (?:and )?fifty",
        kind=Kind.KNOWLEDGE,
    ),
    english("Who painted the Mona Lisa?", says=r"leonardo|da vinci", kind=Kind.KNOWLEDGE),
    english("Hi there, how are you doing?", says=SMALL_TALK, kind=Kind.TALK),
    english("Turn on the hot tub", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    english("Open the skylight in the attic", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    english("Start the dishwasher", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    english(
        "Turn on the lamp in the study",
        {STUDY_LAMP: ON},
        kind=Kind.FOLLOW_UP,
        then=english("And now off again", {STUDY_LAMP: OFF}, kind=Kind.FOLLOW_UP),
    ),
    english(
        "Lock the front door",
        {FRONT: LOCKED},
        {BACK: {"is_locked": False}},
        kind=Kind.FOLLOW_UP,
        then=english("The back door too", {BACK: LOCKED}, kind=Kind.FOLLOW_UP),
    ),
    english(
        "How warm is the main bedroom?",
        says=r"17[.,]9|\b18\b",
        kind=Kind.FOLLOW_UP,
        then=english("Set it to 20 then", {RADIATOR: degrees(20)}, kind=Kind.FOLLOW_UP),
    ),
    # The au pairs.
    german("Mach bitte das Garagentor auf", {GARAGE: OPEN}, kind=Kind.MACHINE),
    spanish("Enciende la lámpara del estudio", {STUDY_LAMP: ON}, kind=Kind.SAME_NAME),
    spanish("Pon leche en la lista Groceries", {GROCERIES: listed("leche")}, kind=Kind.LIST),
    spanish(
        "¿Está cerrada con llave la Back door?",
        says=affirms(r"\bsí\b|\bsi\b|cerrad|bloquead|\byes\b|locked"),
        kind=Kind.STATE,
    ),
    spanish("¡Muchas gracias!", says=SMALL_TALK, kind=Kind.TALK),
    dutch("Doe de Landing light aan", {LANDING: ON}, kind=Kind.PLAIN),
    dutch(
        "Is de garagedeur dicht?",
        says=affirms(r"\bja\b|\bdicht|\bgesloten|\byes\b|\bclosed"),
        kind=Kind.STATE,
    ),
    italian("Accendi la luce in cucina", {ISLAND: ON}, kind=Kind.PLAIN),
    italian("Metti in pausa la musica nel Lounge", {SONOS: PAUSED}, kind=Kind.MEDIA),
    italian("Quanto fa trentasei diviso quattro?", says=r"\b9\b|\bnove\b", kind=Kind.KNOWLEDGE),
    italian("Avvia il robot Dusty", {DUSTY: CLEANING}, kind=Kind.MACHINE),
)
