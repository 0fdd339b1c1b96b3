"""Conversation entities."""

from typing import Literal, override

from homeassistant.components.conversation import (
    ChatLog,
    ConversationEntity,
    ConversationEntityFeature,
    ConversationInput,
    ConversationResult,
)
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .agent.cancel_scope import CancelScope
from .agent.language.phrases import says_go_on, says_stop, wants_new_conversation
from .agent_turn import AgentTurn
from .confirmation import take_confirmed_calls
from .data import Agent, ChatterboxConfigEntry, conversation_agents
from .entity import device_info
from .prewarm import Prewarmer
from .responses import error_result, fail, say, speech_result, stop
from .sentences import async_get_sentences
from .spoken_answer import go_on

PARALLEL_UPDATES = 0


async def async_setup_entry(
    _hass: HomeAssistant,
    entry: ChatterboxConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the agents of a server."""
    for agent in conversation_agents(entry):
        async_add_entities(
            [ChatterboxConversationEntity(agent)], config_subentry_id=agent.subentry.subentry_id
        )


class ChatterboxConversationEntity(ConversationEntity):
    """A conversation agent: one model with its instructions, tools and limits."""

    _attr_has_entity_name = True
    _attr_name = None
    _attr_supports_streaming = True
    _attr_translation_key = "agent"

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._prewarmer = Prewarmer(agent)
        self._attr_unique_id = agent.subentry.subentry_id
        self._attr_device_info = device_info(agent)
        if agent.options.llm_apis:
            self._attr_supported_features = ConversationEntityFeature.CONTROL

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the turns that Home Assistant answers itself, and prewarm."""
        await super().async_added_to_hass()
        self.async_on_remove(self._agent.history.async_subscribe(self.entity_id))
        self.async_on_remove(self._prewarmer.async_start(self.hass, self.entity_id))

    @override
    async def async_prepare(self, language: str | None = None) -> None:
        """Prepare for the message that the user is speaking."""
        self._prewarmer.async_warm_up(language, speaking=True)

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        """All languages: which of them are understood depends on the model."""
        return MATCH_ALL

    @override
    async def async_process(self, user_input: ConversationInput) -> ConversationResult:
        """Answer a message. During a turn of the same conversation it cancels that, or is rejected.

        A conversation has one chat log, which the running turn is using.
        """
        conversations = self._agent.data.conversations
        stops = says_stop(user_input.text, user_input.language)
        busy = conversations.find_busy(user_input)
        if busy is None and stops:
            busy = conversations.find_on_device(user_input.device_id)
        if busy is None:
            return await super().async_process(user_input)
        sentences = await async_get_sentences(self.hass, user_input.language)
        if stops:
            busy.cancel()
        elif not self._agent.options.voice.interrupt:
            return error_result(user_input, user_input.conversation_id, sentences["busy"])
        elif await busy.async_interrupt(user_input):
            return await super().async_process(user_input)
        sentence = sentences[busy.stop_sentence]
        return speech_result(user_input, user_input.conversation_id, sentence)

    @override
    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        """Answer a message; every failure is answered with a sentence, too."""
        text, language = user_input.text, user_input.language
        sentences = await async_get_sentences(self.hass, language)
        if not text.strip():
            return fail(user_input, chat_log, sentences["not_understood"])
        data = self._agent.data
        conversation = data.conversations.get(chat_log.conversation_id, user_input)
        if conversation.scope.running:
            return fail(user_input, chat_log, sentences["busy"])
        # Whatever the message is, it is the answer to a question that has just been asked.
        conversation.confirmed_calls = take_confirmed_calls(user_input, chat_log, conversation)
        interrupted = conversation.scope.cancelled or data.satellites.interrupted(user_input)
        if says_stop(text, language) and (conversation.cancel() or interrupted):
            # A repeated stop is for the cancelled turn, a later one may be for the music.
            conversation.scope = CancelScope()
            return stop(user_input, chat_log, sentences[conversation.stop_sentence])
        if wants_new_conversation(text, language):
            conversation.unspoken = ""
            await self._agent.history.async_end(user_input, chat_log)
            return say(user_input, chat_log, sentences["new_conversation"])
        if conversation.has_unspoken(user_input) and says_go_on(text, language):
            return go_on(conversation, user_input, chat_log, self._agent.options.voice)
        result: ConversationResult | None = None
        async with conversation.begin(user_input):
            turn = AgentTurn(self._agent, user_input, chat_log, conversation, sentences)
            result = await turn.async_run()
        return result or stop(user_input, chat_log, sentences[conversation.stop_sentence])
