"""Form schemas of the flows: fields, limits, defaults and suggested values."""

from collections.abc import Mapping, Sequence
from typing import Any, override
from urllib.parse import urlsplit

import probatio as vol

from homeassistant.const import (
    CONF_API_KEY,
    CONF_LLM_HASS_API,
    CONF_MODEL,
    CONF_NAME,
    CONF_PROMPT,
    CONF_VERIFY_SSL,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import section
from homeassistant.helpers import llm
from homeassistant.helpers.selector import (
    BooleanSelector,
    ConversationAgentSelector,
    NumberSelector,
    NumberSelectorConfig,
    NumberSelectorMode,
    ObjectSelector,
    SelectOptionDict,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TemplateSelector,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)

from .agent.dialects.profile import Profile
from .agent.loop_settings import OnLimit
from .agent.memory.index import MemoryScope
from .agent.memory.memory import Retention
from .agent.model.reasoning import Thinking
from .agent.model.urls import PRESETS
from .const import (
    BUILT_IN_TOOLS,
    CONF_BACKGROUND_TOOLS,
    CONF_BASE_URL,
    CONF_BUILT_IN_TOOLS,
    CONF_COMPLETION_PRICE,
    CONF_CONFIRM,
    CONF_CONNECT_TIMEOUT,
    CONF_CONTEXT_WINDOW,
    CONF_CONTINUE_CONVERSATION,
    CONF_EXTRA_BODY,
    CONF_FALLBACK_AGENT,
    CONF_FIRST_TOKEN_TIMEOUT,
    CONF_HISTORY_CONVERSATIONS,
    CONF_HISTORY_DAYS,
    CONF_HISTORY_TURNS,
    CONF_INTERRUPT,
    CONF_LEAD_IN,
    CONF_MAX_HISTORY_TURNS,
    CONF_MAX_ITERATIONS,
    CONF_MAX_REQUESTS_PER_MINUTE,
    CONF_MAX_SENTENCES,
    CONF_MAX_TOKENS,
    CONF_MAX_TOOL_RESULT_CHARS,
    CONF_MEMORY_MINUTES,
    CONF_MEMORY_SCOPE,
    CONF_NEW_CONVERSATION,
    CONF_NOTE_CUT_OFF,
    CONF_ON_LIMIT,
    CONF_PLAIN_SPEECH,
    CONF_PREWARM,
    CONF_PROFILE,
    CONF_PROMPT_PRICE,
    CONF_QUICK_CONFIRMATION,
    CONF_RECOMMENDED,
    CONF_REMEMBER,
    CONF_RETRY_COMMANDS,
    CONF_RETRY_WAIT,
    CONF_SHARED_TOOLS,
    CONF_SILENT_DONE,
    CONF_SOFT_TIMEOUT,
    CONF_STREAMING,
    CONF_SUMMARIZE,
    CONF_TEMPERATURE,
    CONF_THINKING,
    CONF_TOKEN_TIMEOUT,
    CONF_TOOL_EXECUTION,
    CONF_TOOL_RETRIES,
    CONF_TOOL_TIMEOUT,
    CONF_TURN_TIMEOUT,
    CONFIRMABLE,
    DEFAULT_CONNECT_TIMEOUT,
    DEFAULT_CONTEXT_WINDOW,
    DEFAULT_CONTINUE_CONVERSATION,
    DEFAULT_FIRST_TOKEN_TIMEOUT,
    DEFAULT_HISTORY_CONVERSATIONS,
    DEFAULT_HISTORY_DAYS,
    DEFAULT_HISTORY_TURNS,
    DEFAULT_MAX_HISTORY_TURNS,
    DEFAULT_MAX_ITERATIONS,
    DEFAULT_MAX_REQUESTS_PER_MINUTE,
    DEFAULT_MAX_SENTENCES,
    DEFAULT_MAX_TOKENS,
    DEFAULT_MAX_TOOL_RESULT_CHARS,
    DEFAULT_MEMORY_MINUTES,
    DEFAULT_MEMORY_SCOPE,
    DEFAULT_ON_LIMIT,
    DEFAULT_REMEMBER,
    DEFAULT_RETRY_WAIT,
    DEFAULT_SOFT_TIMEOUT,
    DEFAULT_TEMPERATURE,
    DEFAULT_TOKEN_TIMEOUT,
    DEFAULT_TOOL_EXECUTION,
    DEFAULT_TOOL_RETRIES,
    DEFAULT_TOOL_TIMEOUT,
    DEFAULT_TURN_TIMEOUT,
    OPTIONAL_TOOLS,
    SECTION_VOICE,
    SHARED_TOOLS,
    TOOL_EXECUTION_CONCURRENT,
    TOOL_EXECUTION_SEQUENTIAL,
)
from .options import ContinueConversation, Prewarm

# Suggested where the server has it: small, cheap and capable.
_PREFERRED_MODEL = "gpt-4o-mini"


class UncheckedTemplateSelector(TemplateSelector):
    """A template selector without validation: the flow validates, with a translated error."""

    @override
    def __call__(self, data: Any) -> str:
        """Return the text unchanged."""
        return str(data)


def _seconds(minimum: int, maximum: int) -> vol.All[Any]:
    return _integer(minimum, maximum, unit="s")


def _integer(minimum: int, maximum: int, *, unit: str | None = None) -> vol.All[Any]:
    """Return an integer field; Home Assistant's number selector returns floats."""
    config = NumberSelectorConfig(min=minimum, max=maximum, step=1, mode=NumberSelectorMode.BOX)
    if unit:
        config["unit_of_measurement"] = unit
    return vol.All(NumberSelector(config), vol.Coerce(int))


def _price() -> NumberSelector:
    return NumberSelector(
        NumberSelectorConfig(
            min=0, step="any", unit_of_measurement="USD", mode=NumberSelectorMode.BOX
        )
    )


def _select(key: str, options: Sequence[str], *, multiple: bool = False) -> SelectSelector:
    return SelectSelector(
        SelectSelectorConfig(
            options=list(options),
            multiple=multiple,
            mode=SelectSelectorMode.LIST,
            translation_key=key,
        )
    )


def _preset_options() -> list[SelectOptionDict]:
    names: dict[str, list[str]] = {}
    for name, url in PRESETS.items():
        names.setdefault(url, []).append(name)
    return [
        SelectOptionDict(label=f"{' / '.join(same)} ({url})", value=url)
        for url, same in names.items()
    ]


_PASSWORD_FIELD = TextSelector(
    TextSelectorConfig(type=TextSelectorType.PASSWORD, autocomplete="current-password")
)

SERVER_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_BASE_URL): SelectSelector(
            SelectSelectorConfig(
                options=_preset_options(), custom_value=True, mode=SelectSelectorMode.DROPDOWN
            )
        ),
        vol.Optional(CONF_API_KEY): _PASSWORD_FIELD,
        vol.Required(CONF_VERIFY_SSL, default=True): BooleanSelector(),
    }
)

REAUTH_SCHEMA = vol.Schema({vol.Required(CONF_API_KEY): _PASSWORD_FIELD})

SERVER_OPTIONS_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_CONNECT_TIMEOUT, default=DEFAULT_CONNECT_TIMEOUT): _seconds(1, 60),
        vol.Required(CONF_FIRST_TOKEN_TIMEOUT, default=DEFAULT_FIRST_TOKEN_TIMEOUT): _seconds(
            1, 600
        ),
        vol.Required(CONF_TOKEN_TIMEOUT, default=DEFAULT_TOKEN_TIMEOUT): _seconds(1, 300),
        vol.Required(CONF_RETRY_WAIT, default=DEFAULT_RETRY_WAIT): _seconds(0, 60),
        vol.Required(
            CONF_MAX_REQUESTS_PER_MINUTE, default=DEFAULT_MAX_REQUESTS_PER_MINUTE
        ): _integer(0, 1000),
        vol.Optional(CONF_PROMPT_PRICE): _price(),
        vol.Optional(CONF_COMPLETION_PRICE): _price(),
        vol.Required(CONF_HISTORY_DAYS, default=DEFAULT_HISTORY_DAYS): _integer(1, 3_650, unit="d"),
        vol.Required(CONF_HISTORY_CONVERSATIONS, default=DEFAULT_HISTORY_CONVERSATIONS): _integer(
            1, 10_000
        ),
        vol.Required(CONF_HISTORY_TURNS, default=DEFAULT_HISTORY_TURNS): _integer(1, 1_000),
        vol.Required(CONF_SHARED_TOOLS, default=[]): _select(
            CONF_SHARED_TOOLS, SHARED_TOOLS, multiple=True
        ),
    }
)

_VOICE_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_QUICK_CONFIRMATION, default=True): BooleanSelector(),
        vol.Required(CONF_CONTINUE_CONVERSATION, default=DEFAULT_CONTINUE_CONVERSATION): _select(
            CONF_CONTINUE_CONVERSATION, [*ContinueConversation]
        ),
        vol.Required(CONF_LEAD_IN, default=False): BooleanSelector(),
        vol.Required(CONF_MAX_SENTENCES, default=DEFAULT_MAX_SENTENCES): _integer(0, 100),
        vol.Required(CONF_INTERRUPT, default=False): BooleanSelector(),
        vol.Required(CONF_BACKGROUND_TOOLS, default=False): BooleanSelector(),
        vol.Required(CONF_SILENT_DONE, default=False): BooleanSelector(),
        vol.Required(CONF_NEW_CONVERSATION, default=True): BooleanSelector(),
        vol.Required(CONF_PLAIN_SPEECH, default=True): BooleanSelector(),
    }
)

ADVANCED_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_TEMPERATURE, default=DEFAULT_TEMPERATURE): NumberSelector(
            NumberSelectorConfig(min=0, max=2, step=0.05, mode=NumberSelectorMode.SLIDER)
        ),
        vol.Required(CONF_MAX_TOKENS, default=DEFAULT_MAX_TOKENS): _integer(1, 1_000_000),
        vol.Required(CONF_MAX_ITERATIONS, default=DEFAULT_MAX_ITERATIONS): _integer(1, 50),
        vol.Required(CONF_MAX_HISTORY_TURNS, default=DEFAULT_MAX_HISTORY_TURNS): _integer(0, 200),
        vol.Required(CONF_TURN_TIMEOUT, default=DEFAULT_TURN_TIMEOUT): _seconds(1, 600),
        vol.Required(CONF_TOOL_TIMEOUT, default=DEFAULT_TOOL_TIMEOUT): _seconds(1, 120),
        vol.Required(CONF_TOOL_RETRIES, default=DEFAULT_TOOL_RETRIES): _integer(0, 3),
        vol.Required(CONF_TOOL_EXECUTION, default=DEFAULT_TOOL_EXECUTION): _select(
            CONF_TOOL_EXECUTION, (TOOL_EXECUTION_CONCURRENT, TOOL_EXECUTION_SEQUENTIAL)
        ),
        vol.Required(CONF_MAX_TOOL_RESULT_CHARS, default=DEFAULT_MAX_TOOL_RESULT_CHARS): _integer(
            500, 200_000
        ),
        vol.Required(CONF_ON_LIMIT, default=DEFAULT_ON_LIMIT): _select(CONF_ON_LIMIT, [*OnLimit]),
        vol.Required(CONF_NOTE_CUT_OFF, default=True): BooleanSelector(),
        vol.Required(CONF_STREAMING, default=True): BooleanSelector(),
        vol.Required(CONF_SOFT_TIMEOUT, default=DEFAULT_SOFT_TIMEOUT): _seconds(1, 600),
        vol.Required(CONF_RETRY_COMMANDS, default=True): BooleanSelector(),
        vol.Required(CONF_CONFIRM, default=[]): _select(CONF_CONFIRM, CONFIRMABLE, multiple=True),
        vol.Optional(CONF_FALLBACK_AGENT): ConversationAgentSelector(),
        vol.Required(CONF_REMEMBER, default=DEFAULT_REMEMBER): _select(CONF_REMEMBER, [*Retention]),
        vol.Required(CONF_MEMORY_SCOPE, default=DEFAULT_MEMORY_SCOPE): _select(
            CONF_MEMORY_SCOPE, [*MemoryScope]
        ),
        vol.Required(CONF_MEMORY_MINUTES, default=DEFAULT_MEMORY_MINUTES): _integer(
            1, 10_080, unit="min"
        ),
        vol.Required(CONF_SUMMARIZE, default=False): BooleanSelector(),
        vol.Required(CONF_CONTEXT_WINDOW, default=DEFAULT_CONTEXT_WINDOW): _integer(0, 10_000_000),
        vol.Required(SECTION_VOICE): section(_VOICE_SCHEMA, {"collapsed": True}),
    }
)

MODEL_OPTIONS_SCHEMA = vol.Schema(
    {
        vol.Required(CONF_PROFILE, default=Profile.AUTO): _select(CONF_PROFILE, [*Profile]),
        vol.Required(CONF_THINKING, default=Thinking.AUTO): _select(CONF_THINKING, [*Thinking]),
        vol.Required(CONF_PREWARM, default=Prewarm.AUTO): _select(CONF_PREWARM, [*Prewarm]),
        vol.Optional(CONF_EXTRA_BODY): ObjectSelector(),
    }
)

DEFAULT_AGENT_DATA: Mapping[str, Any] = {
    CONF_LLM_HASS_API: [llm.LLM_API_ASSIST],
    CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
    CONF_RECOMMENDED: True,
}
"""Default data of an agent, besides its model."""


def model_schema(models: Sequence[str]) -> vol.Schema:
    """Return the form for the model of the first agent."""
    return vol.Schema({vol.Required(CONF_MODEL): _model_field(models)})


def agent_schema(hass: HomeAssistant, models: Sequence[str]) -> vol.Schema:
    """Return the form for the basic settings of an agent."""
    apis = [SelectOptionDict(label=api.name, value=api.id) for api in llm.async_get_apis(hass)]
    return vol.Schema(
        {
            vol.Optional(CONF_NAME): TextSelector(),
            vol.Required(CONF_MODEL): _model_field(models),
            vol.Optional(CONF_PROMPT): UncheckedTemplateSelector(),
            vol.Optional(CONF_LLM_HASS_API): SelectSelector(
                SelectSelectorConfig(options=apis, multiple=True, mode=SelectSelectorMode.LIST)
            ),
            vol.Optional(CONF_BUILT_IN_TOOLS): _select(
                CONF_BUILT_IN_TOOLS, (*BUILT_IN_TOOLS, *OPTIONAL_TOOLS), multiple=True
            ),
            vol.Required(CONF_RECOMMENDED, default=True): BooleanSelector(),
        }
    )


def _model_field(models: Sequence[str]) -> SelectSelector | TextSelector:
    """Return a model field: a list that accepts other names, a text field if the list is empty."""
    if not models:
        return TextSelector()
    return SelectSelector(
        SelectSelectorConfig(
            options=list(models), custom_value=True, mode=SelectSelectorMode.DROPDOWN
        )
    )


def suggested_model(models: Sequence[str]) -> str | None:
    """Return the model to suggest, None without any."""
    return _PREFERRED_MODEL if _PREFERRED_MODEL in models else next(iter(models), None)


def server_title(base_url: str) -> str:
    """Return the title of a server: its host, with the product name for a preset URL."""
    netloc = urlsplit(base_url).netloc
    match [name for name, url in PRESETS.items() if url == base_url]:
        case [name]:
            return f"{name} ({netloc})"
    return netloc


def model_title(model: str) -> str:
    """Return a model's display name: `vendor/llama-3.2:latest` becomes `Llama 3.2`."""
    name = model.rstrip("/").rpartition("/")[2].removesuffix(":latest").removesuffix(".gguf")
    words = name.replace("-", " ").replace("_", " ").replace(":", " ").split()
    return " ".join(word[0].upper() + word[1:] for word in words) or model
