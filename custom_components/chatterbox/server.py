"""Client of a config entry's server, and details of the server's models."""

from collections.abc import Mapping
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
from .agent.model.urls import is_local_address
from .const import CONF_BASE_URL, LOGGER
from .data import ChatterboxConfigEntry, conversation_agents
from .options import ServerOptions

_DETAILS_TIMEOUT = aiohttp.ClientTimeout(total=10)


@callback
def async_create_server(hass: HomeAssistant, options: ServerOptions) -> OpenAICompatibleServer:
    """Return the client of a config entry's server; no request is sent yet."""
    return OpenAICompatibleServer(
        async_get_clientsession(hass, verify_ssl=options.verify_ssl),
        options.base_url,
        options.api_key,
        timeouts=options.timeouts,
    )


async def async_is_local(hass: HomeAssistant, base_url: str) -> bool:
    """Return whether a server is in the local network: none of its addresses is public."""
    parts = urlsplit(base_url)
    try:
        found = await hass.loop.getaddrinfo(parts.hostname, parts.port, type=SOCK_STREAM)
    except OSError:
        return False
    return all(is_local_address(str(address[0])) for *_, address in found)


async def async_update_model_details(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    """Query and store the context windows and sizes of the models in use."""
    # An entry that is unloaded during a slow request no longer has it.
    runtime = entry.runtime_data
    for model in {agent.options.model for agent in conversation_agents(entry)}:
        details = await async_query_model_details(hass, entry.data, model)
        window = runtime.context_windows[model]
        if details.context_window is not None and details.context_window != window.reported:
            LOGGER.debug("Context window of %s: %d tokens", model, details.context_window)
            window.reported = details.context_window
        if details.parameters is not None:
            runtime.quirks[model].set_parameters(details.parameters)


async def async_query_model_details(
    hass: HomeAssistant, data: Mapping[str, Any], model: str
) -> ModelDetails:
    """Return the details of a model; empty if the server cannot be reached."""
    session = async_get_clientsession(hass, verify_ssl=data.get(CONF_VERIFY_SSL, True))
    key = data.get(CONF_API_KEY)
    headers = {"Authorization": f"Bearer {key}"} if key else {}

    async def request(url: str, body: dict[str, Any] | None) -> Any:
        async with session.request(
            "GET" if body is None else "POST",
            url,
            json=body,
            headers=headers,
            timeout=_DETAILS_TIMEOUT,
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
