"""Shared fixtures: a scripted server, a config entry for it, a home, and a function to ask."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import (
    BUILT_IN_TOOLS,
    CONF_BASE_URL,
    CONF_BUILT_IN_TOOLS,
    CONF_QUICK_CONFIRMATION,
    DOMAIN,
    SUBENTRY_CONVERSATION,
)
from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationResult
from homeassistant.components.conversation.default_agent import DefaultAgent, LanguageIntents
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntryState, ConfigSubentryData
from homeassistant.const import (
    CONF_API_KEY,
    CONF_LLM_HASS_API,
    CONF_MODEL,
    CONF_PROMPT,
    CONF_VERIFY_SSL,
)
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.storage import Store
from homeassistant.loader import DATA_CUSTOM_COMPONENTS
from homeassistant.setup import async_setup_component

from .builders import Workshop
from .conversation_helpers import AGENT, Ask
from .fake_openai import FakeOpenAI

# Methods that the test plugin replaces.
STORE_METHODS = {
    name: getattr(Store, name) for name in ("_async_load", "_async_write_data", "async_remove")
}

API_KEY = "sk-test"
MODEL = "scripted-1"


@pytest.fixture
def hass(hass: HomeAssistant) -> HomeAssistant:
    """Let Home Assistant look for custom integrations; its test plugin hides them."""
    hass.data.pop(DATA_CUSTOM_COMPONENTS)
    return hass


@pytest.fixture
def disk(hass: HomeAssistant, tmp_path: Path) -> Iterator[Path]:
    """Let Home Assistant store what it stores in a folder of the test's own."""
    hass.config.config_dir = str(tmp_path)
    with pytest.MonkeyPatch.context() as patched:
        for name, method in STORE_METHODS.items():
            patched.setattr(Store, name, method)
        yield tmp_path


@pytest.fixture
async def server(socket_enabled: None) -> AsyncIterator[FakeOpenAI]:
    """Run a scripted server; the guard of Home Assistant's test plugin is lifted for it."""
    async with FakeOpenAI() as running:
        yield running


@pytest.fixture
async def closed_url(socket_enabled: None) -> str:
    """Return an address where nothing listens any more."""
    async with FakeOpenAI() as running:
        return running.url


@pytest.fixture
def options() -> dict[str, Any]:
    """Return the options of the entry; a test can override this."""
    return {}


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return the options of the agent beside the usual ones; a test can override this."""
    return {}


@pytest.fixture
def config_entry(
    hass: HomeAssistant,
    server: FakeOpenAI,
    options: dict[str, Any],
    agent_options: dict[str, Any],
) -> MockConfigEntry:
    """Add an entry for the scripted server, with one agent. It is not set up."""
    agent = {
        CONF_MODEL: MODEL,
        CONF_PROMPT: "You are a test.",
        CONF_LLM_HASS_API: [llm.LLM_API_ASSIST],
        CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
        # Whether a confirmation is quick depends on what is faster: the server or the recognition.
        CONF_QUICK_CONFIRMATION: False,
        **agent_options,
    }
    entry = MockConfigEntry(
        domain=DOMAIN,
        title=server.url.removeprefix("http://").removesuffix("/v1"),
        data={CONF_BASE_URL: server.url, CONF_API_KEY: API_KEY, CONF_VERIFY_SSL: True},
        options=options,
        subentries_data=[
            ConfigSubentryData(
                data=agent,
                subentry_type=SUBENTRY_CONVERSATION,
                title="Scripted",
                unique_id=None,
            )
        ],
    )
    entry.add_to_hass(hass)
    return entry


@pytest.fixture
def all_entities_enabled() -> Iterator[None]:
    """Enable the entities that are disabled by default."""
    with patch.object(Entity, "entity_registry_enabled_default", new=True):
        yield


@pytest.fixture
async def loaded_entry(hass: HomeAssistant, config_entry: MockConfigEntry) -> MockConfigEntry:
    """Set the entry up, in a home with nothing else."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert await hass.config_entries.async_setup(config_entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert config_entry.state is ConfigEntryState.LOADED
    return config_entry


@pytest.fixture
async def workshop(hass: HomeAssistant) -> AsyncIterator[Workshop]:
    """Register the LLM API with the slow tool; an agent has to be allowed to use it."""
    assert await async_setup_component(hass, "llm", {})
    api = Workshop(hass)
    unregister = llm.async_register_api(hass, api)
    yield api
    unregister()


@pytest.fixture
async def home(hass: HomeAssistant, workshop: Workshop) -> HomeAssistant:
    """Return a home with a lamp, a lock, an alarm and covers, all exposed."""
    for component in ("homeassistant", "conversation", "intent"):
        assert await async_setup_component(hass, component, {})
    for entity_id, name, more in (
        ("light.desk", "Desk", {}),
        ("lock.front", "Front Door", {}),
        ("alarm_control_panel.home", "Alarm", {}),
        ("cover.garage", "Garage", {"device_class": "garage"}),
        ("cover.blind", "Blind", {"device_class": "blind"}),
    ):
        hass.states.async_set(entity_id, "off", {"friendly_name": name, **more})
        async_expose_entity(hass, conversation.DOMAIN, entity_id, should_expose=True)
    return hass


@pytest.fixture
def ask(home: HomeAssistant, loaded_entry: MockConfigEntry) -> Ask:
    """Return a function that asks the agent in a task, by default in one conversation."""

    def converse(
        text: str,
        conversation_id: str | None = "desk",
        *,
        language: str = "en",
        device_id: str | None = None,
        user_id: str | None = None,
        **more: str | None,
    ) -> asyncio.Task[ConversationResult]:
        return asyncio.create_task(
            conversation.async_converse(
                home,
                text,
                conversation_id,
                Context(user_id=user_id),
                language=language,
                agent_id=AGENT,
                device_id=device_id,
                **more,
            )
        )

    return converse


@pytest.fixture(autouse=True)
def patient_recognition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the recognition take the time that a busy machine needs to load its sentences."""
    monkeypatch.setattr("custom_components.chatterbox.intents.command_recognizer._LONGEST_WAIT", 30)


_SENTENCES: dict[str, LanguageIntents | None] = {}


@pytest.fixture(autouse=True)
def loaded_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load Home Assistant's sentences once for all tests: every home would take a second for it."""
    load = DefaultAgent._load_intents

    def load_once(agent: DefaultAgent, language: str) -> LanguageIntents | None:
        if Path(agent.hass.config.path("custom_sentences")).exists():
            return load(agent, language)
        if language not in _SENTENCES:
            _SENTENCES[language] = load(agent, language)
        return _SENTENCES[language]

    monkeypatch.setattr(DefaultAgent, "_load_intents", load_once)
