"""Connection test of a server and probe of a model, for the config flows."""

import asyncio
from collections.abc import Generator, Mapping
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any

from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant

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
from .agent.model.capabilities import ModelCapabilities, probe_capabilities
from .agent.model.provider import CompletionRequest
from .agent.model.request_body import ModelSettings
from .agent.model.server_quirks import ServerQuirks
from .const import CONF_FIRST_TOKEN_TIMEOUT, LOGGER
from .error_log import log_unexpected
from .options import ServerOptions
from .server import async_create_server, async_query_model_details

# Seconds. No model has to run for its server to list it.
_LIST_TIMEOUT = 10
# Tokens of the answer of a tested model.
_MAX_TEST_TOKENS = 5
# Tests the key where the models are unknown; that the server does not have it is no failure.
_ANY_MODEL = "gpt-4o-mini"
_MAX_MESSAGE_CHARS = 200
# The probe of a model: tokens of each answer, and seconds of all requests.
_MAX_PROBE_TOKENS = 200
_PROBE_TIMEOUT = 40

_NO_ENDPOINT = frozenset(
    {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_IMPLEMENTED}
)

# Keys of the translated errors; the first class that matches counts.
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
    """Return the translation key of the form error for an error of the server."""
    for kind, key in _FORM_ERRORS.items():
        if isinstance(err, kind):
            return key
    return "not_openai" if _has_no_endpoint(err) else "api_error"


def server_message(err: LLMError) -> str:
    """Return the message of the server, or its HTTP status if the message is long or HTML."""
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
    def capture(self, *, has_key: bool = True) -> Generator[None]:
        """Record an exception as an error of the form instead of raising it."""
        try:
            yield
        except LLMError as err:
            key = form_error(err)
            LOGGER.debug("Connection test failed: %s", key, exc_info=err)
            if key == "invalid_auth" and not has_key:
                key = "key_required"
            self.errors[CONF_MODEL if key == "model_not_found" else "base"] = key
            if key == "api_error":
                self.placeholders["message"] = server_message(err)
        except Exception as err:  # noqa: BLE001 - whatever it is, the form says so
            log_unexpected("Unexpected error in the connection test", err)
            self.errors["base"] = "unknown"


async def async_list_models(hass: HomeAssistant, data: Mapping[str, Any]) -> list[str]:
    """Return the names of a server's models, none if it does not list them.

    Raises `LLMError` if there is no OpenAI-compatible server, or if it rejects the key.
    """
    server = async_create_server(
        hass, ServerOptions.parse(data, {CONF_FIRST_TOKEN_TIMEOUT: _LIST_TIMEOUT})
    )
    try:
        return await server.list_models()
    except LLMError as err:
        if not (isinstance(err, LLMResponseError) or _has_no_endpoint(err)):
            raise
    await async_test_key(hass, data, _ANY_MODEL)
    return []


async def async_test_key(
    hass: HomeAssistant,
    data: Mapping[str, Any],
    model: str,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Raise `LLMError` unless an OpenAI-compatible server accepts the key, for any model.

    Some servers list their models without a valid key, so that a completion is requested.
    """
    try:
        await async_test_model(hass, data, model, options)
    except LLMModelNotFoundError:
        pass
    except LLMAPIError as err:
        if isinstance(err, LLMAuthError) or _has_no_endpoint(err):
            raise


async def async_test_model(
    hass: HomeAssistant,
    data: Mapping[str, Any],
    model: str,
    options: Mapping[str, Any] | None = None,
) -> None:
    """Raise `LLMError` unless the model answers."""
    server = async_create_server(hass, ServerOptions.parse(data, options or {}))
    settings = ModelSettings(
        model=model, temperature=None, max_tokens=_MAX_TEST_TOKENS, stream=False
    )
    request = CompletionRequest(messages=(Message.user("Hello!"),))
    try:
        await server.provider(settings).complete(request)
    except LLMAPIError as err:
        # Reasoning may use up the tokens before the answer; the model works all the same.
        if err.status_code != HTTPStatus.BAD_REQUEST or "max_tokens" not in str(err):
            raise


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """The result of probing a model."""

    model: str
    capabilities: ModelCapabilities
    quirks: ServerQuirks


async def async_probe_model(
    hass: HomeAssistant, data: Mapping[str, Any], options: Mapping[str, Any], model: str
) -> ProbeResult:
    """Return the capabilities of a model and its server that were found within the time limit."""
    server = async_create_server(hass, ServerOptions.parse(data, options))
    settings = ModelSettings(model=model, temperature=0.0, max_tokens=_MAX_PROBE_TOKENS)
    quirks = ServerQuirks()
    known = ModelCapabilities()
    with suppress(TimeoutError):
        async with asyncio.timeout(_PROBE_TIMEOUT):
            details = await async_query_model_details(hass, data, model)
            quirks.parameters = details.parameters
            known = replace(known, context_window=details.context_window, vision=details.vision)
            found = probe_capabilities(known, server.provider(settings, quirks=quirks), quirks)
            async with aclosing(found):
                async for known in found:
                    LOGGER.debug("Capabilities of %s: %s", model, known)
    return ProbeResult(model, known, quirks)


def _has_no_endpoint(err: LLMError) -> bool:
    return isinstance(err, LLMAPIError) and err.status_code in _NO_ENDPOINT
