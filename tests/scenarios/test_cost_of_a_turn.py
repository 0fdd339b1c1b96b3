"""Scenario: what a turn costs, in counts that do not depend on the machine."""

import gc
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from unittest.mock import MagicMock, patch

import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.chatterbox import tool_definitions
from custom_components.chatterbox.agent.messages import ToolDefinition
from custom_components.chatterbox.history_store import HassConversationStore
from homeassistant.components.conversation import ChatLog
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import llm

from ..conversation_helpers import Ask, speech
from ..fake_openai import Call, FakeOpenAI, Reply

_MEBIBYTE = 1024**2

PLAIN = "Tell me a joke", [Reply("It is a fine day.")]
TOOL = (
    "Turn on Desk",
    [Reply(tool_calls=[Call("*HassTurnOn", {"name": "Desk"})]), Reply("It is on.")],
)


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent that asks the model in every turn."""
    return {"quick_confirmation": False}


@dataclass(frozen=True, slots=True)
class Counts:
    """Counters of work, since the last `reset`."""

    home: HomeAssistant
    conversions: MagicMock
    """Schemas of tools that were converted."""
    descriptions: MagicMock
    """How often Home Assistant described the home."""
    renders: MagicMock
    """Templates that Home Assistant rendered for the prompt."""
    tool_json: MagicMock
    """Tools that were turned into JSON."""
    writes: MagicMock
    """Conversations that were stored."""

    def reset(self) -> None:
        parts = self.conversions, self.descriptions, self.renders, self.tool_json, self.writes
        for each in parts:
            each.reset_mock()


@pytest.fixture
def counts(ask: Ask, home: HomeAssistant) -> Iterator[Counts]:
    async_mock_service(home, "light", "turn_on")
    with ExitStack() as stack:

        def counted(target: Any, name: str) -> MagicMock:
            return stack.enter_context(
                patch.object(target, name, autospec=True, side_effect=getattr(target, name))
            )

        yield Counts(
            home,
            counted(tool_definitions, "to_openapi"),
            counted(llm, "async_get_api"),
            counted(ChatLog, "_async_expand_prompt_template"),
            counted(ToolDefinition, "to_wire"),
            counted(HassConversationStore, "save"),
        )


@pytest.mark.parametrize("conversation_id", ["desk", None], ids=["same", "new"])
@pytest.mark.parametrize("turn", [PLAIN, TOOL], ids=["plain", "tool"])
async def test_later_turns_make_nothing_of_the_home_again(
    ask: Ask,
    server: FakeOpenAI,
    counts: Counts,
    turn: tuple[str, list[Reply]],
    conversation_id: str | None,
) -> None:
    """Neither in the same conversation nor in a new one."""
    home, (text, replies) = counts.home, turn
    for number in range(3):
        counts.reset()
        server.script(*replies)
        assert speech(await ask(text, conversation_id)) == replies[-1].text
        await home.async_block_till_done()
        home.states.async_set("light.desk", ["on", "off"][number % 2], {"friendly_name": "Desk"})
    assert counts.conversions.call_count == 0
    assert counts.descriptions.call_count == 0
    assert counts.tool_json.call_count == 0
    assert counts.writes.call_count == 1
    # The user's instructions and the time; not at all in a session of 2026.11.
    assert counts.renders.call_count <= 2


async def test_changed_home_is_described_once(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, counts: Counts
) -> None:
    await ask("Hello", None)
    counts.reset()
    ar.async_get(home).async_create("Attic")
    home.states.async_set("todo.groceries", "2", {"friendly_name": "Groceries"})
    async_expose_entity(home, "conversation", "todo.groceries", should_expose=True)
    for _ in range(3):
        await ask("Hello", None)
    assert counts.descriptions.call_count == 1
    assert "Groceries" in server.completions[-1].messages[0]["content"]


@pytest.mark.parametrize("turn", [PLAIN, TOOL], ids=["plain", "tool"])
async def test_allocations_of_a_turn_are_bounded(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, turn: tuple[str, list[Reply]]
) -> None:
    """Of new conversations, which Home Assistant keeps for some minutes."""
    async_mock_service(home, "light", "turn_on")

    text, replies = turn

    async def turns(number: int) -> None:
        for _ in range(number):
            server.script(*replies)
            assert speech(await ask(text, None)) == replies[-1].text
        server.reset()
        await home.async_block_till_done()
        gc.collect()

    await turns(5)
    before = sys.getallocatedblocks()
    await turns(20)
    kept = (sys.getallocatedblocks() - before) / 20
    tracemalloc.start()
    try:
        await turns(3)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 1000
    assert peak < 2 * _MEBIBYTE
