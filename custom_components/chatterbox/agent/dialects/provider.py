"""Provider that translates requests and answers into the dialect of a model profile."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import override

from ..const import LOGGER
from ..errors import LLMAPIError, LLMUnsupportedError
from ..model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    TextDelta,
)
from ..model.rejections import is_tool_parse_error
from ..model.server_quirks import Quirk, ServerQuirks
from .capable.arguments import ArgumentNormalizer, NameResolver
from .capable.compact_tools import compact_tool
from .capable.quoted_calls import QuotedCalls
from .capable.reader import AnswerReader
from .capable.wire_names import rename, wire_names
from .guided.action_grammar import ActionGrammar
from .guided.guided_context import GuidedContext
from .guided.reply_decoder import ReplyDecoder
from .profile import Profile

# Consecutive answers with calls that the server cannot parse, after which it counts as one without
# tool calling.
_MAX_PARSE_FAILURES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectSettings:
    """Dialect settings of a turn."""

    profile: Profile = Profile.CAPABLE
    may_fall_back: bool = True
    """Whether the turn continues in the guided profile if the server cannot make tool calls."""
    names: NameResolver | None = None
    """Resolver of the names in arguments, None to leave them as they are."""
    compact_tools: bool = False
    """Whether tools get short descriptions."""
    thinks: bool = True
    """Whether the model may reason before it answers."""


async def _no_home() -> GuidedContext:
    return GuidedContext()


class DialectProvider(LLMProvider):
    """Middleware that sends requests in a dialect, and reads the answers as text and tool calls."""

    def __init__(
        self,
        provider: LLMProvider,
        settings: DialectSettings | None = None,
        quirks: ServerQuirks | None = None,
        guided_context: Callable[[], Awaitable[GuidedContext]] = _no_home,
        repeats: Callable[[], None] | None = None,
    ) -> None:
        self._provider = provider
        self._settings = settings or DialectSettings()
        self._quirks = quirks or ServerQuirks()
        self._guided_context = guided_context
        self._repeats = repeats
        """Called before a request is repeated in the other profile."""
        self.is_guided = self._settings.profile is Profile.GUIDED
        """Whether the action grammar is in force; it may become so within a turn."""

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it is streamed, then `Completed`."""
        if self.is_guided and request.tools:
            async with aclosing(self._guided(request)) as events:
                async for event in events:
                    yield event
            return
        begun = False
        try:
            async with aclosing(self._capable(request)) as events:
                async for event in events:
                    begun = begun or isinstance(event, TextDelta)
                    if isinstance(event, Completed):
                        self._quirks.tool_parse_failures = 0
                    yield event
        except LLMAPIError as err:
            if begun or not request.tools or not self._falls_back(err):
                raise
        else:
            return
        if self._repeats is not None:
            self._repeats()
        async with aclosing(self._guided(request)) as events:
            async for event in events:
                yield event

    def _falls_back(self, err: LLMAPIError) -> bool:
        """Return whether the turn continues in the guided profile; learn from the error."""
        if not (isinstance(err, LLMUnsupportedError) or is_tool_parse_error(str(err))):
            return False
        if not self._settings.may_fall_back:
            return False
        LOGGER.debug("Server cannot make tool calls: %s", err)
        self._quirks.tool_parse_failures += 1
        # A single parse failure may be the model's.
        failures = self._quirks.tool_parse_failures
        if isinstance(err, LLMUnsupportedError) or failures >= _MAX_PARSE_FAILURES:
            self._quirks.learn(Quirk.TOOLS)
        self.is_guided = True
        return True

    async def _capable(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Stream an answer to a request with native tools."""
        tools = request.tools
        if self._settings.compact_tools:
            request = replace(request, tools=tuple(map(compact_tool, tools)))
        names = wire_names(tool.name for tool in tools)
        aliases = {wire: name for name, wire in names.items()}
        normalizer = ArgumentNormalizer(tools, self._settings.names, aliases)
        reader = self._reader(
            normalizer,
            QuotedCalls(request.messages, normalizer.tool_name),
            calls=bool(tools) and request.tool_choice != "none",
        )
        async with aclosing(self._read(rename(request, names), reader)) as events:
            async for event in events:
                yield event

    async def _guided(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Stream an answer in the action grammar."""
        grammar = ActionGrammar(await self._guided_context(), request)
        if (refusal := grammar.refusal) is not None:
            yield TextDelta(refusal)
            yield Completed(CompletionResult(content=refusal))
            return
        if calls := grammar.evident_calls:
            yield Completed(CompletionResult(tool_calls=calls, finish_reason="tool_calls"))
            return
        decoder = ReplyDecoder()
        normalizer = ArgumentNormalizer(())
        reader = self._reader(normalizer, QuotedCalls((), normalizer.tool_name), calls=False)
        text = ""
        async with aclosing(self._read(grammar.encode(), reader)) as events:
            async for event in events:
                match event:
                    case TextDelta(piece):
                        if answer := decoder.feed(piece):
                            text += answer
                            yield TextDelta(answer)
                    case Completed(result):
                        truncated = result.finish_reason == "length"
                        rest, actions = decoder.finish(truncated=truncated)
                        reply = grammar.reply(actions)
                        if rest := " ".join(filter(None, (rest, reply.text))):
                            text += rest
                            yield TextDelta(rest)
                        reason = "tool_calls" if reply.calls else result.finish_reason
                        yield Completed(
                            replace(
                                result,
                                content=text or None,
                                tool_calls=reply.calls,
                                finish_reason=reason,
                            )
                        )
                    case _:
                        yield event

    def _reader(
        self, normalizer: ArgumentNormalizer, quoted: QuotedCalls, *, calls: bool
    ) -> AnswerReader:
        return AnswerReader(
            normalizer,
            quoted,
            calls=calls,
            starts_thinking=self._quirks.starts_thinking and self._settings.thinks,
        )

    async def _read(
        self, request: CompletionRequest, reader: AnswerReader
    ) -> AsyncGenerator[ProviderEvent]:
        async with aclosing(self._provider.stream(request)) as events:
            async for event in events:
                for read in reader.read(event):
                    if isinstance(read, Completed) and self._settings.thinks:
                        self._learn_reasoning(unopened=reader.unopened_reasoning)
                    yield read

    def _learn_reasoning(self, *, unopened: bool | None) -> None:
        """Learn whether answers begin within the reasoning; None if there was no text."""
        if unopened:
            self._quirks.note_unopened_reasoning()
        elif unopened is not None:
            self._quirks.note_no_reasoning_end()
