"""Config flow: setup of a server, with errors and their correction."""

from collections.abc import AsyncIterator

import pytest

from tests.fake_openai import FakeOpenAI, Fault, Reply

from .chatterbox import FLOW, MODEL, Agent, begin, submit
from .home import Home, free_port


@pytest.fixture
async def other() -> AsyncIterator[FakeOpenAI]:
    """Run a server that is not set up yet."""
    async with FakeOpenAI() as server:
        yield server


async def test_unreachable_server_is_reported_and_can_be_corrected(
    home: Home, other: FakeOpenAI
) -> None:
    """A URL without a server is a form error, and can be corrected."""
    form = await begin(home)
    form = await submit(home, form, base_url=f"http://127.0.0.1:{free_port()}/v1")
    assert form["step_id"] == "user"
    assert form["errors"] == {"base": "cannot_connect"}
    form = await submit(home, form, base_url=other.url)
    assert form["step_id"] == "model"
    await home.delete(f"{FLOW}/{form['flow_id']}")


async def test_wrong_key_is_reported_and_can_be_corrected(home: Home, other: FakeOpenAI) -> None:
    """A missing or wrong key is a form error, and can be corrected."""
    other.api_key = "right"
    form = await begin(home)
    for key, error in (({}, "key_required"), ({"api_key": "wrong"}, "invalid_auth")):
        form = await submit(home, form, base_url=other.url, **key)
        assert form["step_id"] == "user"
        assert form["errors"] == {"base": error}
    form = await submit(home, form, base_url=other.url, api_key="right")
    assert form["step_id"] == "model"
    await home.delete(f"{FLOW}/{form['flow_id']}")


async def test_key_is_not_sent_without_encryption_to_a_public_name(home: Home) -> None:
    """The name need not exist: nothing is asked."""
    form = await submit(
        home, await begin(home), base_url="http://llm.example.com:8080", api_key="secret"
    )
    assert form["errors"] == {"base_url": "insecure_url"}
    await home.delete(f"{FLOW}/{form['flow_id']}")


async def test_server_that_returns_html_is_rejected(home: Home, other: FakeOpenAI) -> None:
    """A server that returns HTML is not OpenAI-compatible."""
    other.models_reply = other.default = Reply(fault=Fault.HTML)
    form = await submit(home, await begin(home), base_url=other.url)
    assert form["step_id"] == "user"
    assert form["errors"] == {"base": "not_openai"}
    other.reset()
    form = await submit(home, form, base_url=other.url)
    assert form["step_id"] == "model"
    await home.delete(f"{FLOW}/{form['flow_id']}")


async def test_server_without_a_model_list_takes_a_typed_model(
    home: Home, other: FakeOpenAI
) -> None:
    """A server without a model list is tested with a completion; the model is typed."""
    other.models = None
    form = await submit(home, await begin(home), base_url=other.url)
    assert form["step_id"] == "model"
    assert other.completions
    done = await submit(home, form, model=MODEL)
    assert done["type"] == "create_entry"
    await home.delete(f"api/config/config_entries/entry/{done['result']['entry_id']}")


async def test_unknown_model_is_reported_and_can_be_corrected(
    home: Home, other: FakeOpenAI
) -> None:
    """A model that the server does not have is a form error, and another one can be chosen."""
    other.strict_models = True
    form = await submit(home, await begin(home), base_url=other.url)
    form = await submit(home, form, model="no-such-model")
    assert form["step_id"] == "model"
    assert form["errors"] == {"model": "model_not_found"}
    done = await submit(home, form, model=MODEL)
    assert done["type"] == "create_entry"
    await home.delete(f"api/config/config_entries/entry/{done['result']['entry_id']}")


async def test_api_path_is_added_to_the_url(home: Home, other: FakeOpenAI) -> None:
    """The path of the API is appended to a URL without it."""
    form = await submit(home, await begin(home), base_url=other.url.removesuffix("/v1"))
    assert form["step_id"] == "model"
    assert {request.path.split("/")[1] for request in other.requests} == {"v1"}
    await home.delete(f"{FLOW}/{form['flow_id']}")


async def test_same_server_aborts_the_flow(home: Home, agent: Agent, model: FakeOpenAI) -> None:
    """A server can be added once only."""
    done = await submit(home, await begin(home), base_url=model.url)
    assert done["type"] == "abort"
    assert done["reason"] == "already_configured"
