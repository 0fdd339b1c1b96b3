"""Tests of the base URL, as a user types it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from yarl import URL

from custom_components.chatterbox.agent.model.urls import (
    PRESETS,
    is_local_address,
    normalize_base_url,
)


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("localhost:11434", "http://localhost:11434/v1"),
        (" http://LocalHost:11434/ ", "http://localhost:11434/v1"),
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
