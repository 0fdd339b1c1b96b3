"""Requests and URLs without secrets."""

import json
from typing import Any

import pytest

from custom_components.chatterbox.agent.model.request_log import SentRequest
from custom_components.chatterbox.redaction import redact_request, redact_url
from homeassistant.components.diagnostics import REDACTED

SERVER = {
    "base_url": "https://ada:url-secret@host/v1?key=url-parameter",
    "api_key": "api-key-secret",
    "verify_ssl": True,
    "headers": {"X-Access": ["header-secret"], "X-Short": "yes"},
}


def redacted(body: dict[str, Any], *private: str) -> dict[str, Any]:
    sent = SentRequest(json.dumps(body).encode(), frozenset(private))
    return redact_request(sent, SERVER)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://ada:secret@host:1/v1?key=secret#secret", "https://host:1/v1"),
        ("http://host:11434/v1", "http://host:11434/v1"),
        ("http://[::1]:8080/api/v1", "http://[::1]:8080/api/v1"),
    ],
)
def test_url_has_no_credentials_and_parameters(url: str, shown: str) -> None:
    assert redact_url(url) == shown


def test_own_parameters_have_no_values() -> None:
    found = redacted({"model": "m", "routing": {"token": "x"}, "stream": True}, "routing")
    assert found == {"model": "m", "routing": REDACTED, "stream": True}


@pytest.mark.parametrize(
    "secret", ["api-key-secret", "header-secret", "url-secret", "key=url-parameter"]
)
def test_secrets_of_the_server_are_removed_wherever_they_are(secret: str) -> None:
    """An administrator may have pasted one into the instructions; short words stay."""
    text = f"Say yes and {secret}."
    call = {"function": {"arguments": json.dumps({"text": text})}}
    found = redacted({"messages": [{"content": text, "tool_calls": [call]}]})
    assert secret not in json.dumps(found)
    assert found["messages"][0]["content"] == f"Say yes and {REDACTED}."


def test_codes_and_passwords_in_arguments_and_results_are_removed() -> None:
    call = {"function": {"name": "disarm", "arguments": '{"code": "1234", "name": "Home"}'}}
    result = {"role": "tool", "content": '{"result": {"pin": 1234, "on": true}}'}
    found = redacted({"messages": [{"content": None, "tool_calls": [call]}, result]})
    (asked, answered) = found["messages"]
    assert json.loads(asked["tool_calls"][0]["function"]["arguments"]) == {
        "code": REDACTED,
        "name": "Home",
    }
    assert json.loads(answered["content"]) == {"result": {"pin": REDACTED, "on": True}}


def test_schema_of_a_tool_with_a_code_stays() -> None:
    tools = [{"function": {"parameters": {"properties": {"code": {"type": "string"}}}}}]
    assert redacted({"tools": tools})["tools"] == tools


def test_images_and_files_are_removed() -> None:
    part = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    found = redacted({"messages": [{"role": "user", "content": [part]}]})
    assert found["messages"][0]["content"][0]["image_url"]["url"] == f"data:{REDACTED}"


def test_what_looks_like_a_key_is_removed() -> None:
    found = redacted({"messages": [{"content": "Use Bearer abc123 and sk-1234567890."}]})
    assert found["messages"][0]["content"] == "Use Bearer *** and ***."


@pytest.mark.parametrize("levels", [1_500, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}"), ("[", "")])
def test_text_that_is_nested_too_deeply_is_no_error(
    levels: int, opening: str, closing: str
) -> None:
    """What a tool returned may have been written by anybody."""
    text = f"{opening * levels}1{closing * levels}"
    shown = redacted({"messages": [{"role": "tool", "content": text}]})["messages"][0]["content"]
    assert shown in (REDACTED, text)
