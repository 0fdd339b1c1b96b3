"""The agentic loop: one turn of a conversation as an async stream of events."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum

from .errors import (
    IterationLimitReached,
    LLMError,
    LLMResponseError,
    LLMTimeoutError,
)
from .events import (
    LoopEvent,
    LoopOutcome,
    LoopState,
    StateChanged,
    ToolCallsRequested,
    ToolFinished,
    TurnFinished,
)
from .messages import Message, ToolCall, ToolDefinition, ToolResult
from .provider import (
    Completed,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    TextDelta,
)
from .tools.confirmation import CONFIRMATION_NEEDED
from .tools.execution import CallMaker, batches, only_reads
from .tools.guard import ToolDispatcher
from .turn import LastWord, Turn
from .usage import UsageStats

LOGGER = logging.getLogger(__package__)

# What the model is told behind the history, where it has to be told something.
_EMPTY = "Your answer was empty. Answer now, or call a tool."
_CLAIMED = (
    "That was not passed on, as nothing was done: no tool has changed anything. Call the tool "
    "that does it now, or say that it was not done."
)
_TALKED = (
    "That was not passed on, as the user knows no tools. If something is to be done or looked up, "
    "call the tool for it now. Otherwise answer without speaking of tools."
)
_STUCK = (
    "This does not work; no more tools can be called now. Tell the user in one sentence what "
    "was done and what was not."
)
_TIME_UP = (
    "There is no time left for tools. Answer now, in one or two sentences, with what is known."
)
_LIMIT_ASK = (
    "No more tools can be called in this turn. Say in one or two sentences what is done and what "
    "is missing, and ask whether to go on."
)
_LIMIT_ANSWER = "No more tools can be called in this turn. Answer with what is known so far."
_CONFIRM = (
    "This has not been done: the user has to agree first. Ask, in one short question that names "
    "what would be done."
)


class OnLimit(StrEnum):
    """What a turn does when it has used up its model calls."""

    ASK = "ask"
    ANSWER = "answer"
    STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """What the agent itself says, in the language of the user."""

    language: str = ""
    """Which one that is, such as `de`."""
    done: str = "Done."
    no_answer: str = "I have no answer to that."
    cut_off: str = "I had to stop there, as the answer got too long."
    refused: str = "The language model does not want to answer that."
    limit_ask: str = "I have taken {limit} steps and am not finished. Shall I go on?"
    limit_stop: str = "I could not finish that within {limit} steps. Please ask more specifically."
    go_on: str = "Shall I go on?"
    stuck: str = "I could not get that done."
    time_up: str = "That took too long, so I stopped."
    not_done: str = "I have not done that."
    confirm: str = "Shall I really do that?"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """The limits of a turn."""

    max_iterations: int = 10
    """Calls of the model."""
    turn_timeout: float = 120
    """Seconds for the whole turn."""
    soft_timeout: float = 90
    """Seconds after which no tool is started any more."""
    grounded: bool = True
    """Whether claims of things that nobody did are held back."""
    concurrent_reads: bool = True
    """Whether tools that only read run at the same time."""
    on_limit: OnLimit = OnLimit.ASK
    note_cut_off: bool = True
    """Whether the user is told that an answer was cut off by the token limit."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows from an answer of the model."""

    calls: tuple[ToolCall, ...] = ()
    warning: str | None = None


def decide(result: CompletionResult) -> Decision:
    """Tell whether tools are to be called, and what is odd about the answer.

    Calls are made whatever the server gives as the reason for stopping: some say `stop` beside
    them. An answer without calls is final.
    """
    if result.tool_calls:
        return Decision(calls=result.tool_calls)
    match result.finish_reason:
        case "stop":
            return Decision()
        case "tool_calls":
            return Decision(warning="announced tool calls and made none")
        case reason:
            return Decision(warning=f"stopped with the reason {reason}")


class AgenticLoop:
    """Handles one turn per call and keeps nothing between them.

    The model is asked; the tools that it calls are run and their results given back to it;
    and so on, until it answers without calling a tool or has to stop calling them: the limit
    is reached, time runs out, nothing works, or the user has to agree first. Then it is asked
    for a last word, without tools.
    """

    def __init__(
        self,
        provider: LLMProvider,
        settings: LoopSettings | None = None,
        *,
        phrases: Phrases | None = None,
        system_prompt: str | None = None,
    ) -> None:
        """Take the model, the limits, and what opens every request."""
        self._provider = provider
        self._settings = settings or LoopSettings()
        self._phrases = phrases or Phrases()
        self._system_prompt = system_prompt

    async def run(
        self,
        user_text: str,
        chat_history: Sequence[Message],
        tools: ToolDispatcher | None = None,
    ) -> str:
        """Return the answer to a message.

        Raises `IterationLimitReached` when the model calls tools without end, and the
        provider's `LLMError` when there is no answer.
        """
        # The stream is read to its end, as an error comes behind the last event.
        (turn,) = [
            event
            async for event in self.stream(user_text, chat_history, tools)
            if isinstance(event, TurnFinished)
        ]
        if turn.outcome is LoopOutcome.LIMIT:
            raise IterationLimitReached(self._settings.max_iterations, turn.messages)
        return turn.text

    async def stream(
        self,
        user_text: str,
        chat_history: Sequence[Message],
        tools: ToolDispatcher | None = None,
        *,
        suffix: str | None = None,
        agreed: ToolCall | None = None,
    ) -> AsyncGenerator[LoopEvent]:
        """Yield what happens in the turn, `TurnFinished` last.

        The suffix is what changes from turn to turn, such as the time. It is sent behind the
        message. The history that the next turn is given has to have it there, too: then a server
        need not read again what stands before its message.
        In languages that are known here, claims of things that nobody did are not passed on.
        A call that the user has just agreed to is made before the model is asked.

        Raises the provider's `LLMError` after that when there is no answer. Closing the
        generator ends the turn; a tool that is writing is left to finish.
        """
        opening = [Message.system(self._system_prompt)] if self._system_prompt else []
        turn = Turn(
            history=[*opening, *chat_history, Message.user(user_text, suffix)],
            asked=user_text,
            language=self._phrases.language if self._settings.grounded else "",
        )
        yield StateChanged(LoopState.RECEIVE_INPUT, 0)
        # Every stream inside is closed with the one around it: at once, not when it is collected.
        try:
            async with aclosing(self._iterate(turn, tools, agreed)) as events:
                async for event in events:
                    yield event
        except LLMError:
            yield turn.finish(LoopOutcome.ERROR)
            raise
        except asyncio.CancelledError, GeneratorExit:
            turn.finish(LoopOutcome.CANCELLED)
            raise
        yield turn.finish(turn.outcome, turn.text)

    async def _iterate(
        self, turn: Turn, tools: ToolDispatcher | None, agreed: ToolCall | None
    ) -> AsyncGenerator[LoopEvent]:
        calls: tuple[ToolCall, ...] = (agreed,) if agreed else ()
        while turn.last_word is None:
            # Read anew each time: a tool that keeps failing is no longer on offer.
            definitions = {tool.name: tool for tool in (tools.definitions if tools else ())}
            if not calls:
                async with aclosing(self._ask(turn, definitions)) as events:
                    async for event in events:
                        yield event
                calls = turn.last.tool_calls
            if calls and tools is not None:
                async with aclosing(self._execute(turn, tools, calls, definitions)) as events:
                    async for event in events:
                        yield event
                calls = ()
            elif not self._asks_again(turn):
                break
        if turn.last_word is None:
            for answer in self._compose(turn):
                yield answer
        else:
            async with aclosing(self._say_last(turn, turn.last_word)) as events:
                async for event in events:
                    yield event

    async def _ask(
        self, turn: Turn, definitions: Mapping[str, ToolDefinition]
    ) -> AsyncGenerator[LoopEvent]:
        """Ask the model for the next step; it is then in `turn.last`."""
        turn.iterations += 1
        async with aclosing(self._infer(turn, list(definitions.values()))) as events:
            async for event in events:
                yield event
        yield turn.enter(LoopState.TOOL_DECISION)
        decision = decide(turn.last)
        if decision.warning:
            LOGGER.warning("The model %s", decision.warning)

    async def _execute(
        self,
        turn: Turn,
        tools: ToolDispatcher,
        calls: tuple[ToolCall, ...],
        definitions: Mapping[str, ToolDefinition],
    ) -> AsyncGenerator[LoopEvent]:
        """Have the calls of an answer made; their results are then in `turn.results`."""
        first = len(turn.results)
        turn.added.append(Message.assistant(turn.said or None, calls))
        turn.said = ""
        yield ToolCallsRequested(calls)
        yield turn.enter(LoopState.TOOL_EXECUTION)
        maker = CallMaker(
            tools,
            start_by=self._start_by(turn),
            finish_by=turn.started + self._settings.turn_timeout,
        )
        concurrent = self._settings.concurrent_reads
        for batch in batches(calls, definitions, concurrent_reads=concurrent):
            for result in await asyncio.gather(*map(maker.make, batch)):
                turn.results.append(result)
                turn.wrote |= not (result.error or only_reads(definitions.get(result.call.name)))
                yield ToolFinished(result)
        yield turn.enter(LoopState.RESULT_AGGREGATION)
        latest = turn.results[first:]
        turn.added += [Message.tool(result.call.id, result.content) for result in latest]
        turn.last_word = self._last_word(turn, latest, definitions)

    async def _infer(
        self, turn: Turn, definitions: Sequence[ToolDefinition]
    ) -> AsyncGenerator[LoopEvent]:
        """Ask the model once; its answer is then in `turn.last`."""
        yield turn.enter(LoopState.LLM_INFERENCE)
        claims = turn.claim_filter(definition.name for definition in definitions)
        streamed = False
        events = self._provider.stream(turn.messages, definitions)
        async with aclosing(events):
            while not isinstance(event := await self._next(turn, events), Completed):
                if turn.first_token is None:
                    turn.first_token = time.monotonic() - turn.started
                if isinstance(event, TextDelta):
                    streamed = True
                    for passed in turn.say(claims.feed(event.text)):
                        yield passed
                else:
                    yield event
        rest = "" if streamed else claims.feed(event.result.content or "")
        for passed in turn.say(rest + claims.finish()):
            yield passed
        turn.note, turn.claimed, turn.talked = None, claims.claimed, claims.talked
        turn.last = event.result
        turn.usage += event.result.usage or UsageStats()

    async def _next(self, turn: Turn, events: AsyncGenerator[ProviderEvent]) -> ProviderEvent:
        """Wait for an event, but not beyond the end of the turn."""
        left = max(0.0, turn.started + self._settings.turn_timeout - time.monotonic())
        try:
            async with asyncio.timeout(left):
                return await anext(events)
        except StopAsyncIteration:
            raise LLMResponseError("the answer ended without its end") from None
        except TimeoutError:
            raise LLMTimeoutError(
                f"the turn was not over after {self._settings.turn_timeout:g} s"
            ) from None

    def _start_by(self, turn: Turn) -> float:
        """Return when the last tool may be started."""
        return turn.started + min(self._settings.soft_timeout, self._settings.turn_timeout)

    def _asks_again(self, turn: Turn) -> bool:
        """Tell whether the model gets another chance, and note what was wrong."""
        if turn.claimed:
            turn.claims += 1
            turn.note = (turn.claimed, _TALKED if turn.talked else _CLAIMED)
            return turn.claims == 1
        reason = turn.last.finish_reason
        if turn.said.strip() or turn.wrote or reason not in {"stop", "tool_calls"}:
            return False
        turn.note = ("", _EMPTY)
        return turn.corrections.correct()

    def _last_word(
        self,
        turn: Turn,
        latest: Sequence[ToolResult],
        definitions: Mapping[str, ToolDefinition],
    ) -> LastWord | None:
        """Return how the turn is to end now, None if the model may go on."""
        may_go_on = turn.corrections.after(latest)
        if any(_ends_turn(result, definitions.get(result.call.name)) for result in latest):
            return LastWord(otherwise=self._instead_of_silence(turn))
        if any(result.error_type == CONFIRMATION_NEEDED for result in latest):
            return LastWord(
                note=_CONFIRM, otherwise=self._phrases.confirm, question=self._phrases.confirm
            )
        if not may_go_on:
            return LastWord(note=_STUCK, otherwise=self._phrases.stuck)
        if time.monotonic() >= self._start_by(turn):
            return LastWord(note=_TIME_UP, otherwise=self._phrases.time_up)
        if turn.steps >= self._settings.max_iterations:
            return self._limit()
        return None

    def _limit(self) -> LastWord:
        limit, outcome = self._settings.max_iterations, LoopOutcome.LIMIT
        asks, stops = (
            phrase.format(limit=limit)
            for phrase in (self._phrases.limit_ask, self._phrases.limit_stop)
        )
        match self._settings.on_limit:
            case OnLimit.ASK:
                return LastWord(
                    note=_LIMIT_ASK,
                    otherwise=asks,
                    question=self._phrases.go_on,
                    outcome=outcome,
                )
            case OnLimit.ANSWER:
                return LastWord(note=_LIMIT_ANSWER, otherwise=stops, outcome=outcome)
        return LastWord(otherwise=stops, outcome=outcome)

    async def _say_last(self, turn: Turn, word: LastWord) -> AsyncGenerator[LoopEvent]:
        """End the turn without tools; what they returned stays in the history."""
        rest = word.otherwise
        if word.note and time.monotonic() < turn.started + self._settings.turn_timeout:
            turn.note = ("", word.note)
            try:
                async with aclosing(self._infer(turn, ())) as events:
                    async for event in events:
                        yield event
            except LLMError as err:
                LOGGER.debug("The model had no last word: %s", err)
                rest = f" … {rest}" if turn.said else rest
            else:
                rest = word.behind(turn.said)
        yield turn.enter(LoopState.RESPONSE_COMPOSITION)
        for said in turn.conclude(rest, word.outcome):
            yield said
        yield turn.enter(LoopState.OUTPUT)

    def _compose(self, turn: Turn) -> Iterator[LoopEvent]:
        """End the turn with the model's last answer, or with a sentence where it has none."""
        yield turn.enter(LoopState.RESPONSE_COMPOSITION)
        rest = ""
        if turn.claimed:
            rest = f" {self._phrases.not_done}" if turn.said else self._phrases.not_done
        elif not turn.said.strip():
            rest = self._instead_of_silence(turn)
        elif turn.last.finish_reason == "length" and self._settings.note_cut_off:
            rest = f" … {self._phrases.cut_off}"
        yield from turn.conclude(rest, LoopOutcome.FINAL)
        yield turn.enter(LoopState.OUTPUT)

    def _instead_of_silence(self, turn: Turn) -> str:
        if turn.last.finish_reason == "content_filter":
            return self._phrases.refused
        # Only something that was changed is done; having looked something up is no answer.
        return self._phrases.done if turn.wrote else self._phrases.no_answer


def _ends_turn(result: ToolResult, definition: ToolDefinition | None) -> bool:
    return not result.error and definition is not None and definition.ends_turn
