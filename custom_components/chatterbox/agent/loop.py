"""The agentic loop: one turn of a conversation as an async stream of events."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing

from .errors import (
    IterationLimitReached,
    LLMAPIError,
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
from .loop_settings import LoopSettings, OnLimit, Phrases
from .messages import Message, ToolCall, ToolDefinition, ToolResult
from .provider import (
    Completed,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    TextDelta,
    ToolChoice,
)
from .steps import Decision, decide
from .tools.confirmation import CONFIRMATION_NEEDED
from .tools.dispatcher import ToolDispatcher
from .tools.execution import ToolExecutor, is_read_only, plan_batches
from .turn import FinalReply, SpeakResults, Turn
from .usage import UsageStats

__all__ = ["AgenticLoop", "Decision", "LoopSettings", "OnLimit", "Phrases", "decide"]

LOGGER = logging.getLogger(__package__)

# Hints for the model, sent behind the history of one request.
_EMPTY = "Your answer was empty. Answer now, or call a tool."
_UNFULFILLED = "Nothing has been done yet. Call the tool that does what the user asked for."
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


class AgenticLoop:
    """Handles one turn per call and keeps nothing between them.

    The model is asked; the tools that it calls are run and their results given back to it;
    and so on, until it answers without calling a tool or has to stop calling them: the limit
    is reached, time runs out, nothing works, or the user has to agree first. Then it is asked
    for a final reply in which it may not call tools.
    """

    def __init__(
        self,
        provider: LLMProvider,
        settings: LoopSettings | None = None,
        *,
        phrases: Phrases | None = None,
        system_prompt: str | None = None,
    ) -> None:
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

    async def stream(  # noqa: PLR0913 - what is optional is given by name
        self,
        user_text: str,
        chat_history: Sequence[Message],
        tools: ToolDispatcher | None = None,
        *,
        suffix: str | None = None,
        agreed: ToolCall | None = None,
        is_command: Callable[[], bool] | None = None,
        speak_results: SpeakResults | None = None,
    ) -> AsyncGenerator[LoopEvent]:
        """Yield what happens in the turn, `TurnFinished` last.

        The suffix is what changes from turn to turn, such as the time. It is sent behind the
        message. The history that the next turn is given has to have it there, too: then a server
        need not read again what stands before its message.
        A call that the user has just agreed to is made before the model is asked.

        `is_command` is asked when the first text arrives and no tool was called yet. If it returns
        True, the answer is held back until its end. Without a call it is not spoken: the model is
        asked once more and has to call a tool; otherwise the user hears that nothing was done.
        `speak_results` may speak of the results of an answer's calls, and end the turn with that.

        Raises the provider's `LLMError` after that when there is no answer. Closing the
        generator ends the turn; a tool that is writing is left to finish.
        """
        opening = [Message.system(self._system_prompt)] if self._system_prompt else []
        turn = Turn(
            history=[*opening, *chat_history, Message.user(user_text, suffix)],
            is_command=is_command,
            speak_results=speak_results,
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
        definitions: dict[str, ToolDefinition] = {}
        while turn.final_reply is None:
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
            elif not self._should_retry(turn):
                break
        if turn.final_reply is None:
            for answer in self._compose_reply(turn):
                yield answer
        else:
            final = self._finalize(turn, turn.final_reply, definitions)
            async with aclosing(final) as events:
                async for event in events:
                    yield event

    async def _ask(
        self, turn: Turn, definitions: Mapping[str, ToolDefinition]
    ) -> AsyncGenerator[LoopEvent]:
        """Ask the model for the next step; it is then in `turn.last`."""
        turn.iterations += 1
        choice: ToolChoice = "required" if turn.must_call else "auto"
        try:
            async with aclosing(self._infer(turn, definitions, choice)) as events:
                async for event in events:
                    yield event
        except LLMAPIError as err:
            if not turn.must_call:
                raise
            LOGGER.debug("The server refuses to require a tool call: %s", err)
            turn.last, turn.withheld_text = CompletionResult(), ""
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
        turn.added.append(Message.assistant(turn.spoken_text or None, calls))
        turn.begin_message()
        yield ToolCallsRequested(calls)
        yield turn.enter(LoopState.TOOL_EXECUTION)
        executor = ToolExecutor(
            tools,
            start_by=self._start_by(turn),
            finish_by=turn.started + self._settings.turn_timeout,
        )
        concurrent = self._settings.concurrent_reads
        for batch in plan_batches(calls, definitions, concurrent_reads=concurrent):
            for result in await asyncio.gather(*map(executor.execute, batch)):
                turn.results.append(result)
                turn.state_changed |= not (
                    result.error or is_read_only(definitions.get(result.call.name))
                )
                yield ToolFinished(result)
        yield turn.enter(LoopState.RESULT_AGGREGATION)
        latest = turn.results[first:]
        turn.added += [Message.tool(result.call.id, result.content) for result in latest]
        turn.final_reply = self._final_reply(turn, latest, definitions)
        for spoken in turn.speak_of(latest):
            yield spoken

    async def _infer(
        self, turn: Turn, definitions: Mapping[str, ToolDefinition], tool_choice: ToolChoice
    ) -> AsyncGenerator[LoopEvent]:
        """Ask the model once; its answer is then in `turn.last`."""
        yield turn.enter(LoopState.LLM_INFERENCE)
        streamed = False
        turn.withholds = None if definitions and tool_choice != "none" else False
        events = self._provider.stream(
            turn.messages, list(definitions.values()), tool_choice=tool_choice
        )
        async with aclosing(events):
            while not isinstance(event := await self._next(turn, events), Completed):
                if turn.first_token is None:
                    turn.first_token = time.monotonic() - turn.started
                if isinstance(event, TextDelta):
                    streamed = True
                    for passed in turn.say(event.text):
                        yield passed
                else:
                    yield event
        if not streamed:
            for passed in turn.say(event.result.content or ""):
                yield passed
        turn.hint = None
        turn.last = event.result
        turn.usage += event.result.usage or UsageStats()
        if event.result.tool_calls:
            for passed in turn.release():
                yield passed

    async def _next(self, turn: Turn, events: AsyncGenerator[ProviderEvent]) -> ProviderEvent:
        """Wait for an event, but not beyond the end of the turn."""
        left = max(0.0, turn.started + self._settings.turn_timeout - time.monotonic())
        try:
            async with asyncio.timeout(left):
                return await anext(events)
        except StopAsyncIteration:
            raise LLMResponseError("the stream ended without a completion") from None
        except TimeoutError:
            raise LLMTimeoutError(
                f"the turn was not over after {self._settings.turn_timeout:g} s"
            ) from None

    def _start_by(self, turn: Turn) -> float:
        """Return when the last tool may be started."""
        return turn.started + min(self._settings.soft_timeout, self._settings.turn_timeout)

    def _should_retry(self, turn: Turn) -> bool:
        """Return whether the model is asked once more, and set what it is told."""
        if turn.must_call:
            return False
        if turn.withheld_text:
            turn.require_call(_UNFULFILLED)
            return True
        reason = turn.last.finish_reason
        if turn.spoken_text.strip() or turn.state_changed or reason not in {"stop", "tool_calls"}:
            return False
        turn.hint = _EMPTY
        return turn.corrections.correct()

    def _final_reply(
        self,
        turn: Turn,
        latest: Sequence[ToolResult],
        definitions: Mapping[str, ToolDefinition],
    ) -> FinalReply | None:
        """Return how the turn is to end now, None if the model may go on."""
        may_go_on = turn.corrections.after(latest)
        if any(_ends_turn(result, definitions.get(result.call.name)) for result in latest):
            return FinalReply(fallback_text=self._empty_reply_text(turn))
        if any(result.error_type == CONFIRMATION_NEEDED for result in latest):
            return FinalReply(
                hint=_CONFIRM, fallback_text=self._phrases.confirm, question=self._phrases.confirm
            )
        if not may_go_on:
            return FinalReply(hint=_STUCK, fallback_text=self._phrases.stuck)
        if time.monotonic() >= self._start_by(turn):
            return FinalReply(hint=_TIME_UP, fallback_text=self._phrases.time_up)
        if turn.steps >= self._settings.max_iterations:
            return self._limit()
        return None

    def _limit(self) -> FinalReply:
        limit, outcome = self._settings.max_iterations, LoopOutcome.LIMIT
        asks, stops = (
            phrase.format(limit=limit)
            for phrase in (self._phrases.limit_ask, self._phrases.limit_stop)
        )
        match self._settings.on_limit:
            case OnLimit.ASK:
                return FinalReply(
                    hint=_LIMIT_ASK,
                    fallback_text=asks,
                    question=self._phrases.go_on,
                    outcome=outcome,
                )
            case OnLimit.ANSWER:
                return FinalReply(hint=_LIMIT_ANSWER, fallback_text=stops, outcome=outcome)
        return FinalReply(fallback_text=stops, outcome=outcome)

    async def _finalize(
        self, turn: Turn, reply: FinalReply, definitions: Mapping[str, ToolDefinition]
    ) -> AsyncGenerator[LoopEvent]:
        """End the turn without more calls; the tools stay in the request, as servers cache it."""
        rest = reply.fallback_text
        if reply.hint and time.monotonic() < turn.started + self._settings.turn_timeout:
            turn.hint = reply.hint
            try:
                async with aclosing(self._infer(turn, definitions, "none")) as events:
                    async for event in events:
                        yield event
            except LLMError as err:
                LOGGER.debug("Final reply failed: %s", err)
                rest = f" … {rest}" if turn.spoken_text else rest
            else:
                rest = reply.closing_text(turn.spoken_text)
        yield turn.enter(LoopState.RESPONSE_COMPOSITION)
        for said in turn.conclude(rest, reply.outcome):
            yield said
        yield turn.enter(LoopState.OUTPUT)

    def _compose_reply(self, turn: Turn) -> Iterator[LoopEvent]:
        """End the turn with the model's last answer, or with a sentence where it has none."""
        yield turn.enter(LoopState.RESPONSE_COMPOSITION)
        rest = ""
        if turn.must_call:
            rest = self._phrases.not_done
        elif not turn.spoken_text.strip():
            rest = self._empty_reply_text(turn)
        elif turn.last.finish_reason == "length" and self._settings.note_cut_off:
            rest = f" … {self._phrases.cut_off}"
        yield from turn.conclude(rest, LoopOutcome.FINAL)
        yield turn.enter(LoopState.OUTPUT)

    def _empty_reply_text(self, turn: Turn) -> str:
        if turn.last.finish_reason == "content_filter":
            return self._phrases.refused
        # Only something that was changed is done; having looked something up is no answer.
        return self._phrases.done if turn.state_changed else self._phrases.no_answer


def _ends_turn(result: ToolResult, definition: ToolDefinition | None) -> bool:
    return not result.error and definition is not None and definition.ends_turn
