"""Connection test of a server and probe of a model."""

from collections.abc import Callable

import pytest

from custom_components.chatterbox import connection_test as probe
from custom_components.chatterbox.agent.errors import (
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


@pytest.mark.parametrize(
    ("err", "key"),
    [
        (LLMConnectionError("no"), "cannot_connect"),
        (LLMTimeoutError("late"), "timeout_connect"),
        (LLMAuthError("no", 401), "invalid_auth"),
        (LLMQuotaError("no", 402), "quota_exceeded"),
        (LLMRateLimitError("no", 429), "rate_limited"),
        (LLMModelNotFoundError("no", 404), "model_not_found"),
        (LLMResponseError("no"), "not_openai"),
        (LLMAPIError("no", 404), "not_openai"),
        (LLMAPIError("no", 405), "not_openai"),
        (LLMServerError("no", 501), "not_openai"),
        (LLMAPIError("no", 400), "api_error"),
        (LLMAPIError("no"), "api_error"),
        (LLMServerError("no", 500), "api_error"),
        (LLMContextLengthError("no", 400), "api_error"),
        (LLMError("no"), "api_error"),
    ],
)
def test_each_error_has_a_translation_key(err: LLMError, key: str) -> None:
    assert probe.form_error(err) == key


@pytest.mark.parametrize(
    ("err", "message"),
    [
        (LLMAPIError("The model is\nbusy.", 400), "The model is busy."),
        (LLMServerError("<html>Bad Gateway</html>", 502), "HTTP 502"),
        (LLMServerError("x" * 201, 500), "HTTP 500"),
        (LLMAPIError("", 418), "HTTP 418"),
        (LLMAPIError(""), "HTTP error"),
        (LLMError(""), "HTTP error"),
    ],
)
def test_long_or_html_message_is_replaced_by_the_status(err: LLMError, message: str) -> None:
    assert probe.server_message(err) == message


def _broken() -> None:
    raise RuntimeError("a bug")


def _refused() -> None:
    raise LLMAPIError("No tools here.", 400)


def _unknown_model() -> None:
    raise LLMModelNotFoundError("There is no such model.", 404)


def _wrong_key() -> None:
    # It may hold parts of the key.
    raise LLMAuthError("Incorrect API key provided: sk-a***z", 401)


@pytest.mark.parametrize(
    ("action", "errors", "placeholders"),
    [
        (_refused, {"base": "api_error"}, {"message": "No tools here."}),
        (_unknown_model, {"model": "model_not_found"}, {}),
        (_wrong_key, {"base": "invalid_auth"}, {}),
        (_broken, {"base": "unknown"}, {}),
    ],
)
def test_form_captures_errors(
    action: Callable[[], None], errors: dict[str, str], placeholders: dict[str, str]
) -> None:
    """What goes wrong is a line in the form and nothing else."""
    form_errors = probe.FormErrors()
    with form_errors.capture():
        action()
    assert (form_errors.errors, form_errors.placeholders) == (errors, placeholders)
