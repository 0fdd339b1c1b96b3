"""Client of a config entry's server, and details of the server's models."""

import asyncio
from collections.abc import Collection, Mapping
from http import HTTPStatus
from socket import SOCK_STREAM
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from homeassistant.const import CONF_API_KEY, CONF_VERIFY_SSL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from .agent.model.model_details import ModelDetails, query_model_details
from .agent.model.openai_provider import OpenAICompatibleServer
from .agent.model.response_body import MAX_BODY, parse_json, read_body
from .agent.model.urls import is_local_address, is_local_host
from .const import CONF_BASE_URL, CONF_HEADERS, LOGGER
from .data import Agent, ChatterboxConfigEntry, ai_task_agents, conversation_agents
from .options import ServerOptions

_DETAILS_TIMEOUT = aiohttp.ClientTimeout(total=10)
# Seconds to search a host for a server.
_SEARCH_TIMEOUT = 2
_REFUSED = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})


@callback
def async_create_server(hass: HomeAssistant, options: ServerOptions) -> OpenAICompatibleServer:
    """Return the client of a config entry's server; no request is sent yet."""
    return OpenAICompatibleServer(
        async_get_clientsession(hass, verify_ssl=options.verify_ssl),
        options.base_url,
        options.api_key,
        headers=options.headers,
        timeouts=options.timeouts,
    )


async def async_is_local(hass: HomeAssistant, base_url: str) -> bool:
    """Return whether a server is in the local network: none of its addresses is public."""
    addresses = await _async_addresses(hass, base_url)
    return bool(addresses) and all(map(is_local_address, addresses))


async def async_may_use_http(hass: HomeAssistant, base_url: str, *, secrets: bool) -> bool:
    """Return whether a server may be asked without encryption: only one in the local network.

    A name that could be one of the internet may have another address tomorrow, so that no secrets
    are sent to it.
    """
    if secrets and not is_local_host(urlsplit(base_url).hostname or ""):
        return False
    return all(map(is_local_address, await _async_addresses(hass, base_url)))


async def _async_addresses(hass: HomeAssistant, base_url: str) -> list[str]:
    """Return the addresses of a server, none if its name is unknown."""
    parts = urlsplit(base_url)
    try:
        found = await hass.loop.getaddrinfo(parts.hostname, parts.port, type=SOCK_STREAM)
    except OSError:
        return []
    return [str(address[0]) for *_, address in found]


async def async_find_server(hass: HomeAssistant, base_urls: Collection[str]) -> str | None:
    """Return the first URL with an OpenAI-compatible server, None if none answers in time.

    They are asked at the same time, without a key: it is not for whatever else is there. A server
    that refuses to answer without one is taken if there is no other.
    """
    session = async_get_clientsession(hass)

    async def status(base_url: str) -> HTTPStatus | None:
        try:
            async with (
                asyncio.timeout(_SEARCH_TIMEOUT),
                session.get(f"{base_url}/models", allow_redirects=False) as response,
            ):
                if response.status in _REFUSED:
                    return HTTPStatus.UNAUTHORIZED
                answer = parse_json(await read_body(response, MAX_BODY) or b"")
        except TimeoutError, aiohttp.ClientError, ValueError:
            return None
        listed = isinstance(answer, dict) and isinstance(answer.get("data"), list)
        return HTTPStatus.OK if listed else None

    found = dict(zip(base_urls, await asyncio.gather(*map(status, base_urls)), strict=True))
    return next(
        (
            url
            for wanted in (HTTPStatus.OK, HTTPStatus.UNAUTHORIZED)
            for url, status_code in found.items()
            if status_code is wanted
        ),
        None,
    )


async def async_update_model_details(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    """Query and store the context windows and sizes of the models in use."""
    # An entry that is unloaded during a slow request no longer has it.
    runtime = entry.runtime_data
    for model in {agent.options.model for agent in _agents(entry)}:
        details = await async_query_model_details(hass, entry.data, model)
        window = runtime.context_windows[model]
        if details.context_window is not None and details.context_window != window.reported:
            LOGGER.debug("Context window of %s: %d tokens", model, details.context_window)
            window.reported = details.context_window
        if details.parameters is not None:
            runtime.quirks[model].set_parameters(details.parameters)
        if details.vision is not None:
            runtime.quirks[model].note_vision(sees=details.vision)


def _agents(entry: ChatterboxConfigEntry) -> list[Agent]:
    return [*conversation_agents(entry), *ai_task_agents(entry)]


async def async_query_model_details(
    hass: HomeAssistant, data: Mapping[str, Any], model: str
) -> ModelDetails:
    """Return the details of a model; empty if the server cannot be reached."""
    session = async_get_clientsession(hass, verify_ssl=data.get(CONF_VERIFY_SSL, True))
    key = data.get(CONF_API_KEY)
    headers = {**data.get(CONF_HEADERS, {})} | ({"Authorization": f"Bearer {key}"} if key else {})

    async def request(url: str, body: dict[str, Any] | None) -> Any:
        async with session.request(
            "GET" if body is None else "POST",
            url,
            json=body,
            headers=headers,
            timeout=_DETAILS_TIMEOUT,
            # Key and headers are for this server.
            allow_redirects=False,
        ) as response:
            if response.status != HTTPStatus.OK:
                return None
            if (content := await read_body(response, MAX_BODY)) is None:
                return None
            try:
                return parse_json(content)
            except ValueError:
                return None

    try:
        return await query_model_details(request, data[CONF_BASE_URL], model)
    except (TimeoutError, aiohttp.ClientError, ValueError) as err:
        # A key that is no header is a `ValueError`.
        LOGGER.debug("Could not query the details of the models: %s", type(err).__name__)
        return ModelDetails()
