"""The model of one turn: its profile, its dialect, and the context of the user's message."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from homeassistant.components.conversation import ConversationInput
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from .active_conversations import ActiveConversation
from .agent.dialects.guided.clarifications import Clarifications
from .agent.dialects.guided.guided_context import GuidedContext
from .agent.dialects.profile import Profile, ProfileChoice, select_profile
from .agent.dialects.provider import DialectProvider, DialectSettings
from .agent.language.language_names import language_name
from .agent.language.speech import SpeechFilter, SpeechFilterProvider
from .agent.messages import ToolDefinition, ToolResult
from .agent.model.attachment_support import AttachmentSupportProvider
from .agent.model.provider import LLMProvider
from .agent.model.reasoning import Thinking
from .agent.model.repetition import RepetitionGuard
from .agent.model.request_log import RequestLog
from .agent.prompt import Note, TurnContext, suffix, unsent_notes
from .agent.turn import SpokenResults
from .agent_history import PendingTurn
from .data import ChatterboxData
from .exposed import (
    ExposedNames,
    async_home_vocabulary,
    effective_area,
    exposed_states,
    open_items,
    set_points,
)
from .intents.command_match import async_carried_out
from .intents.command_recognizer import CommandRecognition, async_start_recognition
from .intents.result_sentences import ResultSentences, async_load_result_sentences
from .intents.state_sentences import StateSentences, async_load_state_sentences
from .options import AgentOptions
from .speech_output import may_be_spoken

# Tokens of a context window that hardly has space for the tools of a home and a conversation.
_SMALL_CONTEXT_WINDOW = 8192


def profile_choice(data: ChatterboxData, options: AgentOptions) -> ProfileChoice:
    """Return the profile in force for an agent, and the reason."""
    quirks = data.quirks[options.model]
    return select_profile(options.profile, options.model, quirks, quirks.parameters)


async def async_with_home(
    hass: HomeAssistant, context: GuidedContext, language: str
) -> GuidedContext:
    """Return a context with the names, states and contents of the exposed entities."""
    return replace(
        context,
        vocabulary=await async_home_vocabulary(hass, language),
        states={state.entity_id: state.state for state in exposed_states(hass)},
        open_items=open_items(hass),
        set_points=set_points(hass),
    )


class TurnModel:
    """The model of an agent during one turn; unless it `learns`, its answers say nothing of it."""

    def __init__(  # noqa: PLR0913 - what is optional is given by name
        self,
        hass: HomeAssistant,
        data: ChatterboxData,
        options: AgentOptions,
        user_input: ConversationInput,
        sentences: dict[str, str],
        *,
        learns: bool = True,
        log: RequestLog | None = None,
    ) -> None:
        self._hass = hass
        self._options = options
        self._message = user_input
        self._sentences = sentences
        self._is_spoken = may_be_spoken(hass, user_input)
        self._tools: Sequence[ToolDefinition] = ()
        self._context: GuidedContext | None = None
        self.recognition: CommandRecognition | None = None
        """Recognition of the message by Home Assistant itself, None if it is not needed."""
        self._result_sentences: ResultSentences | None = None
        self._state_sentences: StateSentences | None = None
        self._results: list[ToolResult] = []
        choice = profile_choice(data, options)
        settings = options.model_settings(choice.profile)
        quirks = data.quirks[options.model]
        if not learns:
            quirks = quirks.copy()
        self._quirks = quirks
        window = data.context_windows[options.model].size(options.context_window)
        repeats = data.server_state.count_request
        self._dialect = DialectProvider(
            AttachmentSupportProvider(
                data.server.provider(
                    settings, price=data.options.price, quirks=quirks, repeats=repeats, log=log
                ),
                quirks,
            ),
            DialectSettings(
                profile=choice.profile,
                may_fall_back=learns and options.profile is Profile.AUTO,
                names=ExposedNames(hass),
                compact_tools=window is not None and window <= _SMALL_CONTEXT_WINDOW,
                thinks=options.thinking is not Thinking.OFF,
            ),
            quirks,
            self.async_guided_context,
            repeats,
        )

    @property
    def is_guided(self) -> bool:
        """Return whether the guided profile is in force; that may change within the turn."""
        return self._dialect.is_guided

    @property
    def sees(self) -> bool:
        """Return whether the model may accept images: it is not known that it does not."""
        return not self._quirks.is_blind

    @property
    def profile(self) -> Profile:
        """The profile in force."""
        return Profile.GUIDED if self.is_guided else Profile.CAPABLE

    @property
    def provider(self) -> LLMProvider:
        """The provider in the model's dialect, guarded; what is spoken is cleaned up."""
        # In front of the filter, which drops code, tables and emoji that may be repeated as well.
        guarded = RepetitionGuard(self._dialect)
        if not self._cleans_up:
            return guarded
        return SpeechFilterProvider(
            guarded, self._message.language, code_only=self._sentences["code_only"]
        )

    @property
    def _cleans_up(self) -> bool:
        """Return whether text is cleaned up for speech."""
        return self._options.voice.plain_speech and self._is_spoken

    async def async_start(self, tools: Sequence[ToolDefinition]) -> None:
        """Set the tools of the turn, and start the recognition of the message."""
        self._tools = tools
        if self.is_guided:
            await self._async_load_result_sentences()
        writing = {tool.name for tool in tools if not tool.annotations.read_only}
        confirms = self._options.voice.quick_confirmation
        if writing:
            self.recognition = async_start_recognition(
                self._hass,
                self._message,
                writing,
                unknown_names=self.is_guided,
                then=self._async_load_result_sentences if confirms else None,
            )

    def close(self) -> None:
        """Stop the background recognition."""
        if self.recognition is not None:
            self.recognition.close()

    def is_command(self) -> bool:
        """Return whether a capable model's message is known to be a command."""
        return not self.is_guided and self.recognition is not None and self.recognition.is_command()

    def speak_results(self, results: Sequence[ToolResult]) -> SpokenResults | None:
        """Return the spoken results, None if the model has to speak of them.

        A capable model speaks of everything but the success of a command that Home Assistant
        recognized as well.
        """
        self._results += results
        if self._result_sentences is None:
            return None
        if self.is_guided:
            return self._result_sentences.speak(results, self._answer)
        if not self._carried_out_command(results):
            return None
        return self._result_sentences.speak(results)

    def _answer(self, reads: Sequence[ToolResult]) -> Sequence[str]:
        """Return the sentences that answer look-ups, none if the model has to answer."""
        if self._state_sentences is None:
            return ()
        recognized = self._context.recognized if self._context is not None else None
        sentences = self._state_sentences.answer(reads, self._message.text, recognized)
        return [*map(self._speech, sentences)] if self._cleans_up else sentences

    def _speech(self, text: str) -> str:
        """Return a text cleaned up for speech."""
        speech = SpeechFilter(self._message.language)
        return speech.feed(text) + speech.finish() or text

    def _carried_out_command(self, results: Sequence[ToolResult]) -> bool:
        """Return whether all actions of the turn, the last results, did what was recognized."""
        command = self.recognition.command if self.recognition is not None else None
        if command is None or not self._options.voice.quick_confirmation:
            return False
        read_only = {tool.name for tool in self._tools if tool.annotations.read_only}
        actions = [result for result in self._results if result.call.name not in read_only]
        if actions != [*results]:
            return False
        area = self._area()
        return async_carried_out(self._hass, command, actions, area.id if area else None)

    async def async_suffix(
        self,
        time_and_place: Sequence[str],
        conversation: ActiveConversation,
        turn: PendingTurn,
        notes: Iterable[Note] = (),
    ) -> str | None:
        """Return the context that is appended to the user's message of a turn.

        The first message of a history also has the user's name and a caller's extra prompt, which
        the conversation keeps. Where a satellite began with a question, Home Assistant repeats that
        as the extra prompt, unless the caller has another one. A guided model gets no notes.
        """
        begins = turn.begins
        extra = self._message.extra_system_prompt
        if extra == turn.opening:
            extra = None
        conversation.extra_system_prompt = extra or conversation.extra_system_prompt
        place = list(time_and_place)
        if self.is_guided and (area := self._area()):
            place.append(f"The user is in the area {area.name}.")
        return suffix(
            TurnContext(
                time_and_place=place,
                notes=[] if self.is_guided else unsent_notes(notes, turn.history),
                user=await self._async_user_name() if begins else None,
                extra=conversation.extra_system_prompt if begins else extra,
                switch=self._options.thinking_switch.suffix,
            )
        )

    async def async_guided_context(self) -> GuidedContext:
        """Return the context of the action grammar, the same for the whole turn."""
        if self._context is None:
            # The profile may have changed from capable to guided within the turn.
            await self._async_load_result_sentences()
            language = self._message.language
            # Only an agent that may control the home gets the names of its entities.
            controls = llm.LLM_API_ASSIST in self._options.llm_apis
            area = self._area()
            context = GuidedContext(
                area=area.name if area else None,
                weekday=dt_util.now().weekday(),
                language="" if language.startswith("en") else language_name(language),
                clarifications=Clarifications(
                    do_you_mean=self._sentences["do_you_mean"],
                    which_one=self._sentences["which_one"],
                    no_such_device=self._sentences["no_such_device"],
                    confirm=self._sentences["confirm"],
                    should_be=self._sentences["should_be"],
                    should_do=self._sentences["should_do"],
                    and_more=self._sentences["and_more"],
                ),
            )
            if controls:
                self._state_sentences = await async_load_state_sentences(
                    self._hass, language, self._sentences
                )
                context = await async_with_home(self._hass, context, language)
            if self.recognition is not None:
                recognized = await self.recognition.async_result()
                context = replace(context, recognized=recognized)
            self._context = context
        return self._context

    async def _async_load_result_sentences(self) -> None:
        if self._result_sentences is None:
            self._result_sentences = await async_load_result_sentences(
                self._hass,
                self._message.language,
                self._sentences,
                self._tools,
                silent_done=self._options.voice.silent_done,
            )

    def _area(self) -> ar.AreaEntry | None:
        """Return the area of the satellite or device, None if it is not known."""
        satellite = er.async_get(self._hass).async_get(self._message.satellite_id or "")
        return effective_area(self._hass, satellite, self._message.device_id)

    async def _async_user_name(self) -> str | None:
        """Return the name of the user; None for a guided model, which mistakes it for its own."""
        user_id = self._message.context.user_id
        if self.is_guided or not user_id:
            return None
        user = await self._hass.auth.async_get_user(user_id)
        return user.name if user else None
