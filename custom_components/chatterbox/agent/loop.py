"""Agentic loop: one turn of a conversation as an async stream of events."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing

from .attachments import Attachment
from .cancel_scope import CancelScope
from .const import LOGGER
from .errors import (
    IterationLimitReached,
    LLMAPIError,
    LLMAuthError,
    LLMError,
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMRateLimitError,
    LLMResponseError,
    LLMServerError,
    TurnTimeoutError,
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
from .loop_settings import LoopSettings, Phrases
from .messages import Message, ToolCall
from .model.provider import Completed, CompletionRequest, LLMProvider, ProviderEvent
from .prompt import opening_messages
from .steps import Answer, AskModel, CallTools, Finalize, Retry, finish_warning, next_step
from .tools.dispatcher import ToolDispatcher
from .tools.early_reads import EarlyReads
from .tools.executor import ToolExecutor, is_read_only, plan_batches
from .turn import SpeakResults, Turn

# Rejections for another reason than what is in the request.
_UNRELATED_TO_REQUEST = (
    LLMAuthError,
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMRateLimitError,
    LLMServerError,
)


class AgenticLoop:
    """Stateless agentic loop: handles one turn per call.

    The model is asked, the tools that it calls are executed, and their results are given back
    to it, until it answers without a call or may not call tools any more. `steps.next_step`
    decides each transition; the loop carries it out.
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
        """Return the whole answer to a message; `stream` without the events.

        Raises `IterationLimitReached` when the model calls tools without end, and the
        provider's `LLMError` when there is no answer.
        """
        # The stream is read to its end, as an error comes after the last event.
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
        attachments: Sequence[Attachment] = (),
        confirmed_calls: Sequence[ToolCall] = (),
        is_command: Callable[[], bool] | None = None,
        speak_results: SpeakResults | None = None,
        on_cancel: Callable[[TurnFinished], None] | None = None,
    ) -> AsyncGenerator[LoopEvent]:
        """Yield the events of the turn, `TurnFinished` last.

        `suffix` is appended to the message and holds what changes from turn to turn, such as the
        time. The history of the next turn has to repeat it, so that the server's prompt cache
        stays valid up to that turn's message.
        `attachments` are images and files of the message.
        `confirmed_calls` are calls that the user has just confirmed; they are executed before the
        model is asked.
        `is_command` is called when the first text arrives and no tool was called yet. If it
        returns True, the answer is withheld until its end. An answer without a call is dropped:
        the model is asked once more and has to call a tool; if it does not, the user hears that
        nothing was done.
        `speak_results` may compose a confirmation from the results of an answer's calls, and end
        the turn with it.

        Raises the provider's `LLMError` after `TurnFinished` when there is no answer. Closing the
        generator cancels the turn; a tool that is writing runs to its end. A cancelled turn cannot
        yield its last event, and calls `on_cancel` with it.
        """
        opening = opening_messages(self._system_prompt)
        # Calls that only read are started as soon as they have arrived.
        reads = EarlyReads(tools) if tools is not None else None
        turn = Turn(
            early_reads=reads,
            history=[*opening, *chat_history, Message.user(user_text, suffix, attachments)],
            confirmed_calls=tuple(confirmed_calls),
            is_command=is_command,
            speak_results=speak_results,
        )
        yield StateChanged(LoopState.RECEIVE_INPUT, 0)
        # Every inner stream is closed with the outer one: at once, not by the garbage collector.
        try:
            async with aclosing(self._run_steps(turn, reads or tools)) as events:
                async for event in events:
                    yield event
        except Exception:
            yield turn.finish(LoopOutcome.ERROR)
            raise
        except asyncio.CancelledError, GeneratorExit:
            finished = turn.interrupt()
            if on_cancel is not None:
                on_cancel(finished)
            raise
        finally:
            if reads is not None:
                reads.close()
        yield turn.finish(turn.outcome, turn.text)

    async def _run_steps(
        self, turn: Turn, tools: ToolDispatcher | None
    ) -> AsyncGenerator[LoopEvent]:
        while True:
            now, has_tools = time.monotonic(), tools is not None
            step = next_step(turn, self._settings, self._phrases, now=now, has_tools=has_tools)
            # Read again for each request, as a tool that keeps failing is no longer offered. The
            # final reply keeps the tools of the request before, which the server has cached.
            if isinstance(step, AskModel | Retry) or turn.state is LoopState.RECEIVE_INPUT:
                turn.offered = {tool.name: tool for tool in (tools.definitions if tools else ())}
            match step:
                case Answer(closing_text, outcome):
                    break
                case Retry(hint, must_call, extended):
                    turn.retry(hint, must_call=must_call, extended=extended)
                case Finalize(reply):
                    turn.finalize(reply)
            if isinstance(step, CallTools) and tools is not None:
                stream = self._call_tools(turn, tools, step.calls)
            else:
                stream = self._ask_model(turn)
            async with aclosing(stream) as events:
                async for event in events:
                    yield event
        yield turn.enter(LoopState.RESPONSE_COMPOSITION)
        for delta in turn.conclude(closing_text, outcome):
            yield delta
        yield turn.enter(LoopState.OUTPUT)

    async def _ask_model(self, turn: Turn) -> AsyncGenerator[LoopEvent]:
        """Send one request; its answer is then in `turn.last`."""
        yield turn.begin_request()
        choice = turn.tool_choice
        request = CompletionRequest(
            messages=tuple(turn.messages),
            tools=tuple(turn.offered.values()),
            tool_choice=choice,
            extended=turn.extended,
        )
        # One timer for the whole answer, which may have hundreds of pieces.
        scope, left = CancelScope(), turn.started + self._settings.turn_timeout - time.monotonic()
        timer = asyncio.get_running_loop().call_later(max(0.0, left), scope.cancel)
        try:
            async with aclosing(self._provider.stream(request)) as events:
                while not isinstance(
                    event := await self._next_event(turn, events, scope), Completed
                ):
                    for passed in turn.receive(event):
                        yield passed
        except LLMError as err:
            # A final reply has its fallback; a server may refuse to require a call.
            if choice == "auto" or (choice == "required" and not _rejects_request(err)):
                raise
            LOGGER.debug("Request with tool_choice=%s failed: %s", choice, err)
            turn.fail_request()
        else:
            for delta in turn.complete_request(event.result):
                yield delta
        finally:
            timer.cancel()
        if choice != "none":
            yield turn.enter(LoopState.TOOL_DECISION)
            if warning := finish_warning(turn.last):
                LOGGER.warning("The model %s", warning)

    async def _next_event(
        self, turn: Turn, events: AsyncGenerator[ProviderEvent], scope: CancelScope
    ) -> ProviderEvent:
        """Wait for the next event, until the turn times out, when `scope` is cancelled."""
        if time.monotonic() < turn.started + self._settings.turn_timeout:
            try:
                async with scope:
                    return await anext(events)
            except StopAsyncIteration:
                raise LLMResponseError("the stream ended without a completion") from None
        raise TurnTimeoutError(f"the turn was not over after {self._settings.turn_timeout:g} s")

    async def _call_tools(
        self, turn: Turn, tools: ToolDispatcher, calls: tuple[ToolCall, ...]
    ) -> AsyncGenerator[LoopEvent]:
        """Execute the calls of an answer; their results are then in `turn.latest_results`."""
        turn.begin_calls(calls)
        yield ToolCallsRequested(calls)
        yield turn.enter(LoopState.TOOL_EXECUTION)
        executor = ToolExecutor(
            tools,
            turn.offered,
            start_by=turn.started + self._settings.tool_deadline,
            finish_by=turn.started + self._settings.turn_timeout,
        )
        for batch in plan_batches(calls, turn.offered):
            for result in await asyncio.gather(*map(executor.execute, batch)):
                read_only = is_read_only(turn.offered.get(result.call.name))
                turn.add_result(result, read_only=read_only)
                yield ToolFinished(result)
        yield turn.enter(LoopState.RESULT_AGGREGATION)
        for delta in turn.aggregate_results():
            yield delta


def _rejects_request(err: LLMError) -> bool:
    """Return whether the server rejected the request for what is in it."""
    return isinstance(err, LLMAPIError) and not isinstance(err, _UNRELATED_TO_REQUEST)
