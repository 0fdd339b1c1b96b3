"""Removal of secrets from what is shown for debugging."""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from homeassistant.components.diagnostics import REDACTED
from homeassistant.const import (
    CONF_ACCESS_TOKEN,
    CONF_API_KEY,
    CONF_API_TOKEN,
    CONF_CLIENT_SECRET,
    CONF_CODE,
    CONF_PASSWORD,
    CONF_PIN,
    CONF_TOKEN,
)

from .agent.model.request_log import SentRequest
from .agent.tools.result import mask_secrets
from .const import CONF_BASE_URL

# Arguments of tools with these names hold secrets; the names are Home Assistant's.
_SECRET_NAMES = frozenset(
    {
        CONF_ACCESS_TOKEN,
        CONF_API_KEY,
        CONF_API_TOKEN,
        CONF_CLIENT_SECRET,
        CONF_CODE,
        CONF_PASSWORD,
        CONF_PIN,
        CONF_TOKEN,
    }
)
# Images and files in a request are such URLs.
_DATA_URL = "data:"
# Characters. A shorter text is a word that a conversation may contain as well.
_SHORTEST_SECRET = 8


def redact_url(url: str) -> str:
    """Return a URL without a user name, a password and parameters."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def redact_request(sent: SentRequest, server: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a request without secrets; `server` is the data of its config entry.

    Removed are the user's own parameters, all texts of the data but the URL, codes and passwords in
    arguments and results of tools, what looks like a key, and images and files.
    """
    secrets = [text for text in _texts(server) if len(text) >= _SHORTEST_SECRET]
    body: dict[str, Any] = json.loads(sent.body)
    return {
        name: REDACTED if name in sent.private else _redacted(value, secrets)
        for name, value in body.items()
    }


def _texts(value: Any, name: str = "") -> Iterator[str]:
    """Yield the texts in the data of a config entry; of the URL only what is secret in it."""
    match value:
        case str() if name == CONF_BASE_URL:
            parts = urlsplit(value)
            yield from filter(None, (parts.username, parts.password, parts.query))
        case str():
            yield value
        case Mapping():
            for key, item in value.items():
                yield from _texts(item, key)
        case list() | tuple():
            for item in value:
                yield from _texts(item)


def _redacted(value: Any, secrets: list[str], name: str = "") -> Any:
    match value:
        case dict():
            return {key: _redacted(item, secrets, key) for key, item in value.items()}
        case list():
            return [_redacted(item, secrets) for item in value]
        case str() | int() if name in _SECRET_NAMES:
            return REDACTED
        case str():
            return _redacted_text(value, secrets)
    return value


def _redacted_text(text: str, secrets: list[str]) -> str:
    """Return a text without secrets; arguments and results of tools are JSON."""
    if text.startswith(_DATA_URL):
        return f"{_DATA_URL}{REDACTED}"
    try:
        data = json.loads(text)
        if isinstance(data, dict | list):
            return json.dumps(_redacted(data, secrets), ensure_ascii=False)
    except RecursionError:
        # What is nested so deeply cannot be searched.
        return REDACTED
    except ValueError:
        pass
    for secret in secrets:
        text = text.replace(secret, REDACTED)
    return mask_secrets(text)
