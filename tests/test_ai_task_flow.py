"""Subentry flow of an AI task, against a real HTTP server."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import SUBENTRY_AI_TASK
from homeassistant.config_entries import SOURCE_RECONFIGURE, SOURCE_USER, ConfigEntryState
from homeassistant.core import HomeAssistant

from .fake_openai import FakeOpenAI, Fault, Reply
from .form_helpers import suggested

VALUES = {"model": "scripted-1", "thinking": "low", "max_tokens": 500}
FORM: dict[str, Any] = {"name": "Camera", **VALUES}


@pytest.fixture(autouse=True)
async def reload_ends_before_home_assistant(hass: HomeAssistant) -> AsyncIterator[None]:
    """Wait for the reload after a saved form: it adds entities."""
    yield
    await hass.async_block_till_done(wait_background_tasks=True)


async def begin(hass: HomeAssistant, entry: MockConfigEntry, **more: Any) -> dict[str, Any]:
    flows: Any = hass.config_entries.subentries
    handler = (entry.entry_id, SUBENTRY_AI_TASK)
    return dict(await flows.async_init(handler, context={"source": SOURCE_USER, **more}))


async def submit(hass: HomeAssistant, form: dict[str, Any], **data: Any) -> dict[str, Any]:
    flows = hass.config_entries.subentries
    return dict(await flows.async_configure(form["flow_id"], {**FORM, **data}))


def task_of(entry: MockConfigEntry) -> Any:
    """Return the only AI task of an entry."""
    (subentry,) = (
        each for each in entry.subentries.values() if each.subentry_type == SUBENTRY_AI_TASK
    )
    return subentry


async def test_task_is_added_and_reconfigured(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    form = await begin(hass, loaded_entry)
    assert suggested(form) == {
        "name": "Chatterbox AI Task",
        "model": "scripted-1",
        "thinking": "auto",
        "max_tokens": 4096,
    }
    done = await submit(hass, form, name=" Camera ")
    assert done["type"] == "create_entry"
    await hass.async_block_till_done()
    task = task_of(loaded_entry)
    assert (task.title, dict(task.data)) == ("Camera", VALUES)
    assert hass.states.get("ai_task.camera") is not None

    form = await begin(hass, loaded_entry, source=SOURCE_RECONFIGURE, subentry_id=task.subentry_id)
    assert suggested(form) == FORM
    done = await submit(hass, form, name=" ", thinking="auto")
    assert done["reason"] == "reconfigure_successful"
    await hass.async_block_till_done()
    task = task_of(loaded_entry)
    # Defaults are not stored.
    assert dict(task.data) == {"model": "scripted-1", "max_tokens": 500}
    assert task.title == "Camera"
    assert not server.completions


async def test_unlisted_model_is_tested(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    form = await begin(hass, loaded_entry)
    server.script(Reply(fault=Fault.MODEL_NOT_FOUND))
    form = await submit(hass, form, model="other")
    assert form["errors"] == {"model": "model_not_found"}
    assert suggested(form)["model"] == "other"
    done = await submit(hass, form, model=" other ")
    assert done["type"] == "create_entry"
    assert done["data"]["model"] == "other"


async def test_model_in_use_is_not_tested_again(
    hass: HomeAssistant, loaded_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    server.models = None
    await submit(hass, await begin(hass, loaded_entry))
    tested = len(server.completions)
    await hass.async_block_till_done()
    context = {"source": SOURCE_RECONFIGURE, "subentry_id": task_of(loaded_entry).subentry_id}
    done = await submit(hass, await begin(hass, loaded_entry, **context), max_tokens=600)
    assert done["reason"] == "reconfigure_successful"
    assert tested
    listing = [each for each in server.completions[tested:] if each.json["model"] == "scripted-1"]
    assert listing == []


async def test_server_that_is_not_loaded_has_to_be_fixed_first(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    aborted = await begin(hass, loaded_entry)
    assert aborted["reason"] == "entry_not_loaded"


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ({"model": "scripted-1", "max_tokens": "many", "thinking": "low"}, {"max_tokens": 4096}),
        ({"model": "scripted-1", "max_tokens": 500, "thinking": 7}, {"thinking": "auto"}),
        ({"max_tokens": 500, "thinking": "low"}, {}),
    ],
    ids=["max_tokens", "thinking", "no_model"],
)
async def test_task_that_prevents_the_setup_can_be_repaired(
    hass: HomeAssistant,
    loaded_entry: MockConfigEntry,
    stored: dict[str, Any],
    shown: dict[str, Any],
) -> None:
    """The form shows what can be used of its options, and the server is set up with them."""
    await submit(hass, await begin(hass, loaded_entry))
    await hass.async_block_till_done(wait_background_tasks=True)
    task = task_of(loaded_entry)
    hass.config_entries.async_update_subentry(loaded_entry, task, data=stored)
    await hass.async_block_till_done(wait_background_tasks=True)
    aborted = await begin(hass, loaded_entry)
    assert aborted["reason"] == "entry_not_loaded"

    form = await begin(hass, loaded_entry, source=SOURCE_RECONFIGURE, subentry_id=task.subentry_id)
    assert suggested(form) == FORM | shown
    done = await submit(hass, form)
    assert done["reason"] == "reconfigure_successful"
    await hass.async_block_till_done(wait_background_tasks=True)
    assert dict(task_of(loaded_entry).data) == VALUES
    assert loaded_entry.state is ConfigEntryState.LOADED
    assert hass.states.get("ai_task.camera") is not None
