"""Repair flows, through Home Assistant's flow manager."""

import json
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.agent.errors import LLMContextLengthError, LLMModelNotFoundError
from custom_components.chatterbox.agent.model.request_log import RequestLog
from custom_components.chatterbox.const import DOMAIN
from custom_components.chatterbox.data import conversation_agents
from custom_components.chatterbox.repair_issues import async_report_failure
from homeassistant.components.repairs.const import DOMAIN as REPAIRS
from homeassistant.components.repairs.issue_handler import RepairsFlowManager
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component

from .conftest import MODEL
from .fake_openai import FakeOpenAI, Fault, Reply

type Result = Any


class Repair:
    """The repair of an agent's only issue."""

    def __init__(self, hass: HomeAssistant, entry: MockConfigEntry) -> None:
        self._hass = hass
        self._entry = entry
        self._manager: RepairsFlowManager = hass.data[REPAIRS]["flow_manager"]

    async def begin(self, err: Exception) -> Result:
        """Create the issue of an error, and begin its flow."""
        (agent,) = conversation_agents(self._entry)
        async_report_failure(self._hass, agent, err, RequestLog(tokens=5000))
        (issue,) = self.issues()
        return await self._manager.async_init(DOMAIN, context={"issue_id": issue.issue_id})

    async def submit(self, form: Result, **data: str) -> Result:
        """Submit a form of the flow."""
        result = await self._manager.async_configure(form["flow_id"], data)
        await self._hass.async_block_till_done(wait_background_tasks=True)
        return result

    def issues(self) -> list[ir.IssueEntry]:
        """Return the open issues."""
        registry = ir.async_get(self._hass)
        return [issue for issue in registry.issues.values() if issue.domain == DOMAIN]


@pytest.fixture
async def repair(hass: HomeAssistant, loaded_entry: MockConfigEntry) -> Repair:
    assert await async_setup_component(hass, REPAIRS, {})
    return Repair(hass, loaded_entry)


def model_of(entry: MockConfigEntry) -> str:
    (agent,) = conversation_agents(entry)
    return agent.options.model


def listed(context_window: int) -> Reply:
    """Return a list of models, as vLLM answers it."""
    return Reply(body=json.dumps({"data": [{"id": MODEL, "max_model_len": context_window}]}))


GONE = LLMModelNotFoundError("no", 404)
TOO_LONG = LLMContextLengthError("no", 400)


async def test_another_model_is_selected_from_the_list_of_the_server(
    server: FakeOpenAI, repair: Repair, loaded_entry: MockConfigEntry
) -> None:
    server.models = ["new-1", "new-2"]
    form = await repair.begin(GONE)
    assert form["step_id"] == "model"
    (field,) = form["data_schema"].schema.values()
    assert field.config["options"] == ["new-1", "new-2"]
    assert form["description_placeholders"] == {
        "agent": "Scripted",
        "model": MODEL,
        "server": loaded_entry.title,
    }
    done = await repair.submit(form, model=" new-2 ")
    assert done["type"] == "create_entry"
    assert model_of(loaded_entry) == "new-2"
    assert server.completions[-1].json["model"] == "new-2"
    assert repair.issues() == []


async def test_model_that_does_not_answer_either_is_rejected(
    server: FakeOpenAI, repair: Repair, loaded_entry: MockConfigEntry
) -> None:
    form = await repair.begin(GONE)
    server.script(Reply(fault=Fault.MODEL_NOT_FOUND))
    form = await repair.submit(form, model="new-1")
    assert form["errors"] == {"model": "model_not_found"}
    server.script(Reply(status=418, body="No."))
    form = await repair.submit(form, model="new-1")
    assert form["errors"] == {"base": "api_error"}
    assert "message" in form["description_placeholders"]
    assert model_of(loaded_entry) == MODEL
    assert len(repair.issues()) == 1


async def test_model_that_was_loaded_on_the_server_is_kept(
    repair: Repair, loaded_entry: MockConfigEntry
) -> None:
    done = await repair.submit(await repair.begin(GONE), model=MODEL)
    assert done["type"] == "create_entry"
    assert model_of(loaded_entry) == MODEL
    assert repair.issues() == []


async def test_unreachable_server_has_no_list_but_its_error(
    hass: HomeAssistant, repair: Repair, loaded_entry: MockConfigEntry, closed_url: str
) -> None:
    hass.config_entries.async_update_entry(
        loaded_entry, data={**loaded_entry.data, "base_url": closed_url}
    )
    await hass.async_block_till_done(wait_background_tasks=True)
    form = await repair.begin(GONE)
    assert (form["step_id"], form["errors"]) == ("model", {"base": "cannot_connect"})
    form = await repair.submit(form, model="new-1")
    assert form["errors"] == {"base": "cannot_connect"}


async def test_context_window_is_checked_after_it_was_increased(
    server: FakeOpenAI, repair: Repair, loaded_entry: MockConfigEntry
) -> None:
    form = await repair.begin(TOO_LONG)
    assert form["step_id"] == "context_window"
    assert form["description_placeholders"]["recommended"] == "8192"
    server.models_reply = listed(4096)
    form = await repair.submit(form)
    assert form["errors"] == {"base": "context_window_too_small"}
    assert form["description_placeholders"]["reported"] == "4096"
    server.models_reply = listed(8192)
    window = loaded_entry.runtime_data.context_windows[MODEL]
    window.refused = 4096
    done = await repair.submit(form)
    assert done["type"] == "create_entry"
    assert window.size() == 8192
    assert repair.issues() == []


async def test_context_window_that_the_server_does_not_report_is_accepted(
    hass: HomeAssistant, repair: Repair, loaded_entry: MockConfigEntry
) -> None:
    """The next turn tells; the server does not have to be loaded."""
    form = await repair.begin(TOO_LONG)
    assert await hass.config_entries.async_unload(loaded_entry.entry_id)
    assert (await repair.submit(form))["type"] == "create_entry"


async def test_context_window_of_a_model_that_is_gone_cannot_be_checked(
    server: FakeOpenAI, repair: Repair
) -> None:
    form = await repair.begin(TOO_LONG)
    server.script(Reply(fault=Fault.MODEL_NOT_FOUND))
    assert (await repair.submit(form))["errors"] == {"base": "model_not_found"}


@pytest.mark.parametrize("err", [GONE, TOO_LONG])
@pytest.mark.parametrize("whole_server", [True, False])
async def test_flow_of_a_removed_agent_is_aborted(
    hass: HomeAssistant,
    repair: Repair,
    loaded_entry: MockConfigEntry,
    err: Exception,
    *,
    whole_server: bool,
) -> None:
    form = await repair.begin(err)
    if whole_server:
        await hass.config_entries.async_remove(loaded_entry.entry_id)
    else:
        (agent,) = loaded_entry.subentries
        hass.config_entries.async_remove_subentry(loaded_entry, agent)
    result = await repair.submit(form, **({"model": "new-1"} if err is GONE else {}))
    assert (result["type"], result["reason"]) == ("abort", "agent_not_found")
    assert repair.issues() == []
