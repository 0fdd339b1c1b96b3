"""The demo home: its selection of the entities of Home Assistant's `demo`, and their areas.

The others would confuse a model (three thermostats, a lock named "Openable Lock") or slow it down:
each kind of entity brings its own tools into every prompt, media players nine of them, and a
machine without a graphics card reads about a hundred tokens in a second. Entities without a unique
id cannot be assigned to an area; their names contain the place.
"""

from collections.abc import Mapping

HOME: Mapping[str, object] = {
    "name": "Demo home",
    "latitude": 52.3731,
    "longitude": 4.8925,
    "elevation": 0,
    "unit_system": "metric",
    "currency": "EUR",
    "country": "NL",
    "language": "en",
    "time_zone": "Europe/Amsterdam",
}

AREAS: Mapping[str, tuple[str, ...]] = {
    "Kitchen": ("light.kitchen_lights", "cover.kitchen_window"),
    "Living Room": (
        "light.living_room_rgbww_lights",
        "light.ceiling_lights",
        "cover.living_room_window",
        "fan.living_room_fan",
        "climate.ecobee",
    ),
    "Bedroom": ("light.bed_light", "fan.ceiling_fan"),
    "Office": ("light.office_rgbw_lights", "switch.ac"),
    "Hall": ("light.entrance_color_white_lights", "cover.hall_window"),
    "Garage": ("cover.garage_door",),
    "Garden": (
        "switch.decorative_lights",
        "sensor.outside_temperature",
        "sensor.outside_humidity",
        "binary_sensor.movement_backyard",
    ),
}

WITHOUT_AREA = ("lock.front_door", "lock.kitchen_door", "weather.demo_weather_south")

EXPOSED = frozenset(WITHOUT_AREA).union(*AREAS.values())

# To be turned off at the start: `demo` has most of them on.
ALL_LIGHTS = {"entity_id": "all"}


def pipeline_settings(agent: str, name: str) -> dict[str, str | bool | None]:
    """Return the settings of an Assist pipeline that sends every sentence to this agent."""
    return {
        "name": name,
        "language": "en",
        "conversation_engine": agent,
        "conversation_language": "en",
        "prefer_local_intents": False,
        "stt_engine": None,
        "stt_language": None,
        "tts_engine": None,
        "tts_language": None,
        "tts_voice": None,
        "wake_word_entity": None,
        "wake_word_id": None,
    }
