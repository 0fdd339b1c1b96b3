"""A submitted server: its address, key and headers, as the data of a config entry."""

import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from homeassistant.const import CONF_API_KEY, CONF_VERIFY_SSL
from homeassistant.core import HomeAssistant

from .agent.model.urls import USUAL_PORTS, normalize_base_url, urls_on_usual_ports
from .connection_test import FormErrors
from .const import CONF_BASE_URL, CONF_HEADERS, SECTION_ADVANCED
from .server import async_find_server, async_may_use_http

# Shown in place of a stored value.
_HIDDEN = "********"
_HEADER_NAME = re.compile(r"[\w!#$%&'*+.^`|~-]+", re.ASCII)
_AUTHORIZATION = "authorization"
# Headers that the client sets itself.
_RESERVED_HEADERS = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "expect",
        "host",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)


def suggested_server(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form values of a stored server, without its secrets."""
    return {
        CONF_BASE_URL: data[CONF_BASE_URL],
        SECTION_ADVANCED: {
            CONF_VERIFY_SSL: data[CONF_VERIFY_SSL],
            CONF_HEADERS: [f"{name}: {_HIDDEN}" for name in data.get(CONF_HEADERS, {})],
        },
    }


async def async_parse_server(
    hass: HomeAssistant,
    user_input: Mapping[str, Any],
    form_errors: FormErrors,
    known: Mapping[str, Any] | None = None,
) -> dict[str, Any] | None:
    """Return the entry data of a submitted server, None with an error noted.

    A host of the local network without a port is searched for a server. An empty key and hidden
    headers keep those of `known`, but only for the same origin: they are never sent to another
    host. No key and no header is sent unencrypted to a host that could be one of the internet.
    """
    if (base_url := await _async_base_url(hass, user_input[CONF_BASE_URL], form_errors)) is None:
        return None
    # What is not submitted is unchanged, unless it is a secret of another server.
    stored = dict(known or {})
    if stored and _origin(stored[CONF_BASE_URL]) != _origin(base_url):
        del stored[CONF_BASE_URL]
        stored.pop(CONF_API_KEY, None)
        stored.pop(CONF_HEADERS, None)
    advanced = user_input.get(SECTION_ADVANCED)
    data = {
        **stored,
        CONF_BASE_URL: base_url,
        CONF_VERIFY_SSL: (advanced or stored).get(CONF_VERIFY_SSL, True),
    }
    if key := user_input.get(CONF_API_KEY, "").strip():
        data[CONF_API_KEY] = key
    if advanced is not None:
        data.pop(CONF_HEADERS, None)
        try:
            headers = parse_headers(advanced.get(CONF_HEADERS, ()), stored.get(CONF_HEADERS, {}))
        except ValueError:
            form_errors.errors[SECTION_ADVANCED] = "invalid_headers"
            return None
        if headers:
            data[CONF_HEADERS] = headers
    names = {name.lower() for name in data.get(CONF_HEADERS, {})}
    if CONF_API_KEY in data and _AUTHORIZATION in names:
        form_errors.errors[SECTION_ADVANCED] = "key_and_header"
        return None
    if base_url.startswith("http:") and not await async_may_use_http(
        hass, base_url, secrets=CONF_API_KEY in data or CONF_HEADERS in data
    ):
        form_errors.errors[CONF_BASE_URL] = "insecure_url"
        return None
    return data


async def _async_base_url(hass: HomeAssistant, text: str, form_errors: FormErrors) -> str | None:
    try:
        if not (urls := urls_on_usual_ports(text)):
            return normalize_base_url(text)
    except ValueError:
        form_errors.errors[CONF_BASE_URL] = "invalid_url"
        return None
    if (found := await async_find_server(hass, urls)) is None:
        form_errors.errors[CONF_BASE_URL] = "no_server_found"
        form_errors.placeholders["ports"] = ", ".join(map(str, USUAL_PORTS))
    return found


def parse_headers(lines: Iterable[str], known: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of lines such as `Name: value`; a hidden value is that of `known`.

    Raises `ValueError` if one cannot be sent.
    """
    headers: dict[str, str] = {}
    for line in filter(str.strip, lines):
        name, _, value = (part.strip() for part in line.partition(":"))
        if value == _HIDDEN:
            value = known.get(name, "")
        taken = _RESERVED_HEADERS | {other.lower() for other in headers}
        if not _HEADER_NAME.fullmatch(name) or name.lower() in taken:
            raise ValueError("no name of a header, or one that is set already")
        if not value or not (value.isascii() and value.isprintable()):
            raise ValueError("no value of a header")
        headers[name] = value
    return headers


def _origin(base_url: str) -> tuple[str, str]:
    """Return the scheme, host and port of a URL."""
    parts = urlsplit(base_url)
    return parts.scheme, parts.netloc
