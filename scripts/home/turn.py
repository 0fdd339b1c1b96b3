"""Turns of a conversation with the home, each through an Assist pipeline."""

import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from inspect import signature
from typing import Any

from homeassistant.components.assist_pipeline.models import (
    PipelineEvent,
    PipelineEventType,
    PipelineStage,
)
from homeassistant.components.assist_pipeline.pipeline import async_get_pipeline
from homeassistant.components.assist_pipeline.run import PipelineInput, PipelineRun
from homeassistant.components.assist_pipeline.runtime import KEY_ASSIST_PIPELINE
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.chat_session import ChatSession, async_get_chat_session

from .console import UserError
from .demo import pipeline_settings

NO_USAGE: Mapping[str, Any] = {
    "prompt_tokens": 0,
    "completion_tokens": 0,
    "total_tokens": 0,
    "cost": None,
    "cached_tokens": None,
    "cached_share": None,
    "prompt_seconds": None,
    "completion_seconds": None,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Result of one turn."""

    speech: str
    conversation_id: str | None
    succeeded: bool
    tools: list[dict[str, Any]]
    usage: Mapping[str, Any]
    seconds: float
    trace: Mapping[str, Any] | None = None
    """Trace of the turn, None if the agent has not begun one."""

    def as_json(self) -> dict[str, Any]:
        """Return the data that `--json` prints."""
        return {
            "speech": self.speech,
            "conversation_id": self.conversation_id,
            "trace_id": self.trace["trace_id"] if self.trace else None,
            "tools": self.tools,
            "usage": dict(self.usage),
            "seconds": round(self.seconds, 3),
            "trace": self.trace,
        }


class Listener:
    """Listener to the events of a turn; by itself it ignores them."""

    def on_text(self, text: str) -> None:
        """Handle a piece of the answer."""

    def on_message(self) -> None:
        """Handle the beginning of a message."""

    def on_tool_call(self, name: str, arguments: Mapping[str, Any]) -> None:
        """Handle a tool call of the model."""


@dataclass(slots=True)
class TurnProgress:
    """Progress of a turn: passes the events of the pipeline to a listener, and keeps the result."""

    listener: Listener
    speech: str = ""
    conversation_id: str | None = None
    succeeded: bool = False
    _spoken: bool = field(default=False, init=False)
    _role: str = field(default="", init=False)

    def handle(self, event: PipelineEvent) -> None:
        """Handle an event of the pipeline."""
        data = event.data or {}
        match event.type:
            case PipelineEventType.INTENT_PROGRESS:
                self.handle_delta(data.get("chat_log_delta", {}))
            case PipelineEventType.INTENT_END:
                self.handle_result(data["intent_output"])
            case PipelineEventType.ERROR:
                self.speech, self.succeeded = data["message"], False

    def handle_delta(self, delta: Mapping[str, Any]) -> None:
        """Handle a delta of the chat log."""
        if role := delta.get("role"):
            self._role = role
            self._spoken = False
            self.listener.on_message()
        if self._role != "assistant":
            return
        if text := delta.get("content"):
            self._spoken = True
            self.listener.on_text(text)
        for call in delta.get("tool_calls") or ():
            self.listener.on_tool_call(call.tool_name, call.tool_args)

    def handle_result(self, result: Mapping[str, Any]) -> None:
        """Handle the result of the conversation."""
        response = result["response"]
        self.conversation_id = result["conversation_id"]
        self.speech = response["speech"].get("plain", {}).get("speech", "")
        self.succeeded = response["response_type"] != "error"
        # An answer that was not streamed is only in the result.
        if self.succeeded and self.speech and not self._spoken:
            self.listener.on_message()
            self.listener.on_text(self.speech)


class Conversation:
    """A conversation of one user with one agent, through a pipeline."""

    def __init__(
        self, hass: HomeAssistant, context: Context, entry: ConfigEntry, pipeline_id: str
    ) -> None:
        self._hass = hass
        self._context = context
        self._entry = entry
        self._pipeline_id = pipeline_id
        self._id: str | None = None

    async def ask(self, text: str, listener: Listener) -> Turn:
        """Send a text to the home; return the result of the turn when it has ended."""
        progress = TurnProgress(listener)
        before = self._last_trace()
        started = time.monotonic()
        # The pipeline's intent stage checks the user of the session, as in the WebSocket API.
        with open_session(self._hass, self._id, None) as session:
            run = PipelineRun(
                self._hass,
                context=self._context,
                pipeline=async_get_pipeline(self._hass, self._pipeline_id),
                start_stage=PipelineStage.INTENT,
                end_stage=PipelineStage.INTENT,
                event_callback=progress.handle,
            )
            await PipelineInput(session=session, intent_input=text, run=run).execute(validate=True)
        self._id = progress.conversation_id or self._id
        trace = self._last_trace()
        seen = trace is not None and trace is not before
        return Turn(
            speech=progress.speech,
            conversation_id=self._id,
            succeeded=progress.succeeded,
            tools=[asdict(tool) for tool in trace.tools] if seen else [],
            usage=trace.usage.as_dict() if seen else NO_USAGE,
            seconds=time.monotonic() - started,
            trace=trace.as_dict(values=True) if seen else None,
        )

    def _last_trace(self) -> Any:
        """Return the trace of the agent's last turn."""
        turns = self._entry.runtime_data.turns
        return turns[-1] if turns else None


def open_session(
    hass: HomeAssistant, conversation_id: str | None, context: Context | None
) -> AbstractContextManager[ChatSession]:
    """Open a chat session, of the user of the context where the release knows that."""
    has_context = "context" in signature(async_get_chat_session).parameters
    known: dict[str, Any] = {"context": context} if has_context else {}
    return async_get_chat_session(hass, conversation_id, **known)


def agent_of(hass: HomeAssistant, entry: ConfigEntry) -> str:
    """Return the entity id of the entry's first agent; raise `UserError` if it did not start."""
    entities = er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    agents = [entity.entity_id for entity in entities if entity.domain == "conversation"]
    if not agents:
        reason = entry.reason or "see the log (-v)"
        raise UserError(f"Chatterbox is set up, but its agent did not start: {reason}.")
    return agents[0]


async def create_pipeline(hass: HomeAssistant, entry: ConfigEntry) -> str:
    """Create an Assist pipeline that uses the entry's first agent; return its id."""
    await hass.async_block_till_done()
    agent = agent_of(hass, entry)
    store = hass.data[KEY_ASSIST_PIPELINE].pipeline_store
    return (await store.async_create_item(pipeline_settings(agent, entry.title))).id
