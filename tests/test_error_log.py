"""Log of unexpected errors."""

import logging

import pytest

from custom_components.chatterbox.error_log import log_unexpected


def test_message_of_an_error_is_only_for_debugging(caplog: pytest.LogCaptureFixture) -> None:
    """The lines of code are for everybody."""
    caplog.set_level(logging.DEBUG, "custom_components.chatterbox")
    try:
        int("my secret")
    except ValueError as err:
        log_unexpected("It failed", err)
    error, debug = caplog.records
    assert error.levelno == logging.ERROR
    assert error.getMessage().startswith("It failed: ValueError\n")
    assert 'int("my' in error.getMessage()
    assert "literal" not in error.getMessage()
    assert debug.levelno == logging.DEBUG
    assert debug.exc_info is not None
