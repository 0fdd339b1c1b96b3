"""Sentences of the family in the bungalow."""

from functools import partial

from .sentence import (
    ACTIVATED,
    CLOSED,
    HOMEWARD,
    LOCKED,
    MOWING,
    OFF,
    ON,
    OPEN,
    PAUSED,
    PREVIOUS,
    SMALL_TALK,
    UNKNOWN,
    UNLOCKED,
    WARMER,
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

EMMA, UNICORN, NOAH, STRIP = (
    "light.emma_ceiling",
    "light.emma_unicorn",
    "light.noah_ceiling",
    "light.noah_strip",
)
NIGHT, LUSTRE, LAMPADAIRE = "light.nightlight", "light.lustre", "light.lampadaire"
PLAFONNIER, LAUNDRY, FLOOD = "light.plafonnier", "light.laundry", "light.floodlight"
TRAMPOLINE, COFFEE = "switch.trampoline", "switch.cafetiere"
SHUTTER, BLIND, GATE = "cover.volet_salon", "cover.nursery", "lock.gate"
FAN, HUMIDIFIER, THERMOSTAT = "fan.noah", "humidifier.nursery", "climate.salon"
MOWER, STORIES, TV = "lawn_mower.shaun", "media_player.emma", "media_player.salon_tv"
CHORES, COURSES = "todo.chores", "todo.courses"


english = Sentence
french = partial(Sentence, language="fr")
spanish = partial(Sentence, language="es")
german = partial(Sentence, language="de")
polish = partial(Sentence, language="pl")

FAMILY_SENTENCES = (
    english("Turn on Noah's light", {NOAH: ON}, kind=Kind.PLAIN),
    english("Unicorn lamp off", {UNICORN: OFF}, on(UNICORN, EMMA), kind=Kind.PLAIN),
    english("Trampoline lights on", {TRAMPOLINE: ON}, kind=Kind.PLAIN),
    english("Switch on the chandelier", {LUSTRE: ON}, kind=Kind.PLAIN),
    english("Close the nursery blind", {BLIND: CLOSED}, kind=Kind.PLAIN),
    english("Turn on the humidifier", {HUMIDIFIER: ON}, kind=Kind.PLAIN),
    english(
        "Emma is scared of the dark, could you leave her unicorn lamp on?",
        {UNICORN: ON},
        kind=Kind.INDIRECT,
    ),
    english("I need coffee, get the cafetière going", {COFFEE: ON}, kind=Kind.INDIRECT),
    english(
        "It's way too bright for the baby, please shut the blind in the nursery",
        {BLIND: CLOSED},
        kind=Kind.INDIRECT,
    ),
    english(
        "Turn off Emma's light and start the night light",
        {EMMA: OFF, NIGHT: ON},
        on(EMMA),
        kind=Kind.COMPOUND,
    ),
    english(
        "Lock the garden gate, turn off the floodlight and the trampoline lights",
        {GATE: LOCKED, FLOOD: OFF, TRAMPOLINE: OFF},
        {GATE: {"is_locked": False}, **on(FLOOD, TRAMPOLINE)},
        kind=Kind.COMPOUND,
    ),
    english(
        "Switch all the lights off in Noah's room",
        {NOAH: OFF, STRIP: OFF},
        on(NOAH, STRIP, EMMA, LUSTRE),
        kind=Kind.GROUP,
    ),
    english(
        "Every light in the salon to 40 percent",
        {LUSTRE: percent(40), LAMPADAIRE: percent(40)},
        on(LUSTRE, LAMPADAIRE),
        kind=Kind.GROUP,
    ),
    english("Turn the light on", {NIGHT: ON}, kind=Kind.AREA, area="Nursery"),
    english("Blind down", {BLIND: CLOSED}, kind=Kind.AREA, area="Nursery"),
    english(
        "Lights out",
        {LUSTRE: OFF, LAMPADAIRE: OFF},
        on(LUSTRE, LAMPADAIRE, PLAFONNIER),
        kind=Kind.AREA,
        area="Salon",
    ),
    english("Turn the gaming strip green", {STRIP: hue(90, 150)}, kind=Kind.LEVEL),
    english("Night light down to 5 percent", {NIGHT: percent(5)}, on(NIGHT), kind=Kind.LEVEL),
    english("Open the volet salon halfway", {SHUTTER: position(50)}, kind=Kind.LEVEL),
    english("Turn Noah's fan up to 80 percent", {FAN: speed(80)}, kind=Kind.LEVEL),
    english("Heat the salon to 22 degrees", {THERMOSTAT: degrees(22)}, kind=Kind.LEVEL),
    english(
        "Set the humidifier to 55 percent",
        {HUMIDIFIER: {"humidity": (55, 55)}},
        {HUMIDIFIER: {"is_on": True}},
        kind=Kind.LEVEL,
    ),
    english("Make it a bit warmer in the salon", {THERMOSTAT: WARMER}, kind=Kind.LEVEL),
    english("Start mowing the lawn", {MOWER: MOWING}, kind=Kind.MACHINE),
    english(
        "Call Shaun back, it's raining",
        {MOWER: HOMEWARD},
        {MOWER: {"activity": "mowing"}},
        kind=Kind.MACHINE,
    ),
    english("Unlock the garden gate", {GATE: UNLOCKED}, kind=Kind.MACHINE),
    english("Add take out the bins to the chores", {CHORES: listed("bins")}, kind=Kind.LIST),
    english(
        "The cat's been fed, mark it done on the chores", {CHORES: ticked("cat")}, kind=Kind.LIST
    ),
    english(
        "It's bedtime, activate the bedtime scene", {"scene.bedtime": ACTIVATED}, kind=Kind.SCENE
    ),
    english("Pause Emma's story box", {STORIES: PAUSED}, kind=Kind.MEDIA),
    english(
        "Go back one story on the story box",
        {STORIES: PREVIOUS},
        kind=Kind.MEDIA,
        calls={"media_player.media_previous_track": STORIES},
    ),
    english("Story box volume 15 percent", {STORIES: volume(15)}, kind=Kind.MEDIA),
    english("Turn off the TV", {TV: OFF}, kind=Kind.MEDIA),
    english(
        "Is there any mail?",
        says=affirms(r"\byes\b|\bopen\b|\bthere is\b|\bmail\b"),
        kind=Kind.STATE,
    ),
    english("Is Noah's fan on?", says=affirms(r"\byes\b|\bis on\b|\brunning\b"), kind=Kind.STATE),
    english(
        "Any water leaking from the washer?",
        says=denies(r"\bno\b|\bnot\b|n't|\bdry\b|\boff\b|\bnothing\b"),
        kind=Kind.STATE,
    ),
    english("How warm is the nursery?", says=r"20[.,]7|\b21\b", kind=Kind.SENSOR),
    english(
        "Is the air in the baby's room too dry? What's the humidity?",
        says=r"\b38\b",
        kind=Kind.SENSOR,
    ),
    english("How long does the dryer still need?", says=r"\b35\b|thirty[- ]five", kind=Kind.SENSOR),
    english("What's the weather like?", says=r"rain|\b12\b|12[.,]3", kind=Kind.CLOCK),
    english(
        "When is Emma's dentist appointment?",
        says=r"tomorrow|\b3 ?p|\b15[:.h]|\b3[:.]00",
        kind=Kind.CLOCK,
    ),
    english("What's today's date?", says="%DATE%", kind=Kind.CLOCK),
    english("What's nine times seven?", says=r"\b63\b|sixty[- ]three", kind=Kind.KNOWLEDGE),
    english("Which planet is the biggest?", says=r"jupiter", kind=Kind.KNOWLEDGE),
    english("How many legs does a spider have?", says=r"\b8\b|\beight\b", kind=Kind.KNOWLEDGE),
    english("Good night, sleep well!", says=SMALL_TALK, kind=Kind.TALK),
    english("You're the best, thank you", says=SMALL_TALK, kind=Kind.TALK),
    english("Tell me a joke about cats", says=r"\bcats?\b|kitten|feline|purr|meow", kind=Kind.TALK),
    english("Turn on the swimming pool heater", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    english("Lock the car", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    english("Switch on the light in the attic", says=UNKNOWN, kind=Kind.ABSENT, may_ask=True),
    english(
        "Turn the plafonnier on",
        {PLAFONNIER: ON},
        kind=Kind.FOLLOW_UP,
        then=english("Dim it to 30 percent", {PLAFONNIER: percent(30)}, kind=Kind.FOLLOW_UP),
    ),
    english(
        "Turn off Noah's light",
        {NOAH: OFF},
        on(NOAH, EMMA),
        kind=Kind.FOLLOW_UP,
        then=english("Emma's as well", {EMMA: OFF}, kind=Kind.FOLLOW_UP),
    ),
    french("Allume le lustre", {LUSTRE: ON}, kind=Kind.PLAIN),
    french(
        "Tu peux ouvrir le volet du salon, s'il te plaît ?", {SHUTTER: OPEN}, kind=Kind.INDIRECT
    ),
    french(
        "Éteins toutes les lumières du salon",
        {LUSTRE: OFF, LAMPADAIRE: OFF},
        on(LUSTRE, LAMPADAIRE, PLAFONNIER),
        kind=Kind.GROUP,
    ),
    french("Ajoute du lait à la liste de courses", {COURSES: listed("lait")}, kind=Kind.LIST),
    french(
        "Quelle température fait-il dans la Nursery ?", says=r"20[.,]7|\b21\b", kind=Kind.SENSOR
    ),
    french("Quelle est la capitale de l'Italie ?", says=r"\brome?\b", kind=Kind.KNOWLEDGE),
    spanish("Apaga la luz de Noah", {NOAH: OFF}, on(NOAH, EMMA), kind=Kind.PLAIN),
    german("Mach den Fernseher im Salon aus", {TV: OFF}, kind=Kind.MEDIA),
    polish("Włącz Plafonnier", {PLAFONNIER: ON}, kind=Kind.PLAIN),
)
