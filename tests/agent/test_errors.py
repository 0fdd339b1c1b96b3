"""Tests of the error classes."""

import inspect

import pytest

from custom_components.chatterbox.agent import errors
from custom_components.chatterbox.agent.errors import (
    ChatterboxError,
    IterationLimitReached,
    LLMAPIError,
    LLMAuthError,
    LLMConnectionError,
    LLMContextLengthError,
    LLMError,
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMRateLimitError,
    LLMRepetitionError,
    LLMResponseError,
    LLMServerError,
    LLMTimeoutError,
    ToolArgumentError,
    ToolError,
    ToolTimeoutError,
    TurnTimeoutError,
    UnknownToolError,
)
from custom_components.chatterbox.agent.messages import Message


def test_all_errors_have_one_base_class() -> None:
    """Whoever catches the base catches all."""
    family = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    kinds = [kind for kind in family if issubclass(kind, Exception)]
    assert len(kinds) > 10
    assert all(issubclass(kind, ChatterboxError) for kind in kinds)


@pytest.mark.parametrize(
    ("kind", "parent"),
    [
        (LLMTimeoutError, LLMConnectionError),
        (LLMConnectionError, LLMError),
        (TurnTimeoutError, LLMError),
        (LLMResponseError, LLMError),
        (LLMAPIError, LLMError),
        (LLMServerError, LLMAPIError),
        (LLMRateLimitError, LLMAPIError),
        (LLMAuthError, LLMAPIError),
        (LLMQuotaError, LLMAPIError),
        (LLMModelNotFoundError, LLMAPIError),
        (LLMContextLengthError, LLMAPIError),
        (ToolArgumentError, ToolError),
        (UnknownToolError, ToolError),
        (ToolTimeoutError, ToolError),
        (IterationLimitReached, RuntimeError),
    ],
)
def test_errors_have_their_base_classes(kind: type[Exception], parent: type[Exception]) -> None:
    """Who catches the kin catches these."""
    assert issubclass(kind, parent)


@pytest.mark.parametrize(
    ("kind", "retryable"),
    [
        (LLMConnectionError, True),
        (LLMTimeoutError, True),
        (LLMServerError, True),
        (LLMRateLimitError, True),
        (LLMResponseError, True),
        (LLMRepetitionError, True),
        (TurnTimeoutError, False),
        (LLMAPIError, False),
        (LLMAuthError, False),
        (LLMQuotaError, False),
        (LLMModelNotFoundError, False),
        (LLMContextLengthError, False),
    ],
)
def test_retryable_errors_are_marked(
    kind: type[LLMError],
    retryable: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """Temporary errors are; those that need a change of the configuration are not."""
    assert kind("oh").retryable is retryable


def test_status_is_kept() -> None:
    """A refusal has the status of its answer, and a hint when to come back."""
    error = LLMRateLimitError("busy", 429, 2.5)
    assert (str(error), error.status_code, error.retry_after) == ("busy", 429, 2.5)
    assert LLMServerError("inside a stream").status_code is None


def test_iteration_limit_names_its_limit() -> None:
    """The limit is in the text, and what was found out is kept."""
    error = IterationLimitReached(10, [Message.assistant("Shall I go on?")])
    assert str(error) == "no final answer after 10 model calls"
    assert (error.limit, error.messages) == (10, (Message.assistant("Shall I go on?"),))
