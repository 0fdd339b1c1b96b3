"""Connection test of a server, and probe of a model, for the config flow."""

import asyncio
import logging
from collections.abc import Generator, Mapping
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any

from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant

from .agent.abilities import ModelCapabilities, probe_capabilities, supports_vision
from .agent.errors import (
    LLMAPIError,
    LLMAuthError,
    LLMConnectionError,
    LLMError,
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMRateLimitError,
    LLMResponseError,
    LLMTimeoutError,
)
from .agent.messages import Message
from .agent.openai_provider import ModelSettings
from .agent.server_quirks import ServerQuirks
from .const import CONF_FIRST_TOKEN_TIMEOUT
from .model_windows import async_query_model
from .server import async_create_server

LOGGER = logging.getLogger(__package__)

# Seconds: a server looks the list of its models up, it has not to think about it.
_LIST_TIMEOUT = 10
# Enough to show that a model answers, and next to nothing to pay for.
_MAX_TOKENS = 5
# What is asked for where no model is known: that it is missing is an answer, too.
_ANY_MODEL = "gpt-4o-mini"
_MAX_MESSAGE_CHARS = 200
# Trying out what a model can do: tokens of each answer, and seconds for all of it.
_MAX_PROBE_TOKENS = 200
_PROBE_TIMEOUT = 40

_NO_ENDPOINT = frozenset(
    {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_IMPLEMENTED}
)

# The first class that an error is an instance of counts.
_FORM_ERRORS: Mapping[type[LLMError], str] = {
    LLMTimeoutError: "timeout_connect",
    LLMConnectionError: "cannot_connect",
    LLMAuthError: "invalid_auth",
    LLMQuotaError: "quota_exceeded",
    LLMRateLimitError: "rate_limited",
    LLMModelNotFoundError: "model_not_found",
    LLMResponseError: "not_openai",
}


def form_error(err: LLMError) -> str:
    """Return the key of the sentence that a form shows for an error of the server."""
    for kind, key in _FORM_ERRORS.items():
        if isinstance(err, kind):
            return key
    return "not_openai" if _has_no_endpoint(err) else "api_error"


def server_message(err: LLMError) -> str:
    """Return what the server said, or where that is no sentence, its status."""
    message = " ".join(str(err).split())
    if message and "<" not in message and len(message) <= _MAX_MESSAGE_CHARS:
        return message
    return f"HTTP {getattr(err, 'status_code', None) or 'error'}"


@dataclass(slots=True)
class FormErrors:
    """Errors of a submitted form, by field, with their placeholders."""

    errors: dict[str, str] = field(default_factory=dict)
    placeholders: dict[str, str] = field(default_factory=dict)

    @contextmanager
    def capture(self) -> Generator[None]:
        """Record an exception as an error of the form instead of raising it."""
        try:
            yield
        except LLMError as err:
            key = form_error(err)
            LOGGER.debug("Connection test failed: %s", key, exc_info=err)
            self.errors[CONF_MODEL if key == "model_not_found" else "base"] = key
            if key == "api_error":
                self.placeholders["message"] = server_message(err)
        except Exception:
            LOGGER.exception("The server could not be tested")
            self.errors["base"] = "unknown"


async def async_find_models(hass: HomeAssistant, data: Mapping[str, Any]) -> list[str]:
    """Return the names of a server's models, none if it does not tell them.

    Raises `LLMError` if there is no OpenAI-compatible server, or the key is refused.
    """
    server = await async_create_server(hass, data, {CONF_FIRST_TOKEN_TIMEOUT: _LIST_TIMEOUT})
    try:
        return await server.list_models()
    except LLMError as err:
        if not (isinstance(err, LLMResponseError) or _has_no_endpoint(err)):
            raise
    await async_try_key(hass, data, _ANY_MODEL)
    return []


async def async_try_key(
    hass: HomeAssistant,
    data: Mapping[str, Any],
    model: str,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Raise `LLMError` unless an OpenAI-compatible server takes the key; the model may be missing.

    The list of models tells nothing of the key: some servers show it to everybody.
    """
    try:
        await async_try_model(hass, data, model, options)
    except LLMModelNotFoundError:
        pass
    except LLMAPIError as err:
        if isinstance(err, LLMAuthError) or _has_no_endpoint(err):
            raise


async def async_try_model(
    hass: HomeAssistant,
    data: Mapping[str, Any],
    model: str,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Raise `LLMError` unless the model answers."""
    server = await async_create_server(hass, data, options or {})
    settings = ModelSettings(model=model, temperature=None, max_tokens=_MAX_TOKENS, stream=False)
    try:
        await server.provider(settings).complete([Message.user("Hello!")])
    except LLMAPIError as err:
        # Of some models thoughts count as well: to have used up the tokens is to have answered.
        if err.status_code != HTTPStatus.BAD_REQUEST or "max_tokens" not in str(err):
            raise


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What was found out about a model."""

    model: str
    capabilities: ModelCapabilities
    quirks: ServerQuirks


async def async_probe(
    hass: HomeAssistant, data: Mapping[str, Any], options: Mapping[str, Any], model: str
) -> ProbeResult:
    """Return what a model and its server can do, as far as it is found out in a short time."""
    server = await async_create_server(hass, data, options)
    settings = ModelSettings(model=model, temperature=0.0, max_tokens=_MAX_PROBE_TOKENS)
    quirks = ServerQuirks()
    known = ModelCapabilities()
    with suppress(TimeoutError):
        async with asyncio.timeout(_PROBE_TIMEOUT):
            details = await async_query_model(hass, data, model)
            quirks.parameters = details.parameters
            known = replace(known, window=details.window)
            with suppress(LLMError):
                known = replace(known, vision=supports_vision(await server.model_details(model)))
            found = probe_capabilities(known, server.provider(settings, quirks=quirks), quirks)
            async with aclosing(found):
                async for known in found:
                    LOGGER.debug("Capabilities of %s: %s", model, known)
    return ProbeResult(model, known, quirks)


def _has_no_endpoint(err: LLMError) -> bool:
    return isinstance(err, LLMAPIError) and err.status_code in _NO_ENDPOINT
