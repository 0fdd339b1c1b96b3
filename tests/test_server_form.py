"""A submitted server: where it is searched for, and what is never sent to it."""

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest

from custom_components.chatterbox.agent.model import urls
from custom_components.chatterbox.connection_test import FormErrors
from custom_components.chatterbox.const import (
    CONF_BASE_URL,
    CONF_HEADERS,
    DOMAIN,
    SECTION_ADVANCED,
)
from custom_components.chatterbox.server_form import async_parse_server, parse_headers
from homeassistant.config_entries import SOURCE_USER
from homeassistant.const import CONF_API_KEY, CONF_VERIFY_SSL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import DATA_RESOLVER
from homeassistant.setup import async_setup_component

from .fake_openai import FakeOpenAI, Fault, Reply

SECRET = "sk-never-in-the-open"
HEADER = {SECTION_ADVANCED: {CONF_VERIFY_SSL: True, CONF_HEADERS: [f"X-Token: {SECRET}"]}}


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant) -> None:
    """Set up what every home has."""
    assert await async_setup_component(hass, "homeassistant", {})


class Resolver:
    """A resolver that finds every host at one address."""

    def __init__(self, address: str) -> None:
        self.address = address

    async def resolve(self, host: str, port: int = 0, family: int = 0) -> list[dict[str, Any]]:
        """Return the address in the form of aiohttp."""
        return [
            {
                "hostname": host,
                "host": self.address,
                "port": port,
                "family": socket.AF_INET,
                "proto": 0,
                "flags": 0,
            }
        ]

    async def getaddrinfo(self, _host: str, port: int, **_: object) -> list[tuple[Any, ...]]:
        """Return the address in the form of the event loop."""
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (self.address, port))]

    async def close(self) -> None:
        """Do nothing."""

    real_close = close


@pytest.fixture
def resolver(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> Resolver:
    """Let every host be found on this machine."""
    found = Resolver("127.0.0.1")
    resolvers: Any = hass.data
    resolvers[DATA_RESOLVER] = found
    monkeypatch.setattr(hass.loop, "getaddrinfo", found.getaddrinfo)
    return found


class Listener:
    """A socket that keeps what it receives, and answers nothing."""

    def __init__(self) -> None:
        self.received = b""
        self.port = 0

    async def read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take the beginning of what is sent, and hang up."""
        self.received += await reader.read(65536)
        writer.close()


@pytest.fixture
async def listener(socket_enabled: None) -> AsyncIterator[Listener]:
    """Listen on a free port."""
    listening = Listener()
    async with await asyncio.start_server(listening.read, "127.0.0.1", 0) as server:
        listening.port = server.sockets[0].getsockname()[1]
        yield listening


async def submit(hass: HomeAssistant, **values: Any) -> dict[str, str]:
    """Submit the form of a server; return its errors."""
    form = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    form = await hass.config_entries.flow.async_configure(form["flow_id"], values)
    assert form["step_id"] == "user"
    return dict(form["errors"] or {})


# Encryption.


async def test_key_for_a_public_host_is_never_sent_in_the_open(
    hass: HomeAssistant, resolver: Resolver, listener: Listener
) -> None:
    host = f"llm.example.com:{listener.port}"
    assert await submit(hass, base_url=host, api_key=SECRET) == {"base": "cannot_connect"}
    # The beginning of an encrypted connection.
    assert listener.received.startswith(b"\x16\x03")
    assert SECRET.encode() not in listener.received
    listener.received = b""
    for values in ({CONF_API_KEY: SECRET}, HEADER):
        errors = await submit(hass, base_url=f"http://{host}", **values)
        assert errors == {CONF_BASE_URL: "insecure_url"}
    assert listener.received == b""
    # A host of the local network gets it: the socket would have seen it.
    await submit(hass, base_url=f"http://127.0.0.1:{listener.port}", api_key=SECRET)
    assert SECRET.encode() in listener.received


@pytest.mark.parametrize(
    ("host", "address", "secrets", "accepted"),
    [
        ("server.local", "192.168.1.2", True, True),
        ("server.local", "8.8.8.8", True, False),
        ("server", "8.8.8.8", False, False),
        # A name of the own domain may belong to a server at home, but need not for ever.
        ("llm.example.com", "192.168.1.2", False, True),
        ("llm.example.com", "192.168.1.2", True, False),
        ("8.8.8.8", "8.8.8.8", False, False),
    ],
)
async def test_only_local_servers_are_used_without_encryption(
    hass: HomeAssistant,
    resolver: Resolver,
    host: str,
    address: str,
    *,
    secrets: bool,
    accepted: bool,
) -> None:
    resolver.address = address
    values = {CONF_BASE_URL: f"http://{host}:8080"} | ({CONF_API_KEY: SECRET} if secrets else {})
    form_errors = FormErrors()
    parsed = await async_parse_server(hass, values, form_errors)
    assert (parsed is not None) is accepted
    assert form_errors.errors == ({} if accepted else {CONF_BASE_URL: "insecure_url"})


# Search.


def port_of(server: FakeOpenAI) -> int:
    return int(server.url.removesuffix("/v1").rpartition(":")[2])


async def find(hass: HomeAssistant, **values: Any) -> tuple[str | None, dict[str, str]]:
    """Return the URL that was found for the own machine, and the errors of the form."""
    form_errors = FormErrors()
    data = await async_parse_server(hass, {CONF_BASE_URL: " 127.0.0.1 ", **values}, form_errors)
    return (data[CONF_BASE_URL] if data else None), form_errors.errors


async def test_host_is_searched_on_the_usual_ports_without_the_key(
    hass: HomeAssistant, server: FakeOpenAI, listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What hangs up or is no such server is not taken."""
    async with FakeOpenAI(api_key="right") as locked, FakeOpenAI() as page:
        page.models_reply = Reply(fault=Fault.HTML)
        ports = (listener.port, port_of(page), port_of(locked))
        monkeypatch.setattr(urls, "USUAL_PORTS", ports)
        assert await find(hass, api_key=SECRET) == (locked.url, {})
        # One that answers is better than one that wants a key.
        monkeypatch.setattr(urls, "USUAL_PORTS", (*ports, port_of(server)))
        assert await find(hass, api_key=SECRET) == (server.url, {})
        for request in (*locked.requests, *page.requests, *server.requests):
            assert "Authorization" not in request.headers
    assert SECRET.encode() not in listener.received


async def test_host_without_a_server_is_reported_with_the_ports(
    hass: HomeAssistant, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one where nothing ever answers."""
    server.models_reply = Reply(fault=Fault.NEVER)
    monkeypatch.setattr(urls, "USUAL_PORTS", (port_of(server),))
    monkeypatch.setattr("custom_components.chatterbox.server._SEARCH_TIMEOUT", 0.1)
    form_errors = FormErrors()
    assert await async_parse_server(hass, {CONF_BASE_URL: "127.0.0.1"}, form_errors) is None
    assert form_errors.errors == {CONF_BASE_URL: "no_server_found"}
    assert form_errors.placeholders == {"ports": "11434, 1234, 8080, 8000, 4000"}


# Headers.


def test_headers_are_read_from_lines() -> None:
    lines = ["X-Id: abc", " X-Time :  12:30 ", "", "X-Kept: ********"]
    assert parse_headers(lines, {"X-Kept": "old", "X-Removed": "old"}) == {
        "X-Id": "abc",
        "X-Time": "12:30",
        "X-Kept": "old",
    }


@pytest.mark.parametrize(
    "lines",
    [
        ["no value"],
        ["X-Id:"],
        [": abc"],
        ["X Id: abc"],
        ["X-Id: a\r\nX-Other: b"],
        ["X-Id: ä"],
        ["Ä: abc"],
        ["X-Id: a", "x-id: b"],
        ["Host: elsewhere"],
        ["Content-Length: 0"],
        ["X-Unknown: ********"],
    ],
)
def test_header_that_cannot_be_sent_is_rejected(lines: list[str]) -> None:
    with pytest.raises(ValueError, match="header"):
        parse_headers(lines, {})


@pytest.mark.parametrize(
    ("values", "accepted"),
    [({CONF_API_KEY: SECRET}, False), ({}, True)],
)
async def test_authorization_is_no_header_beside_a_key(
    hass: HomeAssistant, values: dict[str, str], *, accepted: bool
) -> None:
    form_errors = FormErrors()
    advanced = {CONF_VERIFY_SSL: True, CONF_HEADERS: ["authorization: Basic abc"]}
    data = {CONF_BASE_URL: "https://llm.example.com", SECTION_ADVANCED: advanced, **values}
    parsed = await async_parse_server(hass, data, form_errors)
    assert (parsed is not None) is accepted
    assert form_errors.errors == ({} if accepted else {SECTION_ADVANCED: "key_and_header"})
