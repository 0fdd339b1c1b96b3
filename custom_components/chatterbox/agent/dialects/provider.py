"""A model that speaks a dialect, as the loop asks it: the loop never knows which."""

import logging
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import TypeIs, override

from ..errors import LLMAPIError, LLMUnsupportedError
from ..messages import Message, Role, ToolDefinition
from ..prompt import with_notes
from ..provider import (
    Completed,
    FormattingProvider,
    LLMProvider,
    ProviderEvent,
    ToolChoice,
)
from ..quirks import RESPONSE_FORMAT, TOOLS, ServerQuirks, is_unreadable
from ..usage import UsageStats
from .arguments import ArgumentNormalizer
from .dialect import Dialect, DialectName, DialectSettings, Native, Request
from .quoted_calls import QuotedCalls
from .reader import AnswerReader
from .schemas import chosen, compact
from .structured import Structured
from .text import Text
from .wire_names import rename, wire_names

LOGGER = logging.getLogger(__package__)

# A single million is the length of a context.
_BILLIONS = re.compile(
    r"(?<![a-z0-9.])e?(\d+(?:\.\d+)?)\s*(b|(?<=\d\d)m)(?![a-z0-9])", re.IGNORECASE
)
# Billions of parameters up to which a model is helped: below, one rarely calls a tool unaided.
_SMALL = 4.0
_TOOLS_FOR_SMALL = 16
# How often in a row a server may fail to read calls before it is asked in another way for good.
_SLIPS = 2


def model_size(model: str) -> float | None:
    """Return the billions of parameters that a model's name tells, None if it does not."""
    sizes = [
        float(number) / (1000 if unit in "mM" else 1) for number, unit in _BILLIONS.findall(model)
    ]
    return max(sizes) if sizes else None


def is_small(model: str) -> bool:
    """Tell whether a model needs help to call tools, as far as its name tells."""
    size = model_size(model)
    return size is not None and size <= _SMALL


class DialectProvider(LLMProvider):
    """Stands between the loop and a provider: requests and answers travel in a dialect."""

    def __init__(
        self,
        provider: FormattingProvider,
        model: str,
        settings: DialectSettings | None = None,
        quirks: ServerQuirks | None = None,
    ) -> None:
        """Take the provider, and what is known of its server and model."""
        self._provider = provider
        self._settings = settings or DialectSettings()
        self._quirks = quirks or ServerQuirks()
        self._small = is_small(model)
        # Whether tools as the protocol has them have failed in this turn.
        self._given_up = False

    @override
    async def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None = None,
        *,
        tool_choice: ToolChoice = "auto",
    ) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`."""
        offered = self._offered(tools or ())
        request = Request(
            messages=tuple(
                with_notes(messages, self._settings.vocabulary) if self._small else messages
            ),
            tools=tuple(offered),
            tool_choice=tool_choice,
        )
        spent: UsageStats | None = None
        while True:
            name = self.dialect
            begun = False
            try:
                async with aclosing(self._attempt(self._made(name), request)) as events:
                    async for event in events:
                        if self._small and not begun and _says_it_again(event, request):
                            spent = event.result.usage
                            break
                        begun = True
                        if name is DialectName.NATIVE:
                            self._quirks.unreadable = 0
                        yield _with_usage(event, spent)
                    else:
                        return
            except LLMAPIError as err:
                other_way = isinstance(err, LLMUnsupportedError) or is_unreadable(str(err))
                native = name is DialectName.NATIVE and request.tools
                if begun or not other_way or not native or self._chosen_by_user:
                    raise
                LOGGER.debug("The server cannot make tool calls (%s)", err)
                self._given_up = True
                self._quirks.unreadable += 1
                # A good model may slip once.
                if isinstance(err, LLMUnsupportedError) or self._quirks.unreadable >= _SLIPS:
                    self._quirks.learn(TOOLS)
            else:
                # What has been done once is enough: now the model has to say something.
                request = replace(request, tool_choice="none")

    @property
    def _chosen_by_user(self) -> bool:
        return self._settings.dialect is not DialectName.AUTO

    @property
    def dialect(self) -> DialectName:
        """The dialect that promises most, as far as the server and model are known."""
        if self._chosen_by_user:
            return self._settings.dialect
        if TOOLS in self._quirks.refused or self._small or self._given_up:
            schemas = RESPONSE_FORMAT not in self._quirks.refused
            return DialectName.STRUCTURED if schemas else DialectName.TEXT
        return DialectName.NATIVE

    def _made(self, name: DialectName) -> Dialect:
        match name:
            case DialectName.STRUCTURED:
                return Structured(self._settings)
            case DialectName.TEXT:
                return Text(self._settings.examples)
        return Native()

    def _offered(self, tools: Sequence[ToolDefinition]) -> list[ToolDefinition]:
        """Return the tools as this model gets them."""
        settings = self._settings
        limit = settings.max_tools
        if limit is None:
            limit = _TOOLS_FOR_SMALL if self._small else 0
        offered = chosen(tools, limit) if limit else list(tools)
        if self._small if settings.compact_tools is None else settings.compact_tools:
            offered = [compact(tool) for tool in offered]
        return offered

    async def _attempt(self, dialect: Dialect, request: Request) -> AsyncGenerator[ProviderEvent]:
        names = wire_names(tool.name for tool in request.tools)
        encoded = dialect.encode(rename(request, names))
        aliases = {wire: name for name, wire in names.items()}
        normalizer = ArgumentNormalizer(request.tools, self._settings.names, aliases)
        reader = AnswerReader(
            normalizer,
            QuotedCalls(request.messages, normalizer.tool_name),
            calls=bool(request.tools) and request.tool_choice != "none",
            starts_thinking=self._quirks.starts_thinking and self._settings.thinks,
        )
        events = self._provider.stream(
            encoded.messages,
            encoded.tools,
            tool_choice=encoded.tool_choice,
            response_format=encoded.response_format,
        )
        async with aclosing(events):
            async for event in events:
                for told in reader.read(event):
                    if isinstance(told, Completed) and self._settings.thinks:
                        self._quirks.observe_reasoning(unopened=reader.unopened_reasoning)
                    yield told


def _with_usage(event: ProviderEvent, spent: UsageStats | None) -> ProviderEvent:
    """Return an event with what was spent before, where it tells what was spent."""
    if spent is None or not isinstance(event, Completed):
        return event
    usage = event.result.usage
    return Completed(replace(event.result, usage=spent + usage if usage else spent))


def _says_it_again(event: ProviderEvent, request: Request) -> TypeIs[Completed]:
    """Tell whether an answer is nothing but the calls whose results the model has just been given.

    Small models do not see that they are done.
    """
    if not isinstance(event, Completed) or request.messages[-1].role is not Role.TOOL:
        return False
    made = next(message.tool_calls for message in reversed(request.messages) if message.tool_calls)
    again = [(call.name, call.arguments) for call in event.result.tool_calls]
    return bool(again) and all(
        call in [(made_call.name, made_call.arguments) for made_call in made] for call in again
    )
