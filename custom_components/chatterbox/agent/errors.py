"""Everything that can go wrong, as one family of exceptions."""

from collections.abc import Sequence
from typing import ClassVar

from .messages import Message


class ChatterboxError(Exception):
    """Base of all errors of the agent."""


class LLMError(ChatterboxError):
    """The model or its server did not answer as it should."""

    retryable: ClassVar[bool] = False
    """Whether the same request may succeed a moment later."""


class LLMConnectionError(LLMError):
    """The server could not be reached, or the connection broke."""

    retryable = True


class LLMTimeoutError(LLMConnectionError):
    """The server was silent for longer than it may be."""


class LLMResponseError(LLMError):
    """The server answered something that is not a completion."""

    retryable = True


class LLMRepetitionError(LLMResponseError):
    """The model said the same again and again."""


class LLMAPIError(LLMError):
    """The server refused the request."""

    def __init__(self, message: str, status_code: int | None = None) -> None:
        """Keep the HTTP status, None when the refusal came inside a stream."""
        super().__init__(message)
        self.status_code = status_code


class LLMServerError(LLMAPIError):
    """The server failed (HTTP 5xx, or an error event inside the stream)."""

    retryable = True


class LLMRateLimitError(LLMAPIError):
    """Too many requests (HTTP 429)."""

    retryable = True

    def __init__(
        self, message: str, status_code: int | None = None, retry_after: float | None = None
    ) -> None:
        """Keep the seconds after which the server wants to be asked again, where it said so."""
        super().__init__(message, status_code)
        self.retry_after = retry_after


class LLMAuthError(LLMAPIError):
    """The key is missing, wrong or not allowed to do this (HTTP 401, 403)."""


class LLMQuotaError(LLMAPIError):
    """The account has no credit left (HTTP 402, or 429 with an exhausted quota)."""


class LLMModelNotFoundError(LLMAPIError):
    """The server has no such model (HTTP 404)."""


class LLMContextLengthError(LLMAPIError):
    """The conversation is longer than the model's window."""


class LLMUnsupportedError(LLMAPIError):
    """The server cannot do something that the request needs, such as tool calls."""


class ToolError(ChatterboxError):
    """A tool failed. The message is shown to the model and says what to change."""

    error_type: ClassVar[str] = "tool_error"


class ToolArgumentError(ToolError):
    """The arguments of a tool call are wrong; the tool did not run."""

    error_type = "invalid_arguments"


class UnknownToolError(ToolError):
    """There is no such tool."""

    error_type = "unknown_tool"


class ToolTimeoutError(ToolError):
    """A tool took longer than it may."""

    error_type = "timeout"


class IterationLimitReached(ChatterboxError, RuntimeError):  # noqa: N818 - a limit is no fault
    """A turn used up its model calls without a final answer."""

    def __init__(self, limit: int, messages: Sequence[Message] = ()) -> None:
        """Keep the limit, a number of model calls, and what the turn adds to the history."""
        super().__init__(f"no final answer after {limit} model calls")
        self.limit = limit
        self.messages = tuple(messages)
