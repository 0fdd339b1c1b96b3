"""An agent's model during one turn: its profile, its dialect, and what it is told of the moment."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from homeassistant.components.conversation import ConversationInput
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import llm

from .agent.dialects.action_grammar import Clarifications, GuidedContext
from .agent.dialects.profile import Profile, ProfileChoice, select_profile
from .agent.dialects.provider import DialectProvider, DialectSettings
from .agent.home import HomeVocabulary
from .agent.language.language_names import language_name
from .agent.language.speech import SpeechFilterProvider
from .agent.messages import ToolDefinition
from .agent.prompt import TurnContext, suffix
from .agent.provider import LLMProvider
from .agent.reasoning import Thinking
from .command_recognizer import CommandRecognition, async_start_recognition
from .const import (
    CONF_CONTEXT_WINDOW,
    CONF_PLAIN_SPEECH,
    CONF_THINKING,
    DEFAULT_CONTEXT_WINDOW,
)
from .data import ChatterboxData
from .exposed import ExposedNames, async_home_vocabulary
from .settings import model_settings, profile, retry_commands, thinking
from .turns import Conversation

# Tokens up to which the tools of a home and a conversation hardly fit into a context window.
_SMALL_CONTEXT_WINDOW = 8192


def profile_choice(data: ChatterboxData, options: Mapping[str, Any]) -> ProfileChoice:
    """Return the profile in force for an agent, and why."""
    model = options[CONF_MODEL]
    quirks = data.knowledge[model]
    return select_profile(profile(options), model, quirks, quirks.parameters)


class TurnModel:
    """The model of an agent during one turn."""

    def __init__(
        self,
        hass: HomeAssistant,
        data: ChatterboxData,
        options: Mapping[str, Any],
        user_input: ConversationInput,
        sentences: Mapping[str, str],
    ) -> None:
        self._hass = hass
        self._options = options
        self._message = user_input
        self._sentences = sentences
        self._context: GuidedContext | None = None
        self.recognition: CommandRecognition | None = None
        """What Home Assistant itself understands of the message; set when it was started."""
        choice = profile_choice(data, options)
        settings = model_settings(options, choice.profile)
        quirks = data.knowledge[settings.model]
        window = data.windows[settings.model].size(
            options.get(CONF_CONTEXT_WINDOW, DEFAULT_CONTEXT_WINDOW)
        )
        self._dialect = DialectProvider(
            data.server.provider(settings, costs=data.costs, quirks=quirks),
            DialectSettings(
                profile=choice.profile,
                may_fall_back=profile(options) is Profile.AUTO,
                names=ExposedNames(hass),
                compact_tools=window is not None and window <= _SMALL_CONTEXT_WINDOW,
                thinks=options.get(CONF_THINKING) != Thinking.OFF,
            ),
            quirks,
            self.async_guided_context,
        )

    @property
    def is_guided(self) -> bool:
        """Whether the guided profile is in force; that may change within the turn."""
        return self._dialect.is_guided

    def start_recognition(self, tools: Sequence[ToolDefinition]) -> CommandRecognition | None:
        """Have Home Assistant itself recognize the message, where that is of use."""
        writing = [tool.name for tool in tools if not tool.annotations.read_only]
        if writing and (self.is_guided or retry_commands(self._options)):
            self.recognition = async_start_recognition(
                self._hass, self._message, writing, unknown_names=self.is_guided
            )
        return self.recognition

    @property
    def provider(self) -> LLMProvider:
        """The model as the loop knows models."""
        if not self._options.get(CONF_PLAIN_SPEECH, True):
            return self._dialect
        return SpeechFilterProvider(self._dialect, self._message.language)

    async def async_guided_context(self) -> GuidedContext:
        """Return what the action grammar has to know of the home, the same for the whole turn."""
        if self._context is None:
            language = self._message.language
            # Names are for an agent that may control what they belong to.
            controls = llm.LLM_API_ASSIST in (self._options.get(CONF_LLM_HASS_API) or ())
            self._context = GuidedContext(
                vocabulary=await async_home_vocabulary(self._hass, language)
                if controls
                else HomeVocabulary(),
                area=self._area(),
                language="" if language.startswith("en") else language_name(language),
                clarifications=Clarifications(
                    do_you_mean=self._sentences["do_you_mean"],
                    which_one=self._sentences["which_one"],
                    no_such_device=self._sentences["no_such_device"],
                    confirm=self._sentences["confirm"],
                ),
            )
            if self.recognition is not None:
                recognized = await self.recognition.async_result()
                self._context = replace(self._context, recognized=recognized)
        return self._context

    def _area(self) -> str | None:
        """Return the name of the area that the message comes from."""
        satellite = er.async_get(self._hass).async_get(self._message.satellite_id or "")
        device = dr.async_get(self._hass).async_get(self._message.device_id or "")
        area_id = satellite.area_id if satellite else None
        if area_id is None and device is not None:
            area_id = dr.async_get_effective_area_id(self._hass, device)
        area = ar.async_get(self._hass).async_get_area(area_id) if area_id else None
        return area.name if area else None

    async def async_suffix(
        self, time_and_place: Sequence[str], conversation: Conversation, *, begins: bool
    ) -> str | None:
        """Return what stands behind the user's message.

        Where a conversation begins, the model is also told who leads it, and what a caller wanted
        to be known of it.
        """
        extra = self._message.extra_system_prompt
        conversation.extra = extra or conversation.extra
        place = list(time_and_place)
        if self.is_guided and (area := self._area()):
            place.append(f"The user is in the area {area}.")
        return suffix(
            TurnContext(
                time_and_place=place,
                user=await self._async_user_name() if begins else None,
                extra=conversation.extra if begins else extra,
                switch=thinking(self._options).said,
            )
        )

    async def _async_user_name(self) -> str | None:
        """Return the name of the user; none for a small model, which takes it for its own."""
        user_id = self._message.context.user_id
        if self.is_guided or not user_id:
            return None
        user = await self._hass.auth.async_get_user(user_id)
        return user.name if user else None
