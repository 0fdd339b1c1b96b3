"""The search of tools, and what is offered with it."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.circuit_breaker import ToolBreaker
from custom_components.chatterbox.agent.errors import ToolArgumentError
from custom_components.chatterbox.agent.messages import ToolAnnotations, ToolCall, ToolDefinition
from custom_components.chatterbox.agent.tools.circuit_breaker import CircuitBreakerDispatcher
from custom_components.chatterbox.agent.tools.guard import ToolGuard
from custom_components.chatterbox.agent.tools.registry import ToolRegistry
from custom_components.chatterbox.agent.tools.tool_search import (
    SearchToolsTool,
    ToolSearchDispatcher,
    add_search,
)


class NamedTool:
    """A tool that says its name."""

    def __init__(self, name: str, description: str = "Does something.") -> None:
        self.definition = ToolDefinition(
            name=name, description=description, annotations=ToolAnnotations(read_only=True)
        )

    async def call(self, arguments: dict[str, Any]) -> str:
        return self.definition.name


TOOLS = [
    NamedTool("HassTurnOn", "Turns on a light."),
    NamedTool("script__mow", "Starts the robot that mows the lawn."),
    NamedTool("script__vacuum", "Starts the robot that cleans the floor."),
    NamedTool("mail__send", "Sends a letter to the neighbors."),
]
SEARCHED = {"script__mow", "script__vacuum", "mail__send"}


async def search(found: list[str], query: Any) -> dict[str, Any]:
    tools = [tool.definition for tool in TOOLS if tool.definition.name in SEARCHED]
    return await SearchToolsTool(tools, found).call({"query": query})


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("mow", ["script__mow"]),
        ("clean the floor with the robot", ["script__vacuum", "script__mow", "mail__send"]),
        ("robots", ["script__mow", "script__vacuum"]),
        ("SÉND neighbor", ["mail__send"]),
    ],
)
async def test_best_matches_come_first(query: str, expected: list[str]) -> None:
    """By how many of the words each has, regardless of case, accents and inflection."""
    found: list[str] = []
    result = await search(found, query)
    assert [tool["name"] for tool in result["tools"]] == expected == found
    assert result["tools"][0]["description"]


async def test_found_tools_are_kept_in_the_order_of_the_searches() -> None:
    found: list[str] = []
    for query in ("vacuum", "mow", "robot"):
        await search(found, query)
    assert found == ["script__vacuum", "script__mow"]


async def test_search_without_a_match_names_the_tools() -> None:
    found: list[str] = []
    result = await search(found, "quantum")
    assert result == {"no_match_among": ["script__mow", "script__vacuum", "mail__send"]}
    assert found == []


@pytest.mark.parametrize("query", ["", None, "!?", 5])
async def test_search_without_words_is_refused(query: Any) -> None:
    with pytest.raises(ToolArgumentError):
        await search([], query)


async def test_long_query_is_read_in_part() -> None:
    """Every word is compared with all words of the tools."""
    assert "no_match_among" in await search([], f"{'nothing ' * 100}mow")


async def test_result_is_bounded() -> None:
    many = [NamedTool(f"robot_{number:03}", "x" * 500).definition for number in range(100)]
    result = await SearchToolsTool(many, []).call({"query": "robot"})
    assert len(result["tools"]) == 8
    assert {len(tool["description"]) for tool in result["tools"]} == {200}
    assert len((await SearchToolsTool(many, []).call({"query": "z"}))["no_match_among"]) == 50


def test_definition_says_what_it_returns_and_costs() -> None:
    definition = SearchToolsTool.definition
    assert len(definition.description) <= 300
    assert "Costs nothing" in definition.description


async def test_found_tools_are_offered_behind_the_others() -> None:
    """So that what was offered before stays the same; all of them can be called."""
    found: list[str] = []
    dispatcher = ToolSearchDispatcher(ToolGuard(ToolRegistry(TOOLS)), SEARCHED, found)

    def offered() -> list[str]:
        return [tool.name for tool in dispatcher.definitions]

    assert offered() == ["HassTurnOn"]
    found += ["script__vacuum", "mail__send", "gone", "HassTurnOn"]
    assert offered() == ["HassTurnOn", "script__vacuum", "mail__send"]
    result = await dispatcher.dispatch(ToolCall(id="1", name="script__mow", arguments={}))
    assert result.data == "script__mow"
    hidden = dispatcher.definition("script__mow")
    assert hidden is not None
    assert hidden.annotations.read_only
    assert dispatcher.definition("script__fly") is None


def test_withdrawn_tool_has_no_definition() -> None:
    breaker = ToolBreaker()
    dispatcher = CircuitBreakerDispatcher(ToolGuard(ToolRegistry(TOOLS)), breaker)
    assert dispatcher.definition("mail__send") is not None
    while not breaker.is_open("mail__send"):
        breaker.failed("mail__send")
    assert dispatcher.definition("mail__send") is None
    assert "mail__send" not in [tool.name for tool in dispatcher.definitions]


@pytest.mark.parametrize(
    ("window", "searched", "expected"),
    [
        (None, SEARCHED, False),
        (1_000_000, SEARCHED, False),
        (100, SEARCHED, True),
        (100, set(), False),
    ],
)
def test_search_is_added_if_tools_fill_the_context_window(
    window: int | None, searched: set[str], *, expected: bool
) -> None:
    registry = ToolRegistry(TOOLS)
    assert add_search(registry, searched, [], window) is expected
    assert (registry.get("search_tools") is not None) is expected


def test_limit_is_a_quarter_of_the_context_window() -> None:
    """With four characters for a token."""
    chars = sum(len(tool.definition.json) for tool in TOOLS)
    assert not add_search(ToolRegistry(TOOLS), SEARCHED, [], chars)
    assert add_search(ToolRegistry(TOOLS), SEARCHED, [], chars - 1)


def test_tool_of_that_name_is_not_replaced() -> None:
    other = NamedTool("search_tools")
    registry = ToolRegistry([*TOOLS, other])
    assert not add_search(registry, SEARCHED, [], 1)
    assert registry.get("search_tools") is other
    assert replace(other.definition, name="x").name == "x"
