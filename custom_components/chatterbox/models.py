"""An agent's model: how it is talked to, by its options and by what it is."""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from .agent.dialects.dialect import DialectName, DialectSettings
from .agent.dialects.profile import Profile
from .agent.dialects.provider import DialectProvider
from .agent.dialects.vocabulary import Mentioned, Vocabulary
from .agent.dialects.written import Example
from .agent.messages import ToolDefinition
from .agent.model_name import is_small
from .agent.prompt import Surroundings, TurnMode, suffix, turn_mode, worked_examples
from .agent.provider import LLMProvider
from .agent.reasoning import Thinking
from .agent.speech import SpeakingProvider
from .agent.words import asks
from .const import (
    CONF_CONTEXT_WINDOW,
    CONF_PLAIN_SPEECH,
    CONF_THINKING,
    DEFAULT_CONTEXT_WINDOW,
)
from .data import ChatterboxData
from .home import vocabulary
from .settings import model_settings, profile, thinking
from .turns import Conversation

# They cost nothing after the first turn, as the prompt is read once, but they take their room.
_EXAMPLES = 24
_EXAMPLES_IN_A_TIGHT_WINDOW = 8
# Tokens up to which a window is tight: the tools of a home and a conversation hardly fit into it.
_TIGHT_WINDOW = 8192
_DIALECTS = {
    Profile.AUTO: DialectName.AUTO,
    Profile.CAPABLE: DialectName.NATIVE,
    Profile.GUIDED: DialectName.STRUCTURED,
}


class TalkingModel:
    """The model of an agent during one turn."""

    def __init__(
        self,
        hass: HomeAssistant,
        data: ChatterboxData,
        options: Mapping[str, Any],
        tools: Sequence[ToolDefinition],
        user_input: ConversationInput,
    ) -> None:
        """Take the server, the options of the agent, the tools of the turn, and the message."""
        self._hass = hass
        self._options = options
        self._small = is_small(options[CONF_MODEL])
        window = data.windows[options[CONF_MODEL]].size(
            options.get(CONF_CONTEXT_WINDOW, DEFAULT_CONTEXT_WINDOW)
        )
        self._tight = window is not None and window <= _TIGHT_WINDOW
        # Names are for an agent that may control what they belong to.
        controls = llm.LLM_API_ASSIST in (options.get(CONF_LLM_HASS_API) or ())
        self._vocabulary = vocabulary(hass) if controls else Vocabulary()
        self._tools = tools
        self._message = user_input
        hints = bool(tools) and self._small
        self._mentioned = self._vocabulary.mentioned(user_input.text) if hints else Mentioned()
        self._asks = asks(user_input.text, user_input.language)
        self.provider = self._provider(data)
        """The model as the loop knows models."""

    def _provider(self, data: ChatterboxData) -> LLMProvider:
        settings = model_settings(self._options)
        quirks = data.knowledge[settings.model]
        raw = data.server.provider(settings, costs=data.costs, quirks=quirks)
        provider = DialectProvider(raw, settings.model, self._settings(), quirks)
        if not self._options.get(CONF_PLAIN_SPEECH, True):
            return provider
        return SpeakingProvider(provider, self._message.language)

    def _settings(self) -> DialectSettings:
        return DialectSettings(
            dialect=_DIALECTS[profile(self._options)],
            compact_tools=self._tight or None,
            examples=self._examples(),
            vocabulary=self._vocabulary,
            mentioned=self._mentioned,
            thinks=self._options.get(CONF_THINKING) != Thinking.OFF,
            asks=self._small and self._asks,
        )

    def _examples(self) -> list[Example]:
        if not self._small:
            return []
        limit = _EXAMPLES_IN_A_TIGHT_WINDOW if self._tight else _EXAMPLES
        return worked_examples(self._tools, self._vocabulary, limit)

    async def async_suffix(
        self, moment: Sequence[str], conversation: Conversation, *, begins: bool
    ) -> str | None:
        """Return what stands behind the user's message.

        `moment` is what Home Assistant tells of it. Where a conversation begins, it is also told
        who leads it, and what a caller wanted to be known of it.
        """
        extra = self._message.extra_system_prompt
        conversation.extra = extra or conversation.extra
        return suffix(
            Surroundings(
                moment=moment,
                user=await self._async_user_name() if begins else None,
                mentioned=self._mentioned,
                mode=turn_mode(self._tools, asks=self._asks)
                if self._small
                else TurnMode.CONVERSATION,
                extra=conversation.extra if begins else extra,
                switch=thinking(self._options).said,
            )
        )

    async def _async_user_name(self) -> str | None:
        """Return the name of the user; none for a small model, which takes it for its own."""
        user_id = self._message.context.user_id
        if self._small or not user_id:
            return None
        user = await self._hass.auth.async_get_user(user_id)
        return user.name if user else None
