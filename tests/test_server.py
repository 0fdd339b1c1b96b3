"""Client of a config entry's server, and the server's details of its models."""

from typing import Any
from unittest.mock import patch

import aiohttp
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.test_util.aiohttp import AiohttpClientMocker

from custom_components.chatterbox import server as server_module
from custom_components.chatterbox.agent.model.response_body import MAX_BODY
from homeassistant.const import CONF_API_KEY
from homeassistant.core import HomeAssistant

from .conftest import API_KEY, MODEL
from .fake_openai import FakeOpenAI


def root(server: FakeOpenAI) -> str:
    return server.url.removesuffix("/v1")


async def learned(
    hass: HomeAssistant, entry: MockConfigEntry, answers: AiohttpClientMocker
) -> int | None:
    session = answers.create_session(hass.loop)
    with patch.object(server_module, "async_get_clientsession", return_value=session):
        await server_module.async_update_model_details(hass, entry)
    await session.close()
    reported: int | None = entry.runtime_data.context_windows[MODEL].reported
    return reported


async def test_requests_have_the_key(
    hass: HomeAssistant,
    loaded_entry: MockConfigEntry,
    server: FakeOpenAI,
    aioclient_mock: AiohttpClientMocker,
) -> None:
    aioclient_mock.get(f"{root(server)}/props", status=404)
    aioclient_mock.get(f"{root(server)}/api/ps", text="<html>")
    aioclient_mock.post(
        f"{root(server)}/api/show", json={"parameters": "num_ctx 8192", "model_info": {}}
    )
    aioclient_mock.get(f"{server.url}/models", json={"data": []})
    assert await learned(hass, loaded_entry, aioclient_mock) == 8_192
    assert await learned(hass, loaded_entry, aioclient_mock) == 8_192
    assert all(
        headers["Authorization"] == f"Bearer {API_KEY}" for *_, headers in aioclient_mock.mock_calls
    )


async def test_requests_without_a_key_have_no_authorization(
    hass: HomeAssistant,
    loaded_entry: MockConfigEntry,
    server: FakeOpenAI,
    aioclient_mock: AiohttpClientMocker,
) -> None:
    data = {key: value for key, value in loaded_entry.data.items() if key != CONF_API_KEY}
    hass.config_entries.async_update_entry(loaded_entry, data=data)
    await hass.async_block_till_done(wait_background_tasks=True)
    aioclient_mock.get(
        f"{root(server)}/props", json={"default_generation_settings": {"n_ctx": 4_096}}
    )
    aioclient_mock.get(f"{server.url}/models", json={"data": []})
    assert await learned(hass, loaded_entry, aioclient_mock) == 4_096
    assert all("Authorization" not in headers for *_, headers in aioclient_mock.mock_calls)


async def test_details_that_are_too_long_are_ignored(
    hass: HomeAssistant,
    loaded_entry: MockConfigEntry,
    server: FakeOpenAI,
    aioclient_mock: AiohttpClientMocker,
) -> None:
    """A server may send anything at these addresses."""
    aioclient_mock.get(f"{root(server)}/props", content=b"[" * (MAX_BODY + 1))
    aioclient_mock.get(f"{root(server)}/api/ps", status=404)
    aioclient_mock.post(f"{root(server)}/api/show", json={"parameters": "num_ctx 8192"})
    aioclient_mock.get(f"{server.url}/models", status=404)
    assert await learned(hass, loaded_entry, aioclient_mock) == 8_192


@pytest.mark.parametrize("error", [TimeoutError(), aiohttp.ClientConnectionError()])
async def test_unreachable_server_gets_one_request(
    hass: HomeAssistant,
    loaded_entry: MockConfigEntry,
    server: FakeOpenAI,
    aioclient_mock: AiohttpClientMocker,
    error: Exception,
) -> None:
    aioclient_mock.get(f"{root(server)}/props", exc=error)
    assert await learned(hass, loaded_entry, aioclient_mock) is None
    assert aioclient_mock.call_count == 1


@pytest.mark.parametrize("agent_options", [{"context_window": 4_096}])
async def test_configured_context_window_overrides_the_reported_one(
    hass: HomeAssistant,
    loaded_entry: MockConfigEntry,
    server: FakeOpenAI,
    aioclient_mock: AiohttpClientMocker,
) -> None:
    aioclient_mock.get(
        f"{root(server)}/props", json={"default_generation_settings": {"n_ctx": 8_192}}
    )
    aioclient_mock.get(f"{server.url}/models", status=404)
    await learned(hass, loaded_entry, aioclient_mock)
    assert loaded_entry.runtime_data.context_windows[MODEL].size(4_096) == 4_096


async def test_size_of_the_model_is_kept(
    hass: HomeAssistant,
    loaded_entry: MockConfigEntry,
    server: FakeOpenAI,
    aioclient_mock: AiohttpClientMocker,
) -> None:
    aioclient_mock.get(f"{root(server)}/props", status=404)
    aioclient_mock.get(f"{root(server)}/api/ps", status=404)
    aioclient_mock.post(
        f"{root(server)}/api/show",
        json={
            "parameters": "num_ctx 8192",
            "details": {"parameter_size": "1.5B"},
        },
    )
    assert await learned(hass, loaded_entry, aioclient_mock) == 8_192
    assert loaded_entry.runtime_data.quirks[MODEL].parameters == 1.5


@pytest.mark.parametrize(
    ("addresses", "local"),
    [
        (["192.168.1.2"], True),
        (["192.168.1.2", "8.8.8.8"], False),
        (["8.8.8.8"], False),
        (OSError(), False),
    ],
)
async def test_server_is_local_if_none_of_its_addresses_is_public(
    hass: HomeAssistant, addresses: list[str] | OSError, *, local: bool
) -> None:
    async def getaddrinfo(host: str, port: int | None, **_: object) -> list[tuple[Any, ...]]:
        assert (host, port) == ("llm.home", 8080)
        if isinstance(addresses, OSError):
            raise addresses
        return [(2, 1, 6, "", (address, port)) for address in addresses]

    with patch.object(hass.loop, "getaddrinfo", getaddrinfo):
        assert await server_module.async_is_local(hass, "http://llm.home:8080/v1") is local
