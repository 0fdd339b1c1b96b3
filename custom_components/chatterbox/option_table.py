"""Table of options: the key, the default and the form field of each."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, override

import probatio as vol

from homeassistant.helpers.selector import (
    BooleanSelector,
    ConversationAgentSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    ObjectSelector,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
)

from .agent.dialects.profile import Profile
from .agent.memory.index import MemoryScope
from .agent.memory.memory import Retention
from .agent.model.reasoning import Thinking
from .const import (
    CONF_BACKGROUND_TOOLS,
    CONF_COMPLETION_PRICE,
    CONF_CONFIRM,
    CONF_CONTEXT_WINDOW,
    CONF_CONTINUE_CONVERSATION,
    CONF_EXTRA_BODY,
    CONF_FALLBACK_AGENT,
    CONF_FIRST_TOKEN_TIMEOUT,
    CONF_HISTORY_CONVERSATIONS,
    CONF_HISTORY_DAYS,
    CONF_HOME_CONTEXT,
    CONF_INTERRUPT,
    CONF_LEAD_IN,
    CONF_MAX_ITERATIONS,
    CONF_MAX_REQUESTS_PER_MINUTE,
    CONF_MAX_SENTENCES,
    CONF_MAX_TOKENS,
    CONF_MEMORY_MINUTES,
    CONF_MEMORY_SCOPE,
    CONF_PLAIN_SPEECH,
    CONF_PROFILE,
    CONF_PROMPT_PRICE,
    CONF_QUICK_CONFIRMATION,
    CONF_REMEMBER,
    CONF_RETRY_WAIT,
    CONF_SHARED_TOOLS,
    CONF_SILENT_DONE,
    CONF_SUMMARIZE,
    CONF_TEMPERATURE,
    CONF_THINKING,
    CONF_TRACE_REQUESTS,
    CONF_TURN_TIMEOUT,
    CONFIRMABLE,
    FIELD_VOICE_FEATURES,
    HOME_CONTEXT,
    SECTION_LIMITS,
    SECTION_MEMORY,
    SECTION_MODEL,
    SECTION_SAFETY,
    SECTION_VOICE,
    SHARED_TOOLS,
)


class ContinueConversation(StrEnum):
    """Responses after which a satellite listens again."""

    ALWAYS = "always"
    QUESTION = "question"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Option:
    """An option in a form: its key in the stored data, its default, and its selector.

    Without a default (None) the field can be empty. A default is not stored, so that it follows a
    new version.
    """

    key: str
    default: Any
    selector: Any

    @property
    def keys(self) -> Collection[str]:
        """The keys of the stored data that belong to the field."""
        return (self.key,)

    def read(self, data: Mapping[str, Any]) -> Any:
        """Return the value in stored data. Raises `ValueError` if it is no choice of an enum."""
        value = data.get(self.key, self.default)
        return type(self.default)(value) if isinstance(self.default, StrEnum | tuple) else value

    def to_store(self, value: Any) -> dict[str, Any]:
        """Return the data to store for the value of the field."""
        if value is None or self.read({self.key: value}) == self.default:
            return {}
        return {self.key: value}


@dataclass(frozen=True, slots=True)
class Switches(Option):
    """A field for several options that are on or off; its value is a tuple of those that are on."""

    switches: Mapping[str, bool]
    """The default of each."""

    @property
    @override
    def keys(self) -> Collection[str]:
        return self.switches.keys()

    @override
    def read(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(key for key, default in self.switches.items() if data.get(key, default))

    @override
    def to_store(self, value: Collection[str]) -> dict[str, Any]:
        return {
            key: key in value
            for key, default in self.switches.items()
            if (key in value) is not default
        }


def _integer(minimum: int, maximum: int, *, unit: str | None = None) -> vol.All[Any]:
    """Return an integer field; Home Assistant's number selector returns floats."""
    config = NumberSelectorConfig(min=minimum, max=maximum, step=1, mode=NumberSelectorMode.BOX)
    if unit:
        config["unit_of_measurement"] = unit
    return vol.All(NumberSelector(config), vol.Coerce(int))


def _decimal(maximum: int | None = None, unit: str | None = None) -> NumberSelector:
    config = NumberSelectorConfig(min=0, step="any", mode=NumberSelectorMode.BOX)
    if maximum is not None:
        config["max"] = maximum
    if unit:
        config["unit_of_measurement"] = unit
    return NumberSelector(config)


def select(key: str, options: Iterable[str], *, multiple: bool = False) -> SelectSelector:
    """Return a choice of translated options."""
    return SelectSelector(
        SelectSelectorConfig(
            options=list(options),
            multiple=multiple,
            mode=SelectSelectorMode.LIST,
            translation_key=key,
        )
    )


VOICE_FEATURES: Mapping[str, bool] = {
    CONF_QUICK_CONFIRMATION: True,
    CONF_PLAIN_SPEECH: True,
    CONF_LEAD_IN: False,
    CONF_INTERRUPT: False,
    CONF_BACKGROUND_TOOLS: False,
    CONF_SILENT_DONE: False,
}

_REASONING_EFFORT = Option(CONF_THINKING, Thinking.AUTO, select(CONF_THINKING, Thinking))
AGENT_FIELDS = (
    Option(CONF_HOME_CONTEXT, (), select(CONF_HOME_CONTEXT, HOME_CONTEXT, multiple=True)),
    _REASONING_EFFORT,
)
AGENT_SECTIONS: Mapping[str, Sequence[Option]] = {
    SECTION_MODEL: (
        Option(CONF_PROFILE, Profile.AUTO, select(CONF_PROFILE, Profile)),
        Option(CONF_TEMPERATURE, None, _decimal(2)),
        Option(CONF_MAX_TOKENS, 1024, _integer(1, 1_000_000)),
        Option(CONF_CONTEXT_WINDOW, 0, _integer(0, 10_000_000)),
        Option(CONF_EXTRA_BODY, None, ObjectSelector()),
    ),
    SECTION_VOICE: (
        Option(
            CONF_CONTINUE_CONVERSATION,
            ContinueConversation.QUESTION,
            select(CONF_CONTINUE_CONVERSATION, ContinueConversation),
        ),
        Option(CONF_MAX_SENTENCES, 0, _integer(0, 100)),
        Switches(
            FIELD_VOICE_FEATURES,
            (),
            select(FIELD_VOICE_FEATURES, VOICE_FEATURES, multiple=True),
            VOICE_FEATURES,
        ),
    ),
    SECTION_MEMORY: (
        Option(CONF_REMEMBER, Retention.PERSISTENT, select(CONF_REMEMBER, Retention)),
        Option(CONF_MEMORY_SCOPE, MemoryScope.CONVERSATION, select(CONF_MEMORY_SCOPE, MemoryScope)),
        Option(CONF_MEMORY_MINUTES, 60, _integer(1, 10_080, unit="min")),
        Option(CONF_SUMMARIZE, default=False, selector=BooleanSelector()),
    ),
    SECTION_SAFETY: (
        Option(CONF_CONFIRM, (), select(CONF_CONFIRM, CONFIRMABLE, multiple=True)),
        Option(CONF_FALLBACK_AGENT, None, ConversationAgentSelector()),
    ),
    SECTION_LIMITS: (
        Option(CONF_TURN_TIMEOUT, 120, _integer(1, 600, unit="s")),
        Option(CONF_MAX_ITERATIONS, 10, _integer(1, 50)),
    ),
}

AI_TASK_DATA: Mapping[str, Any] = {
    CONF_MAX_TOKENS: 4096,
    # Nobody is waiting in silence.
    CONF_TURN_TIMEOUT: 600,
    CONF_PLAIN_SPEECH: False,
}
"""The defaults of an AI task that are not those of a conversation agent."""
AI_TASK_FIELDS = (
    _REASONING_EFFORT,
    Option(CONF_MAX_TOKENS, AI_TASK_DATA[CONF_MAX_TOKENS], _integer(1, 1_000_000)),
)

PRICES = (
    Option(CONF_PROMPT_PRICE, None, _decimal(unit="USD")),
    Option(CONF_COMPLETION_PRICE, None, _decimal(unit="USD")),
)
SERVER_FIELDS = (
    *PRICES,
    Option(CONF_SHARED_TOOLS, (), select(CONF_SHARED_TOOLS, SHARED_TOOLS, multiple=True)),
    Option(CONF_TRACE_REQUESTS, default=False, selector=BooleanSelector()),
)
SERVER_SECTIONS: Mapping[str, Sequence[Option]] = {
    "connection": (
        Option(CONF_FIRST_TOKEN_TIMEOUT, 60, _integer(1, 600, unit="s")),
        Option(CONF_RETRY_WAIT, 8, _integer(0, 60, unit="s")),
        Option(CONF_MAX_REQUESTS_PER_MINUTE, 0, _integer(0, 1000)),
    ),
    "history": (
        Option(CONF_HISTORY_DAYS, 30, _integer(1, 3_650, unit="d")),
        Option(CONF_HISTORY_CONVERSATIONS, 200, _integer(1, 10_000)),
    ),
}


def read_options(options: Iterable[Option], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of options in stored data, by key."""
    return {option.key: option.read(data) for option in options}
