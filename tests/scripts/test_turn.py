"""Conversion of a pipeline's events to a turn."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.components.assist_pipeline.models import PipelineEvent, PipelineEventType
from homeassistant.helpers.llm import ToolInput
from scripts.home.turn import Listener, TurnProgress


class Notes(Listener):
    """Notes what it is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    @override
    def on_text(self, text: str) -> None:
        self.heard.append(text)

    @override
    def on_message(self) -> None:
        self.heard.append("|")

    @override
    def on_tool_call(self, name: str, arguments: Mapping[str, Any]) -> None:
        self.heard.append(f"{name}({arguments})")


def delta(**data: Any) -> PipelineEvent:
    """Return the event of a piece of a message."""
    return PipelineEvent(PipelineEventType.INTENT_PROGRESS, {"chat_log_delta": data})


def result(speech: str | None, kind: str = "query_answer") -> PipelineEvent:
    """Return the event that ends a turn."""
    spoken = {} if speech is None else {"plain": {"speech": speech}}
    response = {"speech": spoken, "response_type": kind}
    output = {"response": response, "conversation_id": "c1"}
    return PipelineEvent(PipelineEventType.INTENT_END, {"intent_output": output})


def told(*events: PipelineEvent) -> tuple[TurnProgress, list[str]]:
    """Return what came of the events, and what was heard of them."""
    notes = Notes()
    progress = TurnProgress(notes)
    for event in events:
        progress.handle(event)
    return progress, notes.heard


def test_streamed_answer_has_its_text_and_tool_calls() -> None:
    call = ToolInput(tool_name="turn_on", tool_args={"name": "Lamp"}, id="1")
    progress, heard = told(
        PipelineEvent(PipelineEventType.RUN_START, {}),
        delta(role="assistant"),
        delta(content="One "),
        delta(content="moment."),
        delta(tool_calls=[call]),
        delta(role="tool_result", content="not to be said", tool_name="turn_on"),
        delta(role="assistant", content="Done."),
        PipelineEvent(PipelineEventType.INTENT_PROGRESS, {"tts_start_streaming": True}),
        result("Done.", "action_done"),
        PipelineEvent(PipelineEventType.RUN_END),
    )
    assert heard == ["|", "One ", "moment.", "turn_on({'name': 'Lamp'})", "|", "|", "Done."]
    assert (progress.speech, progress.conversation_id, progress.succeeded) == ("Done.", "c1", True)


def test_answer_without_streaming_is_taken_from_the_end() -> None:
    progress, heard = told(delta(role="assistant"), result("Hello."))
    assert heard == ["|", "|", "Hello."]
    assert progress.succeeded


def test_silent_answer_is_no_failure() -> None:
    progress, heard = told(result(None))
    assert heard == []
    assert (progress.speech, progress.succeeded) == ("", True)


def test_spoken_error_is_a_failure() -> None:
    progress, heard = told(result("The server is gone.", "error"))
    assert heard == []
    assert (progress.speech, progress.succeeded) == ("The server is gone.", False)


def test_failed_pipeline_is_a_failure() -> None:
    failed = {"code": "intent-failed", "message": "Unexpected error"}
    progress, _ = told(
        delta(role="assistant", content="Well"), PipelineEvent(PipelineEventType.ERROR, failed)
    )
    assert (progress.speech, progress.conversation_id, progress.succeeded) == (
        "Unexpected error",
        None,
        False,
    )
