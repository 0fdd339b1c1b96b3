"""Tests of the completion builder."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.errors import LLMResponseError
from custom_components.chatterbox.agent.model.completion_builder import CompletionBuilder
from custom_components.chatterbox.agent.model.provider import CallCompleted, TextDelta

arguments = st.dictionaries(st.text(max_size=5), st.integers() | st.text(), max_size=3)


def piece(
    content: Any = None, tool_calls: list[dict[str, Any]] | None = None, **more: Any
) -> dict[str, Any]:
    """Return a delta."""
    return {"content": content, "tool_calls": tool_calls, **more}


def fragment(
    index: int, text: str, call_id: str | None = None, name: str | None = None
) -> dict[str, Any]:
    """Return a piece of a call."""
    return {"index": index, "id": call_id, "function": {"name": name, "arguments": text}}


@given(st.lists(arguments, min_size=1, max_size=3), st.data())
def test_calls_do_not_depend_on_the_split_of_the_stream(
    wanted: list[dict[str, Any]], data: st.DataObject
) -> None:
    """Fragments of several calls may be of any size and in any mixture."""
    queues = []
    for index, made in enumerate(wanted):
        text = json.dumps(made)
        cuts = sorted(data.draw(st.sets(st.integers(1, len(text)), max_size=4)))
        pieces = [
            text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)
        ]
        opening = fragment(index, pieces[0], f"id_{index}", f"tool_{index}")
        queues.append([opening, *(fragment(index, part) for part in pieces[1:])])
    builder = CompletionBuilder()
    # The calls begin in their order, as everywhere.
    builder.add(piece(tool_calls=[queue.pop(0) for queue in queues]), None)
    while queues := [queue for queue in queues if queue]:
        queue = data.draw(st.sampled_from(queues))
        builder.add(piece(tool_calls=[queue.pop(0)]), None)
    calls = builder.result().tool_calls
    assert [call.arguments for call in calls] == wanted
    assert [call.id for call in calls] == [f"id_{index}" for index in range(len(wanted))]
    assert [call.name for call in calls] == [f"tool_{index}" for index in range(len(wanted))]


@given(st.lists(st.text(min_size=1), min_size=1))
def test_text_is_passed_on_as_it_comes(texts: list[str]) -> None:
    """Each piece is an event, and all of them are the content."""
    builder = CompletionBuilder()
    told = [event for text in texts for event in builder.add(piece(text), None)]
    assert told == [TextDelta(text) for text in texts]
    assert builder.result().content == "".join(texts)


@pytest.mark.parametrize("content", [None, ""])
def test_stream_without_text_needs_a_finish_reason(content: str | None) -> None:
    """An end without words is an empty answer; without an end there was none."""
    builder = CompletionBuilder()
    assert builder.add(piece(content), None) == []
    with pytest.raises(LLMResponseError):
        builder.result()
    builder.add(None, "stop")
    assert builder.result().content is None


def test_finish_reason_is_kept_when_more_chunks_follow() -> None:
    builder = CompletionBuilder()
    builder.add(piece("a"), "length")
    builder.add(piece(), None)
    assert builder.result().finish_reason == "length"


@pytest.mark.parametrize(
    ("text", "reason", "invalid"),
    [
        ("", "length", ""),
        (" ", "length", " "),
        ('{"area": "Kitchen"', "length", '{"area": "Kitchen"'),
        ('{"area": "Kitchen"}', "length", None),
        ("", "stop", None),
        ("", "tool_calls", None),
    ],
)
def test_incomplete_arguments_of_a_truncated_answer_are_invalid(
    text: str, reason: str, invalid: str | None
) -> None:
    builder = CompletionBuilder()
    builder.add(piece(tool_calls=[fragment(0, text, "1", "HassTurnOff")]), reason)
    (call,) = builder.result().tool_calls
    assert call.invalid == invalid


def test_calls_are_passed_on_as_soon_as_they_are_complete_in_their_order() -> None:
    builder = CompletionBuilder()

    def add(*fragments: dict[str, Any]) -> list[tuple[str, Any]]:
        told = builder.add(piece(tool_calls=list(fragments)), None)
        return [
            (event.call.name, event.call.arguments)
            for event in told
            if isinstance(event, CallCompleted)
        ]

    assert add(fragment(0, "", "a", "look")) == []
    assert add(fragment(0, '{"x": {}')) == []
    assert add(fragment(1, '{"y": 2}', "b", "see")) == []
    assert add(fragment(0, "}")) == [("look", {"x": {}}), ("see", {"y": 2})]
    assert add(fragment(2, "", "c", "now")) == []
    assert add(fragment(3, "{}", "d", "then")) == [("now", {}), ("then", {})]
    assert add(fragment(4, "{}", "e")) == []
    assert add(fragment(4, "", "e", "late")) == [("late", {})]
    assert len(builder.result().tool_calls) == 5


@pytest.mark.parametrize("text", ['{"x": "' + "y" * 3000 + '"}', "{}}", "[{}]"])
def test_long_and_malformed_arguments_wait_for_the_end_of_the_answer(text: str) -> None:
    builder = CompletionBuilder()
    made = [fragment(0, text, "a", "look"), fragment(1, "{}", "b", "see")]
    assert builder.add(piece(tool_calls=made), "tool_calls") == []
    assert len(builder.result().tool_calls) == 2


def test_calls_of_a_whole_answer_come_with_its_result() -> None:
    builder = CompletionBuilder()
    assert builder.add(piece(tool_calls=[fragment(0, "{}", "a", "look")]), None, whole=True) == []
