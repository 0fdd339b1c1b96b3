"""Report of a finished turn: to the statistics, the entities, the log and the trace."""

import json
import logging
from collections.abc import Mapping
from typing import Any

from homeassistant.components.conversation import ChatLog, ConversationResult
from homeassistant.core import callback

from .agent.errors import LLMError
from .agent.trace import ErrorDetail, TurnTrace
from .const import LOGGER
from .data import Agent, ChatterboxData
from .entity import async_report_turn
from .redaction import redact_request
from .responses import spoken_text
from .sentences import sentence_key


def error_detail(err: Exception, sentence: str) -> ErrorDetail:
    """Return what may be told of an error that ended a turn; the user hears the sentence."""
    return ErrorDetail(
        code=sentence_key(err),
        message=sentence,
        type=type(err).__name__,
        retryable=isinstance(err, LLMError) and err.retryable,
        status=getattr(err, "status_code", None),
    )


@callback
def async_report(agent: Agent, data: ChatterboxData, chat_log: ChatLog, trace: TurnTrace) -> None:
    """Report a finished turn of an agent; `data` are those that the turn began with."""
    hass = chat_log.hass
    data.stats.add(trace)
    # The entities are updated after the result is returned.
    hass.loop.call_soon(async_report_turn, hass, agent, trace)
    bodies = [redact_request(sent, agent.entry.data) for sent in trace.requests.sent]
    # They may have large images, and the trace is kept.
    trace.requests.sent.clear()
    if LOGGER.isEnabledFor(logging.DEBUG):
        LOGGER.debug("Trace %s", json.dumps(trace.as_dict()))
        for body in bodies:
            LOGGER.debug("Request %s", json.dumps(body, ensure_ascii=False))
    chat_log.async_trace(
        {
            **trace.as_dict(values=True),
            **({"request_bodies": bodies} if bodies else {}),
            # The names of Home Assistant's own agents.
            "stats": {
                "input_tokens": trace.usage.prompt_tokens,
                "output_tokens": trace.usage.completion_tokens,
            },
        }
    )


def with_trace_id(result: ConversationResult, trace: TurnTrace) -> ConversationResult:
    """Return a result that has the id of its turn, and its error, beside the speech."""
    extra: dict[str, Any] = {"trace_id": trace.id}
    if trace.error is not None:
        extra["error"] = trace.error.as_dict(trace.id)
    result.response.async_set_speech(spoken_text(result), extra_data=extra)
    return result


def reported(result: ConversationResult) -> Mapping[str, Any]:
    """Return what `with_trace_id` has put beside the speech, nothing without a turn."""
    return result.response.speech.get("plain", {}).get("extra_data") or {}


def trace_of(result: ConversationResult, data: ChatterboxData) -> TurnTrace | None:
    """Return the trace of the turn of a result, None without a turn or if it is not kept."""
    trace_id = reported(result).get("trace_id")
    return next((turn for turn in reversed(data.turns) if turn.id == trace_id), None)
