"""One AI task: structure, attachments, tools and errors, against a real HTTP server."""

import json
from pathlib import Path
from typing import Any

import pytest
import voluptuous as vol
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.model.server_quirks import Quirk
from homeassistant.components.conversation.chat_log import async_subscribe_chat_logs
from homeassistant.components.conversation.const import ChatLogEventType
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import selector

from .agent.sample_files import PDF, PNG, image, pdf
from .ai_task_helpers import Generate, generate, task_entry, task_options
from .builders import Workshop
from .fake_openai import Call, FakeOpenAI, Fault, Reply, history_problems

__all__ = ("generate", "task_entry", "task_options")

STRUCTURE = vol.Schema(
    {
        vol.Required("animal"): selector.selector({"text": {}}),
        vol.Optional("legs"): selector.selector({"number": {"min": 0, "max": 8}}),
    }
)
VALID = '{"animal": "cat", "legs": 4}'
TOO_MANY = '{"animal": "cat", "legs": 40}'


def refusal(text: str) -> Reply:
    return Reply(status=400, body=json.dumps({"error": {"message": text}}))


async def error_of(generate: Generate, *args: Any, **more: Any) -> str | None:
    with pytest.raises(HomeAssistantError) as caught:
        await generate(*args, **more)
    assert str(caught.value)
    return caught.value.translation_key


async def test_text_is_generated_without_a_format(generate: Generate, server: FakeOpenAI) -> None:
    server.script(Reply("Once upon a time."))
    assert await generate("Tell a story.") == "Once upon a time."
    sent = server.completions[-1].json
    assert "response_format" not in sent
    assert "tools" not in sent
    assert sent["messages"][-1] == {"role": "user", "content": "Tell a story."}


async def test_invalid_answer_is_corrected_once(generate: Generate, server: FakeOpenAI) -> None:
    server.script(Reply(TOO_MANY), Reply(VALID))
    assert await generate("A cat", structure=STRUCTURE) == {"animal": "cat", "legs": 4}
    first, second = server.completions
    assert history_problems(second.messages) == []
    assert second.messages[: len(first.messages)] == first.messages
    assert second.messages[-2] == {"role": "assistant", "content": TOO_MANY}
    assert "too large" in second.messages[-1]["content"]
    assert second.json["response_format"] == first.json["response_format"]


async def test_answer_that_stays_invalid_is_an_error(
    generate: Generate, server: FakeOpenAI
) -> None:
    server.script(Reply("It is a cat."), Reply(TOO_MANY), Reply(VALID))
    assert await error_of(generate, "A cat", structure=STRUCTURE) == "task_invalid"
    assert len(server.completions) == 2


@pytest.mark.parametrize(
    ("refuses", "formats"),
    [
        (["json_schema"], ["json_schema", "json_object"]),
        (["json_schema", "response_format"], ["json_schema", "json_object", None]),
    ],
)
async def test_format_falls_back_to_what_the_server_has(
    generate: Generate, server: FakeOpenAI, refuses: list[str], formats: list[str | None]
) -> None:
    """Where a server rejects the schema, the model still has it in the instructions."""
    server.refuses = refuses
    server.script(Reply(f"```json\n{VALID}\n```"), Reply(VALID))
    for _ in range(2):
        assert await generate("A cat", structure=STRUCTURE) == {"animal": "cat", "legs": 4}
    asked = [(each.json.get("response_format") or {}).get("type") for each in server.completions]
    assert asked == [*formats, formats[-1]]
    assert "animal" in server.completions[-1].messages[-1]["content"]


async def test_image_and_file_are_sent(
    generate: Generate, server: FakeOpenAI, tmp_path: Path
) -> None:
    photo, bill = tmp_path / "photo.png", tmp_path / "bill.pdf"
    photo.write_bytes(PNG)
    bill.write_bytes(PDF)
    server.script(Reply("not JSON"), Reply(VALID))
    await generate("What is this?", photo, bill, structure=STRUCTURE)
    first, second = server.completions
    text, *parts = first.messages[-1]["content"]
    assert text["text"].startswith("What is this?")
    assert parts == [image().to_wire(), pdf("bill.pdf").to_wire()]
    # The correction is about the same image.
    assert second.messages[: len(first.messages)] == first.messages


async def test_wrong_type_is_refused_before_the_model_is_asked(
    generate: Generate, server: FakeOpenAI, tmp_path: Path
) -> None:
    page = tmp_path / "page.png"
    page.write_bytes(b"<html>")
    assert await error_of(generate, "What is this?", page) == "attachment_type"
    assert server.completions == []


@pytest.mark.parametrize(
    ("content", "refused", "key"),
    [
        (PNG, "this model does not support images", "no_images"),
        (PDF, "Unknown part type: file", "no_files"),
    ],
)
async def test_model_that_rejects_an_attachment_is_not_asked_again(  # noqa: PLR0917 - fixtures
    generate: Generate, server: FakeOpenAI, tmp_path: Path, content: bytes, refused: str, key: str
) -> None:
    path = tmp_path / "attached"
    path.write_bytes(content)
    server.script(refusal(refused))
    for _ in range(2):
        assert await error_of(generate, "What is this?", path) == key
    assert len(server.completions) == 1


async def test_blind_model_gets_no_image(
    generate: Generate, server: FakeOpenAI, task_entry: MockConfigEntry, tmp_path: Path
) -> None:
    path = tmp_path / "photo.png"
    path.write_bytes(PNG)
    task_entry.runtime_data.quirks["scripted-1"].learn(Quirk.IMAGES)
    assert await error_of(generate, "What is this?", path) == "no_images"
    assert server.completions == []


@pytest.mark.parametrize(
    ("reply", "key"),
    [
        (Reply(fault=Fault.SERVER_ERROR), "server_error"),
        (Reply(fault=Fault.EMPTY_CONTENT), "no_answer"),
        (Reply(fault=Fault.CONTENT_FILTER), "no_answer"),
        (Reply('{"animal": "c', finish_reason="length"), "task_truncated"),
        (Reply(fault=Fault.MODEL_NOT_FOUND), "model_not_found"),
    ],
)
async def test_failure_is_a_translated_error(
    generate: Generate, server: FakeOpenAI, reply: Reply, key: str
) -> None:
    server.default = reply
    assert await error_of(generate, "A cat", structure=STRUCTURE) == key


async def test_tools_of_the_task_are_called(
    hass: HomeAssistant, workshop: Workshop, generate: Generate, server: FakeOpenAI
) -> None:
    """Only the answer after them has to be JSON."""
    workshop.go_on.set()
    server.script(Reply(tool_calls=[Call("saw", id="saw")]), Reply("Sawn."), Reply(VALID))
    assert await generate("Saw a board", structure=STRUCTURE, llm_api=workshop)
    assert workshop.calls == 1
    first, second, third = server.completions
    assert first.tools == second.tools == ["saw"]
    assert "response_format" not in first.json
    assert third.tools == []
    assert third.json["response_format"]["type"] == "json_schema"
    assert [message["role"] for message in third.messages] == [
        *("system", "user", "assistant", "tool", "assistant", "user")
    ]
    assert history_problems(third.messages) == []


async def test_endless_tool_calls_are_an_error(
    workshop: Workshop, generate: Generate, server: FakeOpenAI
) -> None:
    workshop.go_on.set()
    server.default = Reply(tool_calls=[Call("saw")])
    assert await error_of(generate, "Saw a board", llm_api=workshop) == "task_limit"


@pytest.mark.parametrize("task_options", [{"model": "qwen2.5-0.5b"}])
async def test_small_model_gets_the_tools_in_its_grammar(
    workshop: Workshop, generate: Generate, server: FakeOpenAI
) -> None:
    workshop.go_on.set()
    server.script(
        Reply('{"topic": "home", "do": [{"verb": "saw", "arguments": {}}]}'),
        Reply('{"topic": "other", "answer": "Sawn."}'),
        Reply(VALID),
    )
    assert await generate("Saw a board", structure=STRUCTURE, llm_api=workshop)
    assert workshop.calls == 1
    first, *_, last = server.completions
    assert "tools" not in first.json
    assert "animal" not in json.dumps(first.json)
    assert last.json["response_format"]["json_schema"]["name"] == "answer"


async def test_answer_is_streamed_into_the_chat_log(
    hass: HomeAssistant, generate: Generate, server: FakeOpenAI
) -> None:
    added: list[str] = []

    def note(_: str, event: ChatLogEventType, data: dict[str, Any]) -> None:
        if event is ChatLogEventType.CONTENT_ADDED:
            added.append(data["content"].get("content"))

    unsubscribe = async_subscribe_chat_logs(hass, note)
    server.script(Reply("Once upon a time."))
    await generate("Tell a story.")
    unsubscribe()
    assert added[-1] in {"Tell a story.", "Once upon a time."}
