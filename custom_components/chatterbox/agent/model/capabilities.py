"""Capabilities of a model and its server, probed with a few short requests."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace

from ..errors import LLMAPIError, LLMError
from ..messages import Message, ToolDefinition
from .provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ReasoningDelta,
    ResponseFormat,
    ToolChoice,
)
from .server_quirks import Quirk, ServerQuirks
from .workarounds import REJECTION_STATUSES

_TOOL = ToolDefinition(
    name="get_time",
    description="Tells the time in a city.",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
)
_REQUEST = CompletionRequest(
    messages=(Message.user("What time is it in Oslo, and what time is it in Lima?"),)
)
_PARALLEL_CALLS = 2
# The question does not mention it: only the schema makes a model write it.
_SCHEMA_VALUE = "get_time"
_RESPONSE_FORMAT: ResponseFormat = {
    "type": "json_schema",
    "json_schema": {
        "name": "reply",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"tool": {"const": _SCHEMA_VALUE}, "city": {"type": "string"}},
            "required": ["tool", "city"],
            "additionalProperties": False,
        },
    },
}
_SYMBOLS: Mapping[bool | None, str] = {True: "✓", False: "✗", None: "?"}
# Instead of a number of calls, where the server rejected the tools.
_REJECTED = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCapabilities:
    """Capabilities of a model; None means unknown."""

    streaming: bool | None = None
    tools: bool | None = None
    parallel: bool | None = None
    """Whether the model makes several tool calls in one answer."""
    forced: bool | None = None
    """Whether `tool_choice` can require a tool call."""
    schema: bool | None = None
    """Whether answers follow a JSON schema."""
    reasoning: bool | None = None
    """Whether the server separates the reasoning from the answer."""
    context_window: int | None = None
    """Tokens."""
    vision: bool | None = None

    @property
    def as_placeholders(self) -> dict[str, str]:
        """The placeholders of a translated text, as symbols that need no translation."""
        return {
            "streaming": _SYMBOLS[self.streaming],
            "tools": _SYMBOLS[self.tools],
            "parallel": _SYMBOLS[self.parallel],
            "forced": _SYMBOLS[self.forced],
            "schema": _SYMBOLS[self.schema],
            "reasoning": _SYMBOLS[self.reasoning],
            "vision": _SYMBOLS[self.vision],
            "window": str(self.context_window or _SYMBOLS[None]),
        }


async def probe_capabilities(
    known: ModelCapabilities, provider: LLMProvider, quirks: ServerQuirks
) -> AsyncGenerator[ModelCapabilities]:
    """Yield the known capabilities, with more of them after each request.

    A rejected request shows that a capability is missing; a failed one shows nothing. `quirks`,
    which are those of `provider`, learn what later turns need.
    """
    if (answer := await _attempt(lambda: _ask(provider, _REQUEST))) is None:
        return
    deltas, _, reasoning = answer
    known = replace(known, streaming=deltas > 1, reasoning=reasoning)
    yield known
    calls = await _attempt(lambda: _count_calls(provider, "auto"), rejected=_REJECTED)
    known = replace(
        known,
        tools=_at_least_one(calls),
        parallel=calls >= _PARALLEL_CALLS if calls is not None and calls > 0 else None,
    )
    yield known
    forced = await _attempt(lambda: _count_calls(provider, "required"), rejected=_REJECTED)
    known = replace(
        known,
        tools=known.tools or _at_least_one(forced),
        forced=_at_least_one(forced) if "tool_choice" not in quirks.rejected else False,
    )
    if known.tools is False and not quirks.called_natively:
        quirks.learn(Quirk.TOOLS if calls == _REJECTED else Quirk.IGNORES_TOOLS)
    yield known
    follows = await _attempt(lambda: _follows_schema(provider), rejected=False)
    if follows is False:
        quirks.learn(Quirk.RESPONSE_FORMAT)
    yield replace(known, schema=follows)


def _at_least_one(calls: int | None) -> bool | None:
    return None if calls is None else calls > 0


async def _attempt[T](
    request: Callable[[], Awaitable[T | None]], rejected: T | None = None
) -> T | None:
    """Return the result of a request: `rejected` if the server rejects it, None if it fails."""
    try:
        return await request()
    except LLMError as err:
        if isinstance(err, LLMAPIError) and err.status_code in REJECTION_STATUSES:
            return rejected
        return None


async def _count_calls(provider: LLMProvider, choice: ToolChoice) -> int | None:
    """Return the number of tool calls, None if the answer was truncated before the first."""
    request = replace(_REQUEST, tools=(_TOOL,), tool_choice=choice)
    _, result, _ = await _ask(provider, request)
    count = sum(call.name == _TOOL.name for call in result.tool_calls)
    return None if not count and result.finish_reason == "length" else count


async def _follows_schema(provider: LLMProvider) -> bool | None:
    request = replace(_REQUEST, response_format=_RESPONSE_FORMAT)
    _, result, _ = await _ask(provider, request)
    if result.finish_reason == "length":
        return None
    try:
        reply = json.loads(result.content or "")
    except ValueError:
        return False
    return isinstance(reply, dict) and reply.get("tool") == _SCHEMA_VALUE


async def _ask(
    provider: LLMProvider, request: CompletionRequest
) -> tuple[int, CompletionResult, bool]:
    """Return the number of deltas, the answer, and whether it had separate reasoning."""
    deltas, reasoning, result = 0, False, CompletionResult()
    async with aclosing(provider.stream(request)) as events:
        async for event in events:
            if isinstance(event, Completed):
                result = event.result
            else:
                deltas += 1
                reasoning = reasoning or isinstance(event, ReasoningDelta)
    return deltas, result, reasoning
