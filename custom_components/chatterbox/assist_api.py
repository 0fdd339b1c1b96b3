"""Home Assistant's Assist API: its prompt and tools, kept while the home is the same."""

from collections.abc import Iterable
from dataclasses import fields
from functools import partial

from homeassistant.components.intent.timers import async_device_supports_timers
from homeassistant.components.llm import DATA_PLATFORMS
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from .const import DOMAIN
from .home_cache import home_cache


async def async_get_assist(hass: HomeAssistant, llm_context: llm.LLMContext) -> llm.APIInstance:
    """Return the prompt and the tools of the Assist API for a request, in some context.

    Home Assistant makes them anew, for which it describes the whole home. What another custom
    integration adds to them may depend on anything; with one, nothing is kept.
    """
    cache = home_cache(hass)
    make = partial(llm.async_get_api, hass, llm.LLM_API_ASSIST, llm_context)
    if not await cache.async_get(_is_built_in, partial(_is_built_in, hass)):
        return await make()
    handlers = list(intent.async_get(hass))

    async def make_with_handlers() -> tuple[llm.APIInstance, Iterable[intent.IntentHandler]]:
        # An id is unique as long as its object exists.
        return await make(), handlers

    device_id, context = llm_context.device_id, llm_context.context
    others = (field.name for field in fields(llm_context) if field.name != "context")
    key = (
        async_get_assist,
        *(getattr(llm_context, name) for name in others),
        context.user_id if context else None,
        device_id is not None and async_device_supports_timers(hass, device_id),
        *map(id, handlers),
    )
    instance, _ = await cache.async_get(key, make_with_handlers)
    return instance


async def _is_built_in(hass: HomeAssistant) -> bool:
    """Return whether all that adds to the Assist API belongs to Home Assistant or Chatterbox."""
    platforms = await hass.data[DATA_PLATFORMS].async_get_platforms()
    return all(
        domain == DOMAIN or getattr(platform, "__name__", "").startswith("homeassistant.")
        for domain, platform in platforms.items()
    )
