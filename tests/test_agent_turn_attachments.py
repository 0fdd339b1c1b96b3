"""Turns with images: sent to models that see, and never stored."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.model.server_quirks import Quirk
from homeassistant.components import conversation
from homeassistant.components.conversation import (
    Attachment,
    ConversationResult,
    UserContent,
    async_get_chat_log,
)
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.chat_session import async_get_chat_session

from .agent.sample_files import PNG, image
from .conversation_helpers import AGENT, Ask, messages, speech
from .fake_openai import FakeOpenAI, Reply

QUESTION = "What is in the picture?"
NO_IMAGES = {
    "en": "The model cannot see images.",
    "de": "Das Modell kann keine Bilder sehen.",
    "pl": "Model nie widzi obrazów.",
}


def contents(folder: Path) -> str:
    """Return the contents of all files of a folder."""
    return "".join(path.read_text() for path in folder.rglob("*") if path.is_file())


type Show = Callable[..., Awaitable[ConversationResult]]


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """Return an image of one pixel."""
    path = tmp_path / "photo.png"
    path.write_bytes(PNG)
    return path


@pytest.fixture
def show(home: HomeAssistant, loaded_entry: MockConfigEntry) -> Show:
    """Return a function that asks the agent about a file.

    Home Assistant has one way for that: whoever holds the chat log adds the message with its
    attachments, and then has the agent answer it.
    """

    async def converse(path: Path, language: str = "en") -> ConversationResult:
        attachment = Attachment("media-source://x", "image/png", path)
        with (
            async_get_chat_session(home, "desk") as session,
            async_get_chat_log(home, session) as chat_log,
        ):
            chat_log.async_add_user_content(UserContent(QUESTION, attachments=[attachment]))
            return await conversation.async_converse(
                home, QUESTION, "desk", Context(), language=language, agent_id=AGENT
            )

    return converse


async def test_image_is_sent_once_and_its_type_remains(
    show: Show, ask: Ask, server: FakeOpenAI, photo: Path
) -> None:
    server.script(Reply("A cat."), Reply("It was black."))
    assert speech(await show(photo)) == "A cat."
    text, part = messages(server)[-1]["content"]
    assert text["text"].startswith(QUESTION)
    assert "Attached: image/png." in text["text"]
    assert part == image().to_wire()

    await ask("Which color?")
    _, first, _, second = messages(server)
    assert first["content"] == text["text"]
    assert second["content"].startswith("Which color?")


async def test_no_image_is_stored(
    disk: Path, show: Show, server: FakeOpenAI, photo: Path, loaded_entry: MockConfigEntry
) -> None:
    server.script(Reply("A cat."))
    await show(photo)
    await loaded_entry.runtime_data.async_finish()
    stored = contents(disk / ".storage")
    assert QUESTION in stored
    assert image().data not in stored


@pytest.mark.parametrize("language", NO_IMAGES)
async def test_blind_model_is_told_in_the_language_of_the_user(
    show: Show, server: FakeOpenAI, loaded_entry: MockConfigEntry, photo: Path, language: str
) -> None:
    loaded_entry.runtime_data.quirks["scripted-1"].learn(Quirk.IMAGES)
    assert speech(await show(photo, language)) == NO_IMAGES[language]
    assert server.completions == []


async def test_rejected_image_is_learned(show: Show, server: FakeOpenAI, photo: Path) -> None:
    error = {"error": {"message": "image input is not supported"}}
    server.script(Reply(status=500, body=json.dumps(error)))
    for _ in range(2):
        assert speech(await show(photo)) == NO_IMAGES["en"]
    assert len(server.completions) == 1


async def test_file_of_another_type_is_told(show: Show, server: FakeOpenAI) -> None:
    assert speech(await show(Path(__file__))) == "I can only read images and PDF files."
    assert server.completions == []


@pytest.mark.parametrize("agent_options", [{"profile": "guided"}])
async def test_guided_model_gets_the_image(
    show: Show, server: FakeOpenAI, photo: Path, agent_options: dict[str, Any]
) -> None:
    server.script(Reply('{"topic": "other", "answer": "A cat."}'))
    assert speech(await show(photo)) == "A cat."
    assert messages(server)[-1]["content"][-1] == image().to_wire()
