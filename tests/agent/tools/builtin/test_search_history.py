"""Tests of the tool that searches earlier conversations."""

from collections.abc import AsyncIterator
from datetime import timedelta, timezone
from typing import Any

import pytest

from custom_components.chatterbox.agent.errors import ToolArgumentError
from custom_components.chatterbox.agent.memory.store import StoredConversation
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.tools.builtin.search_history import SearchHistoryTool
from tests.agent.builders import stored_call, stored_conversation, stored_result, stored_turn

TALKS = [
    stored_conversation(
        stored_turn(0, "Where is my car?", Message.assistant("The car is in the garage.")),
        stored_turn(1, "Is the garage closed?", Message.assistant("Yes.")),
    ),
    stored_conversation(
        stored_turn(
            2,
            "Open it",
            Message.assistant(None, [stored_call(name="open")]),
            stored_result(),
            Message.assistant("Done."),
        ),
        stored_turn(
            3, "I mean the car", Message.assistant("I cannot open a car, a car is no door.")
        ),
    ),
]


async def search(**arguments: Any) -> dict[str, Any]:
    async def conversations() -> AsyncIterator[StoredConversation]:
        for each in TALKS:
            yield each

    summer = timezone(timedelta(hours=2))
    tool = SearchHistoryTool(conversations, lambda moment: moment.astimezone(summer))
    return await tool.call(arguments)


async def test_best_match_comes_first() -> None:
    answer = await search(query="Garage car")
    assert [found["user"] for found in answer["found"]] == [
        "Where is my car?",
        "I mean the car",
        "Is the garage closed?",
    ]
    assert answer["total"] == 3
    assert answer["found"][0] == {
        "time": "2026-11-21T14:00+02:00",
        "user": "Where is my car?",
        "assistant": "The car is in the garage.",
    }


async def test_number_of_results_is_limited() -> None:
    answer = await search(query="car", max_results=1)
    assert len(answer["found"]) == 1
    assert answer["total"] == 2


async def test_search_without_matches_is_empty() -> None:
    assert await search(query="boat") == {"found": [], "total": 0}


@pytest.mark.parametrize("arguments", [{}, {"query": " "}])
async def test_search_without_words_is_rejected(arguments: dict[str, Any]) -> None:
    with pytest.raises(ToolArgumentError, match="query"):
        await search(**arguments)


async def test_long_texts_are_shortened() -> None:
    """A result is read by a model that knows the rest of the conversation."""
    long = stored_conversation(stored_turn(0, "boat " * 200, Message.assistant("sea " * 200)))

    async def conversations() -> AsyncIterator[StoredConversation]:
        yield long

    answer = await SearchHistoryTool(conversations, lambda at: at).call({"query": "boat"})
    (found,) = answer["found"]
    assert (len(found["user"]), len(found["assistant"])) == (400, 400)


def test_definition_says_what_it_returns_and_costs() -> None:
    definition = SearchHistoryTool.definition
    assert len(definition.description) <= 300
    assert "returns what was said" in definition.description
    assert "Costs" in definition.description
    assert all(each["description"] for each in definition.parameters["properties"].values())
