"""Tests of probing the capabilities of a model."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any, override

import pytest

from custom_components.chatterbox.agent.errors import (
    LLMAPIError,
    LLMConnectionError,
    LLMError,
    LLMRateLimitError,
)
from custom_components.chatterbox.agent.messages import ToolCall
from custom_components.chatterbox.agent.model.capabilities import (
    ModelCapabilities,
    probe_capabilities,
)
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
)
from custom_components.chatterbox.agent.model.server_quirks import Quirk, ServerQuirks

CALLS = tuple(ToolCall(id=str(n), name="get_time", arguments={"city": "Oslo"}) for n in (1, 2))
REPLY = '{"tool": "get_time", "city": "Oslo"}'


class Server(LLMProvider):
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

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Answer as this model does."""
        tools, response_format = request.tools, request.response_format
        asked_first = not tools and not response_format
        if self.error and not (asked_first and isinstance(self.error, LLMRateLimitError)):
            raise self.error
        if tools and not self.calls and not self.ignores and self.finish_reason == "stop":
            raise LLMAPIError("no tools", 400)
        if response_format:
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
    """Return the final result of the probe."""
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
async def test_missing_capability_is_learned(server: Server, learned: set[str]) -> None:
    quirks = ServerQuirks()
    await found(server, quirks)
    assert quirks.known.keys() == learned


async def test_known_native_call_is_not_disproved_by_the_probe() -> None:
    quirks = ServerQuirks()
    quirks.learn(Quirk.CALLED_NATIVELY)
    await found(Server(schema=REPLY, ignores=True), quirks)
    assert quirks.known.keys() == {Quirk.CALLED_NATIVELY}


async def test_placeholders_show_unknown_as_a_symbol() -> None:
    """An unknown capability is neither present nor missing."""
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


async def test_rejected_tool_choice_means_no_forced_calls() -> None:
    """The model calls the tool, but the request had no `tool_choice`."""
    choiceless = ServerQuirks()
    choiceless.learn("tool_choice")
    assert (await found(Server(calls=1), choiceless)).forced is False
