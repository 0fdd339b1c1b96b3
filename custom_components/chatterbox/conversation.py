"""The conversation agents."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Literal, override

from homeassistant.components.conversation import (
    AssistantContent,
    ChatLog,
    ConversationEntity,
    ConversationEntityFeature,
    ConversationInput,
    ConversationResult,
    SystemContent,
    async_get_result_from_chat_log,
)
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_PROMPT, MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .agent.errors import LLMAuthError, LLMError
from .agent.events import LoopEvent
from .agent.loop import AgenticLoop
from .agent.messages import Message
from .agent.new_conversation import wants_new_conversation
from .agent.trace import TurnTrace
from .agent.window import WindowedProvider
from .built_in import built_in_tools
from .chat_log import DeltaStream, failure_content
from .const import (
    CONF_BUILT_IN_TOOLS,
    CONF_CONTEXT_WINDOW,
    CONF_NEW_CONVERSATION,
    CONF_SILENT_DONE,
    CONF_SUMMARIZE,
    DEFAULT_CONTEXT_WINDOW,
    DOMAIN,
    SUBENTRY_CONVERSATION,
)
from .data import ChatterboxConfigEntry
from .history import OpenTurn
from .model_windows import async_learn_windows
from .prompt import DEFAULT_PROMPT, split_clock
from .sentences import async_get_sentences, phrases, sentence_key
from .settings import loop_settings, model_settings, tool_guard
from .tools import AgentAPI, existing_apis, registry

LOGGER = logging.getLogger(__package__)

PARALLEL_UPDATES = 0


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
        self._options = subentry.data
        self._history = entry.runtime_data.histories[subentry.subentry_id]
        self._asked_for_window = False
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

    @override
    async def async_added_to_hass(self) -> None:
        """Remember what Home Assistant answers in conversations of this agent."""
        await super().async_added_to_hass()
        self.async_on_remove(self._history.async_follow(self.entity_id))

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        """Return the languages: the model decides what it understands."""
        return MATCH_ALL

    @override
    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        """Answer a message. Whatever happens, the user hears a sentence."""
        sentences = await async_get_sentences(self.hass, user_input.language)
        if not user_input.text.strip():
            return self._failed(user_input, chat_log, sentences["not_understood"])
        if self._options.get(CONF_NEW_CONVERSATION, True) and wants_new_conversation(
            user_input.text, user_input.language
        ):
            return await self._async_begin_anew(user_input, chat_log, sentences)
        try:
            await self._async_provide_tools_and_prompt(user_input, chat_log)
            turn = await self._history.async_begin(user_input, chat_log, self.entity_id)
        except Exception as err:  # noqa: BLE001 - tools of any integration are asked for here
            return self._failed(user_input, chat_log, sentences[self._report(err)])

        provider = self._provider()
        stream = DeltaStream(lambda err: sentences[self._report(err)])
        try:
            async with (
                aclosing(self._events(turn, chat_log, provider, sentences)) as events,
                aclosing(stream.deltas(events)) as deltas,
            ):
                async for _ in chat_log.async_add_delta_content_stream(self.entity_id, deltas):
                    pass
        finally:
            # Also when the turn was cancelled: what its tools did stays done.
            await self._async_remember(turn, stream.answer(chat_log, self.entity_id), provider)
        if stream.finished is not None:
            self._keep(TurnTrace.of(chat_log.conversation_id, stream.finished), chat_log)
        if stream.failure is not None:
            return _error_result(user_input, chat_log, stream.failure)
        if not isinstance(chat_log.content[-1], AssistantContent):
            # A silent answer, which the oldest supported release does not record.
            chat_log.async_add_assistant_content_without_tools(
                AssistantContent(agent_id=self.entity_id, content="")
            )
        return async_get_result_from_chat_log(user_input, chat_log)

    async def _async_provide_tools_and_prompt(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> None:
        options = self._options
        api_ids = existing_apis(self.hass, options.get(CONF_LLM_HASS_API) or ())
        names = options.get(CONF_BUILT_IN_TOOLS) or ()
        built_in = [
            *built_in_tools(self.hass, names),
            *self._history.tools(names, user_input),
        ]
        await chat_log.async_provide_llm_data(
            user_input.as_llm_context(DOMAIN),
            AgentAPI(self.hass, api_ids, built_in) if api_ids or built_in else None,
            options.get(CONF_PROMPT) or DEFAULT_PROMPT,
            user_input.extra_system_prompt,
        )

    def _provider(self) -> WindowedProvider:
        """Return the model, which is sent only what fits into its window."""
        data, settings = self._entry.runtime_data, model_settings(self._options)
        return WindowedProvider(
            data.server.provider(settings, costs=data.costs, quirks=data.quirks[settings.model]),
            data.windows[settings.model],
            configured=self._options.get(CONF_CONTEXT_WINDOW, DEFAULT_CONTEXT_WINDOW),
            answer=settings.max_tokens or 0,
        )

    def _events(
        self,
        turn: OpenTurn,
        chat_log: ChatLog,
        provider: WindowedProvider,
        sentences: dict[str, str],
    ) -> AsyncGenerator[LoopEvent]:
        """Return the events of the turn."""
        options = self._options
        opening = chat_log.content[0]
        prompt, clock = split_clock(opening.content if isinstance(opening, SystemContent) else "")
        loop = AgenticLoop(
            provider,
            loop_settings(options),
            phrases=phrases(sentences, silent_done=options.get(CONF_SILENT_DONE, False)),
            system_prompt=prompt,
        )
        return loop.stream(
            turn.user,
            turn.history,
            tool_guard(options, registry(chat_log.llm_api)),
            suffix=clock,
        )

    async def _async_remember(
        self, turn: OpenTurn, answer: Sequence[Message], provider: WindowedProvider
    ) -> None:
        """Keep a turn. Cancelling the turn does not stop that."""
        if answer:
            work = self._history.async_record(
                turn,
                answer,
                room=provider.room,
                summarizer=provider if self._options.get(CONF_SUMMARIZE, False) else None,
            )
            try:
                await asyncio.shield(self.hass.async_create_task(work, "Remember a turn"))
            except Exception:
                # The answer counts more than the memory of it.
                LOGGER.exception("%s will not remember this turn", self.entity_id)
            if not self._asked_for_window:
                # Now the model is loaded, and only now do some servers know.
                self._asked_for_window = True
                self._entry.async_create_background_task(
                    self.hass,
                    async_learn_windows(self.hass, self._entry),
                    "Ask for the window of the model",
                )

    async def _async_begin_anew(
        self, user_input: ConversationInput, chat_log: ChatLog, sentences: dict[str, str]
    ) -> ConversationResult:
        """End the conversation because the user wants a new one."""
        await self._history.async_end(user_input, chat_log)
        chat_log.async_add_assistant_content_without_tools(
            AssistantContent(agent_id=self.entity_id, content=sentences["new_conversation"])
        )
        return async_get_result_from_chat_log(user_input, chat_log)

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
        if isinstance(err, (LLMError, HomeAssistantError)):
            # What a server writes may hold what was said, so only the kind of error is told.
            LOGGER.warning("%s could not answer: %s", self.entity_id, type(err).__name__)
            LOGGER.debug("The error was", exc_info=err)
        else:
            LOGGER.error("%s failed unexpectedly", self.entity_id, exc_info=err)
        return key

    def _failed(
        self, user_input: ConversationInput, chat_log: ChatLog, sentence: str
    ) -> ConversationResult:
        """Answer with the sentence of a turn that ended before the model was asked."""
        chat_log.async_add_assistant_content_without_tools(
            failure_content(self.entity_id, sentence)
        )
        return _error_result(user_input, chat_log, sentence)


def _error_result(
    user_input: ConversationInput, chat_log: ChatLog, sentence: str
) -> ConversationResult:
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, sentence)
    return ConversationResult(response=response, conversation_id=chat_log.conversation_id)
