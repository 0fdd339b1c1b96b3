"""What the server says of the window of a model."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import aiohttp

from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_VERIFY_SSL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession

from .agent.ask_window import ask_window
from .const import (
    CONF_BASE_URL,
    CONF_CONTEXT_WINDOW,
    DEFAULT_CONTEXT_WINDOW,
    SUBENTRY_CONVERSATION,
)
from .data import ChatterboxConfigEntry

LOGGER = logging.getLogger(__package__)

_TIMEOUT = aiohttp.ClientTimeout(total=10)


async def async_learn_windows(hass: HomeAssistant, entry: ChatterboxConfigEntry) -> None:
    """Ask a server for the windows of its agents' models, where the user has not set them."""
    for model in {
        agent.data[CONF_MODEL]
        for agent in entry.subentries.values()
        if agent.subentry_type == SUBENTRY_CONVERSATION
        and not agent.data.get(CONF_CONTEXT_WINDOW, DEFAULT_CONTEXT_WINDOW)
    }:
        await async_learn_window(hass, entry, model)


async def async_learn_window(hass: HomeAssistant, entry: ChatterboxConfigEntry, model: str) -> None:
    """Ask a server for the window of a model, and remember it."""
    window = entry.runtime_data.windows[model]
    found = await async_find_window(hass, entry.data, model)
    if found is not None and found != window.reported:
        LOGGER.debug("The window of %s has %d tokens", model, found)
        window.reported = found


async def async_find_window(hass: HomeAssistant, data: Mapping[str, Any], model: str) -> int | None:
    """Return the tokens of a model's window, None if its server does not say."""
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
        return await ask_window(ask, data[CONF_BASE_URL], model)
    except (TimeoutError, aiohttp.ClientError) as err:
        LOGGER.debug("The server does not tell its window: %s", type(err).__name__)
        return None
