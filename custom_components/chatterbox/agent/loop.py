"""The agentic loop: one turn of a conversation as an async stream of events."""

import asyncio
import itertools
import logging
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from enum import StrEnum

from .errors import (
    IterationLimitReached,
    LLMError,
    LLMResponseError,
    LLMTimeoutError,
    ToolTimeoutError,
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
    ToolChoice,
)
from .tools.guard import ToolDispatcher, describe_error
from .usage import UsageStats

LOGGER = logging.getLogger(__package__)


class OnLimit(StrEnum):
    """What a turn does when it has used up its model calls."""

    ASK = "ask"
    ANSWER = "answer"
    STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """What the agent itself says, in the language of the user."""

    done: str = "Done."
    no_answer: str = "I have no answer to that."
    cut_off: str = "I had to stop there, as the answer got too long."
    refused: str = "The language model does not want to answer that."
    limit_ask: str = "I have taken {limit} steps and am not finished. Shall I go on?"
    limit_stop: str = "I could not finish that within {limit} steps. Please ask more specifically."


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """The limits of a turn."""

    max_iterations: int = 10
    """Calls of the model."""
    turn_timeout: float = 120
    """Seconds for the whole turn."""
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


@dataclass(slots=True)
class _Turn:
    """What a turn gathers while it runs."""

    history: list[Message]
    started: float = field(default_factory=time.monotonic)
    added: list[Message] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    usage: UsageStats = field(default_factory=UsageStats)
    iterations: int = 0
    state: LoopState = LoopState.RECEIVE_INPUT
    state_since: float = field(default_factory=time.monotonic)
    timings: dict[LoopState, float] = field(default_factory=dict)
    first_token: float | None = None
    last: CompletionResult = field(default_factory=CompletionResult)
    wrote: bool = False
    outcome: LoopOutcome = LoopOutcome.FINAL
    text: str = ""

    @property
    def messages(self) -> list[Message]:
        return [*self.history, *self.added]

    def enter(self, state: LoopState) -> StateChanged:
        LOGGER.debug("state %s -> %s", self.state, state)
        self._leave()
        self.state = state
        return StateChanged(state, self.iterations)

    def _leave(self) -> None:
        now = time.monotonic()
        spent = self.timings.get(self.state, 0.0)
        self.timings[self.state] = spent + now - self.state_since
        self.state_since = now

    def answer(self, outcome: LoopOutcome, text: str) -> None:
        self.added.append(Message.assistant(text))
        self.outcome, self.text = outcome, text

    def finish(self, outcome: LoopOutcome, text: str = "") -> TurnFinished:
        self._leave()
        seconds = time.monotonic() - self.started
        LOGGER.info(
            "Turn ended (%s) after %d iterations in %.2f s", outcome, self.iterations, seconds
        )
        LOGGER.debug("Turn used %d tokens, cost %s", self.usage.total_tokens, self.usage.cost)
        return TurnFinished(
            outcome=outcome,
            text=text,
            messages=tuple(self.added),
            iterations=self.iterations,
            usage=self.usage,
            results=tuple(self.results),
            seconds=seconds,
            timings=self.timings,
            first_token=self.first_token,
        )


class AgenticLoop:
    """Handles one turn per call and keeps nothing between them.

    The model is asked; the tools that it calls are run and their results given back to it;
    and so on, until it answers without calling a tool or the limit is reached.
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
    ) -> AsyncGenerator[LoopEvent]:
        """Yield what happens in the turn, `TurnFinished` last.

        The suffix is what changes from turn to turn, such as the time. It is sent behind the
        message and is no part of the history, so that what stands before it stays the same.

        Raises the provider's `LLMError` after that when there is no answer. Closing the
        generator ends the turn; a tool that is writing is left to finish.
        """
        opening = [Message.system(self._system_prompt)] if self._system_prompt else []
        asked = f"{user_text}\n\n({suffix})" if suffix else user_text
        turn = _Turn(history=[*opening, *chat_history, Message.user(asked)])
        yield StateChanged(LoopState.RECEIVE_INPUT, 0)
        # Every stream inside is closed with the one around it: at once, not when it is collected.
        try:
            async with aclosing(self._iterate(turn, tools)) as events:
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
        self, turn: _Turn, tools: ToolDispatcher | None
    ) -> AsyncGenerator[LoopEvent]:
        definitions = list(tools.definitions) if tools else []
        by_name = {definition.name: definition for definition in definitions}
        while turn.iterations < self._settings.max_iterations:
            turn.iterations += 1
            async with aclosing(self._infer(turn, definitions)) as events:
                async for event in events:
                    yield event

            yield turn.enter(LoopState.TOOL_DECISION)
            decision = decide(turn.last)
            if decision.warning:
                LOGGER.warning("The model %s", decision.warning)
            if not decision.calls or tools is None:
                for answer in self._compose(turn):
                    yield answer
                return

            first = len(turn.results)
            async with aclosing(self._execute(turn, tools, decision.calls, by_name)) as events:
                async for event in events:
                    yield event
            yield turn.enter(LoopState.RESULT_AGGREGATION)
            latest = turn.results[first:]
            turn.added += [Message.tool(result.call.id, result.content) for result in latest]
            if any(_ends_turn(result, by_name.get(result.call.name)) for result in latest):
                turn.last = CompletionResult()
                for answer in self._compose(turn):
                    yield answer
                return

        async with aclosing(self._reach_limit(turn, definitions)) as events:
            async for event in events:
                yield event

    async def _execute(
        self,
        turn: _Turn,
        tools: ToolDispatcher,
        calls: tuple[ToolCall, ...],
        definitions: dict[str, ToolDefinition],
    ) -> AsyncGenerator[LoopEvent]:
        """Have the calls of an answer made; their results are then in `turn.results`."""
        turn.added.append(turn.last.message)
        yield ToolCallsRequested(calls)
        yield turn.enter(LoopState.TOOL_EXECUTION)
        for batch in self._batches(calls, definitions):
            made = [self._dispatch(turn, tools, call) for call in batch]
            for result in await asyncio.gather(*made):
                turn.results.append(result)
                turn.wrote |= not (result.error or _only_reads(definitions.get(result.call.name)))
                yield ToolFinished(result)

    async def _infer(
        self,
        turn: _Turn,
        definitions: Sequence[ToolDefinition],
        tool_choice: ToolChoice = "auto",
    ) -> AsyncGenerator[LoopEvent]:
        """Ask the model once; its answer is then in `turn.last`."""
        yield turn.enter(LoopState.LLM_INFERENCE)
        events = self._provider.stream(turn.messages, definitions, tool_choice=tool_choice)
        async with aclosing(events):
            while not isinstance(event := await self._next(turn, events), Completed):
                if turn.first_token is None:
                    turn.first_token = time.monotonic() - turn.started
                yield event
        turn.last = event.result
        turn.usage += event.result.usage or UsageStats()

    async def _next(self, turn: _Turn, events: AsyncGenerator[ProviderEvent]) -> ProviderEvent:
        """Wait for an event, but not beyond the end of the turn."""
        try:
            async with asyncio.timeout(self._seconds_left(turn)):
                return await anext(events)
        except StopAsyncIteration:
            raise LLMResponseError("the answer ended without its end") from None
        except TimeoutError:
            raise LLMTimeoutError(
                f"the turn was not over after {self._settings.turn_timeout:g} s"
            ) from None

    def _seconds_left(self, turn: _Turn) -> float:
        return max(0.0, turn.started + self._settings.turn_timeout - time.monotonic())

    def _batches(
        self, calls: Sequence[ToolCall], definitions: dict[str, ToolDefinition]
    ) -> list[list[ToolCall]]:
        """Group calls that may run together.

        Neighbouring reads may. A write waits for what stands before it, and what stands behind
        it waits for the write: a question about the state that it changes gets the new one.
        """
        if not self._settings.concurrent_reads:
            return [[call] for call in calls]
        batches: list[list[ToolCall]] = []
        for reads, group in itertools.groupby(
            calls, key=lambda call: _only_reads(definitions.get(call.name))
        ):
            together = list(group)
            batches += [together] if reads else [[call] for call in together]
        return batches

    async def _dispatch(self, turn: _Turn, tools: ToolDispatcher, call: ToolCall) -> ToolResult:
        """Have a call made. Whatever happens it has a result; when time is up, an error."""
        error: Exception
        if not (seconds := self._seconds_left(turn)):
            error = ToolTimeoutError(f"{call.name} was not called, as the turn took too long.")
        else:
            try:
                async with asyncio.timeout(seconds) as limit:
                    return await tools.dispatch(call)
            except Exception as err:  # noqa: BLE001 - no dispatcher may break a turn
                error = err
                if limit.expired():
                    error = ToolTimeoutError(f"{call.name} was not finished when the turn ended.")
        return ToolResult(call=call, data=describe_error(call.name, error), error=True)

    def _compose(self, turn: _Turn) -> Iterator[LoopEvent]:
        """End the turn with the model's last answer, or with a sentence where it has none."""
        yield turn.enter(LoopState.RESPONSE_COMPOSITION)
        text = turn.last.content or ""
        if not text.strip():
            text = self._instead_of_silence(turn)
            yield TextDelta(text)
        elif turn.last.finish_reason == "length" and self._settings.note_cut_off:
            note = f" … {self._phrases.cut_off}"
            text += note
            yield TextDelta(note)
        turn.answer(LoopOutcome.FINAL, text)
        yield turn.enter(LoopState.OUTPUT)

    def _instead_of_silence(self, turn: _Turn) -> str:
        if turn.last.finish_reason == "content_filter":
            return self._phrases.refused
        # Only something that was changed is done; having looked something up is no answer.
        return self._phrases.done if turn.wrote else self._phrases.no_answer

    async def _reach_limit(
        self, turn: _Turn, definitions: Sequence[ToolDefinition]
    ) -> AsyncGenerator[LoopEvent]:
        """End the turn at its limit; what the tools returned stays in the history."""
        limit = self._settings.max_iterations
        text = ""
        if self._settings.on_limit is OnLimit.ANSWER:
            try:
                async with aclosing(self._infer(turn, definitions, "none")) as events:
                    async for event in events:
                        yield event
                text = turn.last.content or ""
            except LLMError as err:
                LOGGER.debug("No answer at the limit: %s", err)
        yield turn.enter(LoopState.RESPONSE_COMPOSITION)
        if not text.strip():
            asks = self._settings.on_limit is OnLimit.ASK
            text = (self._phrases.limit_ask if asks else self._phrases.limit_stop).format(
                limit=limit
            )
            yield TextDelta(text)
        turn.answer(LoopOutcome.LIMIT, text)
        yield turn.enter(LoopState.OUTPUT)


def _only_reads(definition: ToolDefinition | None) -> bool:
    """Tell whether a tool leaves everything as it is. One that does not exist does."""
    return definition is None or definition.annotations.read_only


def _ends_turn(result: ToolResult, definition: ToolDefinition | None) -> bool:
    return not result.error and definition is not None and definition.ends_turn
