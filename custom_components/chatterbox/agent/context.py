"""What of a conversation's history is sent to the model."""

from collections.abc import Iterable, Sequence

from .messages import Message, Role, ToolCall, ToolResult

_LOST = "The result of this call was lost."
_INTERRUPTED = "(I was interrupted before I could answer.)"


def split_turns(messages: Iterable[Message]) -> list[list[Message]]:
    """Group messages into turns; each begins with what the user said."""
    turns: list[list[Message]] = []
    for message in messages:
        if message.role is Role.USER or not turns:
            turns.append([])
        turns[-1].append(message)
    return turns


def last_turns(messages: Sequence[Message], limit: int) -> list[Message]:
    """Return the last turns, whole: a call and its result are never parted."""
    turns = split_turns(messages)
    return [message for turn in turns[max(0, len(turns) - limit) :] for message in turn]


def repair(messages: Iterable[Message]) -> list[Message]:
    """Return a history that every server accepts.

    Every tool call has exactly one result right behind it, in the order of the calls, and every
    turn ends with words of the assistant. A result without a call, a turn without an answer and
    a second system message are left out.
    """
    repaired: list[Message] = []
    for turn in split_turns(message for message in messages if message.role is not Role.SYSTEM):
        answered = _answer_calls(turn)
        if len(answered) > 1 and answered[0].role is Role.USER:
            repaired += answered
            if answered[-1].role is Role.TOOL:
                repaired.append(Message.assistant(_INTERRUPTED))
    return repaired


def _answer_calls(turn: Sequence[Message]) -> list[Message]:
    # Some servers number the calls of each answer anew: equal ids are paired in their order.
    results: dict[str, list[Message]] = {}
    for message in turn:
        if message.tool_call_id is not None:
            results.setdefault(message.tool_call_id, []).append(message)
    kept: list[Message] = []
    for message in turn:
        if message.role is Role.TOOL:
            continue
        kept.append(message)
        kept += [
            results[call.id].pop(0) if results.get(call.id) else _lost(call)
            for call in message.tool_calls
        ]
    return kept


def _lost(call: ToolCall) -> Message:
    data = {"error": _LOST, "error_type": "lost"}
    return Message.tool(call.id, ToolResult(call=call, data=data, error=True).content)
