"""Query the server for the context windows and sizes of models."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import aiohttp

from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_VERIFY_SSL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from .agent.ask_window import ModelDetails, query_model
from .const import CONF_BASE_URL, SUBENTRY_CONVERSATION
from .data import ChatterboxConfigEntry

LOGGER = logging.getLogger(__package__)

_TIMEOUT = aiohttp.ClientTimeout(total=10)


async def async_learn_windows(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    """Ask a server for the context windows and sizes of its agents' models, and keep them."""
    # The entry has it only while it is loaded, and servers can be slow.
    runtime = entry.runtime_data
    for model in {
        agent.data[CONF_MODEL]
        for agent in entry.subentries.values()
        if agent.subentry_type == SUBENTRY_CONVERSATION
    }:
        details = await async_query_model(hass, entry.data, model)
        window = runtime.windows[model]
        if details.window is not None and details.window != window.reported:
            LOGGER.debug("Context window of %s: %d tokens", model, details.window)
            window.reported = details.window
        if details.parameters is not None:
            runtime.knowledge[model].set_parameters(details.parameters)


async def async_query_model(
    hass: HomeAssistant, data: Mapping[str, Any], model: str
) -> ModelDetails:
    """Return what a server says of a model."""
    session = async_get_clientsession(hass, verify_ssl=data.get(CONF_VERIFY_SSL, True))
    key = data.get(CONF_API_KEY)
    headers = {"Authorization": f"Bearer {key}"} if key else {}

    async def ask(url: str, body: dict[str, Any] | None) -> Any:
        async with session.request(
            "GET" if body is None else "POST", url, json=body, headers=headers, timeout=_TIMEOUT
        ) as response:
            if response.status != HTTPStatus.OK:
                return None
            try:
                return await response.json(content_type=None)
            except ValueError:
                return None

    try:
        return await query_model(ask, data[CONF_BASE_URL], model)
    except (TimeoutError, aiohttp.ClientError) as err:
        LOGGER.debug("Server reports no details of its models: %s", type(err).__name__)
        return ModelDetails()
