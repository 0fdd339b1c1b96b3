"""Test of an agent: the capabilities of its model, and a sample turn."""

from dataclasses import replace

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er

from .agent.dialects.profile import select_profile
from .agent.trace import TurnTrace
from .connection_test import async_probe_model
from .const import DOMAIN
from .data import Agent
from .responses import spoken_text
from .sentences import async_explain_profile, async_get_sentences
from .turn_report import trace_of

_UNKNOWN = "?"


async def async_test_agent(hass: HomeAssistant, agent: Agent) -> dict[str, str]:
    """Probe the model of an agent, ask the agent something, and return what to show of both.

    The values are placeholders of a translated text. Later turns use what the probe finds out.
    """
    options, quirks = agent.options, agent.data.quirks[agent.options.model]
    probe = await async_probe_model(hass, agent.entry.data, agent.entry.options, options.model)
    quirks.merge(probe.quirks)
    language = hass.config.language
    sentences = await async_get_sentences(hass, language)
    question = sentences["sample_question"]
    entity_id = er.async_get(hass).async_get_entity_id(
        conversation.DOMAIN, DOMAIN, agent.subentry.subentry_id
    )
    if entity_id is None or hass.states.get(entity_id) is None:
        answer = sentences["history_no_agent"].format(entity_id=entity_id)
        trace = None
    else:
        answer, trace = await _async_ask(hass, agent, entity_id, question, language)
    found = probe.capabilities
    if quirks.called_natively:
        # The probe may have been too short to see it.
        found = replace(found, tools=True)
    choice = select_profile(options.profile, options.model, quirks, quirks.parameters)
    return {
        **found.as_placeholders,
        "profile": await async_explain_profile(hass, choice),
        "question": question,
        # It is shown as a quotation, which ends with its line.
        "answer": " ".join(answer.split()),
        **_times(trace),
    }


async def _async_ask(
    hass: HomeAssistant, agent: Agent, entity_id: str, question: str, language: str
) -> tuple[str, TurnTrace | None]:
    """Return the answer of an agent and the trace of its turn, which is not remembered."""
    result = await conversation.async_converse(
        hass, question, None, Context(), language=language, agent_id=entity_id
    )
    data, memory = agent.data, agent.history.memory
    await data.async_finish()
    sample = result.conversation_id
    await memory.clear(
        info.id for info in memory.store.index if info.turns == 1 and sample in info.ids
    )
    return spoken_text(result), trace_of(result, data)


def _times(trace: TurnTrace | None) -> dict[str, str]:
    """Return the tools and the times of a turn, in seconds."""
    if trace is None:
        return dict.fromkeys(("tools_called", "first_word", "seconds"), _UNKNOWN)
    tools = (f"{tool.name} ({tool.seconds:.1f} s)" for tool in trace.tools)
    # An answer that is told from results has no tokens: it comes at once.
    first = trace.first_token
    if first is None and trace.error is None:
        first = trace.seconds
    return {
        "tools_called": ", ".join(tools) or "–",
        "first_word": _UNKNOWN if first is None else f"{first:.1f}",
        "seconds": f"{trace.seconds:.1f}",
    }
