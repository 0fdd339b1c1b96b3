"""A house with two floors and a garden, where names repeat across domains and areas."""

from homeassistant.components.cover import CoverDeviceClass
from homeassistant.components.light.const import ColorMode
from homeassistant.components.media_player.const import MediaPlayerState

from . import table
from .table import Home

DOWN, UP = "Ground floor", "Upstairs"

HOUSE = Home(
    key="house",
    name="Old house",
    language="en",
    areas={
        "Lounge": DOWN,
        "Kitchen": DOWN,
        "Hallway": DOWN,
        "Study": UP,
        "Main bedroom": UP,
        "Bathroom": UP,
        "Landing": UP,
        "Garage": None,
        "Patio": None,
        "Garden": None,
    },
    satellites=("Lounge", "Main bedroom"),
    items=(
        # The same name in two areas, and a light that can only be on or off.
        table.light("lounge_lamp", "Lamp", "Lounge", ColorMode.HS),
        table.light("study_lamp", "Lamp", "Study"),
        table.light("lounge_spots", "Spotlights", "Lounge"),
        table.light("island", "Kitchen island", "Kitchen", aliases=("counter light",)),
        table.light("hallway", "Hallway light", "Hallway", ColorMode.ONOFF),
        table.light("bedroom_main", "Bedside light", "Main bedroom"),
        table.light("landing", "Landing light", "Landing"),
        table.light("bathroom_mirror", "Mirror", "Bathroom", ColorMode.ONOFF),
        # A light and a cover of one name.
        table.light("patio", "Patio", "Patio"),
        table.cover("patio", "Patio", "Patio", CoverDeviceClass.AWNING),
        table.cover("garage", "Garage door", "Garage", CoverDeviceClass.GARAGE, position=None),
        table.cover("bedroom", "Bedroom blinds", "Main bedroom", CoverDeviceClass.BLIND),
        table.cover("study", "Study curtain", "Study", CoverDeviceClass.CURTAIN, position=100),
        table.lock("front", "Front door", "Hallway", locked=False),
        table.lock("back", "Back door", "Kitchen"),
        table.valve("sprinkler", "Sprinkler", "Garden"),
        table.valve("main_water", "Main water valve", "Garage", is_open=True),
        table.vacuum("dusty", "Dusty", "Hallway"),
        table.vacuum("upstairs_vacuum", "Hoover", "Landing"),
        table.climate("downstairs", "Downstairs heating", "Hallway", target=19, current=18.3),
        table.climate("bedroom", "Bedroom radiator", "Main bedroom", target=17, current=17.9),
        table.fan("bedroom", "Ceiling fan", "Main bedroom"),
        table.fan("bathroom", "Extractor", "Bathroom"),
        table.media_player("lounge", "Sonos", "Lounge", MediaPlayerState.PLAYING),
        table.media_player("kitchen", "Radio", "Kitchen", aliases=("kitchen radio",)),
        table.todo("groceries", "Groceries", "Eggs", "Washing powder"),
        table.todo("jobs", "House jobs", "Clean the gutters", "Fix the gate"),
        table.scene("dinner", "Dinner"),
        table.script("goodnight", "Good night", "Closes up the house for the night."),
        table.sensor("solar", "Solar power", "Garage", 2340, ("power", "W")),
        table.sensor("washer", "Washing machine", "Bathroom", "rinsing"),
        table.sensor("study_temp", "Study temperature", "Study", 22.6, table.TEMPERATURE),
        table.switch("pump", "Pond pump", "Garden"),
        table.switch("freezer", "Freezer", "Garage", on=True, exposed=False),
    ),
)
