"""Capabilities of a model and its server, probed with a few short questions."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from .errors import LLMAPIError, LLMError
from .messages import Message, ToolDefinition
from .provider import (
    Completed,
    CompletionResult,
    FormattingProvider,
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
_QUESTION = [Message.user("What time is it in Oslo, and what time is it in Lima?")]
_BOTH = 2
# Not a word of the question asks for it.
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
_MARKS: Mapping[bool | None, str] = {True: "✓", False: "✗", None: "?"}
# Instead of a number of calls: the server has rejected the tools.
_REJECTED = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCapabilities:
    """Capabilities of a model; None means unknown."""

    streaming: bool | None = None
    tools: bool | None = None
    parallel: bool | None = None
    """Whether several tools are called in one answer."""
    forced: bool | None = None
    """Whether a call can be demanded."""
    schema: bool | None = None
    """Whether an answer follows a JSON schema."""
    reasoning: bool | None = None
    """Whether the reasoning comes apart from the answer."""
    window: int | None = None
    """Tokens of the context window."""
    vision: bool | None = None

    @property
    def as_placeholders(self) -> dict[str, str]:
        """Everything as signs that need no language."""
        return {
            "streaming": _MARKS[self.streaming],
            "tools": _MARKS[self.tools],
            "parallel": _MARKS[self.parallel],
            "forced": _MARKS[self.forced],
            "schema": _MARKS[self.schema],
            "reasoning": _MARKS[self.reasoning],
            "vision": _MARKS[self.vision],
            "window": str(self.window or _MARKS[None]),
        }


def supports_vision(details: Mapping[str, Any]) -> bool | None:
    """Return whether a model takes images, None if its entry in the list of models is silent."""
    architecture = details.get("architecture")
    modalities = architecture.get("input_modalities") if isinstance(architecture, Mapping) else None
    if isinstance(modalities, list):
        return "image" in modalities
    if isinstance(capabilities := details.get("capabilities"), list):
        return bool({"vision", "multimodal", "image"} & {str(one) for one in capabilities})
    return None


async def probe_capabilities(
    known: ModelCapabilities, provider: FormattingProvider, quirks: ServerQuirks
) -> AsyncGenerator[ModelCapabilities]:
    """Yield what is known already with ever more of what a few questions show.

    A rejected question shows that what it needs is not there; a failed one shows nothing. What
    counts for the turns to come is learned into `quirks`, those of `provider`.
    """
    if (answer := await _tried(lambda: _ask(provider, _QUESTION))) is None:
        return
    pieces, _, thought = answer
    known = replace(known, streaming=pieces > 1, reasoning=thought)
    yield known
    calls = await _tried(lambda: _calls(provider, "auto"), rejected=_REJECTED)
    known = replace(
        known,
        tools=_at_least_one(calls),
        parallel=calls >= _BOTH if calls is not None and calls > 0 else None,
    )
    yield known
    forced = await _tried(lambda: _calls(provider, "required"), rejected=_REJECTED)
    known = replace(
        known,
        tools=known.tools or _at_least_one(forced),
        forced=_at_least_one(forced) if "tool_choice" not in quirks.refused else False,
    )
    if known.tools is False and not quirks.called_natively:
        quirks.learn(Quirk.TOOLS if calls == _REJECTED else Quirk.IGNORES_TOOLS)
    yield known
    follows = await _tried(lambda: _follows_schema(provider), rejected=False)
    if follows is False:
        quirks.learn(Quirk.RESPONSE_FORMAT)
    yield replace(known, schema=follows)


def _at_least_one(calls: int | None) -> bool | None:
    return None if calls is None else calls > 0


async def _tried[T](
    attempt: Callable[[], Awaitable[T | None]], rejected: T | None = None
) -> T | None:
    """Return the result of an attempt: `rejected` if the server rejects it, None if it fails."""
    try:
        return await attempt()
    except LLMError as err:
        if isinstance(err, LLMAPIError) and err.status_code in REJECTION_STATUSES:
            return rejected
        return None


async def _calls(provider: FormattingProvider, choice: ToolChoice) -> int | None:
    """Return how often the tool was called, None where the answer was cut off before."""
    _, result, _ = await _ask(provider, _QUESTION, [_TOOL], choice)
    count = sum(call.name == _TOOL.name for call in result.tool_calls)
    return None if not count and result.finish_reason == "length" else count


async def _follows_schema(provider: FormattingProvider) -> bool | None:
    _, result, _ = await _ask(provider, _QUESTION, response_format=_RESPONSE_FORMAT)
    if result.finish_reason == "length":
        return None
    try:
        reply = json.loads(result.content or "")
    except ValueError:
        return False
    return isinstance(reply, dict) and reply.get("tool") == _SCHEMA_VALUE


async def _ask(
    provider: FormattingProvider,
    messages: Sequence[Message],
    tools: Sequence[ToolDefinition] = (),
    choice: ToolChoice = "auto",
    response_format: ResponseFormat | None = None,
) -> tuple[int, CompletionResult, bool]:
    """Return how many pieces an answer came in, the answer, and whether there was reasoning."""
    pieces, thought, result = 0, False, CompletionResult()
    events = provider.stream(messages, tools, tool_choice=choice, response_format=response_format)
    async with aclosing(events):
        async for event in events:
            if isinstance(event, Completed):
                result = event.result
            else:
                pieces += 1
                thought = thought or isinstance(event, ReasoningDelta)
    return pieces, result, thought
