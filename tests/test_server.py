"""Client of a config entry's server, and the server's details of its models."""

import json
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import IPv4Address
from pathlib import Path
from threading import Thread
from typing import Any
from unittest.mock import patch

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.test_util.aiohttp import AiohttpClientMocker

from custom_components.chatterbox import server as server_module
from custom_components.chatterbox.agent.errors import LLMConnectionError
from custom_components.chatterbox.agent.model.response_body import MAX_BODY
from custom_components.chatterbox.const import CONF_BASE_URL
from custom_components.chatterbox.options import ServerOptions
from homeassistant.const import CONF_API_KEY, CONF_VERIFY_SSL
from homeassistant.core import HomeAssistant

from .conftest import API_KEY, MODEL
from .fake_openai import FakeOpenAI

LOOPBACK = IPv4Address("127.0.0.1")


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


@pytest.mark.parametrize(
    "error", [TimeoutError(), aiohttp.ClientConnectionError(), ValueError("line break in a header")]
)
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


async def test_size_and_vision_of_the_model_are_kept(
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
            "capabilities": ["completion", "tools"],
        },
    )
    assert await learned(hass, loaded_entry, aioclient_mock) == 8_192
    quirks = loaded_entry.runtime_data.quirks[MODEL]
    assert quirks.parameters == 1.5
    assert quirks.is_blind


@pytest.fixture
def self_signed(tmp_path: Path) -> ssl.SSLContext:
    """Return the TLS context of a server whose certificate nobody has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(LOOPBACK)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    encoding, no_password = serialization.Encoding.PEM, serialization.NoEncryption()
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, no_password)
    (tmp_path / "server.pem").write_bytes(private + certificate.public_bytes(encoding))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "server.pem")
    return context


class ModelsHandler(BaseHTTPRequestHandler):
    """Lists one model."""

    def do_GET(self) -> None:
        self.send_response(HTTPStatus.OK)
        self.end_headers()
        self.wfile.write(json.dumps({"data": [{"id": MODEL}]}).encode())


@pytest.fixture
def https_port(self_signed: ssl.SSLContext, socket_enabled: None) -> Iterator[int]:
    """Serve the list of models over TLS; yield the port."""
    with HTTPServer((str(LOOPBACK), 0), ModelsHandler) as https:
        https.socket = self_signed.wrap_socket(https.socket, server_side=True)
        thread = Thread(target=https.serve_forever)
        thread.start()
        yield https.server_port
        https.shutdown()
        thread.join()


async def test_certificate_is_verified_unless_switched_off(
    hass: HomeAssistant, https_port: int
) -> None:
    data = {CONF_BASE_URL: f"https://{LOOPBACK}:{https_port}/v1"}
    options = ServerOptions.parse(data, {})
    with pytest.raises(LLMConnectionError):
        await server_module.async_create_server(hass, options).list_models()
    options = ServerOptions.parse({**data, CONF_VERIFY_SSL: False}, {})
    assert await server_module.async_create_server(hass, options).list_models() == [MODEL]


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
