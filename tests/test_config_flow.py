"""Config flow: setup, reauthentication and reconfiguration against a real HTTP server."""

from collections.abc import Mapping
from typing import Any
from unittest.mock import patch

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox import connection_test as probe
from custom_components.chatterbox.agent.model.http_client import Timeouts
from custom_components.chatterbox.agent.model.usage import Price
from custom_components.chatterbox.const import (
    BUILT_IN_TOOLS,
    CONF_BASE_URL,
    CONF_BUILT_IN_TOOLS,
    CONF_COMPLETION_PRICE,
    CONF_FIRST_TOKEN_TIMEOUT,
    CONF_HEADERS,
    CONF_HISTORY_CONVERSATIONS,
    CONF_HISTORY_DAYS,
    CONF_MAX_REQUESTS_PER_MINUTE,
    CONF_PROMPT_PRICE,
    CONF_RETRY_WAIT,
    DOMAIN,
    SECTION_ADVANCED,
    SUBENTRY_CONVERSATION,
)
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigEntryState,
    ConfigFlowResult,
)
from homeassistant.const import (
    CONF_API_KEY,
    CONF_LLM_HASS_API,
    CONF_MODEL,
    CONF_VERIFY_SSL,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.setup import async_setup_component

from .conftest import API_KEY, MODEL
from .fake_openai import FakeOpenAI, Fault, Reply
from .form_helpers import fields, suggested

NOT_FOUND = Reply(status=404, body='{"detail": "Not Found"}')
NO_METHOD = Reply(status=405, body="Method Not Allowed")
UNVERIFIED = {SECTION_ADVANCED: {CONF_VERIFY_SSL: False}}
NO_LIST = Reply(status=200, body='{"object": "list", "data": null}')


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant) -> None:
    """Set up what every home has."""
    assert await async_setup_component(hass, "homeassistant", {})


async def start(hass: HomeAssistant) -> ConfigFlowResult:
    """Open the form of a server."""
    result = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    assert (result["step_id"], result["errors"]) == ("user", {})
    return result


async def submit(
    hass: HomeAssistant, form: ConfigFlowResult, values: Mapping[str, Any]
) -> ConfigFlowResult:
    """Send a form."""
    return await hass.config_entries.flow.async_configure(form["flow_id"], dict(values))


async def at_model(
    hass: HomeAssistant, server: FakeOpenAI, api_key: str | None = None
) -> ConfigFlowResult:
    """Enter a server; return the form of the model."""
    values = {CONF_BASE_URL: server.url} | ({CONF_API_KEY: api_key} if api_key else {})
    form = await submit(hass, await start(hass), values)
    assert (form["step_id"], form["errors"]) == ("model", {})
    return form


async def finish(hass: HomeAssistant, form: ConfigFlowResult, model: str = MODEL) -> None:
    """Choose a model and see the entry made."""
    result = await submit(hass, form, {CONF_MODEL: model})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done(wait_background_tasks=True)
    assert result["result"].state is ConfigEntryState.LOADED


async def test_server_is_added_with_its_first_agent(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    """An address as one types it, a key, a model: the agent is there."""
    server.api_key, server.models = API_KEY, ("b", "a")
    address = server.url.removeprefix("http://").removesuffix("/v1")
    form = await start(hass)
    # Its button says that another step follows.
    assert form["last_step"] is False
    form = await submit(hass, form, {CONF_BASE_URL: f" {address}/ ", CONF_API_KEY: f" {API_KEY} "})
    assert form["step_id"] == "model"
    assert fields(form)[CONF_MODEL]["selector"]["select"]["options"] == ["a", "b"]
    assert suggested(form) == {CONF_MODEL: "a"}
    assert not server.completions

    result = await submit(hass, form, {CONF_MODEL: " b "})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["description_placeholders"] == {"agent": "Chatterbox"}
    await hass.async_block_till_done(wait_background_tasks=True)
    entry = result["result"]
    assert entry.state is ConfigEntryState.LOADED
    assert entry.title == address
    assert entry.data == {
        CONF_BASE_URL: server.url,
        CONF_API_KEY: API_KEY,
        CONF_VERIFY_SSL: True,
    }
    [agent] = entry.subentries.values()
    assert (agent.subentry_type, agent.title) == (SUBENTRY_CONVERSATION, "Chatterbox")
    assert agent.data == {
        CONF_MODEL: "b",
        CONF_LLM_HASS_API: ["assist"],
        CONF_BUILT_IN_TOOLS: [*BUILT_IN_TOOLS],
    }
    assert hass.states.get("conversation.chatterbox")
    # Some servers show their list to anybody: that the key is right shows only an answer.
    [tried] = server.completions
    assert tried.json["model"] == "b"


async def test_listed_model_is_not_tested_without_a_key(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    """Without a key there is nothing to load or to pay for in order to try a listed model."""
    await finish(hass, await at_model(hass, server))
    assert not server.completions


async def test_typed_model_is_tested_with_a_short_completion(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    """A model that is not listed is tried with a question that costs next to nothing."""
    await finish(hass, await at_model(hass, server), "typed")
    [tried] = server.completions
    assert tried.json["model"] == "typed"
    assert tried.json["max_completion_tokens"] <= 5
    assert "stream" not in tried.json


async def test_common_model_is_suggested_from_a_long_list(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    """Of a long list the usual model is suggested."""
    server.models = ("babbage", "gpt-4o-mini", "whisper")
    form = await at_model(hass, server)
    assert suggested(form) == {CONF_MODEL: "gpt-4o-mini"}
    await finish(hass, form, "gpt-4o-mini")
    [entry] = hass.config_entries.async_entries(DOMAIN)
    assert CONF_API_KEY not in entry.data


@pytest.mark.parametrize(
    "address", ["", "ftp://host", "two words", "http://a..b", "999.1.1.1", "http://user:pw@host"]
)
async def test_invalid_url_is_rejected_without_a_request(
    hass: HomeAssistant, server: FakeOpenAI, address: str
) -> None:
    """What is no address is not asked for anything; the user corrects it."""
    form = await submit(hass, await start(hass), {CONF_BASE_URL: address, **UNVERIFIED})
    assert (form["step_id"], form["errors"]) == ("user", {CONF_BASE_URL: "invalid_url"})
    assert suggested(form) == {CONF_BASE_URL: address, **UNVERIFIED}
    form = await submit(hass, form, {CONF_BASE_URL: server.url})
    await finish(hass, form)


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        (Reply(fault=Fault.UNAUTHORIZED), "key_required", None),
        (Reply(fault=Fault.FORBIDDEN), "key_required", None),
        (Reply(fault=Fault.RATE_LIMITED), "rate_limited", None),
        (Reply(status=402, body="{}"), "quota_exceeded", None),
        (Reply(fault=Fault.OVERLOADED), "api_error", "Loading model"),
        (Reply(fault=Fault.HTML_BAD_GATEWAY), "api_error", "HTTP 502"),
        (Reply(fault=Fault.RESET), "cannot_connect", None),
    ],
)
async def test_failing_server_shows_its_error_until_it_recovers(
    hass: HomeAssistant,
    server: FakeOpenAI,
    reply: Reply,
    error: str,
    message: str | None,
) -> None:
    """Each fault has its sentence, and the user gets on when it is gone."""
    server.models_reply = reply
    form = await submit(hass, await start(hass), {CONF_BASE_URL: server.url})
    assert (form["step_id"], form["errors"]) == ("user", {"base": error})
    assert message is None or form["description_placeholders"] == {"message": message}
    assert not server.completions

    server.models_reply = None
    await finish(hass, await submit(hass, form, {CONF_BASE_URL: server.url}))


async def test_model_list_has_a_short_timeout(hass: HomeAssistant, server: FakeOpenAI) -> None:
    """Nobody waits long for a list of models."""
    # The connection is there already, so that the time is all spent on the answer.
    await at_model(hass, server)
    server.models_reply = Reply(fault=Fault.NEVER)
    with patch.object(probe, "_LIST_TIMEOUT", 0.05):
        form = await submit(hass, await start(hass), {CONF_BASE_URL: server.url})
    assert form["errors"] == {"base": "timeout_connect"}
    server.models_reply = None
    await finish(hass, await submit(hass, form, {CONF_BASE_URL: server.url}))


async def test_closed_port_shows_cannot_connect(
    hass: HomeAssistant, closed_url: str, server: FakeOpenAI
) -> None:
    """An address where nothing listens is said to be one."""
    form = await submit(hass, await start(hass), {CONF_BASE_URL: closed_url})
    assert form["errors"] == {"base": "cannot_connect"}
    await finish(hass, await submit(hass, form, {CONF_BASE_URL: server.url}))


async def test_unexpected_error_leaves_the_form_usable(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    """An error that nobody thought of leaves the form usable."""
    with patch.object(probe, "async_create_server", side_effect=RuntimeError):
        form = await submit(hass, await start(hass), {CONF_BASE_URL: server.url})
    assert form["errors"] == {"base": "unknown"}
    await finish(hass, await submit(hass, form, {CONF_BASE_URL: server.url}))


@pytest.mark.parametrize("listing", [None, NO_METHOD, NO_LIST, Reply(fault=Fault.HTML)])
@pytest.mark.parametrize(
    "answer",
    [
        Reply("Hello!"),
        Reply(fault=Fault.MODEL_NOT_FOUND),
        Reply(fault=Fault.RATE_LIMITED),
        Reply(fault=Fault.SERVER_ERROR),
    ],
)
async def test_server_without_a_model_list_takes_a_typed_model(
    hass: HomeAssistant, server: FakeOpenAI, listing: Reply | None, answer: Reply
) -> None:
    """A server that does not tell its models has to answer; the model is then typed."""
    server.models, server.models_reply = None, listing
    server.script(answer)
    form = await at_model(hass, server)
    assert "text" in fields(form)[CONF_MODEL]["selector"]
    assert suggested(form) == {CONF_MODEL: None}
    await finish(hass, form, "typed")


@pytest.mark.parametrize("listing", [None, NOT_FOUND, Reply(fault=Fault.HTML)])
@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (NOT_FOUND, "not_openai"),
        (NO_METHOD, "not_openai"),
        (Reply(fault=Fault.HTML), "not_openai"),
        (Reply(fault=Fault.UNAUTHORIZED), "key_required"),
        (Reply(fault=Fault.RESET), "cannot_connect"),
    ],
)
async def test_server_without_a_model_list_and_completions_is_rejected(
    hass: HomeAssistant, server: FakeOpenAI, listing: Reply | None, answer: Reply, error: str
) -> None:
    """Neither a list nor an answer: that is no such server, or not for this key."""
    server.models, server.models_reply = None, listing
    server.script(answer)
    form = await submit(hass, await start(hass), {CONF_BASE_URL: server.url})
    assert (form["step_id"], form["errors"]) == ("user", {"base": error})
    server.models, server.models_reply = (MODEL,), None
    await finish(hass, await submit(hass, form, {CONF_BASE_URL: server.url}))


@pytest.mark.parametrize(
    ("reply", "errors", "message"),
    [
        (Reply(fault=Fault.MODEL_NOT_FOUND), {CONF_MODEL: "model_not_found"}, None),
        (
            Reply(status=400, body='{"error": {"message": "foo is not a valid model ID"}}'),
            {CONF_MODEL: "model_not_found"},
            None,
        ),
        (Reply(fault=Fault.RATE_LIMITED), {"base": "rate_limited"}, None),
        (Reply(status=402, body="{}"), {"base": "quota_exceeded"}, None),
        (
            Reply(status=400, body='{"error": {"message": "No tools here."}}'),
            {"base": "api_error"},
            "No tools here.",
        ),
        (Reply(fault=Fault.HTML_BAD_GATEWAY), {"base": "api_error"}, "HTTP 502"),
        (Reply(fault=Fault.RESET), {"base": "cannot_connect"}, None),
    ],
)
async def test_failing_model_is_rejected(
    hass: HomeAssistant,
    server: FakeOpenAI,
    reply: Reply,
    errors: dict[str, str],
    message: str | None,
) -> None:
    """A model is tried before it is taken, and another one can be chosen."""
    form = await at_model(hass, server)
    server.script(reply)
    form = await submit(hass, form, {CONF_MODEL: "other"})
    assert (form["step_id"], form["errors"]) == ("model", errors)
    assert message is None or form["description_placeholders"] == {"message": message}
    assert suggested(form) == {CONF_MODEL: "other"}
    await finish(hass, form)


async def test_model_that_reaches_the_token_limit_passes_its_test(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    """To have used up the tokens of the test is an answer as well."""
    form = await at_model(hass, server)
    words = "Could not finish the message because max_tokens was reached."
    server.script(Reply(status=400, body=f'{{"error": {{"message": "{words}"}}}}'))
    await finish(hass, form, "thinker")
    assert len(server.completions) == 1


async def test_wrong_key_of_a_public_model_list_is_noticed_by_the_model_test(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    """Where anybody may see the models, a wrong key is noticed late, and still corrected."""
    form = await at_model(hass, server, "wrong")
    server.script(Reply(fault=Fault.UNAUTHORIZED))
    form = await submit(hass, form, {CONF_MODEL: MODEL})
    assert (form["step_id"], form["errors"]) == ("user", {"base": "invalid_auth"})
    assert suggested(form)[CONF_BASE_URL] == server.url
    form = await submit(hass, form, {CONF_BASE_URL: server.url, CONF_API_KEY: API_KEY})
    await finish(hass, form)
    [entry] = hass.config_entries.async_entries(DOMAIN)
    assert entry.data[CONF_API_KEY] == API_KEY


async def test_configured_server_aborts_however_its_url_is_written(
    hass: HomeAssistant, server: FakeOpenAI, config_entry: MockConfigEntry
) -> None:
    """The same server is refused however its address is written, and with any key."""
    address = f"{server.url}/chat/completions"
    result = await submit(
        hass, await start(hass), {CONF_BASE_URL: address, CONF_API_KEY: "another"}
    )
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "already_configured")
    assert not server.requests


async def test_second_flow_for_the_same_server_aborts(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    """Of two flows for the same server, the second one comes too late."""
    first, second = await at_model(hass, server), await at_model(hass, server)
    await finish(hass, first)
    result = await submit(hass, second, {CONF_MODEL: MODEL})
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "already_configured")


async def test_reauthentication_replaces_the_key(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """A refused key is replaced once the server takes the new one."""
    server.api_key = "new"
    form = await loaded_entry.start_reauth_flow(hass)
    assert form["step_id"] == "reauth_confirm"
    assert form["description_placeholders"] == {
        CONF_BASE_URL: server.url,
        "name": loaded_entry.title,
    }
    assert suggested(form) == {}
    form = await submit(hass, form, {CONF_API_KEY: "wrong"})
    assert form["errors"] == {"base": "invalid_auth"}
    assert suggested(form) == {}
    server.requests.clear()
    result = await submit(hass, form, {CONF_API_KEY: " new "})
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reauth_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert loaded_entry.state is ConfigEntryState.LOADED
    assert loaded_entry.data[CONF_API_KEY] == "new"
    assert {item.headers["Authorization"] for item in server.requests} == {"Bearer new"}


async def test_reauthentication_tests_the_key_with_a_completion(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """The list of models may be public: only an answer shows that a key is good."""
    form = await loaded_entry.start_reauth_flow(hass)
    server.script(Reply(fault=Fault.UNAUTHORIZED), Reply(fault=Fault.MODEL_NOT_FOUND))
    form = await submit(hass, form, {CONF_API_KEY: "wrong"})
    assert form["errors"] == {"base": "invalid_auth"}
    # That the model is gone is not the fault of the key.
    result = await submit(hass, form, {CONF_API_KEY: "new"})
    assert result["type"] is FlowResultType.ABORT
    await hass.async_block_till_done(wait_background_tasks=True)
    assert [item.json["model"] for item in server.completions] == [MODEL, MODEL]


async def test_reauthentication_with_the_same_key_reloads_the_entry(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """A key that was right all along ends the matter, with a fresh start."""
    data = loaded_entry.runtime_data
    form = await loaded_entry.start_reauth_flow(hass)
    result = await submit(hass, form, {CONF_API_KEY: API_KEY})
    assert result["reason"] == "reauth_successful"
    await hass.async_block_till_done(wait_background_tasks=True)
    assert loaded_entry.state is ConfigEntryState.LOADED
    assert loaded_entry.runtime_data is not data


async def test_reauthentication_sets_up_an_unloaded_entry(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    """Nobody listens to an entry that is not loaded, so the flow has it loaded."""
    form = await config_entry.start_reauth_flow(hass)
    await submit(hass, form, {CONF_API_KEY: "new"})
    await hass.async_block_till_done(wait_background_tasks=True)
    assert config_entry.state is ConfigEntryState.LOADED


async def test_server_without_agents_is_reconfigured_by_its_model_list(
    hass: HomeAssistant, server: FakeOpenAI, closed_url: str
) -> None:
    """A server whose agents were all removed is asked for its list only."""
    entry = MockConfigEntry(
        domain=DOMAIN, title="Mine", data={CONF_BASE_URL: closed_url, CONF_VERIFY_SSL: True}
    )
    entry.add_to_hass(hass)
    form = await entry.start_reconfigure_flow(hass)
    result = await submit(hass, form, {CONF_BASE_URL: server.url, **UNVERIFIED})
    assert result["reason"] == "reconfigure_successful"
    await hass.async_block_till_done(wait_background_tasks=True)
    assert entry.title == "Mine"
    assert entry.data == {CONF_BASE_URL: server.url, CONF_VERIFY_SSL: False}
    assert not server.completions


async def test_reconfiguration_keeps_the_key_of_the_same_server(
    hass: HomeAssistant, server: FakeOpenAI, loaded_entry: MockConfigEntry
) -> None:
    """Without a new key the old one is kept; it is never shown."""
    server.api_key = API_KEY
    form = await loaded_entry.start_reconfigure_flow(hass)
    assert form["step_id"] == "reconfigure"
    assert suggested(form) == {
        CONF_BASE_URL: server.url,
        SECTION_ADVANCED: {CONF_VERIFY_SSL: True, CONF_HEADERS: []},
    }
    result = await submit(hass, form, {CONF_BASE_URL: server.url, **UNVERIFIED})
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    assert loaded_entry.state is ConfigEntryState.LOADED
    assert loaded_entry.data == {
        CONF_BASE_URL: server.url,
        CONF_API_KEY: API_KEY,
        CONF_VERIFY_SSL: False,
    }


async def test_reconfiguration_sends_the_key_to_no_other_server(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """At a new address the key has to be typed again; the title follows the address."""
    async with FakeOpenAI(api_key="other") as other:
        form = await loaded_entry.start_reconfigure_flow(hass)
        form = await submit(hass, form, {CONF_BASE_URL: other.url})
        assert form["errors"] == {"base": "invalid_auth"}
        assert {item.headers.get("Authorization") for item in other.requests} == {None}
        form = await submit(hass, form, {CONF_BASE_URL: "no address", CONF_API_KEY: "other"})
        assert form["errors"] == {CONF_BASE_URL: "invalid_url"}
        result = await submit(hass, form, {CONF_BASE_URL: other.url, CONF_API_KEY: "other"})
        assert result["reason"] == "reconfigure_successful"
        await hass.async_block_till_done(wait_background_tasks=True)
        assert loaded_entry.data[CONF_API_KEY] == "other"
        assert loaded_entry.title == other.url.removeprefix("http://").removesuffix("/v1")


async def test_custom_headers_are_sent_with_every_request_and_kept_hidden(
    hass: HomeAssistant, server: FakeOpenAI
) -> None:
    """A reverse proxy may want them; their values are shown to nobody."""
    advanced = {CONF_VERIFY_SSL: True, CONF_HEADERS: [" X-Id : abc", "X-Secret: a: b"]}
    form = await submit(
        hass, await start(hass), {CONF_BASE_URL: server.url, SECTION_ADVANCED: advanced}
    )
    await finish(hass, form, "typed")
    [entry] = hass.config_entries.async_entries(DOMAIN)
    assert entry.data[CONF_HEADERS] == {"X-Id": "abc", "X-Secret": "a: b"}
    assert server.requests
    for request in server.requests:
        assert (request.headers["X-Id"], request.headers["X-Secret"]) == ("abc", "a: b")

    form = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_RECONFIGURE, "entry_id": entry.entry_id}
    )
    values = suggested(form)
    assert values[SECTION_ADVANCED][CONF_HEADERS] == ["X-Id: ********", "X-Secret: ********"]
    values[SECTION_ADVANCED][CONF_HEADERS] = ["X-Secret: ********", "X-New: c"]
    result = await submit(hass, form, values)
    assert result["reason"] == "reconfigure_successful"
    await hass.async_block_till_done(wait_background_tasks=True)
    assert entry.data[CONF_HEADERS] == {"X-Secret": "a: b", "X-New": "c"}


async def test_headers_are_sent_to_no_other_server(hass: HomeAssistant, server: FakeOpenAI) -> None:
    entry = MockConfigEntry(
        domain=DOMAIN,
        data={
            CONF_BASE_URL: "http://10.0.0.7:11434/v1",
            CONF_VERIFY_SSL: True,
            CONF_HEADERS: {"X-Secret": "abc"},
        },
    )
    entry.add_to_hass(hass)
    form = await entry.start_reconfigure_flow(hass)
    form = await submit(hass, form, {**suggested(form), CONF_BASE_URL: server.url})
    assert form["errors"] == {SECTION_ADVANCED: "invalid_headers"}
    assert not server.requests
    # Where the section is missing, there is nothing hidden to keep.
    result = await submit(hass, form, {CONF_BASE_URL: server.url})
    assert result["reason"] == "reconfigure_successful"
    assert CONF_HEADERS not in entry.data
    assert not any("X-Secret" in request.headers for request in server.requests)


async def test_reconfiguration_to_a_configured_server_aborts(
    hass: HomeAssistant, server: FakeOpenAI, config_entry: MockConfigEntry
) -> None:
    """A server cannot move to where another one is."""
    other = MockConfigEntry(
        domain=DOMAIN, data={CONF_BASE_URL: "http://other/v1", CONF_VERIFY_SSL: True}
    )
    other.add_to_hass(hass)
    form = await other.start_reconfigure_flow(hass)
    result = await submit(hass, form, {CONF_BASE_URL: server.url})
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "already_configured")


@pytest.mark.parametrize("options", [{CONF_RETRY_WAIT: 7, "of_another_release": 1}])
async def test_options_apply_after_the_reload(
    hass: HomeAssistant, loaded_entry: MockConfigEntry
) -> None:
    """Patience and prices hold for all agents from then on."""
    flow = hass.config_entries.options
    form = await flow.async_init(loaded_entry.entry_id)
    assert form["step_id"] == "init"
    assert suggested(form) == {
        "connection": {
            CONF_FIRST_TOKEN_TIMEOUT: 60,
            CONF_RETRY_WAIT: 7,
            CONF_MAX_REQUESTS_PER_MINUTE: 0,
        },
        "history": {CONF_HISTORY_DAYS: 30, CONF_HISTORY_CONVERSATIONS: 200},
        "shared_tools": [],
        "trace_requests": False,
    }
    values = {
        "connection": {CONF_FIRST_TOKEN_TIMEOUT: 4.0, CONF_MAX_REQUESTS_PER_MINUTE: 30.0},
        CONF_PROMPT_PRICE: 0.5,
    }
    form = await flow.async_configure(form["flow_id"], values)
    assert form["errors"] == {CONF_COMPLETION_PRICE: "both_prices"}
    assert suggested(form)[CONF_PROMPT_PRICE] == 0.5
    result = await flow.async_configure(form["flow_id"], {**values, CONF_COMPLETION_PRICE: 0})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done(wait_background_tasks=True)
    # Neither a default, nor what is in no form, nor what was not submitted.
    assert loaded_entry.options == {
        "of_another_release": 1,
        CONF_FIRST_TOKEN_TIMEOUT: 4,
        CONF_RETRY_WAIT: 7,
        CONF_MAX_REQUESTS_PER_MINUTE: 30,
        CONF_PROMPT_PRICE: 0.5,
        CONF_COMPLETION_PRICE: 0,
    }
    assert type(loaded_entry.options[CONF_FIRST_TOKEN_TIMEOUT]) is int
    data = loaded_entry.runtime_data
    assert data.server.timeouts == Timeouts(connect=10, first_token=4, between_tokens=2)
    assert data.options.price == Price(prompt=0.5, completion=0)


@pytest.mark.parametrize("options", [{CONF_PROMPT_PRICE: 0.5, CONF_COMPLETION_PRICE: 1}])
async def test_prices_are_optional(hass: HomeAssistant, loaded_entry: MockConfigEntry) -> None:
    """An emptied price is missing beside the other one."""
    flow = hass.config_entries.options
    form = await flow.async_init(loaded_entry.entry_id)
    form = await flow.async_configure(form["flow_id"], {CONF_COMPLETION_PRICE: 1})
    assert form["errors"] == {CONF_PROMPT_PRICE: "both_prices"}
    result = await flow.async_configure(form["flow_id"], {})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done(wait_background_tasks=True)
    assert loaded_entry.options == {}


@pytest.mark.parametrize("options", [{CONF_FIRST_TOKEN_TIMEOUT: "soon", CONF_RETRY_WAIT: True}])
async def test_options_that_prevent_the_setup_can_be_repaired(
    hass: HomeAssistant, config_entry: MockConfigEntry
) -> None:
    """The form shows what can be used of them, and the server is set up with what is saved."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert not await hass.config_entries.async_setup(config_entry.entry_id)
    flow = hass.config_entries.options
    form = await flow.async_init(config_entry.entry_id)
    values = suggested(form)
    assert values["connection"][CONF_FIRST_TOKEN_TIMEOUT] == 60
    assert values["connection"][CONF_RETRY_WAIT] == 8
    await flow.async_configure(form["flow_id"], values)
    await hass.async_block_till_done(wait_background_tasks=True)
    assert config_entry.options == {}
    assert config_entry.state is ConfigEntryState.LOADED


@pytest.mark.parametrize("agent_options", [{"remember": "sing"}])
async def test_server_is_reconfigured_while_an_agent_has_unusable_options(
    hass: HomeAssistant, config_entry: MockConfigEntry, server: FakeOpenAI
) -> None:
    """Its model tests the key all the same."""
    form = await config_entry.start_reauth_flow(hass)
    result = await submit(hass, form, {CONF_API_KEY: "new"})
    assert result["reason"] == "reauth_successful"
    await hass.async_block_till_done(wait_background_tasks=True)
    assert [item.json["model"] for item in server.completions] == [MODEL]
