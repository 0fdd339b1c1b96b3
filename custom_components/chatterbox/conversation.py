"""The conversation agents."""

import asyncio
import logging
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Literal, override

from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    ConversationEntity,
    ConversationEntityFeature,
    ConversationInput,
    ConversationResult,
    SystemContent,
    UserContent,
    async_get_result_from_chat_log,
)
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_PROMPT, MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .agent.context import last_turns, repair
from .agent.errors import LLMAuthError, LLMConnectionError, LLMError
from .agent.events import LoopEvent
from .agent.loop import AgenticLoop
from .agent.messages import Message, ToolCall
from .agent.repetition import RepetitionGuard
from .agent.resilience import ResilientProvider
from .agent.state import ConversationState
from .agent.tools.availability import AvailableTools
from .agent.tools.cache import CachingDispatcher
from .agent.tools.confirmation import AskFirst
from .agent.tools.guard import ToolDispatcher
from .agent.tools.ledger import CallLedger
from .agent.trace import TurnTrace
from .agent.words import says_stop, says_yes
from .built_in import built_in_tools
from .chat_log import DeltaStream, Note, failure_content, history
from .confirmation import needs_yes
from .const import (
    CONF_BUILT_IN_TOOLS,
    CONF_CONFIRM,
    CONF_FALLBACK_AGENT,
    CONF_MAX_HISTORY_TURNS,
    CONF_RETRY_WAIT,
    CONF_SILENT_DONE,
    DEFAULT_MAX_HISTORY_TURNS,
    DEFAULT_RETRY_WAIT,
    DOMAIN,
    SUBENTRY_CONVERSATION,
    TOOL_WEATHER,
)
from .data import ChatterboxConfigEntry
from .fallback import async_fall_back
from .issues import async_clear, async_report
from .prompt import DEFAULT_PROMPT, split_clock
from .sentences import async_get_sentences, phrases, sentence_key
from .settings import loop_settings, model_settings, tool_guard
from .tools import AgentAPI, existing_apis, registry
from .turns import Conversation, TurnRecord, keep_session

LOGGER = logging.getLogger(__package__)

PARALLEL_UPDATES = 0

# Seconds that a message waits for a tool that an interrupted turn has left running.
_PATIENCE = 8


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: ChatterboxConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the agents of a server."""
    for subentry in entry.subentries.values():
        if subentry.subentry_type == SUBENTRY_CONVERSATION:
            async_add_entities(
                [ChatterboxAgent(entry, subentry)], config_subentry_id=subentry.subentry_id
            )


class ChatterboxAgent(ConversationEntity):
    """A conversation agent: one model with its instructions, tools and limits."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supports_streaming = True
    _attr_translation_key = "agent"

    def __init__(self, entry: ChatterboxConfigEntry, subentry: ConfigSubentry) -> None:
        """Take the server and the agent's own settings."""
        self._entry = entry
        self._subentry = subentry
        self._options = subentry.data
        self._fallback: str | None = subentry.data.get(CONF_FALLBACK_AGENT)
        self._attr_unique_id = subentry.subentry_id
        self._attr_device_info = dr.DeviceInfo(
            identifiers={(DOMAIN, subentry.subentry_id)},
            name=subentry.title,
            manufacturer="Chatterbox",
            model=self._options[CONF_MODEL],
            entry_type=dr.DeviceEntryType.SERVICE,
        )
        if self._options.get(CONF_LLM_HASS_API):
            self._attr_supported_features = ConversationEntityFeature.CONTROL

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        """Return the languages: the model decides what it understands."""
        return MATCH_ALL

    @override
    async def async_process(self, user_input: ConversationInput) -> ConversationResult:
        """Answer a message; one that comes in between gets a sentence, and a stop is obeyed.

        That has to happen here, as there is no second chat log for a busy conversation.
        """
        conversations = self._entry.runtime_data.conversations
        stops = says_stop(user_input.text, user_input.language)
        busy = conversations.in_the_way(user_input)
        if busy is None and stops:
            busy = conversations.on_device(user_input.device_id)
        if busy is None:
            return await super().async_process(user_input)
        sentences = await async_get_sentences(self.hass, user_input.language)
        if stops:
            busy.turn.interrupt()
            return _result(user_input, user_input.conversation_id, sentences["stopped"])
        return _error_result(user_input, user_input.conversation_id, sentences["busy"])

    @override
    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        """Answer a message. Whatever happens, the user hears a sentence."""
        sentences = await async_get_sentences(self.hass, user_input.language)
        if not user_input.text.strip():
            return self._failed(user_input, chat_log, sentences["not_understood"])
        conversation = self._entry.runtime_data.conversations.get(chat_log.conversation_id)
        if not await conversation.settle(_PATIENCE) or conversation.turn.running:
            return self._failed(user_input, chat_log, sentences["busy"])
        conversation.restore(chat_log)
        if conversation.turn.broken_off and says_stop(user_input.text, user_input.language):
            return self._stopped(user_input, chat_log, sentences)
        result: ConversationResult | None = None
        async with conversation.begin(user_input):
            result = await self._async_answer(user_input, chat_log, conversation, sentences)
        if result is None:
            return self._stopped(user_input, chat_log, sentences)
        return result

    async def _async_answer(
        self,
        user_input: ConversationInput,
        chat_log: ChatLog,
        conversation: Conversation,
        sentences: dict[str, str],
    ) -> ConversationResult:
        """Answer a message, as the only turn of its conversation."""
        agreed = _agreed(user_input, conversation.state)
        try:
            await self._async_provide_tools_and_prompt(user_input, chat_log)
        except Exception as err:  # noqa: BLE001 - tools of any integration are asked for here
            return self._failed(user_input, chat_log, sentences[self._report(err)])

        def explain(err: Exception) -> str | None:
            if isinstance(err, LLMConnectionError) and not stream.begun and self._fallback:
                return None
            return sentences[self._report(err)]

        stream = DeltaStream(explain)
        tools = self._tools(chat_log, conversation.state, agreed)
        turn = TurnRecord(self.entity_id, _asked(chat_log)[1], tools)
        try:
            async with (
                aclosing(self._turn(user_input, chat_log, sentences, tools, agreed)) as events,
                aclosing(turn.watch(events)) as watched,
                aclosing(stream.deltas(watched)) as deltas,
            ):
                async for _ in chat_log.async_add_delta_content_stream(self.entity_id, deltas):
                    pass
        except asyncio.CancelledError:
            keep_session(self.hass)
            self._finish_later(conversation, turn, sentences["stopped"])
            raise
        if stream.error is not None and stream.failure is None:
            return await self._async_fall_back(user_input, chat_log, sentences, stream.error)
        result = self._conclude(user_input, chat_log, stream)
        if tools.running:
            self._finish_later(conversation, turn, _spoken(chat_log))
        return result

    def _conclude(
        self, user_input: ConversationInput, chat_log: ChatLog, stream: DeltaStream
    ) -> ConversationResult:
        """Return the result of a turn that came to its end, good or bad."""
        if not isinstance(chat_log.content[-1], AssistantContent):
            # A silent answer, which the oldest supported release does not record.
            chat_log.async_add_assistant_content_without_tools(
                AssistantContent(agent_id=self.entity_id, content="", native=Note())
            )
        if stream.finished is not None:
            self._keep(TurnTrace.of(chat_log.conversation_id, stream.finished), chat_log)
        if stream.failure is not None:
            return _error_result(user_input, chat_log.conversation_id, stream.failure)
        self._entry.runtime_data.fallback_told = False
        async_clear(self.hass, self._subentry)
        return async_get_result_from_chat_log(user_input, chat_log)

    def _tools(
        self, chat_log: ChatLog, state: ConversationState, agreed: ToolCall | None
    ) -> CallLedger:
        """Return what makes the calls of the turn."""
        guard = tool_guard(self._options, registry(chat_log.llm_api))
        ask_about = partial(needs_yes, self.hass, self._options.get(CONF_CONFIRM) or ())
        cached = CachingDispatcher(guard, self._entry.runtime_data.tool_results, {TOOL_WEATHER})
        available = AvailableTools(cached, state.tools)
        return CallLedger(AskFirst(available, state, ask_about, agreed=agreed))

    def _finish_later(self, conversation: Conversation, turn: TurnRecord, ending: str) -> None:
        """Wait, with nobody else waiting, for the tools of a turn that broke off."""
        if turn.called:
            conversation.finishing = self._entry.async_create_background_task(
                self.hass, conversation.keep(turn, ending), f"{self.entity_id} finishes a turn"
            )

    async def _async_provide_tools_and_prompt(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> None:
        options = self._options
        api_ids = existing_apis(self.hass, options.get(CONF_LLM_HASS_API) or ())
        built_in = built_in_tools(self.hass, options.get(CONF_BUILT_IN_TOOLS) or ())
        await chat_log.async_provide_llm_data(
            user_input.as_llm_context(DOMAIN),
            AgentAPI(self.hass, api_ids, built_in) if api_ids or built_in else None,
            options.get(CONF_PROMPT) or DEFAULT_PROMPT,
            user_input.extra_system_prompt,
        )

    def _turn(
        self,
        user_input: ConversationInput,
        chat_log: ChatLog,
        sentences: dict[str, str],
        tools: ToolDispatcher,
        agreed: ToolCall | None,
    ) -> AsyncGenerator[LoopEvent]:
        """Return the events of the turn."""
        data, options = self._entry.runtime_data, self._options
        opening = chat_log.content[0]
        prompt, clock = split_clock(opening.content if isinstance(opening, SystemContent) else "")
        settings = model_settings(options)
        model = data.server.provider(settings, costs=data.costs, quirks=data.quirks[settings.model])
        loop = AgenticLoop(
            ResilientProvider(
                RepetitionGuard(model),
                data.server_state,
                longest_wait=self._entry.options.get(CONF_RETRY_WAIT, DEFAULT_RETRY_WAIT),
            ),
            loop_settings(options),
            phrases=phrases(
                sentences, user_input.language, silent_done=options.get(CONF_SILENT_DONE, False)
            ),
            system_prompt=prompt,
        )
        return loop.stream(
            user_input.text,
            self._history(chat_log),
            tools,
            suffix=clock,
            agreed=agreed,
        )

    def _history(self, chat_log: ChatLog) -> list[Message]:
        """Return what was said before this turn."""
        current, _ = _asked(chat_log)
        limit = self._options.get(CONF_MAX_HISTORY_TURNS, DEFAULT_MAX_HISTORY_TURNS)
        return last_turns(repair(history(chat_log.content[:current], self.entity_id)), limit)

    def _keep(self, trace: TurnTrace, chat_log: ChatLog) -> None:
        self._entry.runtime_data.turns.append(trace)
        chat_log.async_trace(
            {
                "stats": {
                    "input_tokens": trace.usage.prompt_tokens,
                    "output_tokens": trace.usage.completion_tokens,
                }
            }
        )

    def _report(self, err: Exception) -> str:
        """Tell the administrator of an error; return the key of the sentence for the user."""
        key = sentence_key(err)
        if isinstance(err, LLMAuthError):
            self._entry.async_start_reauth(self.hass)
        async_report(self.hass, self._subentry, self._entry.title, err)
        if isinstance(err, (LLMError, HomeAssistantError)):
            # What a server writes may hold what was said, so only the kind of error is told.
            LOGGER.warning("%s could not answer: %s", self.entity_id, type(err).__name__)
            LOGGER.debug("The error was", exc_info=err)
        else:
            LOGGER.error("%s failed unexpectedly", self.entity_id, exc_info=err)
        return key

    async def _async_fall_back(
        self,
        user_input: ConversationInput,
        chat_log: ChatLog,
        sentences: dict[str, str],
        err: Exception,
    ) -> ConversationResult:
        """Let another agent answer, and say so the first time."""
        key, data = self._report(err), self._entry.runtime_data
        result = await async_fall_back(
            self.hass, self._fallback or "", user_input, chat_log.conversation_id
        )
        if result is None:
            return self._failed(user_input, chat_log, sentences[key])
        if not data.fallback_told:
            data.fallback_told = True
            answer = result.response.speech.get("plain", {}).get("speech", "")
            result.response.async_set_speech(f"{sentences['fallback']} {answer}".strip())
        return result

    def _failed(
        self, user_input: ConversationInput, chat_log: ChatLog, sentence: str
    ) -> ConversationResult:
        """Answer with the sentence of a turn that ended before the model was asked."""
        chat_log.async_add_assistant_content_without_tools(
            failure_content(self.entity_id, sentence)
        )
        return _error_result(user_input, chat_log.conversation_id, sentence)

    def _stopped(
        self, user_input: ConversationInput, chat_log: ChatLog, sentences: dict[str, str]
    ) -> ConversationResult:
        """Answer with the sentence of a turn that the user has stopped."""
        sentence = sentences["stopped"]
        chat_log.async_add_assistant_content_without_tools(
            failure_content(self.entity_id, sentence)
        )
        return _result(user_input, chat_log.conversation_id, sentence)


def _asked(chat_log: ChatLog) -> tuple[int, UserContent]:
    """Return the message that is being answered, and where it stands."""
    return next(
        (index, item)
        for index, item in reversed([*enumerate(chat_log.content)])
        if isinstance(item, UserContent)
    )


def _spoken(chat_log: ChatLog) -> str:
    """Return the last thing that was said."""
    last = chat_log.content[-1]
    return (last.content if isinstance(last, AssistantContent) else None) or ""


def _agreed(user_input: ConversationInput, state: ConversationState) -> ToolCall | None:
    """Return the call that the user was asked about and says yes to; there is one chance."""
    pending, state.pending = state.pending, None
    if pending is None or not says_yes(user_input.text, user_input.language):
        return None
    return replace(pending, id=f"call_{uuid.uuid4().hex[:24]}")


def _result(
    user_input: ConversationInput, conversation_id: str | None, sentence: str
) -> ConversationResult:
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_speech(sentence)
    return ConversationResult(response=response, conversation_id=conversation_id)


def _error_result(
    user_input: ConversationInput, conversation_id: str | None, sentence: str
) -> ConversationResult:
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, sentence)
    return ConversationResult(response=response, conversation_id=conversation_id)
