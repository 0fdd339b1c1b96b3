"""Tests of finding out what a model can do."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.abilities import (
    Abilities,
    find_abilities,
    vision_of,
)
from custom_components.chatterbox.agent.errors import (
    LLMAPIError,
    LLMConnectionError,
    LLMError,
    LLMRateLimitError,
)
from custom_components.chatterbox.agent.messages import ToolCall
from custom_components.chatterbox.agent.provider import (
    Completed,
    CompletionResult,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
)
from custom_components.chatterbox.agent.quirks import ServerQuirks

CALLS = tuple(ToolCall(id=str(n), name="get_time", arguments={"city": "Oslo"}) for n in (1, 2))
REPLY = '{"tool": "get_time", "arguments": {"city": "Oslo"}}'


class Server:
    """A model that can do some things."""

    def __init__(
        self,
        *,
        calls: int = 0,
        schema: str | None = None,
        error: LLMError | None = None,
        finish_reason: str = "stop",
    ) -> None:
        """Take how many tools it calls at once, what it answers in a schema, and how it fails."""
        self.calls = calls
        self.schema = schema
        self.error = error
        self.finish_reason = finish_reason

    async def stream(
        self, messages: Any, tools: Any = None, **more: Any
    ) -> AsyncGenerator[ProviderEvent]:
        """Answer as this model does."""
        asked_first = not tools and not more.get("response_format")
        if self.error and not (asked_first and isinstance(self.error, LLMRateLimitError)):
            raise self.error
        if tools and not self.calls and self.finish_reason == "stop":
            raise LLMAPIError("no tools", 400)
        if more.get("response_format"):
            yield self._end(content=self.schema)
            return
        if tools:
            yield self._end(tool_calls=CALLS[: self.calls])
            return
        yield ReasoningDelta("Hm")
        yield TextDelta("It is noon.")
        yield self._end(content="It is noon.")

    def _end(self, **result: Any) -> Completed:
        return Completed(CompletionResult(finish_reason=self.finish_reason, **result))


async def found(model: str, server: Server, quirks: ServerQuirks | None = None) -> Abilities:
    """Return what is found out in the end."""
    known = Abilities(model=model)
    async for ability in find_abilities(known, server, quirks or ServerQuirks()):
        known = ability
    return known


@pytest.mark.parametrize(
    ("model", "server", "dialect"),
    [
        ("big", Server(calls=2, schema=REPLY), "auto"),
        ("qwen-1.5b", Server(calls=2, schema=REPLY), "auto"),
        ("qwen-1.5b", Server(schema=REPLY), "auto"),
        ("big", Server(schema=REPLY), "structured"),
        ("big", Server(schema="no json"), "text"),
        ("big", Server(schema="[]"), "text"),
        ("big", Server(error=LLMConnectionError("off")), "auto"),
        ("big", Server(error=LLMRateLimitError("busy", 429)), "auto"),
        ("big", Server(schema="no json", finish_reason="length"), "auto"),
    ],
)
async def test_the_way_that_promises_most_is_found(
    model: str, server: Server, dialect: str
) -> None:
    """By a few short questions; nothing is proposed that would be found anyhow."""
    assert (await found(model, server)).dialect == dialect


async def test_everything_is_told_in_marks() -> None:
    """What is not known is told so, and what was not refused is not called impossible."""
    assert (await found("big", Server(calls=1))).marks == {
        "streaming": "✓",
        "tools": "✓",
        "parallel": "✗",
        "forced": "✓",
        "schema": "✗",
        "reasoning": "✓",
        "vision": "?",
        "window": "?",
    }
    busy = await found("big", Server(error=LLMRateLimitError("busy", 429)))
    assert (busy.streaming, busy.tools, busy.forced, busy.schema) == (True, None, None, None)
    assert replace(busy, window=4096).marks["window"] == "4096"


async def test_a_call_that_cannot_be_demanded_is_known() -> None:
    """Though the model calls: what its server refused was left out."""
    choiceless = ServerQuirks(refused={"tool_choice"})
    assert (await found("big", Server(calls=1), choiceless)).forced is False


@pytest.mark.parametrize(
    ("details", "vision"),
    [
        ({}, None),
        ({"architecture": {"input_modalities": ["text", "image"]}}, True),
        ({"architecture": "llama"}, None),
        ({"capabilities": ["completion"]}, False),
        ({"capabilities": {"vision": True}}, None),
    ],
)
def test_the_list_of_models_tells_more(
    details: dict[str, Any],
    vision: bool | None,  # noqa: FBT001
) -> None:
    """On servers that say it."""
    assert vision_of(details) == vision
