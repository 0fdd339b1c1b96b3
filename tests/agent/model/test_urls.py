"""Tests of the base URL, as a user types it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from custom_components.chatterbox.agent.model.urls import (
    PRESETS,
    is_local_address,
    is_local_host,
    normalize_base_url,
    urls_on_usual_ports,
)


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("localhost:11434", "http://localhost:11434/v1"),
        (" http://LocalHost:11434/ ", "http://localhost:11434/v1"),
        ("llm.example.com", "https://llm.example.com/v1"),
        ("llm.example.com:8443/v1/models", "https://llm.example.com:8443/v1"),
        ("8.8.8.8", "https://8.8.8.8/v1"),
        ("[fd12::7]:8080", "http://[fd12::7]:8080/v1"),
        ("server.lan:8080", "http://server.lan:8080/v1"),
        ("host:11434/api", "http://host:11434/v1"),
        ("http://host:11434/api/chat", "http://host:11434/v1"),
        ("https://host/llm/api/tags/", "https://host/llm/v1"),
        ("api.openai.com", "https://api.openai.com/v1"),
        ("openrouter.ai", "https://openrouter.ai/api/v1"),
        ("https://openrouter.ai/v1/chat/completions", "https://openrouter.ai/api/v1"),
        ("http://host/v1", "http://host/v1"),
        ("http://host/v1/", "http://host/v1"),
        ("http://host/v1/chat/completions", "http://host/v1"),
        ("http://host/v1/completions/", "http://host/v1"),
        ("http://host/models", "http://host/v1"),
        ("http://host/v1//models/models/", "http://host/v1"),
        ("https://host/api/v3", "https://host/api/v3"),
        ("https://host/v1beta/openai", "https://host/v1beta/openai"),
        ("https://host/openai", "https://host/openai/v1"),
        ("https://Host/Path", "https://host/Path/v1"),
        ("http://host/v1?key=x#top", "http://host/v1"),
        ("http://192.168.1.20:8080", "http://192.168.1.20:8080/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
        ("http://my_host.local.", "http://my_host.local./v1"),
        ("http://bücher.example", "http://xn--bcher-kva.example/v1"),
        *((url, url) for url in PRESETS.values()),
    ],
)
def test_typed_address_is_completed(typed: str, url: str) -> None:
    assert normalize_base_url(typed) == url


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "/v1",
        "ftp://host",
        "http://",
        "two words",
        "http://host:port",
        "http://host:0",
        "http://host:70000",
        "http://[::1",
        "http://a..b",
        "http://" + "a" * 64,
        "http://a%41",
        "http://999.1.1.1",
        "http://1.2.3",
        "http://host\x00",
        "http://user:password@host",
        "http://host/" + "x" * 2000,
    ],
)
def test_invalid_address_is_rejected(typed: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        normalize_base_url(typed)


_ADDRESSES = (
    st.text(max_size=30)
    | st.text("https://a1.-_:[]@%?#ü ²", max_size=25)
    | st.lists(st.sampled_from(["/v1", "/chat", "/completions", "/models", "/", "/api"])).map(
        lambda path: "host" + "".join(path)
    )
)


@given(_ADDRESSES)
def test_completed_address_is_a_valid_url(typed: str) -> None:
    """Completing it again changes nothing, and an HTTP client accepts it."""
    try:
        url = normalize_base_url(typed)
    except ValueError:
        return
    assert normalize_base_url(url) == url
    assert str(URL(url)) == url


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1", True),
        ("192.168.1.20", True),
        ("172.17.0.1", True),
        ("100.64.0.7", True),
        ("::1", True),
        ("fd12:3456::1", True),
        ("fe80::1%eth0", True),
        ("8.8.8.8", False),
        ("2606:4700::1111", False),
    ],
)
def test_address_is_local_unless_it_is_one_of_the_internet(address: str, *, local: bool) -> None:
    assert is_local_address(address) is local


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("my_host.local.", True),
        ("Server.LAN", True),
        ("a.b.home.arpa", True),
        ("192.168.1.20", True),
        ("[::1]", True),
        ("fd12::7", True),
        ("example.com", False),
        ("local.example.com", False),
        ("home.arpa.example", False),
        ("arpa.com", False),
        ("8.8.8.8", False),
        ("2606:4700::1111", False),
    ],
)
def test_host_is_local_if_the_internet_cannot_have_it(host: str, *, local: bool) -> None:
    assert is_local_host(host) is local


@pytest.mark.parametrize(
    ("typed", "host"),
    [
        (" 192.168.1.20/ ", "192.168.1.20"),
        ("server", "server"),
        ("Server.local", "server.local"),
        ("[::1]", "[::1]"),
    ],
)
def test_bare_local_host_has_usual_ports(typed: str, host: str) -> None:
    assert urls_on_usual_ports(typed) == [
        f"http://{host}:{port}/v1" for port in (11434, 1234, 8080, 8000, 4000)
    ]


@pytest.mark.parametrize(
    "typed",
    ["llm.example.com", "8.8.8.8", "http://server", "server:8080", "server/v1", "https://server"],
)
def test_any_other_address_has_none(typed: str) -> None:
    assert urls_on_usual_ports(typed) == []
