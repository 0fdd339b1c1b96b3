"""What of a conversation's history is sent to the model."""

import itertools
import json
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .messages import Message, Role, ToolCall, ToolResult, canonical_json
from .store import Conversation
from .tools.result import prune

_LOST = "The result of this call was lost."
_INTERRUPTED = "(I was interrupted before I could answer.)"
_SILENT = "Done."
_SUMMARY = "(What we spoke about before, in short: {summary})"
_SUMMARY_TAKEN = "I remember."

# Tool results stay whole for a while, in case somebody asks about them; then they are shortened,
# those of several turns at once, so that most turns leave alone what was sent before.
_OLD_RESULT_CHARS = 2_000
_TURNS_SHORTENED_AT_ONCE = 4

# What remains of a tool result at least, however small the window is: less says nothing.
SHORTEST_RESULT = 500


def split_turns(messages: Iterable[Message]) -> list[list[Message]]:
    """Group messages into turns; each begins with what the user said."""
    turns: list[list[Message]] = []
    for message in messages:
        if message.role is Role.USER or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def size(messages: Iterable[Message]) -> int:
    """Return the characters of messages as they are sent."""
    return sum(len(canonical_json(message.to_wire())) for message in messages)


# Broken histories.


def repair(messages: Iterable[Message]) -> list[Message]:
    """Return a history that every server accepts.

    Every tool call has exactly one result right behind it, in the order of the calls, and an id
    that no other call beside it has; a turn ends with words of the assistant. A result without a
    call, a turn without an answer, a second system message and the error texts of Home Assistant
    are left out.
    """
    repaired: list[Message] = []
    for turn in split_turns(message for message in messages if message.role is not Role.SYSTEM):
        if not (answered := _answer_calls(turn)):
            continue
        asked, *answer = answered
        if asked.role is Role.USER and asked.content and answer:
            repaired += [asked, *_with_an_end(answer)]
    return repaired


def _answer_calls(turn: Sequence[Message]) -> list[Message]:
    # Some servers number the calls of each answer anew: equal ids are paired in their order.
    results: defaultdict[str | None, deque[Message]] = defaultdict(deque)
    for message in turn:
        if message.role is Role.TOOL:
            results[message.tool_call_id].append(message)
    kept: list[Message] = []
    for message in turn:
        if message.role is Role.USER:
            kept.append(message)
        elif message.role is Role.ASSISTANT:
            if _is_error_text(message) and not message.tool_calls:
                continue
            before = kept.pop() if kept and kept[-1].role is Role.ASSISTANT else None
            taken: set[str] = set()
            answers = [_answer(call, results[call.id], taken) for call in message.tool_calls]
            kept.append(_joined(before, message, [call for call, _ in answers]))
            kept += [result for _, result in answers]
    return kept


def _is_error_text(message: Message) -> bool:
    """Tell whether Home Assistant closed a turn with this text, as if the agent had said it."""
    return (message.content or "").startswith("Error: ")


def _answer(call: ToolCall, results: deque[Message], taken: set[str]) -> tuple[ToolCall, Message]:
    """Return a call and its result, under an id that no call beside it has."""
    wished = call.id or "call"
    ids = itertools.chain([wished], (f"{wished}_{number}" for number in itertools.count(2)))
    call = replace(call, id=next(each for each in ids if each not in taken))
    taken.add(call.id)
    result = results.popleft() if results else _lost(call)
    return call, Message.tool(call.id, result.content or "{}")


def _lost(call: ToolCall) -> Message:
    data = {"error": _LOST, "error_type": "lost"}
    return Message.tool(call.id, ToolResult(call=call, data=data, error=True).content)


def _joined(before: Message | None, message: Message, calls: Sequence[ToolCall]) -> Message:
    """Return two messages of the assistant as one: servers want the roles to take turns."""
    texts = [
        each.content
        for each in (before, message)
        if each and each.content and not _is_error_text(each)
    ]
    return Message.assistant("\n".join(texts) or None, calls)


def _with_an_end(answer: Sequence[Message]) -> list[Message]:
    filled = [
        replace(message, content=_SILENT)
        if message.role is Role.ASSISTANT and not (message.content or message.tool_calls)
        else message
        for message in answer
    ]
    if filled[-1].role is Role.TOOL:
        filled.append(Message.assistant(_INTERRUPTED))
    return filled


# Long results of tools.


def shorten_results(messages: Iterable[Message], limit: int) -> list[Message]:
    """Return messages whose tool results have at most `limit` characters, and stay valid JSON."""
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
        around = len(canonical_json({**data, "result": None}))
        if around < limit // 2:
            return canonical_json({**data, "result": prune(data["result"], limit - around)})
    return canonical_json(prune(data, limit))


def shorten_old_turns(conversation: Conversation) -> Conversation:
    """Return a conversation with short tool results in all but its latest turns."""
    whole_turns = conversation.count // _TURNS_SHORTENED_AT_ONCE - 1
    old = whole_turns * _TURNS_SHORTENED_AT_ONCE - conversation.dropped
    if old <= 0:
        return conversation
    shortened = [
        replace(turn, messages=tuple(shorten_results(turn.messages, _OLD_RESULT_CHARS)))
        for turn in conversation.turns[:old]
    ]
    return replace(conversation, turns=(*shortened, *conversation.turns[old:]))


# What is sent.


def history(conversation: Conversation, start: int) -> list[Message]:
    """Return the history from a turn on, counted from the very first; before it the summary."""
    messages: list[Message] = []
    if conversation.summary:
        messages += [
            Message.user(_SUMMARY.format(summary=conversation.summary)),
            Message.assistant(_SUMMARY_TAKEN),
        ]
    for turn in conversation.turns[max(0, start - conversation.dropped) :]:
        messages += turn.all_messages
    return repair(messages)


def next_start(conversation: Conversation, turns: int, history_budget: int | None = None) -> int:
    """Return the number of the first turn to send, where at most `turns` turns are.

    These turns have at most `history_budget` characters, if that is known. Several turns are left
    out at once, so that most requests begin with the same bytes as the one before.
    """
    start = max(conversation.start, conversation.dropped)
    if not turns:
        return conversation.count
    if (over := conversation.count - start - turns) > 0:
        step = max(1, turns // 4)
        start += -(-over // step) * step
    if history_budget is not None:
        sizes = [
            size(turn.all_messages) for turn in conversation.turns[start - conversation.dropped :]
        ]
        start += _too_many(sizes, history_budget)
    return start


def _too_many(sizes: Sequence[int], budget: int) -> int:
    """Return how many of the first have to go: none, or enough to leave a quarter of the budget."""
    total = sum(sizes)
    if total <= budget:
        return 0
    for count, each in enumerate(sizes, start=1):
        total -= each
        if total <= budget * 3 // 4:
            return count
    return len(sizes)


@dataclass(frozen=True, slots=True)
class Fitted:
    """Messages that fit."""

    messages: list[Message]
    left_out: int
    """How many turns of the history are not among them."""


def fit(messages: Sequence[Message], limit: int, left_out: int = 0) -> Fitted:
    """Return messages of at most `limit` characters.

    A tool result that is too long by itself is shortened first. Then whole turns go, the oldest
    first, of which `left_out` are gone already. The instructions and the current turn, which is
    the last, always stay; only its tool results are shortened further.
    """
    opening = [message for message in messages if message.role is Role.SYSTEM]
    *earlier, current = split_turns(messages[len(opening) :])
    longest = 1 << (max(SHORTEST_RESULT, limit // 2).bit_length() - 1)
    earlier = [shorten_results(turn, longest) for turn in earlier[left_out:]]
    current = shorten_results(current, longest)
    left_out += (
        too_many := _too_many(
            [size(turn) for turn in earlier], limit - size(opening) - size(current)
        )
    )
    kept = [message for turn in earlier[too_many:] for message in turn]
    while size([*opening, *kept, *current]) > limit and longest > SHORTEST_RESULT:
        longest //= 2
        current = shorten_results(current, longest)
    return Fitted([*opening, *kept, *current], left_out)
