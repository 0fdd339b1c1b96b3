"""Agent that fulfills each sentence of the benchmark by calling services."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant

from .judging import Snapshot
from .sentence import OneLess, OneMore, Sentence, Stepped

_BY_STATE = {
    "on": "homeassistant.turn_on",
    "off": "homeassistant.turn_off",
    "locked": "lock.lock",
    "unlocked": "lock.unlock",
    "cleaning": "vacuum.start",
    "mowing": "lawn_mower.start_mowing",
    "playing": "media_player.media_play",
    "paused": "media_player.media_pause",
}
_BY_NUMBER = {
    ("light", "brightness"): ("light.turn_on", "brightness"),
    ("cover", "position"): ("cover.set_cover_position", "position"),
    ("climate", "temperature"): ("climate.set_temperature", "temperature"),
    ("fan", "percentage"): ("fan.set_percentage", "percentage"),
    ("humidifier", "humidity"): ("humidifier.set_humidity", "humidity"),
    ("media_player", "volume"): ("media_player.volume_set", "volume_level"),
}


async def obey(hass: HomeAssistant, sentence: Sentence, before: Snapshot) -> None:
    """Change what the sentence wants to be changed."""
    for entity_id, check in sentence.changes.items():
        service, data = _service(entity_id, check, before[entity_id])
        domain, _, name = service.partition(".")
        await hass.services.async_call(
            domain, name, {"entity_id": entity_id, **data}, blocking=True
        )
    await hass.async_block_till_done()


def _service(
    entity_id: str, check: Mapping[str, Any], before: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    domain = entity_id.partition(".")[0]
    key, wanted = [*check.items()][-1]
    data: dict[str, Any] = {}
    match key, wanted:
        case "activated", _:
            service = f"{domain}.turn_on"
        case "muted", value:
            service, data["is_volume_muted"] = "media_player.volume_mute", value
        case "hue", (low, high):
            service, data["hs_color"] = "light.turn_on", [max(0, (low + high) / 2), 100]
        case "items", OneMore(text=text):
            service, data["item"] = "todo.add_item", f"Some {text}"
        case "items", OneLess(text=text):
            service, data["status"] = "todo.update_item", "completed"
            data["item"] = next(item for item in before["items"] if text in item.lower())
        case "track", Stepped(step=step):
            service = f"media_player.media_{'next' if step > 0 else 'previous'}_track"
        case "temperature", Stepped(step=step):
            service, data["temperature"] = "climate.set_temperature", before["temperature"] + step
        case _, (low, high):
            service, field = _BY_NUMBER[domain, key]
            data[field] = round((low + high) / 2, 2)
        case _:
            states = {wanted} if isinstance(wanted, str) else wanted
            service = _service_of_state(domain, states)
    return service, data


def _service_of_state(domain: str, wanted: set[str]) -> str:
    if "returning" in wanted:
        return "vacuum.return_to_base" if domain == "vacuum" else "lawn_mower.dock"
    if "open" in wanted or "closed" in wanted:
        return f"{domain}.{'open' if 'open' in wanted else 'close'}_{domain}"
    return next(_BY_STATE[state] for state in _BY_STATE if state in wanted)
