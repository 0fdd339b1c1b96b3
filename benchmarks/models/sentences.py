"""Sentences for the demo home."""

from .sentence import CLOSED, LOCKED, OFF, ON, OPEN, UNLOCKED, Sentence, hue, on, percent

KITCHEN, BED, CEILING = "light.kitchen_lights", "light.bed_light", "light.ceiling_lights"
OFFICE, LIVING = "light.office_rgbw_lights", "light.living_room_rgbww_lights"
HALL = "light.entrance_color_white_lights"
KITCHEN_WINDOW, HALL_WINDOW = "cover.kitchen_window", "cover.hall_window"
LIVING_WINDOW, GARAGE = "cover.living_room_window", "cover.garage_door"
FRONT_DOOR, KITCHEN_DOOR = "lock.front_door", "lock.kitchen_door"
CEILING_FAN, LIVING_FAN = "fan.ceiling_fan", "fan.living_room_fan"
AC, DECORATIVE = "switch.ac", "switch.decorative_lights"

DEVELOPMENT = (
    Sentence("Turn on the kitchen lights", {KITCHEN: ON}),
    Sentence("Switch off the bed light", {BED: OFF}, on(BED)),
    Sentence("Turn the office lights on", {OFFICE: ON}),
    Sentence("Set the ceiling lights to 50 percent", {CEILING: percent(50)}),
    Sentence("Dim the bed light to 20%", {BED: percent(20)}, on(BED)),
    Sentence("Make the kitchen lights blue", {KITCHEN: hue(220, 260)}),
    Sentence("Turn on the lights in the living room", {CEILING: ON, LIVING: ON}),
    Sentence(
        "Turn off all the lights in the living room",
        {CEILING: OFF, LIVING: OFF},
        on(CEILING, LIVING, KITCHEN),
    ),
    Sentence("Make the office lights red", {OFFICE: hue(-1, 12)}),
    Sentence("Turn off the decorative lights", {DECORATIVE: OFF}, on(DECORATIVE)),
    Sentence("It's too dark in the hall, turn on the light there", {HALL: ON}),
    Sentence("Set the living room RGBWW lights to 80 percent", {LIVING: percent(80)}),
    Sentence("Switch on the AC", {AC: ON}),
    Sentence("Open the kitchen window", {KITCHEN_WINDOW: OPEN}),
    Sentence("Close the living room window", {LIVING_WINDOW: CLOSED}),
    Sentence("Open the garage door", {GARAGE: OPEN}),
    Sentence("Close the hall window", {HALL_WINDOW: CLOSED}),
    Sentence("Set the living room window to 30 percent", {LIVING_WINDOW: {"position": (30, 30)}}),
    Sentence("Open the hall window half way", {HALL_WINDOW: {"position": (50, 50)}}),
    Sentence("Lock the kitchen door", {KITCHEN_DOOR: LOCKED}),
    Sentence("Unlock the front door", {FRONT_DOOR: UNLOCKED}),
    Sentence("Turn on the ceiling fan", {CEILING_FAN: ON}),
    Sentence("Set the living room fan to 50 percent", {LIVING_FAN: {"percentage": (50, 50)}}),
    Sentence("Turn on the fan in the living room", {LIVING_FAN: ON}),
    Sentence("Stop the ceiling fan", {CEILING_FAN: OFF}, on(CEILING_FAN)),
    Sentence("Switch the entrance lights on", {HALL: ON}),
    Sentence("Turn on the kitchen lights and the bed light", {KITCHEN: ON, BED: ON}),
    Sentence(
        "Lock the kitchen door and turn off the decorative lights",
        {KITCHEN_DOOR: LOCKED, DECORATIVE: OFF},
        on(DECORATIVE),
    ),
    Sentence("Turn off the AC", {AC: OFF}, on(AC)),
    Sentence("Switch on the AC and open the kitchen window", {AC: ON, KITCHEN_WINDOW: OPEN}),
    Sentence("What is the temperature outside?", says=r"15[.,]6|\b16\b"),
    Sentence("Is the front door locked?", says=r"\byes\b|(?<!un)(?<!not )\blocked"),
    Sentence("How humid is it outside?", says=r"\b54\b"),
    Sentence("Is the kitchen window open?", says=r"\bno\b|\bclosed\b|not open"),
    Sentence("Is the garage door closed?", says=r"\byes\b|\bclosed\b"),
    Sentence("Which temperature does the Ecobee measure?", says=r"\b23\b"),
    Sentence("Is anything moving in the backyard?", says=r"\byes\b|\bmov|\bmotion|\bon\b"),
    Sentence("Are the kitchen lights on?", {}, on(KITCHEN), r"\byes\b|\bare on\b|\bis on\b"),
    Sentence("Hello, who are you?", says=r"\w"),
    Sentence("Thanks, that is all for tonight", says=r"\w"),
)
"""Development set: prompts were tuned with it."""

SENTENCES = (
    Sentence("Could you turn on the office lights, please?", {OFFICE: ON}),
    Sentence("Lights on in the kitchen", {KITCHEN: ON}),
    Sentence("Turn the bed light off", {BED: OFF}, on(BED)),
    Sentence("I'm going to bed, switch on the bed light", {BED: ON}),
    Sentence("Ceiling lights to 30 percent", {CEILING: percent(30)}),
    Sentence("Set the brightness of the office lights to 75%", {OFFICE: percent(75)}),
    Sentence("Make the bed light green", {BED: hue(90, 150)}),
    Sentence("Kitchen lights to red, please", {KITCHEN: hue(-1, 12)}),
    Sentence("Turn the ceiling lights yellow", {CEILING: hue(40, 70)}),
    Sentence("Dim the kitchen lights to 10 percent", {KITCHEN: percent(10)}, on(KITCHEN)),
    Sentence("Switch off the lights in the office", {OFFICE: OFF}, on(OFFICE)),
    Sentence("Turn all lights in the living room on", {CEILING: ON, LIVING: ON}),
    Sentence(
        "We leave the living room, turn off the lights",
        {CEILING: OFF, LIVING: OFF},
        on(CEILING, LIVING, BED),
    ),
    Sentence("Decorative lights off", {DECORATIVE: OFF}, on(DECORATIVE)),
    Sentence("Can you open the garage?", {GARAGE: OPEN}),
    Sentence("Shut the living room window", {LIVING_WINDOW: CLOSED}),
    Sentence("Open up the kitchen window, it smells of fish", {KITCHEN_WINDOW: OPEN}),
    Sentence("Move the hall window to 60 percent", {HALL_WINDOW: {"position": (60, 60)}}),
    Sentence("Living room window at 20 percent", {LIVING_WINDOW: {"position": (20, 20)}}),
    Sentence("Lock up the kitchen door", {KITCHEN_DOOR: LOCKED}),
    Sentence("Please unlock the front door for the guests", {FRONT_DOOR: UNLOCKED}),
    Sentence("Start the ceiling fan", {CEILING_FAN: ON}),
    Sentence("Turn the living room fan to 70 percent", {LIVING_FAN: {"percentage": (70, 70)}}),
    Sentence("Switch off the living room fan", {LIVING_FAN: OFF}, on(LIVING_FAN)),
    Sentence("I'm hot, turn the AC on", {AC: ON}),
    Sentence("Switch the AC off", {AC: OFF}, on(AC)),
    Sentence("Turn on the light in the hall", {HALL: ON}),
    Sentence("Turn on the bed light and the office lights", {BED: ON, OFFICE: ON}),
    Sentence(
        "Open the garage door and lock the kitchen door", {GARAGE: OPEN, KITCHEN_DOOR: LOCKED}
    ),
    Sentence(
        "Switch off the AC and the decorative lights",
        {AC: OFF, DECORATIVE: OFF},
        on(AC, DECORATIVE),
    ),
    Sentence(
        "Turn on the ceiling fan and close the hall window",
        {CEILING_FAN: ON, HALL_WINDOW: CLOSED},
    ),
    Sentence("How warm is it outside right now?", says=r"15[.,]6|\b16\b"),
    Sentence("What's the humidity outside?", says=r"\b54\b"),
    Sentence("Is the kitchen door locked?", says=r"\bno\b|\bunlocked|not locked|n't locked"),
    Sentence("Are the office lights on?", says=r"\bno\b|\boff\b|not on|n't on"),
    Sentence("Did somebody leave the garage door open?", says=r"\bno\b|\bclosed\b|not open"),
    Sentence("Is the AC running?", {}, on(AC), r"\byes\b|\bon\b|(?<!not )\brunning"),
    Sentence("What temperature is it in the living room?", says=r"\b23\b"),
    Sentence("Good evening!", says=r"\w"),
    Sentence("What can you do for me?", says=r"\w"),
)
"""Test set: no prompt was tuned with it."""
