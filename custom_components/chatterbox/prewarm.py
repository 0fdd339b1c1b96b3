"""Prewarming: the beginning of the next request, sent ahead, and what a first turn has to load."""

import time
from copy import copy
from dataclasses import replace

from homeassistant.components.conversation import ChatLog, ConversationInput
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.core import CALLBACK_TYPE, Context, CoreState, HassJob, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.chat_session import ChatSession, current_session
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.start import async_at_started

from .agent.messages import Message
from .agent.model.provider import CompletionRequest
from .agent.prompt import opening_messages
from .agent.tools.conversation_state import ConversationState
from .agent_history import caller_of
from .const import LOGGER
from .data import Agent
from .home_cache import home_cache
from .satellites import SATELLITE
from .sentences import async_get_sentences
from .server import async_is_local
from .turn_model import TurnModel
from .turn_setup import async_render_prompt, build_dispatcher, fit_context

# Seconds after a change, within which others may follow.
_SETTLE = 2
# Seconds after which a server may have unloaded an idle model: five minutes are Ollama's default.
_UNLOADED_AFTER = 300
# The user's message is not known yet; the beginnings of the requests are the same up to it.
_PLACEHOLDER = "Hello!"
_LISTENING = "listening"


class Prewarmer:
    """Prewarming for one agent: after the start, after a change, and while the user is speaking.

    The server is asked for one token of an answer to the instructions, tools and history of the
    next request. That puts them into its cache, and loads the model. Home Assistant loads what it
    recognizes and answers sentences with. Errors are of no consequence.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._hass: HomeAssistant
        self._entity_id = ""
        self._settling: CALLBACK_TYPE | None = None
        self._sent: object = None
        """What was last sent to the end."""
        self._sent_at = 0.0

    @callback
    def async_start(self, hass: HomeAssistant, entity_id: str) -> CALLBACK_TYPE:
        """Start prewarming for an entity; return a function to stop it."""
        self._hass, self._entity_id = hass, entity_id

        @callback
        def changed(_cause: object = None) -> None:
            if hass.state is CoreState.running:
                stop_settling()
                self._settling = async_call_later(hass, _SETTLE, settled)

        @callback
        def warm_up(_now: object) -> None:
            self._settling = None
            self.async_warm_up()

        @callback
        def stop_settling() -> None:
            if self._settling is not None:
                self._settling()
                self._settling = None

        settled = HassJob(warm_up, cancel_on_shutdown=True)
        unsubscribers = (
            home_cache(hass).async_subscribe(changed),
            async_at_started(hass, changed),
            stop_settling,
        )

        @callback
        def stop() -> None:
            for unsubscribe in unsubscribers:
                unsubscribe()

        return stop

    @callback
    def async_warm_up(self, language: str | None = None, *, speaking: bool = False) -> None:
        """Prewarm in the background, for the session that the caller's task has."""
        language = language or self._hass.config.language
        self._agent.entry.async_create_background_task(
            self._hass,
            self._async_warm_up(language, current_session.get(), speaking=speaking),
            f"prewarm {self._entity_id}",
        )

    async def _async_warm_up(
        self, language: str, session: ChatSession | None, *, speaking: bool
    ) -> None:
        agent = self._agent
        message = self._message(language, session)
        try:
            sentences = await async_get_sentences(self._hass, language)
            # One token is the shortest answer.
            options = replace(agent.options, max_tokens=1)
            model = TurnModel(self._hass, agent.data, options, message, sentences, learns=False)
            try:
                await self._async_send(model, message, self._chat_log(session), speaking=speaking)
                if model.recognition is not None:
                    await model.recognition.async_result()
            finally:
                model.close()
        except Exception as err:  # noqa: BLE001 - a turn reports its errors itself
            LOGGER.debug("Could not prewarm %s: %s", self._entity_id, type(err).__name__)

    async def _async_send(
        self, model: TurnModel, message: ConversationInput, chat_log: ChatLog, *, speaking: bool
    ) -> None:
        """Load what a turn needs, and send the beginning of its request if that pays."""
        agent = self._agent
        data, options, history = agent.data, agent.options, agent.history
        prompt = await async_render_prompt(
            options,
            chat_log,
            message,
            history.tools(options.built_in_tools, message, lambda: agent.history),
            guided=model.is_guided,
            sees=model.sees,
        )
        await model.async_start(prompt.tools)
        if not await self._async_pays():
            return
        dispatcher = build_dispatcher(
            self._hass,
            data,
            options,
            prompt.registry,
            ConversationState(),
            searched=prompt.searched,
        )
        earlier = await history.async_peek(caller_of(message, chat_log))
        request = CompletionRequest(
            messages=(*opening_messages(prompt.system), *earlier, Message.user(_PLACEHOLDER)),
            tools=tuple(dispatcher.definitions),
        )
        # The guided profile writes the names of the home into the request.
        names = (await model.async_guided_context()).vocabulary if model.is_guided else None
        async with data.server_state.giving_way():
            # Another agent of the server may have been prewarmed meanwhile.
            now = time.monotonic()
            idle = now - max(self._sent_at, data.server_state.answered_at)
            loaded = idle < _UNLOADED_AFTER or not speaking
            if (loaded and self._sent == (request, names)) or data.conversations.running():
                return
            await fit_context(data, options, model.provider).complete(request)
            self._sent, self._sent_at = (request, names), time.monotonic()
            LOGGER.debug("%s prewarmed in %.1f s", self._entity_id, self._sent_at - now)

    async def _async_pays(self) -> bool:
        """Return whether the server is to be prewarmed: where it costs nothing."""
        data = self._agent.data
        reported = [turn.usage.cached_tokens for turn in data.turns]
        if not any(reported) and 0 in reported:
            # The server reports its cache, and has never used it.
            return False
        return not data.options.max_requests_per_minute and await async_is_local(
            self._hass, data.options.base_url
        )

    def _message(self, language: str, session: ChatSession | None) -> ConversationInput:
        """Return a message as the next one may be."""
        satellite = self._satellite(listening=session is not None)
        user_id = getattr(session, "user_id", None)
        return ConversationInput(
            text=_PLACEHOLDER,
            # A session may not have a user yet.
            context=Context(user_id=user_id if isinstance(user_id, str) else None),
            conversation_id=session.conversation_id if session else None,
            device_id=satellite.device_id if satellite else None,
            satellite_id=satellite.entity_id if satellite else None,
            language=language,
            agent_id=self._entity_id,
        )

    def _satellite(self, *, listening: bool) -> er.RegistryEntry | None:
        """Return a satellite, if wanted one that listens: tools may depend on the device."""
        registry = er.async_get(self._hass)
        satellites = (
            registry.async_get(state.entity_id)
            for state in self._hass.states.async_all(SATELLITE)
            if not listening or state.state == _LISTENING
        )
        return next(filter(None, satellites), None)

    def _chat_log(self, session: ChatSession | None) -> ChatLog:
        """Return a chat log to prepare a turn with: a copy of the session's, or a new one."""
        conversation_id = session.conversation_id if session else self._entity_id
        existing = self._hass.data.get(DATA_CHAT_LOGS, {}).get(conversation_id)
        if existing is None:
            return ChatLog(self._hass, conversation_id)
        chat_log = copy(existing)
        chat_log.content = [*existing.content]
        return chat_log
