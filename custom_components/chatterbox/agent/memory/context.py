"""The history of a conversation as it is sent to the model."""

import itertools
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..messages import Message, Role, ToolCall, ToolResult, interrupted_answer
from ..trimming import shorten_results, split_turns, turns_to_drop
from .store import StoredConversation

_LOST_RESULT = "The result of this call was lost."
_EMPTY_ANSWER = "Done."
_SUMMARY = "(What we spoke about before, in short: {summary})"
_SUMMARY_REPLY = "I remember."

# The tool results of recent turns stay complete for follow-up questions. Those of older turns are
# shortened in batches of turns, so that the prompt prefix rarely changes.
_OLD_RESULT_CHARS = 2_000
_SHORTENED_TURNS_BATCH = 4


def repair(messages: Iterable[Message]) -> list[Message]:
    """Return a history that every server accepts.

    Every tool call is directly followed by exactly one result, in the order of the calls, and has
    an id that is unique in its message; a turn ends with a text of the assistant. Orphaned results,
    unanswered turns, system messages and the error texts of Home Assistant are dropped.
    """
    repaired: list[Message] = []
    for turn in split_turns(message for message in messages if message.role is not Role.SYSTEM):
        if not (answered := _answer_calls(turn)):
            continue
        asked, *answer = answered
        if asked.role is Role.USER and asked.content and answer:
            repaired += [asked, *_with_ending(answer)]
    return repaired


def _answer_calls(turn: Sequence[Message]) -> list[Message]:
    # Some servers number the calls of each answer from zero: equal ids are paired in order.
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
            kept.append(_merge(before, message, [call for call, _ in answers]))
            kept += [result for _, result in answers]
    return kept


def _is_error_text(message: Message) -> bool:
    """Return whether Home Assistant closed a failed turn with this text in the agent's name."""
    return (message.content or "").startswith("Error: ")


def _answer(call: ToolCall, results: deque[Message], taken: set[str]) -> tuple[ToolCall, Message]:
    """Return a call and its result, with an id that is unique in the message."""
    wanted = call.id or "call"
    ids = itertools.chain([wanted], (f"{wanted}_{number}" for number in itertools.count(2)))
    call = replace(call, id=next(each for each in ids if each not in taken))
    taken.add(call.id)
    result = results.popleft() if results else _lost_result(call)
    return call, Message.tool(call.id, result.content or "{}")


def _lost_result(call: ToolCall) -> Message:
    data = {"error": _LOST_RESULT, "error_type": "lost"}
    return Message.tool(call.id, ToolResult(call=call, data=data, error=True).content)


def _merge(before: Message | None, message: Message, calls: Sequence[ToolCall]) -> Message:
    """Merge two consecutive assistant messages, as servers require alternating roles."""
    texts = [
        each.content
        for each in (before, message)
        if each and each.content and not _is_error_text(each)
    ]
    return Message.assistant("\n".join(texts) or None, calls)


def _with_ending(answer: Sequence[Message]) -> list[Message]:
    filled = [
        replace(message, content=_EMPTY_ANSWER)
        if message.role is Role.ASSISTANT and not (message.content or message.tool_calls)
        else message
        for message in answer
    ]
    if filled[-1].role is Role.TOOL:
        filled.append(interrupted_answer(None))
    return filled


def shorten_old_turns(conversation: StoredConversation) -> StoredConversation:
    """Return a conversation with shortened tool results in all but its latest turns."""
    batches = conversation.turn_count // _SHORTENED_TURNS_BATCH - 1
    old = batches * _SHORTENED_TURNS_BATCH - conversation.dropped
    if old <= 0:
        return conversation
    shortened = [
        turn
        if (messages := tuple(shorten_results(turn.messages, _OLD_RESULT_CHARS))) == turn.messages
        else replace(turn, messages=messages)
        for turn in conversation.turns[:old]
    ]
    return replace(conversation, turns=(*shortened, *conversation.turns[old:]))


def build_history(conversation: StoredConversation, start: int) -> list[Message]:
    """Return the summary, then the messages from the turn of number `start` on."""
    messages: list[Message] = []
    if conversation.summary:
        messages += [
            Message.user(_SUMMARY.format(summary=conversation.summary)),
            Message.assistant(_SUMMARY_REPLY),
        ]
    for turn in conversation.turns[max(0, start - conversation.dropped) :]:
        messages += turn.all_messages
    return repair(messages)


def next_start(
    conversation: StoredConversation, max_turns: int, history_budget: int | None = None
) -> int:
    """Return the number of the first turn to send, counted from the very first turn.

    At most `max_turns` turns are sent, and at most `history_budget` characters unless that is None.
    """
    start = max(conversation.start, conversation.dropped)
    turns = conversation.turns[start - conversation.dropped :]
    return start + turns_to_drop([turn.all_messages for turn in turns], max_turns, history_budget)
