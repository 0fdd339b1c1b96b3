"""Trim messages to a budget in characters.

The oldest turns are dropped in two places, as each knows what the other does not:

- `turns_to_drop` moves the start of a stored conversation, between two turns. Turns before the
  start are never sent again, and a summary may replace them.
- `fit` trims a single request. Only there the sizes of the instructions, the tools and the current
  turn are known, and the current turn grows with every tool result. The stored conversation stays
  as it is.

Both drop about a quarter of the limit at once, so that most requests begin with the same bytes as
the one before and the server can reuse its prompt cache.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import orjson

from .messages import Message, Role, canonical_json

# Limits for the strings (characters) and lists (items) of a result: none at first, and then lower
# ones until the result fits.
_BOUNDS = ((None, None), (500, 10), (250, 5), (125, 2), (62, 1))
# An object with far more members than a record has is cut like a list.
_RECORD = 10
_MAX_DEPTH = 32
_END = object()
# Lower bound for shortening a tool result: less is of no use to the model.
MIN_RESULT_CHARS = 500


def split_turns(messages: Iterable[Message]) -> list[list[Message]]:
    """Group messages into turns; each begins with a message of the user."""
    turns: list[list[Message]] = []
    for message in messages:
        if message.role is Role.USER or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def size(messages: Iterable[Message]) -> int:
    """Return the number of characters of messages in a request; attachments are estimated."""
    return sum(
        len(orjson.dumps(message.to_wire()).decode())
        + sum(attachment.size for attachment in message.attachments)
        for message in messages
    )


def turns_to_drop(
    turns: Sequence[Sequence[Message]], max_turns: int, budget: int | None = None
) -> int:
    """Return the number of the oldest turns to drop from a conversation.

    At most `max_turns` turns remain, of at most `budget` characters unless that is None.
    """
    if not max_turns:
        return len(turns)
    dropped = 0
    if (excess := len(turns) - max_turns) > 0:
        step = max(1, max_turns // 4)
        dropped = -(-excess // step) * step
    if budget is not None:
        dropped += _over_budget([size(turn) for turn in turns[dropped:]], budget)
    return dropped


def _over_budget(sizes: Sequence[int], budget: int) -> int:
    """Return the number of the first items to drop; then the rest has three quarters of budget."""
    total = sum(sizes)
    if total <= budget:
        return 0
    for count, each in enumerate(sizes, start=1):
        total -= each
        if total <= budget * 3 // 4:
            return count
    return len(sizes)


@dataclass(frozen=True, slots=True)
class FittedMessages:
    """Messages of a request, trimmed to a budget."""

    messages: list[Message]
    left_out: int
    """Number of the oldest turns that were dropped."""
    chars: int
    """Size of the messages."""


def fit(messages: Sequence[Message], limit: int, left_out: int = 0) -> FittedMessages:
    """Return the messages of a request, trimmed to at most `limit` characters.

    Tool results that take more than half of the limit are shortened first. Then whole turns are
    dropped, the oldest first, beginning with the `left_out` turns dropped from the request before.
    The instructions and the current turn, which is the last, always stay; only the tool results of
    the current turn are shortened further.
    """
    opening = [message for message in messages if message.role is Role.SYSTEM]
    *earlier, current = split_turns(messages[len(opening) :])
    # Powers of two, so that a result is cut at the same place in most requests of a conversation.
    max_chars = 1 << (max(MIN_RESULT_CHARS, limit // 2).bit_length() - 1)
    earlier = [shorten_results(turn, max_chars) for turn in earlier[left_out:]]
    current = shorten_results(current, max_chars)
    rest = limit - size(opening)
    sizes = [size(turn) for turn in earlier]
    dropped = _over_budget(sizes, rest - size(current))
    kept = [message for turn in earlier[dropped:] for message in turn]
    rest -= sum(sizes[dropped:])
    while (chars := size(current)) > rest and max_chars > MIN_RESULT_CHARS:
        max_chars //= 2
        current = shorten_results(current, max_chars)
    return FittedMessages([*opening, *kept, *current], left_out + dropped, limit - rest + chars)


def shorten_results(messages: Iterable[Message], limit: int) -> list[Message]:
    """Return messages whose tool results have at most `limit` characters and stay valid JSON."""
    return [
        replace(message, content=_shorten(message.content, limit))
        if message.role is Role.TOOL and message.content and len(message.content) > limit
        else message
        for message in messages
    ]


def _shorten(content: str, limit: int) -> str:
    try:
        data = json.loads(content)
    except ValueError:
        data = content
    if isinstance(data, Mapping) and "result" in data:
        envelope_chars = len(canonical_json({**data, "result": None}))
        if envelope_chars < limit // 2:
            return canonical_json({**data, "result": prune(data["result"], limit - envelope_chars)})
    return canonical_json(prune(data, limit))


def prune(value: Any, limit: int, to_json: Callable[[Any], Any] = lambda value: value) -> Any:
    """Return the value if its JSON has at most `limit` characters, else a shortened copy.

    The copy keeps the structure: it is valid JSON and says how much was left out. `to_json` returns
    a value as JSON can represent it. The cost depends on the limit, not on the size of the value.
    """
    for max_string, max_items in _BOUNDS:
        if not _exceeds(value, limit, max_string, max_items):
            shortened = value
            if max_string is not None and max_items is not None:
                shortened = _prune_value(value, max_string, max_items)
            if len(canonical_json(pruned := to_json(shortened))) <= limit:
                return pruned
    return "too long"


def _exceeds(value: Any, limit: int, max_string: int | None, max_items: int | None) -> bool:
    """Return whether the JSON of a shortened value surely has more characters than the limit.

    Without bounds, also whether it is nested deeper than a shortened value would be.
    """
    chars = 0
    levels = [iter((value,))]
    while levels:
        item = next(levels[-1], _END)
        if item is _END:
            levels.pop()
            continue
        chars += min(len(item), max_string or len(item)) if isinstance(item, str) else 1
        if chars > limit:
            return True
        if not isinstance(item, list | tuple | dict):
            continue
        if len(levels) <= _MAX_DEPTH:
            levels.append(_kept_parts(item, max_items))
        elif max_items is None:
            return True
    return False


def _kept_parts(value: Any, max_items: int | None) -> Iterator[Any]:
    """Yield the items of a list, or the keys and values of an object, that are kept."""
    if isinstance(value, dict):
        kept = islice(value.items(), None if max_items is None else max_items * _RECORD)
        return chain.from_iterable(kept)
    return islice(value, max_items)


def _prune_value(value: Any, max_string: int, max_items: int, depth: int = 0) -> Any:
    match value:
        case str() if len(value) > max_string:
            return f"{value[:max_string]}… ({len(value) - max_string} more characters)"
        case list() | tuple() | dict() if depth > _MAX_DEPTH:
            return "…"
        case list() | tuple():
            kept = [
                _prune_value(item, max_string, max_items, depth + 1) for item in value[:max_items]
            ]
            left_out = len(value) - len(kept)
            return [*kept, f"… ({left_out} more)"] if left_out else kept
        case dict():
            cut = {
                _short_key(key, max_string): _prune_value(item, max_string, max_items, depth + 1)
                for key, item in islice(value.items(), max_items * _RECORD)
            }
            if left_out := len(value) - len(cut):
                cut["…"] = f"{left_out} more"
            return cut
    return value


def _short_key(key: Any, max_chars: int) -> Any:
    return f"{key[:max_chars]}…" if isinstance(key, str) and len(key) > max_chars else key
