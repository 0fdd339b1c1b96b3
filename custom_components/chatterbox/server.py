"""The server of a config entry, as the agent's own class."""

from collections.abc import Mapping
from typing import Any

from homeassistant.const import CONF_API_KEY, CONF_VERIFY_SSL
from homeassistant.core import HomeAssistant
from homeassistant.helpers.httpx_client import get_async_client

from .agent.openai_provider import OpenAICompatibleServer, Timeouts
from .agent.usage import CostEstimator, Price
from .const import (
    CONF_BASE_URL,
    CONF_COMPLETION_PRICE,
    CONF_CONNECT_TIMEOUT,
    CONF_FIRST_TOKEN_TIMEOUT,
    CONF_PROMPT_PRICE,
    CONF_TOKEN_TIMEOUT,
    DEFAULT_CONNECT_TIMEOUT,
    DEFAULT_FIRST_TOKEN_TIMEOUT,
    DEFAULT_TOKEN_TIMEOUT,
)


async def async_create_server(
    hass: HomeAssistant, data: Mapping[str, Any], options: Mapping[str, Any]
) -> OpenAICompatibleServer:
    """Return the server that an entry's data and options describe. Nothing is sent yet."""
    server = OpenAICompatibleServer(
        data[CONF_BASE_URL],
        data.get(CONF_API_KEY),
        http_client=get_async_client(hass, verify_ssl=data.get(CONF_VERIFY_SSL, True)),
        timeouts=Timeouts(
            connect=options.get(CONF_CONNECT_TIMEOUT, DEFAULT_CONNECT_TIMEOUT),
            first_token=options.get(CONF_FIRST_TOKEN_TIMEOUT, DEFAULT_FIRST_TOKEN_TIMEOUT),
            between_tokens=options.get(CONF_TOKEN_TIMEOUT, DEFAULT_TOKEN_TIMEOUT),
        ),
    )
    await hass.async_add_executor_job(server.prepare)
    return server


def cost_estimator(options: Mapping[str, Any]) -> CostEstimator:
    """Return what knows the prices: the user's own where both are given."""
    prompt, completion = options.get(CONF_PROMPT_PRICE), options.get(CONF_COMPLETION_PRICE)
    if prompt is None or completion is None:
        return CostEstimator()
    return CostEstimator(Price(prompt=prompt, completion=completion))
