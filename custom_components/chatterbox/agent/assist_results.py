"""Results of Home Assistant's own tools, and how they are read."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from .assist import SEARCH_MEDIA, short_name
from .messages import Message, canonical_json

# Spaces before the keys of an entity in the result of the live context, and an escape sequence of
# YAML that JSON does not have.
_INDENT = 2
_LONG_ESCAPE = re.compile(r"\\U([0-9A-F]{8})")
_NEAR_DAYS = ("Today", "Tomorrow")


def result_of(message: Message) -> Any:
    """Return the result of a tool message, None if the call failed."""
    content = _envelope(message)
    return content.get("result") if content.get("success") is True else None


def is_failure(message: Message) -> bool:
    """Return whether a tool message reports a failure."""
    return _envelope(message).get("success") is False


def _envelope(message: Message) -> Mapping[str, Any]:
    """Return the object around a tool's result, an empty one if there is none."""
    try:
        content = json.loads(message.content or "")
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def result_text(message: Message, states: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Return a tool's result for a small model: without the envelope and the heading.

    `states` are the names of states, by kind and state.
    """
    match result_of(message):
        case {"result": str(text)}:
            heading, line_break, rest = text.partition("\n")
            is_list = line_break and heading.endswith(":")
            return _state_sentences(rest, states or {}) if is_list else text
        case {"daily": [*days], **now}:
            return "\n".join((canonical_json(now), *_forecast(days)))
        case None:
            return message.content or ""
        case result:
            return canonical_json(result)


def _forecast(days: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the days of a forecast; small models cannot tell which date is tomorrow."""
    for number, day in enumerate(days):
        name = _NEAR_DAYS[number] if number < len(_NEAR_DAYS) else f"In {number} days"
        details = (f"{key.replace('_', ' ')} {value}" for key, value in day.items())
        yield f"{name}: {', '.join(details)}."


def _state_sentences(listed: str, states: Mapping[str, Mapping[str, str]]) -> str:
    """Return the states that the live context lists as one sentence for each entity."""
    sentences = []
    for entity in _read_entities(listed):
        name, state = entity.pop("names", ""), entity.pop("state", "unknown")
        domain = entity.get("domain", "")
        kind = f"{domain}.{entity.get('device_class', '')}"
        state = states.get(kind, states.get(domain, {})).get(state, state)
        details = ", ".join(f"{_attribute(key, entity)} {value}" for key, value in entity.items())
        sentences.append(f"{name} is {state} ({details}).")
    return "\n".join(sentences) or listed


def _attribute(key: str, entity: Mapping[str, str]) -> str:
    """Return the words for an attribute; beside a measured value the plain one is the target."""
    words = key.replace("_", " ")
    return f"target {words}" if f"current_{key}" in entity else words


def _read_entities(listed: str) -> list[dict[str, str]]:
    """Return the values of each entity in the result of the live context, attributes included.

    The format is a YAML list of mappings whose first key is `names`. Keys are indented by two
    spaces, and by four in the mapping below a key without a value; lines that are indented deeper
    continue a value. All others are fragments: the end is missing where a long result is truncated.
    """
    entities: list[dict[str, str]] = []
    key, is_nested = "", False
    for line in listed.splitlines():
        if line.startswith("- names:"):
            entities.append({})
        if not entities:
            continue
        indent = len(line) - len(line.lstrip("- "))
        name, colon, value = line[indent:].partition(":")
        is_key = indent == _INDENT or (is_nested and indent == 2 * _INDENT)
        if is_key and colon and name.isidentifier():
            key, is_nested = name, indent > _INDENT or not value
            entities[-1][key] = value.strip()
        elif indent > (2 * _INDENT if is_nested else _INDENT):
            entities[-1][key] = f"{entities[-1][key]} {line.strip()}".strip()
    scalars = ({key: _scalar(value) for key, value in entity.items()} for entity in entities)
    return [{key: text for key, text in entity.items() if text} for entity in scalars]


def _scalar(text: str) -> str:
    """Return the text of a YAML scalar on one line."""
    return " ".join(_unquoted(text).split())


def _unquoted(text: str) -> str:
    if text.startswith('"'):
        # JSON has the same escape sequences but for those of characters beyond 16 bits.
        escaped = _LONG_ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
        with suppress(ValueError):
            return str(json.loads(escaped))
        return text.strip('"')
    if text.startswith("'"):
        return text[1:].removesuffix("'").replace("''", "'")
    return text


def found_media(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return the playable media that the search at the end of these messages has found.

    Each has `title`, `media_content_id` and `media_content_type`, and `player_name` of the search.
    """
    ends = [message for message in messages if message.tool_calls]
    calls = {call.id: call for call in ends[-1].tool_calls} if ends else {}
    found: list[dict[str, Any]] = []
    for message in messages:
        call = calls.get(message.tool_call_id or "")
        result = result_of(message) if call and short_name(call.name) == SEARCH_MEDIA else None
        items = result.get("results") or () if isinstance(result, dict) else ()
        player = call.arguments.get("player_name") if call else None
        found += [
            {**item, "player_name": player}
            for item in items
            if isinstance(item, dict) and item.get("can_play") and item.get("title")
        ]
    return found


def play_arguments(media: Sequence[Mapping[str, Any]], title: str) -> dict[str, Any]:
    """Return the arguments that play the found medium with this title."""
    keys = ("media_content_id", "media_content_type", "player_name")
    item = next((item for item in media if item.get("title") == title), {})
    return {key: item[key] for key in keys if item.get(key) is not None}
