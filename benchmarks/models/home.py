"""The demo home under test: put into its place before every sentence, and compared afterwards."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.core import HomeAssistant, State
from scripts.home.demo import EXPOSED

from .sentences import Check

_MOVING = {"opening", "closing", "locking", "unlocking"}
_SETTLE_SECONDS = 30.0
_STEP_SECONDS = 1.2
_WATCHED = ("state", "brightness", "hue", "position", "percentage", "temperature")

type Values = dict[str, Any]
type Snapshot = dict[str, Values]


def snapshot(hass: HomeAssistant) -> Snapshot:
    """Return the values of everything in the home that a sentence may change."""
    return {
        entity_id: _values(state)
        for entity_id in sorted(EXPOSED)
        if (state := hass.states.get(entity_id)) and state.domain not in {"sensor", "weather"}
    }


def _values(state: State) -> Values:
    attributes = state.attributes
    colour = attributes.get("hs_color")
    values = {
        "state": state.state,
        "brightness": attributes.get("brightness"),
        "hue": colour[0] if colour else None,
        "position": attributes.get("current_position"),
        "percentage": attributes.get("percentage"),
        "temperature": attributes.get("temperature"),
    }
    if state.domain == "fan":
        values["percentage"] = values["percentage"] or 0
    return values


async def settle(hass: HomeAssistant) -> None:
    """Wait until nothing moves any more."""
    deadline = hass.loop.time() + _SETTLE_SECONDS
    while hass.loop.time() < deadline:
        before = snapshot(hass)
        # Covers move once a second, and not all of them say that they do.
        await asyncio.sleep(_STEP_SECONDS)
        await hass.async_block_till_done()
        after = snapshot(hass)
        if before == after and not any(values["state"] in _MOVING for values in after.values()):
            return


async def arrange(hass: HomeAssistant, base: Snapshot, given: Sequence[str]) -> Snapshot:
    """Put the home back into its place, with some things on; return how it is then."""
    for entity_id, values in snapshot(hass).items():
        domain = entity_id.partition(".")[0]
        wanted = "on" if entity_id in given else base[entity_id]["state"]
        if values != base[entity_id] or entity_id in given:
            await _put(hass, domain, entity_id, wanted, base[entity_id])
    await settle(hass)
    return snapshot(hass)


async def _put(hass: HomeAssistant, domain: str, entity_id: str, wanted: str, base: Values) -> None:
    data: dict[str, Any] = {"entity_id": entity_id}
    match domain:
        case "light" | "switch" | "fan":
            service = f"turn_{wanted}"
        case "lock":
            service = wanted.removesuffix("ed")
        case "cover" if base["position"] is not None:
            service, data["position"] = "set_cover_position", base["position"]
        case "cover":
            service = "open_cover" if wanted == "open" else "close_cover"
        case _:
            return
    await hass.services.async_call(domain, service, data, blocking=True)


def problems(before: Snapshot, after: Snapshot, expected: Mapping[str, Check]) -> list[str]:
    """Return what is not as it has to be."""
    found = []
    for entity_id, values in after.items():
        if (check := expected.get(entity_id)) is not None:
            wrong = {key: values[key] for key in check if not _fits(values[key], check[key])}
            if wrong:
                found.append(f"{entity_id} is {wrong}")
        else:
            changed = {
                key: values[key] for key in _WATCHED if values[key] != before[entity_id][key]
            }
            if changed:
                found.append(f"{entity_id} became {changed}")
    return found


def _fits(value: Any, wanted: Any) -> bool:
    match wanted:
        case (low, high):
            return isinstance(value, int | float) and low <= value <= high
        case set():
            return value in wanted
    return bool(value == wanted)
