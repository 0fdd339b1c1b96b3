"""One turn of a conversation, from the user's message to the stored answer."""

import asyncio
import logging
import time
from collections.abc import Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Any

from homeassistant.components.conversation import (
    ChatLog,
    ConversationInput,
    ConversationResult,
)
from homeassistant.config_entries import ConfigEntryState
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util.ulid import ulid_now

from .active_conversations import ActiveConversation
from .agent.attachments import attachment_note
from .agent.dialects.profile import Profile
from .agent.errors import LLMAuthError, LLMConnectionError, LLMError
from .agent.events import LoopOutcome, TurnFinished
from .agent.loop import AgenticLoop
from .agent.messages import Message, ToolCall
from .agent.model.request_log import RequestLog
from .agent.tools.builtin.facts import facts_note
from .agent.trace import ErrorDetail, TurnTrace, typical_seconds
from .agent.trace_id import TRACE_ID
from .agent_history import PendingTurn
from .attachments import async_read_attachments
from .background_jobs import async_tell_result, job_note, may_outlast_turn
from .chat_log import DeltaStream, latest_message
from .const import LOGGER, TOOL_FACTS
from .data import Agent
from .error_log import log_unexpected
from .fallback import async_fall_back
from .home_context import async_home_context
from .media_attachments import given_attachments
from .repair_issues import async_report_failure, async_report_success
from .responses import answer_result, error_result, fail, spoken_text
from .satellites import async_announce
from .sentences import loop_phrases, sentence_key
from .server import async_update_model_details
from .spoken_answer import SpokenAnswer
from .turn_model import TurnModel
from .turn_report import async_report, error_detail, with_trace_id
from .turn_setup import async_render_prompt, build_dispatcher, build_provider
from .turn_storage import TurnStorage


class AgentTurn:
    """The only turn in progress of a conversation.

    It is prepared and run; then it is concluded, handed to the fallback agent, or, if it was
    cancelled, finished later.
    """

    def __init__(
        self,
        agent: Agent,
        user_input: ConversationInput,
        chat_log: ChatLog,
        conversation: ActiveConversation,
        sentences: dict[str, str],
    ) -> None:
        self._id = ulid_now()
        self._started = time.monotonic()
        self._agent = agent
        self._history = agent.history
        self._storage = TurnStorage(chat_log.hass, agent, user_input.agent_id)
        self._agent_id = user_input.agent_id
        self._hass = chat_log.hass
        self._data = agent.data
        self._user_input = user_input
        self._chat_log = chat_log
        self._conversation = conversation
        self._sentences = sentences
        self._stream = DeltaStream(self._error_sentence)
        self._requests = RequestLog(keeps_bodies=self._data.options.trace_requests)
        self._profile: Profile | None = None
        self._error: ErrorDetail | None = None

    async def async_run(self) -> ConversationResult:
        """Run the turn and return its result; an error is a sentence as well."""
        # The task may answer other messages later, but those are turns of their own.
        TRACE_ID.set(self._id)
        try:
            await self._async_prepare()
        except asyncio.CancelledError:
            self._trace()
            raise
        except Exception as err:  # noqa: BLE001 - tools of any integration are asked for here
            result = fail(self._user_input, self._chat_log, self._report(err))
            return with_trace_id(result, self._trace())
        try:
            await self._async_speak()
        except asyncio.CancelledError:
            # The question was not asked to its end.
            self._conversation.state.pending_calls = ()
            self._tools.give_up()
            self._trace()
            self._store_later(self._stream.messages)
            raise
        finally:
            self._model.close()
        if self._stream.unexplained_error is not None:
            return await self._async_fall_back(self._stream.unexplained_error)
        trace = self._trace()
        self._store_later(self._stream.messages)
        self._start_jobs()
        return with_trace_id(self._conclude(), trace)

    async def _async_prepare(self) -> None:
        """Collect prompt, tools and history, and start the loop with them."""
        options, chat_log = self._agent.options, self._chat_log
        self._model = TurnModel(
            self._hass,
            self._data,
            options,
            self._user_input,
            self._sentences,
            log=self._requests,
        )
        self._profile = self._model.profile
        self._provider = build_provider(self._data, options, self._model.provider, self._requests)
        confirmed_calls = self._conversation.confirmed_calls
        prompt = await async_render_prompt(
            options,
            chat_log,
            self._user_input,
            self._history.tools(
                options.built_in_tools, self._user_input, lambda: self._agent.history
            ),
            guided=self._model.is_guided,
            sees=self._model.sees,
        )
        attachments = given_attachments(self._user_input.text) or await async_read_attachments(
            self._hass, latest_message(chat_log).attachments
        )
        turn = await self._history.async_begin(self._user_input, chat_log, self._agent_id)
        notes = await async_home_context(
            self._hass, options.home_context, self._user_input.context.user_id
        )
        if TOOL_FACTS in options.built_in_tools:
            notes.append(facts_note(self._history.known_facts(self._user_input)))
        suffix = await self._model.async_suffix(
            prompt.time_and_place, self._conversation, turn, notes
        )
        suffix = " ".join(filter(None, (suffix, attachment_note(attachments)))) or None
        self._turn = replace(turn, suffix=suffix)
        self._tools = build_dispatcher(
            self._hass,
            self._data,
            options,
            prompt.registry,
            self._conversation.state,
            confirmed_calls=confirmed_calls,
            background=may_outlast_turn(
                self._hass, options, self._user_input, self._data.conversations
            ),
            searched=prompt.searched,
        )
        self._conversation.tools = self._tools
        await self._model.async_start(prompt.tools)
        self._opening = Message.system(prompt.system)
        loop = AgenticLoop(
            self._provider,
            options.loop,
            phrases=loop_phrases(
                self._sentences, self._user_input.language, silent_done=options.voice.silent_done
            ),
            system_prompt=prompt.system,
        )
        self._events = loop.stream(
            turn.user,
            turn.history,
            self._tools,
            suffix=suffix,
            attachments=attachments,
            confirmed_calls=confirmed_calls,
            is_command=self._model.is_command,
            speak_results=self._model.speak_results,
            on_cancel=self._stream.finish,
        )

    async def _async_speak(self) -> None:
        """Stream the turn to the chat log, and so to its listeners."""
        spoken = SpokenAnswer(
            self._agent.options.voice,
            self._user_input.language,
            self._sentences["lead_in"],
            partial(typical_seconds, self._data.turns),
            self._stream.note_lead_in,
        )
        async with (
            aclosing(self._events),
            aclosing(self._stream.deltas(self._events)) as all_deltas,
            aclosing(spoken.deltas(all_deltas, self._needs_answer)) as deltas,
        ):
            async for _ in self._chat_log.async_add_delta_content_stream(self._agent_id, deltas):
                pass
        if self._stream.failure is None:
            self._conversation.unspoken = spoken.rest

    def _needs_answer(self) -> bool:
        """Return whether the turn ends with a question of the agent."""
        finished = self._stream.finished
        at_limit = finished is not None and finished.outcome is LoopOutcome.LIMIT
        return at_limit or bool(self._conversation.state.pending_calls)

    def _conclude(self) -> ConversationResult:
        """Return the result of a completed or failed turn."""
        chat_log, agent = self._chat_log, self._agent
        if (failure := self._stream.failure) is not None:
            if not self._stream.spoken:
                return fail(self._user_input, chat_log, failure)
            return error_result(self._user_input, chat_log.conversation_id, failure)
        self._data.fallback_announced = False
        async_report_success(self._hass, agent, self._requests)
        self._update_model_details()
        return answer_result(
            self._user_input,
            chat_log,
            agent.options.voice.continue_conversation,
            awaits_yes=bool(self._conversation.state.pending_calls),
        )

    def _trace(self, outcome: LoopOutcome | None = None) -> TurnTrace:
        """Report the trace of the turn, and return it; the loop may not know the outcome."""
        finished = self._stream.finished or TurnFinished.unbegun(
            LoopOutcome.ERROR if self._error else LoopOutcome.CANCELLED,
            time.monotonic() - self._started,
        )
        trace = TurnTrace.of(
            self._id,
            self._chat_log.conversation_id,
            finished,
            outcome=outcome or finished.outcome,
            agent=self._agent_id,
            model=self._agent.options.model,
            profile=self._profile and self._model.profile,
            requests=self._requests,
            error=self._error,
        )
        async_report(self._agent, self._data, self._chat_log, trace)
        return trace

    async def _async_fall_back(self, err: Exception) -> ConversationResult:
        """Return the answer of the fallback agent, with a notice the first time."""
        sentence = self._report(err)
        result = await async_fall_back(
            self._hass,
            self._agent.options.fallback_agent or "",
            self._user_input,
            self._chat_log.conversation_id,
        )
        trace = self._trace(LoopOutcome.FALLBACK if result else None)
        if result is None:
            failed = fail(self._user_input, self._chat_log, sentence)
            return with_trace_id(failed, trace)
        answer = spoken_text(result)
        self._store_later([Message.assistant(answer)])
        if not self._data.fallback_announced:
            self._data.fallback_announced = True
            result.response.async_set_speech(f"{self._sentences['fallback']} {answer}".strip())
        return with_trace_id(result, trace)

    def _store_later(self, answer: Sequence[Message]) -> None:
        """Store the turn with its answer in the background: the result does not wait for the disk.

        The next turn of the conversation waits for it. A turn with a call that is still running is
        stored once more when the call is done.
        """

        async def store() -> None:
            await self._async_store(self._turn, self._tools.with_results(answer))
            if self._tools.writing:
                await self._tools.wait()
                await self._async_store(self._turn, self._tools.with_results(answer))

        if answer:
            self._run_later(store())

    def _run_later(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task that a reload of the server and a shutdown wait for."""
        task = self._agent.entry.async_create_task(
            self._hass, work, f"{self._agent_id} finish turn"
        )
        self._data.finishing.add(task)
        task.add_done_callback(self._data.finishing.discard)

    async def _async_store(self, turn: PendingTurn, answer: Sequence[Message]) -> None:
        """Store a turn with its answer; an error is only logged."""
        await self._storage.async_store(turn, answer, self._provider)

    def _start_jobs(self) -> None:
        """Start the background jobs: tell the result of each call that outlasts the turn."""
        jobs, finished = self._conversation.jobs, self._stream.finished
        results = finished.results if finished is not None else ()
        running = [result.call.key for result in results if result.running]
        # A read that was started early may not have been called in the end.
        for call in (call for call in self._tools.in_background if call.key in running):
            job = self._agent.entry.async_create_background_task(
                self._hass, self._async_run_job(call), f"{self._agent_id} background job"
            )
            jobs.add(job)
            job.add_done_callback(jobs.discard)

    async def _async_run_job(self, call: ToolCall) -> None:
        """Wait for a call, store its result as a turn of its own, and announce it."""
        message, satellite = self._user_input, self._user_input.satellite_id or ""
        try:
            await self._tools.wait(call)
            turn = await self._history.async_resume(self._turn, job_note(call, message.language))
            answer = await async_tell_result(
                self._tools.outcome(call),
                provider=self._provider,
                before=[self._opening, *turn.history, Message.user(turn.user)],
                tools=self._tools.definitions,
                speak_results=self._model.speak_results,
                sentences=self._sentences,
            )
            await self._async_store(turn, answer)
            text = answer[-1].content or ""
            await async_announce(self._hass, satellite, text, message.context)
        except asyncio.CancelledError:
            LOGGER.info("%s gave up a background job", self._agent_id)
            self._tools.give_up()
            self._store_later(self._stream.messages)
            raise
        except (TimeoutError, HomeAssistantError) as err:
            LOGGER.warning("%s could not announce a result: %s", self._agent_id, type(err).__name__)

    def _update_model_details(self) -> None:
        """Query the model's details after the first answer of an agent.

        Some servers know the context window only once the model is loaded.
        """
        agent = self._agent
        if agent.entry.state is not ConfigEntryState.LOADED or self._hass.is_stopping:
            # The turn has outlasted it.
            return
        if agent.subentry.subentry_id not in self._data.model_details_queried:
            self._data.model_details_queried.add(agent.subentry.subentry_id)
            agent.entry.async_create_background_task(
                self._hass,
                async_update_model_details(self._hass, agent.entry),
                "query model details",
            )

    def _error_sentence(self, err: Exception) -> str | None:
        """Return the sentence for an error of the model, None if the fallback agent answers."""
        if (
            isinstance(err, LLMConnectionError)
            and not self._stream.started
            and self._agent.options.fallback_agent
        ):
            return None
        return self._report(err)

    def _report(self, err: Exception) -> str:
        """Report an error to the administrator; return the sentence for the user."""
        agent = self._agent
        if isinstance(err, LLMAuthError):
            agent.entry.async_start_reauth(self._hass)
        async_report_failure(self._hass, agent, err, self._requests)
        if isinstance(err, (LLMError, HomeAssistantError)):
            # The message may quote the user, so only the type of the error is logged. That a server
            # cannot be reached was logged when it began.
            level = logging.DEBUG if isinstance(err, LLMConnectionError) else logging.WARNING
            LOGGER.log(level, "%s could not answer: %s", self._agent_id, type(err).__name__)
            LOGGER.debug("Error of the turn", exc_info=err)
        else:
            log_unexpected(f"{self._agent_id} failed unexpectedly", err)
        self._error = error_detail(err, self._sentences[sentence_key(err)])
        return self._error.message
