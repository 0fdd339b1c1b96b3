"""The conversation agents."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
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
    async_get_result_from_chat_log,
)
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .agent.errors import LLMAuthError, LLMConnectionError, LLMError
from .agent.events import LoopEvent
from .agent.language.phrases import says_stop, wants_new_conversation
from .agent.loop import AgenticLoop
from .agent.messages import Message
from .agent.trace import TurnTrace
from .agent.window import WindowedProvider
from .assembly import async_turn_tools, turn_prompt, turn_provider, turn_tools
from .chat_log import DeltaStream, Note, failure_content
from .confirmation import take_confirmed_call
from .const import (
    CONF_BUILT_IN_TOOLS,
    CONF_FALLBACK_AGENT,
    CONF_NEW_CONVERSATION,
    CONF_SILENT_DONE,
    CONF_SUMMARIZE,
    DOMAIN,
    SUBENTRY_CONVERSATION,
)
from .data import ChatterboxConfigEntry
from .fallback import async_fall_back
from .history import OpenTurn
from .issues import async_clear, async_report
from .model_windows import async_learn_windows
from .models import TurnModel
from .result_sentences import async_load_result_sentences
from .results import failed, said, speech_of
from .sentences import async_get_sentences, phrases, sentence_key
from .settings import loop_settings
from .turns import Conversation, TurnRecord

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
            return said(user_input, user_input.conversation_id, sentences["stopped"])
        return failed(user_input, user_input.conversation_id, sentences["busy"])

    @override
    async def _async_handle_message(
        self, user_input: ConversationInput, chat_log: ChatLog
    ) -> ConversationResult:
        """Answer a message. Whatever happens, the user hears a sentence."""
        sentences = await async_get_sentences(self.hass, user_input.language)
        if not user_input.text.strip():
            return self._failed(user_input, chat_log, sentences["not_understood"])
        conversation = self._entry.runtime_data.conversations.get(
            chat_log.conversation_id, user_input
        )
        if not await conversation.settle(_PATIENCE) or conversation.turn.running:
            return self._failed(user_input, chat_log, sentences["busy"])
        if conversation.turn.broken_off and says_stop(user_input.text, user_input.language):
            return self._stopped(user_input, chat_log, sentences)
        if self._options.get(CONF_NEW_CONVERSATION, True) and wants_new_conversation(
            user_input.text, user_input.language
        ):
            return await self._async_begin_anew(user_input, chat_log, sentences)
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
        agreed = take_confirmed_call(user_input, conversation.state)
        data = self._entry.runtime_data
        model = TurnModel(self.hass, data, self._options, user_input, sentences)
        try:
            definitions = await async_turn_tools(
                self.hass,
                self._options,
                chat_log,
                user_input,
                self._history.tools(self._options.get(CONF_BUILT_IN_TOOLS) or (), user_input),
                guided=model.is_guided,
            )
            turn = await self._history.async_begin(user_input, chat_log, self.entity_id)
            prompt, moment = turn_prompt(chat_log, () if model.is_guided else definitions)
            told = await model.async_suffix(moment, conversation, begins=not turn.history)
            turn = replace(turn, suffix=told)
            result_sentences = await async_load_result_sentences(
                self.hass, self._options, user_input.language, sentences, definitions
            )
        except Exception as err:  # noqa: BLE001 - tools of any integration are asked for here
            return self._failed(user_input, chat_log, sentences[self._report(err)])

        def explain(err: Exception) -> str | None:
            if isinstance(err, LLMConnectionError) and not stream.begun and self._fallback:
                return None
            return sentences[self._report(err)]

        stream = DeltaStream(explain)
        provider = turn_provider(self._entry, self._options, model.provider)
        tools = turn_tools(self._entry, self._options, chat_log, conversation.state, agreed)
        loop = AgenticLoop(
            provider,
            loop_settings(self._options),
            phrases=phrases(
                sentences,
                user_input.language,
                silent_done=self._options.get(CONF_SILENT_DONE, False),
            ),
            system_prompt=prompt,
        )
        recognition = model.start_recognition(definitions)
        events = loop.stream(
            turn.user,
            turn.history,
            tools,
            suffix=turn.suffix,
            agreed=agreed,
            is_command=lambda: (
                recognition is not None and not model.is_guided and recognition.is_command()
            ),
            speak_results=lambda results: (
                result_sentences.speak(results) if model.is_guided else None
            ),
        )
        record = TurnRecord(tools)
        try:
            await self._async_speak(chat_log, stream, record.watch(events), events)
        except asyncio.CancelledError:
            self._finish_later(conversation, turn, record, provider, sentences["stopped"])
            raise
        finally:
            if recognition is not None:
                recognition.close()
        if stream.error is not None and stream.failure is None:
            remember = partial(self._async_remember, turn, provider=provider)
            return await self._async_fall_back(
                user_input, chat_log, sentences, remember, stream.error
            )
        result = self._conclude(user_input, chat_log, stream)
        await self._async_remember(turn, stream.answer(chat_log, self.entity_id), provider)
        if tools.running:
            self._finish_later(conversation, turn, record, provider, _spoken(chat_log))
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
            return failed(user_input, chat_log.conversation_id, stream.failure)
        self._entry.runtime_data.fallback_told = False
        async_clear(self.hass, self._subentry)
        return async_get_result_from_chat_log(user_input, chat_log)

    async def _async_speak(
        self,
        chat_log: ChatLog,
        stream: DeltaStream,
        watched: AsyncGenerator[LoopEvent],
        events: AsyncGenerator[LoopEvent],
    ) -> None:
        """Pass the turn on to the chat log, and so to whoever listens, while it happens."""
        async with aclosing(events), aclosing(watched), aclosing(stream.deltas(watched)) as deltas:
            async for _ in chat_log.async_add_delta_content_stream(self.entity_id, deltas):
                pass

    def _finish_later(
        self,
        conversation: Conversation,
        turn: OpenTurn,
        record: TurnRecord,
        provider: WindowedProvider,
        ending: str,
    ) -> None:
        """Remember a turn that broke off as soon as its tools are done; nobody waits for that."""

        async def finish() -> None:
            await self._async_remember(turn, await record.messages(ending), provider)

        if record.called:
            # Home Assistant waits for this when the server is reloaded, or it stops itself.
            conversation.finishing = self._entry.async_create_task(
                self.hass, finish(), f"{self.entity_id} finishes a turn"
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
        remember: Callable[[Sequence[Message]], Awaitable[None]],
        err: Exception,
    ) -> ConversationResult:
        """Let another agent answer, and say so the first time."""
        key, data = self._report(err), self._entry.runtime_data
        result = await async_fall_back(
            self.hass, self._fallback or "", user_input, chat_log.conversation_id
        )
        if result is None:
            return self._failed(user_input, chat_log, sentences[key])
        answer = speech_of(result)
        await remember([Message.assistant(answer)])
        if not data.fallback_told:
            data.fallback_told = True
            result.response.async_set_speech(f"{sentences['fallback']} {answer}".strip())
        return result

    def _failed(
        self, user_input: ConversationInput, chat_log: ChatLog, sentence: str
    ) -> ConversationResult:
        """Answer with the sentence of a turn that ended before the model was asked."""
        chat_log.async_add_assistant_content_without_tools(
            failure_content(self.entity_id, sentence)
        )
        return failed(user_input, chat_log.conversation_id, sentence)

    def _stopped(
        self, user_input: ConversationInput, chat_log: ChatLog, sentences: dict[str, str]
    ) -> ConversationResult:
        """Answer with the sentence of a turn that the user has stopped."""
        sentence = sentences["stopped"]
        chat_log.async_add_assistant_content_without_tools(
            failure_content(self.entity_id, sentence)
        )
        return said(user_input, chat_log.conversation_id, sentence)


def _spoken(chat_log: ChatLog) -> str:
    """Return the last thing that was said."""
    last = chat_log.content[-1]
    return (last.content if isinstance(last, AssistantContent) else None) or ""
