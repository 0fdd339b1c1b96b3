"""The conversation agents."""

import logging
from collections.abc import AsyncGenerator
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
from .agent.errors import LLMAuthError, LLMError
from .agent.events import LoopEvent
from .agent.loop import AgenticLoop
from .agent.messages import Message
from .agent.trace import TurnTrace
from .built_in import built_in_tools
from .chat_log import DeltaStream, failure_content, history
from .const import (
    CONF_BUILT_IN_TOOLS,
    CONF_MAX_HISTORY_TURNS,
    CONF_SILENT_DONE,
    DEFAULT_MAX_HISTORY_TURNS,
    DOMAIN,
    SUBENTRY_CONVERSATION,
)
from .data import ChatterboxConfigEntry
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
    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        """Answer a message. Whatever happens, the user hears a sentence."""
        sentences = await async_get_sentences(self.hass, user_input.language)
        if not user_input.text.strip():
            return self._failed(user_input, chat_log, sentences["not_understood"])
        try:
            await self._async_provide_tools_and_prompt(user_input, chat_log)
        except Exception as err:  # noqa: BLE001 - tools of any integration are asked for here
            return self._failed(user_input, chat_log, sentences[self._report(err)])

        stream = DeltaStream(lambda err: sentences[self._report(err)])
        async with (
            aclosing(self._turn(user_input, chat_log, sentences)) as events,
            aclosing(stream.deltas(events)) as deltas,
        ):
            async for _ in chat_log.async_add_delta_content_stream(self.entity_id, deltas):
                pass
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
        built_in = built_in_tools(self.hass, options.get(CONF_BUILT_IN_TOOLS) or ())
        await chat_log.async_provide_llm_data(
            user_input.as_llm_context(DOMAIN),
            AgentAPI(self.hass, api_ids, built_in) if api_ids or built_in else None,
            options.get(CONF_PROMPT) or DEFAULT_PROMPT,
            user_input.extra_system_prompt,
        )

    def _turn(
        self, user_input: ConversationInput, chat_log: ChatLog, sentences: dict[str, str]
    ) -> AsyncGenerator[LoopEvent]:
        """Return the events of the turn."""
        data, options = self._entry.runtime_data, self._options
        opening = chat_log.content[0]
        prompt, clock = split_clock(opening.content if isinstance(opening, SystemContent) else "")
        settings = model_settings(options)
        loop = AgenticLoop(
            data.server.provider(settings, costs=data.costs, quirks=data.quirks[settings.model]),
            loop_settings(options),
            phrases=phrases(sentences, silent_done=options.get(CONF_SILENT_DONE, False)),
            system_prompt=prompt,
        )
        return loop.stream(
            user_input.text,
            self._history(chat_log),
            tool_guard(options, registry(chat_log.llm_api)),
            suffix=clock,
        )

    def _history(self, chat_log: ChatLog) -> list[Message]:
        """Return what was said before this turn."""
        current = max(
            index for index, item in enumerate(chat_log.content) if isinstance(item, UserContent)
        )
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
