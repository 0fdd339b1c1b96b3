"""Homes as tables: one row per entity, with one function per domain."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict, Unpack

from homeassistant.components.climate.const import ClimateEntityFeature, HVACMode
from homeassistant.components.cover import CoverDeviceClass, CoverEntityFeature
from homeassistant.components.fan.const import FanEntityFeature
from homeassistant.components.lawn_mower.const import LawnMowerActivity, LawnMowerEntityFeature
from homeassistant.components.light.const import ColorMode
from homeassistant.components.media_player.const import MediaPlayerEntityFeature, MediaPlayerState
from homeassistant.components.todo.const import TodoItemStatus, TodoListEntityFeature
from homeassistant.components.todo.entity import TodoItem
from homeassistant.components.vacuum.const import VacuumActivity, VacuumEntityFeature
from homeassistant.components.valve.const import ValveDeviceClass, ValveEntityFeature
from homeassistant.components.weather.const import WeatherEntityFeature

_PLAYER_FEATURES = (
    MediaPlayerEntityFeature.TURN_ON
    | MediaPlayerEntityFeature.TURN_OFF
    | MediaPlayerEntityFeature.PLAY
    | MediaPlayerEntityFeature.PAUSE
    | MediaPlayerEntityFeature.STOP
    | MediaPlayerEntityFeature.NEXT_TRACK
    | MediaPlayerEntityFeature.PREVIOUS_TRACK
    | MediaPlayerEntityFeature.VOLUME_SET
    | MediaPlayerEntityFeature.VOLUME_MUTE
)


type Measure = tuple[str, str]
TEMPERATURE: Measure = ("temperature", "°C")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An entity of a home."""

    entity_id: str
    name: str
    area: str | None = None
    aliases: tuple[str, ...] = ()
    exposed: bool = True
    attributes: Mapping[str, Any] = field(default_factory=dict)
    """Attributes of the entity, by their names without `_attr_`."""

    @property
    def domain(self) -> str:
        """The domain of the entity."""
        return self.entity_id.partition(".")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """A home with its areas, entities and voice satellites."""

    key: str
    name: str
    language: str
    areas: Mapping[str, str | None]
    """Floor of each area, None without floors."""
    items: tuple[Item, ...]
    satellites: tuple[str, ...]
    """Areas with a voice satellite."""


class Common(TypedDict, total=False):
    """Attributes that every row can have."""

    aliases: tuple[str, ...]
    exposed: bool


def light(
    entity: str,
    name: str,
    area: str,
    mode: ColorMode = ColorMode.BRIGHTNESS,
    *,
    on: bool = False,
    **common: Unpack[Common],
) -> Item:
    """Return a light; with color it also has white tones."""
    modes = {ColorMode.HS, ColorMode.COLOR_TEMP} if mode is ColorMode.HS else {mode}
    attributes = {
        "supported_color_modes": modes,
        "color_mode": ColorMode.COLOR_TEMP if mode is ColorMode.HS else mode,
        "color_temp_kelvin": 3500,
        "hs_color": None,
        "brightness": 204,
        "is_on": on,
    }
    return Item(entity_id=f"light.{entity}", name=name, area=area, attributes=attributes, **common)


def switch(
    entity: str, name: str, area: str, *, on: bool = False, **common: Unpack[Common]
) -> Item:
    """Return a switch."""
    attributes = {"is_on": on}
    return Item(entity_id=f"switch.{entity}", name=name, area=area, attributes=attributes, **common)


def cover(
    entity: str,
    name: str,
    area: str,
    kind: CoverDeviceClass = CoverDeviceClass.SHUTTER,
    *,
    position: int | None = 0,
    **common: Unpack[Common],
) -> Item:
    """Return a cover; without a position it is closed, and only opens, closes and stops."""
    features = CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.STOP
    if position is not None:
        features |= CoverEntityFeature.SET_POSITION
    attributes = {
        "device_class": kind,
        "supported_features": features,
        "current_cover_position": position,
        "is_closed": not position,
        "is_opening": False,
        "is_closing": False,
    }
    return Item(entity_id=f"cover.{entity}", name=name, area=area, attributes=attributes, **common)


def valve(
    entity: str, name: str, area: str, *, is_open: bool = False, **common: Unpack[Common]
) -> Item:
    """Return a water valve."""
    attributes = {
        "device_class": ValveDeviceClass.WATER,
        "supported_features": ValveEntityFeature.OPEN | ValveEntityFeature.CLOSE,
        "reports_position": False,
        "current_valve_position": None,
        "is_closed": not is_open,
    }
    return Item(entity_id=f"valve.{entity}", name=name, area=area, attributes=attributes, **common)


def lock(
    entity: str, name: str, area: str, *, locked: bool = True, **common: Unpack[Common]
) -> Item:
    """Return a lock."""
    attributes = {"is_locked": locked}
    return Item(entity_id=f"lock.{entity}", name=name, area=area, attributes=attributes, **common)


def vacuum(entity: str, name: str, area: str, **common: Unpack[Common]) -> Item:
    """Return a vacuum in its dock."""
    attributes = {
        "activity": VacuumActivity.DOCKED,
        "supported_features": VacuumEntityFeature.STATE
        | VacuumEntityFeature.START
        | VacuumEntityFeature.STOP
        | VacuumEntityFeature.PAUSE
        | VacuumEntityFeature.RETURN_HOME,
    }
    return Item(entity_id=f"vacuum.{entity}", name=name, area=area, attributes=attributes, **common)


def lawn_mower(entity: str, name: str, area: str, **common: Unpack[Common]) -> Item:
    """Return a lawn mower in its dock."""
    attributes = {
        "activity": LawnMowerActivity.DOCKED,
        "supported_features": LawnMowerEntityFeature.START_MOWING
        | LawnMowerEntityFeature.PAUSE
        | LawnMowerEntityFeature.DOCK,
    }
    return Item(
        entity_id=f"lawn_mower.{entity}", name=name, area=area, attributes=attributes, **common
    )


def media_player(
    entity: str,
    name: str,
    area: str,
    state: MediaPlayerState = MediaPlayerState.OFF,
    **common: Unpack[Common],
) -> Item:
    """Return a media player at the fifth of its tracks, at 40 percent."""
    attributes = {
        "supported_features": _PLAYER_FEATURES,
        "state": state,
        "media_track": 5,
        "volume_level": 0.4,
        "is_volume_muted": False,
    }
    return Item(
        entity_id=f"media_player.{entity}", name=name, area=area, attributes=attributes, **common
    )


def climate(
    entity: str, name: str, area: str, *, target: float, current: float, **common: Unpack[Common]
) -> Item:
    """Return a thermostat that heats."""
    attributes = {
        "temperature_unit": "°C",
        "supported_features": ClimateEntityFeature.TARGET_TEMPERATURE
        | ClimateEntityFeature.TURN_ON
        | ClimateEntityFeature.TURN_OFF,
        "hvac_modes": [HVACMode.OFF, HVACMode.HEAT],
        "hvac_mode": HVACMode.HEAT,
        "target_temperature": target,
        "current_temperature": current,
    }
    return Item(
        entity_id=f"climate.{entity}", name=name, area=area, attributes=attributes, **common
    )


def fan(
    entity: str, name: str, area: str, *, percentage: int = 0, **common: Unpack[Common]
) -> Item:
    """Return a fan with a speed."""
    attributes = {
        "supported_features": FanEntityFeature.SET_SPEED
        | FanEntityFeature.TURN_ON
        | FanEntityFeature.TURN_OFF,
        "percentage": percentage,
    }
    return Item(entity_id=f"fan.{entity}", name=name, area=area, attributes=attributes, **common)


def humidifier(
    entity: str, name: str, area: str, *, on: bool = False, target: int, **common: Unpack[Common]
) -> Item:
    """Return a humidifier."""
    attributes = {"is_on": on, "target_humidity": target, "current_humidity": 41}
    return Item(
        entity_id=f"humidifier.{entity}", name=name, area=area, attributes=attributes, **common
    )


def todo(entity: str, name: str, *items: str, **common: Unpack[Common]) -> Item:
    """Return a to-do list with open items."""
    attributes = {
        "supported_features": TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM,
        "todo_items": [
            TodoItem(summary=item, uid=str(number), status=TodoItemStatus.NEEDS_ACTION)
            for number, item in enumerate(items)
        ],
    }
    return Item(entity_id=f"todo.{entity}", name=name, attributes=attributes, **common)


def scene(entity: str, name: str, area: str | None = None, **common: Unpack[Common]) -> Item:
    """Return a scene."""
    return Item(entity_id=f"scene.{entity}", name=name, area=area, **common)


def script(entity: str, name: str, description: str, **common: Unpack[Common]) -> Item:
    """Return a script that changes none of the home's entities."""
    attributes = {"description": description}
    return Item(entity_id=f"script.{entity}", name=name, attributes=attributes, **common)


def sensor(
    entity: str, name: str, area: str, value: float | str, measure: Measure | None = None
) -> Item:
    """Return a sensor, of a device class in a unit."""
    kind, unit = measure or (None, None)
    attributes = {"native_value": value, "device_class": kind, "native_unit_of_measurement": unit}
    return Item(entity_id=f"sensor.{entity}", name=name, area=area, attributes=attributes)


def binary_sensor(entity: str, name: str, area: str, kind: str, *, on: bool = False) -> Item:
    """Return a binary sensor."""
    attributes = {"device_class": kind, "is_on": on}
    return Item(entity_id=f"binary_sensor.{entity}", name=name, area=area, attributes=attributes)


def calendar(entity: str, name: str, *appointments: tuple[str, int, int]) -> Item:
    """Return a calendar; an appointment is its title, days from today and an hour."""
    attributes = {"appointments": appointments}
    return Item(entity_id=f"calendar.{entity}", name=name, attributes=attributes)


def weather(
    entity: str, name: str, condition: str, temperature: float, *days: tuple[str, float, float]
) -> Item:
    """Return the weather; a day of the forecast is its condition, its high and its low."""
    attributes = {
        "condition": condition,
        "native_temperature": temperature,
        "native_temperature_unit": "°C",
        "humidity": 66,
        "supported_features": WeatherEntityFeature.FORECAST_DAILY,
        "days": days,
    }
    return Item(entity_id=f"weather.{entity}", name=name, attributes=attributes)
