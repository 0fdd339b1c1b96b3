"""Tests of finding out what a model can do."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.abilities import (
    ModelCapabilities,
    probe_capabilities,
    supports_vision,
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
from custom_components.chatterbox.agent.server_quirks import Quirk, ServerQuirks

CALLS = tuple(ToolCall(id=str(n), name="get_time", arguments={"city": "Oslo"}) for n in (1, 2))
REPLY = '{"tool": "get_time", "city": "Oslo"}'


class Server:
    """A model that can do some things."""

    def __init__(
        self,
        *,
        calls: int = 0,
        schema: str | None = None,
        error: LLMError | None = None,
        finish_reason: str = "stop",
        ignores: bool = False,
    ) -> None:
        self.calls = calls
        self.ignores = ignores
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
        if tools and not self.calls and not self.ignores and self.finish_reason == "stop":
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


async def found(server: Server, quirks: ServerQuirks | None = None) -> ModelCapabilities:
    """Return what is found out in the end."""
    known = ModelCapabilities()
    async for capabilities in probe_capabilities(known, server, quirks or ServerQuirks()):
        known = capabilities
    return known


@pytest.mark.parametrize(
    ("server", "learned"),
    [
        (Server(calls=2, schema=REPLY), set()),
        (Server(schema=REPLY), {Quirk.TOOLS}),
        (Server(schema=REPLY, ignores=True), {Quirk.IGNORES_TOOLS}),
        (Server(calls=1, schema="no json"), {Quirk.RESPONSE_FORMAT}),
        (Server(calls=1, schema="[]"), {Quirk.RESPONSE_FORMAT}),
        (Server(calls=1, schema='{"tool": "x"}'), {Quirk.RESPONSE_FORMAT}),
        (Server(schema="no json"), {Quirk.TOOLS, Quirk.RESPONSE_FORMAT}),
        (Server(error=LLMConnectionError("off")), set()),
        (Server(error=LLMRateLimitError("busy", 429)), set()),
        (Server(schema="no json", finish_reason="length"), set()),
    ],
)
async def test_what_does_not_work_is_learned(server: Server, learned: set[str]) -> None:
    quirks = ServerQuirks()
    await found(server, quirks)
    assert quirks.known.keys() == learned


async def test_a_call_of_another_name_is_a_native_call_all_the_same() -> None:
    quirks = ServerQuirks()
    quirks.learn(Quirk.CALLED_NATIVELY)
    await found(Server(schema=REPLY, ignores=True), quirks)
    assert quirks.known.keys() == {Quirk.CALLED_NATIVELY}


async def test_everything_is_told_in_marks() -> None:
    """What is not known is told so, and what was not refused is not called impossible."""
    assert (await found(Server(calls=1))).as_placeholders == {
        "streaming": "✓",
        "tools": "✓",
        "parallel": "✗",
        "forced": "✓",
        "schema": "✗",
        "reasoning": "✓",
        "vision": "?",
        "window": "?",
    }
    busy = await found(Server(error=LLMRateLimitError("busy", 429)))
    assert (busy.streaming, busy.tools, busy.forced, busy.schema) == (True, None, None, None)
    assert replace(busy, context_window=4096).as_placeholders["window"] == "4096"


async def test_a_call_that_cannot_be_demanded_is_known() -> None:
    """Though the model calls: what its server refused was left out."""
    choiceless = ServerQuirks()
    choiceless.learn("tool_choice")
    assert (await found(Server(calls=1), choiceless)).forced is False


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
    assert supports_vision(details) == vision
