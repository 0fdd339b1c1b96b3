"""AI tasks of the tests: an entry with one, and a function to run it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import (
    CONF_BASE_URL,
    CONF_MAX_TOKENS,
    DOMAIN,
    SUBENTRY_AI_TASK,
)
from homeassistant.components import ai_task
from homeassistant.components.ai_task.const import DATA_COMPONENT
from homeassistant.components.conversation import Attachment
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.setup import async_setup_component

from .fake_openai import FakeOpenAI

ENTITY = "ai_task.scripted"

type Generate = Callable[..., Awaitable[Any]]


@pytest.fixture
def task_options() -> dict[str, Any]:
    """Return the options of the AI task; a test can override this."""
    return {}


@pytest.fixture
async def task_entry(
    hass: HomeAssistant, server: FakeOpenAI, task_options: dict[str, Any]
) -> MockConfigEntry:
    """Set up an entry for the scripted server, with one AI task."""
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="Server",
        data={CONF_BASE_URL: server.url},
        options={"retry_wait": 0},
        subentries_data=[
            ConfigSubentryData(
                data={CONF_MODEL: "scripted-1", CONF_MAX_TOKENS: 2048, **task_options},
                subentry_type=SUBENTRY_AI_TASK,
                title="Scripted",
                unique_id=None,
            )
        ],
    )
    entry.add_to_hass(hass)
    assert await async_setup_component(hass, "homeassistant", {})
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    return entry


@pytest.fixture
def generate(hass: HomeAssistant, task_entry: MockConfigEntry) -> Generate:
    """Return a function that runs a task in the entity, as Home Assistant does."""

    async def run(instructions: str, *files: Path, **more: Any) -> Any:
        attachments = [Attachment("media-source://x", "image/png", path) for path in files]
        entity = hass.data[DATA_COMPONENT].get_entity(ENTITY)
        assert entity is not None
        with async_get_chat_session(hass) as session:
            task = ai_task.GenDataTask(
                name="Test", instructions=instructions, attachments=attachments or None, **more
            )
            result = await entity.internal_async_generate_data(session, task)
        return result.data

    return run
