"""Spoken and typed answers, in runs of real Assist pipelines."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.chatterbox.speech_output import may_be_spoken
from homeassistant.components.assist_pipeline import PipelineEvent, PipelineEventType
from homeassistant.components.assist_pipeline.runtime import KEY_ASSIST_PIPELINE, PipelineRunDebug
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

from .builders import user_message
from .conversation_helpers import AGENT, Ask, speech
from .fake_openai import FakeOpenAI, Gate, Reply

MARKDOWN = "**Two** steps:\n\n- Take `light.desk`.\n- Say 20 °C.\n\n```python\nprint(1)\n```\n"
SPEECH = "Two steps: Take light.desk. Say 20 degrees Celsius."
CODE_ONLY = "The answer is code, which I cannot read aloud. Ask me again in the chat to see it."

type Run = Callable[..., Coroutine[Any, Any, str]]


@pytest.fixture
async def run(home: HomeAssistant, loaded_entry: object, hass_ws_client: WebSocketGenerator) -> Run:
    """Return what sends a text through a pipeline with a voice, and returns the answer."""
    assert await async_setup_component(home, "tts", {"tts": {"platform": "demo"}})
    assert await async_setup_component(home, "assist_pipeline", {})
    await home.async_block_till_done()
    client = await hass_ws_client(home)
    await client.send_json_auto_id(
        {
            "type": "assist_pipeline/pipeline/create",
            "name": "Voice",
            "language": "en",
            "conversation_engine": AGENT,
            "conversation_language": "en",
            "stt_engine": None,
            "stt_language": None,
            "tts_engine": "demo",
            "tts_language": "en",
            "tts_voice": None,
            "wake_word_entity": None,
            "wake_word_id": None,
        }
    )
    created = await client.receive_json()
    assert created["success"], created

    async def converse(text: str, end_stage: str, **more: Any) -> str:
        await client.send_json_auto_id(
            {
                "type": "assist_pipeline/run",
                "start_stage": "intent",
                "end_stage": end_stage,
                "input": {"text": text},
                "pipeline": created["result"]["id"],
                **more,
            }
        )
        answer = ""
        while True:
            message = await client.receive_json()
            assert message.get("success", True), message
            event = message.get("event") or {}
            if event.get("type") == "intent-end":
                spoken = event["data"]["intent_output"]["response"]["speech"]
                answer = spoken["plain"]["speech"]
            if event.get("type") == "run-end":
                return answer

    return converse


@asynccontextmanager
async def typing(run: Run, server: FakeOpenAI) -> AsyncIterator[None]:
    """Type *How?* in the conversation `desk`; it is answered when the context ends."""
    gate = Gate()
    server.script(Reply("Hello.", hold=gate))
    typed = asyncio.create_task(run("How?", "intent", conversation_id="desk"))
    await gate.reached.wait()
    yield
    gate.open()
    await typed


async def test_typed_message_is_answered_as_the_model_writes_it(
    run: Run, server: FakeOpenAI
) -> None:
    """Also where the app that it was typed in tells its device."""
    server.script(*[Reply(MARKDOWN)] * 2)
    assert await run("How?", "intent") == MARKDOWN.strip()
    assert await run("How?", "intent", device_id="tablet") == MARKDOWN.strip()


async def test_answer_of_a_pipeline_with_speech_output_is_cleaned_up(
    run: Run, server: FakeOpenAI
) -> None:
    """Also right after the same message was typed in the same conversation."""
    server.script(*[Reply(MARKDOWN)] * 2)
    assert await run("How?", "intent", conversation_id="desk") == MARKDOWN.strip()
    assert await run("How?", "tts", conversation_id="desk") == SPEECH


async def test_answer_of_a_pipeline_that_is_only_code_is_called_so(
    run: Run, server: FakeOpenAI
) -> None:
    server.script(*[Reply("```python\nprint(1)\n```")] * 2)
    assert await run("How?", "tts") == CODE_ONLY
    assert "print(1)" in await run("How?", "intent")


async def test_only_the_message_that_runs_is_typed(
    run: Run, home: HomeAssistant, server: FakeOpenAI
) -> None:
    """Not another one at the same time, and none of a satellite."""
    async with typing(run, server):
        satellite = "assist_satellite.kitchen"
        assert not may_be_spoken(home, user_message("How?", conversation_id="desk"))
        assert may_be_spoken(
            home, user_message("How?", conversation_id="desk", satellite_id=satellite)
        )
        assert may_be_spoken(home, user_message("How?", conversation_id="hall"))
        assert may_be_spoken(home, user_message("Why?", conversation_id="desk"))
    assert may_be_spoken(home, user_message("How?", conversation_id="desk"))


async def test_message_that_is_typed_and_spoken_at_once_may_be_spoken(
    run: Run, home: HomeAssistant, server: FakeOpenAI
) -> None:
    """Its two runs cannot be told apart. What other runs report does not matter."""
    async with typing(run, server):
        (pipeline,) = home.data[KEY_ASSIST_PIPELINE].pipeline_debug.values()
        (known,) = pipeline.values()
        other = pipeline["other"] = PipelineRunDebug()
        other.events.append(PipelineEvent(PipelineEventType.INTENT_START))
        assert not may_be_spoken(home, user_message("How?", conversation_id="desk"))
        other.events[:] = [
            PipelineEvent(PipelineEventType.RUN_START, {"tts_output": {}}),
            *known.events,
        ]
        assert may_be_spoken(home, user_message("How?", conversation_id="desk"))


async def test_answer_to_an_action_is_cleaned_up(run: Run, ask: Ask, server: FakeOpenAI) -> None:
    """An automation may speak it; a typed message elsewhere does not matter."""
    server.script(*[Reply(MARKDOWN)] * 2)
    assert await run("How?", "intent", conversation_id="other") == MARKDOWN.strip()
    assert speech(await ask("How?")) == SPEECH


async def test_answer_is_cleaned_up_where_assist_keeps_no_runs(
    run: Run, home: HomeAssistant
) -> None:
    home.data[KEY_ASSIST_PIPELINE].pipeline_debug.clear()
    assert may_be_spoken(home, user_message())
    home.data.pop(KEY_ASSIST_PIPELINE)
    assert may_be_spoken(home, user_message())
