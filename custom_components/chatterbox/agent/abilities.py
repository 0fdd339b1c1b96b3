"""What a model and its server can do, tried out with a few short questions."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from .dialects.dialect import DialectName
from .dialects.provider import is_small
from .dialects.structured import union_schema
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
from .quirks import ServerQuirks

_PLACES = ToolDefinition(
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
_MARKS: Mapping[bool | None, str] = {True: "✓", False: "✗", None: "?"}
# Statuses that say: not with this server. All others may pass.
_REFUSALS = {400, 404, 405, 415, 422, 501}


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What was found; None is what could not be found out."""

    model: str
    streaming: bool | None = None
    tools: bool | None = None
    parallel: bool | None = None
    """Whether several tools are called in one answer."""
    forced: bool | None = None
    """Whether a call can be demanded."""
    schema: bool | None = None
    """Whether an answer follows a JSON schema."""
    reasoning: bool | None = None
    """Whether thoughts come apart from the answer."""
    window: int | None = None
    """Tokens that the model can read at once."""
    vision: bool | None = None

    @property
    def dialect(self) -> DialectName:
        """The way to call tools that promises most; `auto` where that finds it by itself."""
        if self.tools is False and not self.schema:
            return DialectName.TEXT
        if self.tools is False and not is_small(self.model):
            return DialectName.STRUCTURED
        return DialectName.AUTO

    @property
    def marks(self) -> dict[str, str]:
        """Everything as marks that need no language."""
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


def vision_of(details: Mapping[str, Any]) -> bool | None:
    """Tell whether a model sees pictures, if a server's list of models says it."""
    architecture = details.get("architecture")
    modalities = architecture.get("input_modalities") if isinstance(architecture, Mapping) else None
    if isinstance(modalities, list):
        return "image" in modalities
    if isinstance(capabilities := details.get("capabilities"), list):
        return bool({"vision", "multimodal", "image"} & {str(one) for one in capabilities})
    return None


async def find_abilities(
    known: Abilities, provider: FormattingProvider, quirks: ServerQuirks
) -> AsyncGenerator[Abilities]:
    """Yield what is known already with ever more of what a few questions show.

    A question that is refused tells that what it needs is not there; one that fails tells nothing.
    `quirks` is what the provider learns while it is asked.
    """
    if (answer := await _tried(lambda: _ask(provider, _QUESTION))) is None:
        return
    pieces, _, thought = answer
    known = replace(known, streaming=pieces > 1, reasoning=thought)
    yield known
    calls = await _tried(lambda: _calls(provider, "auto"), refused=0)
    known = replace(known, tools=_sure(calls), parallel=calls >= _BOTH if calls else None)
    yield known
    forced = await _tried(lambda: _calls(provider, "required"), refused=0)
    known = replace(
        known,
        tools=known.tools or _sure(forced),
        forced=_sure(forced) if "tool_choice" not in quirks.refused else False,
    )
    yield known
    yield replace(known, schema=await _tried(lambda: _follows_schema(provider), refused=False))


def _sure(calls: int | None) -> bool | None:
    return None if calls is None else calls > 0


async def _tried[T](
    attempt: Callable[[], Awaitable[T | None]], refused: T | None = None
) -> T | None:
    """Return what comes of an attempt, `refused` where the server does not take it, else None."""
    try:
        return await attempt()
    except LLMError as err:
        refusal = isinstance(err, LLMAPIError) and err.status_code in _REFUSALS
        return refused if refusal else None


async def _calls(provider: FormattingProvider, choice: ToolChoice) -> int | None:
    """Return how often the tool was called, None where the answer was cut off before."""
    _, result, _ = await _ask(provider, _QUESTION, [_PLACES], choice)
    count = sum(call.name == _PLACES.name for call in result.tool_calls)
    return None if not count and result.finish_reason == "length" else count


async def _follows_schema(provider: FormattingProvider) -> bool | None:
    schema = union_schema([_PLACES], answers=False)
    response_format = {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": schema},
    }
    _, result, _ = await _ask(provider, _QUESTION, response_format=response_format)
    if result.finish_reason == "length":
        return None
    try:
        reply = json.loads(result.content or "")
    except ValueError:
        return False
    return isinstance(reply, dict) and reply.get("tool") == _PLACES.name


async def _ask(
    provider: FormattingProvider,
    messages: Sequence[Message],
    tools: Sequence[ToolDefinition] = (),
    choice: ToolChoice = "auto",
    response_format: ResponseFormat | None = None,
) -> tuple[int, CompletionResult, bool]:
    """Return how many pieces an answer came in, the answer, and whether there were thoughts."""
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
