"""Errors of HTTP and of the server's answers, as `LLMError`s."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cached_property
from http import HTTPStatus
from math import isfinite
from typing import Any

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from ..errors import (
    LLMAPIError,
    LLMAuthError,
    LLMConnectionError,
    LLMContextLengthError,
    LLMError,
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMRateLimitError,
    LLMResponseError,
    LLMServerError,
    LLMTimeoutError,
)
from .rejections import MAX_ERROR_TEXT
from .response_body import parse_json


class HttpStatusError(Exception):
    """The server answered with a status that is no success.

    `text` is the beginning of the body, `retry_after` the header of that name.
    """

    def __init__(self, status: int, text: str, retry_after: str | None = None) -> None:
        self.status = status
        self.text = text.strip() or f"HTTP status {status}"
        self.retry_after = retry_after
        super().__init__(self.text)

    @cached_property
    def body(self) -> Any:
        """The error in the body, the text if the body is no JSON."""
        try:
            body = parse_json(self.text)
        except ValueError:
            return self.text
        return body.get("error", body) if isinstance(body, dict) else body

    @property
    def message(self) -> str:
        """The server's own message, without the JSON around it."""
        match self.body:
            case {"message": str(message)} | {"detail": str(message)} | str(message) if message:
                return message[:MAX_ERROR_TEXT]
        return self.text[:MAX_ERROR_TEXT]


@contextmanager
def translated_errors() -> Generator[None]:
    """Raise errors of HTTP, and of reading an answer, as `LLMError`s."""
    try:
        yield
    except LLMError:
        raise
    except HttpStatusError as err:
        raise _status_error(err) from err
    except aiohttp.ConnectionTimeoutError as err:
        raise LLMConnectionError("no connection in time") from err
    except TimeoutError as err:
        raise LLMTimeoutError("the server was silent for too long") from err
    except (aiohttp.ClientError, HttpProcessingError, OSError) as err:
        raise LLMConnectionError(f"no connection ({type(err).__name__})") from err
    except (ValueError, TypeError, AttributeError, LookupError) as err:
        # Answers are not validated before they are read.
        raise LLMResponseError(f"the answer cannot be read ({type(err).__name__})") from err


def context_error(text: str, status: int | None) -> LLMContextLengthError | None:
    """Return the error of a request that is too long, None if the text is of another error."""
    lower = text.lower()
    too_long = "context" in lower and any(
        word in lower for word in ("length", "window", "exceed", "size", "too long")
    )
    return LLMContextLengthError(text, status) if too_long else None


def _status_error(err: HttpStatusError) -> LLMError:
    status, text, message = err.status, err.text[:MAX_ERROR_TEXT], err.message
    makers: dict[int, Callable[[], LLMError]] = {
        HTTPStatus.UNAUTHORIZED: lambda: LLMAuthError(message, status),
        HTTPStatus.PAYMENT_REQUIRED: lambda: LLMQuotaError(message, status),
        HTTPStatus.FORBIDDEN: lambda: LLMAuthError(message, status),
        HTTPStatus.TOO_MANY_REQUESTS: lambda: _too_many_requests(err),
    }
    if (maker := makers.get(status)) is not None:
        return maker()
    if (too_long := context_error(text, status)) is not None:
        return too_long
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return LLMServerError(message, status)
    if _lacks_model(err):
        return LLMModelNotFoundError(message, status)
    return LLMAPIError(message, status)


def _lacks_model(err: HttpStatusError) -> bool:
    text = err.text.lower()
    if err.status == HTTPStatus.NOT_FOUND:
        # An HTML page may contain the word as well.
        return "model" in text and "<html" not in text
    return "model_not_found" in text or "invalid model" in text or "valid model id" in text


def _too_many_requests(err: HttpStatusError) -> LLMError:
    match err.body:
        case {"code": "insufficient_quota"} | {"type": "insufficient_quota"}:
            return LLMQuotaError(err.message, err.status)
    return LLMRateLimitError(err.message, err.status, _seconds(err.retry_after))


def _seconds(header: str | None) -> float | None:
    """Return a header in seconds, None if it is a date or no number."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if isfinite(seconds) else None
