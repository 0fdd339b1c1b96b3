"""Validation of message histories, as strict servers do it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

type Message = Mapping[str, Any]


def history_problems(messages: Sequence[Message]) -> list[str]:
    """Return what is wrong with the messages of a request, nothing if they are valid.

    Valid is: one system message, at the start; then the user and the assistant take turns; every
    tool call has an id of its own and a JSON object as its arguments, and is answered exactly once,
    directly after its message and in order; the last word is the user's or a tool's.
    """
    return list(_problems(messages))


def _problems(messages: Sequence[Message]) -> Iterator[str]:
    roles = [message.get("role") for message in messages]
    if roles[:1] != ["system"] or "system" in roles[1:]:
        yield f"not exactly one system message at the start: {roles}"
    if roles[-1:] not in (["user"], ["tool"]):
        yield f"the last message is no question and no result: {roles}"
    before: Message = {"role": "system"}
    pending: list[str] = []
    for index, message in enumerate(messages):
        where = f"message {index}"
        role = message.get("role")
        if role == "tool":
            if pending and message.get("tool_call_id") == pending[0]:
                pending.pop(0)
            else:
                yield f"{where} answers {message.get('tool_call_id')!r}, expected {pending}"
        elif pending:
            yield f"{where} comes before the results of {pending}"
            pending = []
        if not _follows(str(role), before):
            yield f"{where}: {role} after {before.get('role')}"
        yield from (f"{where} {problem}" for problem in _own_problems(message))
        if role == "assistant":
            pending = [str(call.get("id")) for call in message.get("tool_calls") or []]
        before = message
    if pending:
        yield f"never answered: {pending}"


def _follows(role: str, before: Message) -> bool:
    match before.get("role"):
        case "user" | "tool":
            return role in {"assistant", "tool"}
        case "assistant":
            return role == ("tool" if before.get("tool_calls") else "user")
        case _:
            return role in {"system", "user"}


def _own_problems(message: Message) -> Iterator[str]:
    role, content = message.get("role"), message.get("content")
    calls = message.get("tool_calls") or []
    if role in {"system", "user", "tool"} and not content:
        yield f"({role}) is empty"
    if role == "assistant" and not content and not calls:
        yield "(assistant) says and does nothing"
    if isinstance(content, str) and role == "assistant" and content.startswith("Error:"):
        yield f"puts an error into the assistant's mouth: {content!r}"
    ids = [call.get("id") for call in calls]
    if not all(ids) or len(set(ids)) < len(ids):
        yield f"has ids that are no ids: {ids}"
    for call in calls:
        if not _is_object(call["function"]["arguments"]):
            yield f"has arguments that are no object: {call['function']['arguments']!r}"


def _is_object(arguments: str) -> bool:
    try:
        return isinstance(json.loads(arguments), dict)
    except ValueError:
        return False
