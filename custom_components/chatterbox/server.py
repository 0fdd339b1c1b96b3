"""The server of a config entry, as the agent's own class."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers.httpx_client import get_async_client

from .agent.openai_provider import OpenAICompatibleServer
from .options import ServerOptions


async def async_create_server(
    hass: HomeAssistant, options: ServerOptions
) -> OpenAICompatibleServer:
    """Return the server of a config entry. Nothing is sent yet."""
    server = OpenAICompatibleServer(
        options.base_url,
        options.api_key,
        http_client=get_async_client(hass, verify_ssl=options.verify_ssl),
        timeouts=options.timeouts,
    )
    await hass.async_add_executor_job(server.prepare)
    return server
