"""Tests of the errors of HTTP and of answers."""

import asyncio
import ssl
from unittest.mock import Mock

import aiohttp
import pytest
from aiohttp.http_exceptions import HttpProcessingError

from custom_components.chatterbox.agent.errors import (
    LLMAPIError,
    LLMConnectionError,
    LLMContextLengthError,
    LLMError,
    LLMQuotaError,
    LLMResponseError,
    LLMServerError,
    LLMTimeoutError,
)
from custom_components.chatterbox.agent.model.http_errors import (
    HttpStatusError,
    context_error,
    translated_errors,
)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (LLMQuotaError("empty"), LLMQuotaError),
        (HttpStatusError(500, ""), LLMServerError),
        (TimeoutError(), LLMTimeoutError),
        (asyncio.CancelledError(), asyncio.CancelledError),
        # A server that cannot be reached in time cannot be reached; one that is slow can.
        (aiohttp.ConnectionTimeoutError(), LLMConnectionError),
        (aiohttp.SocketTimeoutError(), LLMTimeoutError),
        (OSError("gone"), LLMConnectionError),
        (aiohttp.ClientPayloadError("gone"), LLMConnectionError),
        # It is a `ValueError` as well.
        (
            aiohttp.ClientConnectorCertificateError(Mock(), ssl.SSLCertVerificationError("wrong")),
            LLMConnectionError,
        ),
        (HttpProcessingError(message="no HTTP"), LLMConnectionError),
        (KeyError("choices"), LLMResponseError),
        (TypeError(), LLMResponseError),
        (ZeroDivisionError(), ZeroDivisionError),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_errors_are_translated_but_bugs_and_cancellation(
    error: BaseException, expected: type[BaseException]
) -> None:
    """Each keeps its cause."""
    with pytest.raises(expected) as caught, translated_errors():
        raise error
    assert type(caught.value) is expected
    assert error in {caught.value, caught.value.__cause__}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"error": {"message": "No."}}', "No."),
        ('{"error": "No."}', "No."),
        ('{"detail": "No."}', "No."),
        ('"No."', "No."),
        (" No.\n", "No."),
        ('{"error": {"code": 7}}', '{"error": {"code": 7}}'),
        ("{", "{"),
        ("", "HTTP status 418"),
    ],
)
def test_message_is_that_of_the_server(text: str, message: str) -> None:
    with pytest.raises(LLMAPIError) as caught, translated_errors():
        raise HttpStatusError(418, text)
    assert (str(caught.value), caught.value.status_code) == (message, 418)


@pytest.mark.parametrize(
    ("text", "is_of_the_context"),
    [
        ("the context window is full", True),
        ("exceeds the available context size", True),
        ("context canceled", False),
        ("the window is full", False),
    ],
)
def test_error_of_the_context_is_recognized(text: str, *, is_of_the_context: bool) -> None:
    found: LLMError | None = context_error(text, 400)
    assert isinstance(found, LLMContextLengthError) == is_of_the_context
