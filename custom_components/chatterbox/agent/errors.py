"""Exceptions of the agent."""

from collections.abc import Sequence
from typing import ClassVar

from .messages import Message


class ChatterboxError(Exception):
    """Base of all errors of the agent."""


class LLMError(ChatterboxError):
    """The model or its server has failed."""

    retryable: ClassVar[bool] = False
    """Whether a retry of the same request may succeed."""


class LLMConnectionError(LLMError):
    """The server could not be reached, or the connection broke."""

    retryable = True


class LLMTimeoutError(LLMConnectionError):
    """The server was silent for longer than its timeout."""


class TurnTimeoutError(LLMError):
    """The turn was not over in time, although the server may have answered."""


class LLMResponseError(LLMError):
    """The answer is malformed."""

    retryable = True


class LLMResponseTooLargeError(LLMResponseError):
    """The answer, or a part of it, exceeds a bound; a repeated request would end likewise."""

    retryable = False


class LLMRepetitionError(LLMResponseError):
    """The answer repeats itself."""


class LLMAPIError(LLMError):
    """The server rejected the request.

    `status_code` is the HTTP status, None for an error event within a stream.
    """

    def __init__(self, message: str, status_code: int | None = None) -> None:
        super().__init__(message)
        self.status_code = status_code


class LLMServerError(LLMAPIError):
    """The server failed (HTTP 5xx, or an error event within a stream)."""

    retryable = True


class LLMRateLimitError(LLMAPIError):
    """Too many requests (HTTP 429).

    `retry_after` is in seconds, None if the server does not send it.
    """

    retryable = True

    def __init__(
        self, message: str, status_code: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, status_code)
        self.retry_after = retry_after


class LLMAuthError(LLMAPIError):
    """The API key is missing, invalid or lacks a permission (HTTP 401, 403)."""


class LLMQuotaError(LLMAPIError):
    """The quota is exhausted (HTTP 402, or 429 with `insufficient_quota`)."""


class LLMModelNotFoundError(LLMAPIError):
    """The server has no such model (HTTP 404)."""


class LLMContextLengthError(LLMAPIError):
    """The request exceeds the context window."""


class LLMImageError(LLMAPIError):
    """The model or its server does not accept images."""


class LLMFileError(LLMAPIError):
    """The model or its server does not accept files, such as PDF."""


class LLMUnsupportedError(LLMAPIError):
    """The server lacks a feature that the request needs, such as tool calls."""


class ToolError(ChatterboxError):
    """A tool failed. The message is shown to the model and says what to change."""

    error_type: ClassVar[str] = "tool_error"


class ToolArgumentError(ToolError):
    """The arguments of a tool call are invalid; the tool did not run."""

    error_type = "invalid_arguments"


class UnknownToolError(ToolError):
    """There is no such tool."""

    error_type = "unknown_tool"


class ToolTimeoutError(ToolError):
    """A tool took longer than its timeout."""

    error_type = "timeout"


INVALID_CALL_TYPES = frozenset({ToolArgumentError.error_type, UnknownToolError.error_type})
"""Types of errors for which the model is to blame, not the tool."""


class IterationLimitReached(ChatterboxError, RuntimeError):  # noqa: N818 - a limit is no fault
    """A turn used up its model calls without a final answer.

    `limit` is a number of model calls, `messages` are the messages that the turn added.
    """

    def __init__(self, limit: int, messages: Sequence[Message] = ()) -> None:
        super().__init__(f"no final answer after {limit} model calls")
        self.limit = limit
        self.messages = tuple(messages)
