"""Log of unexpected errors, without their messages."""

from traceback import format_tb

from .const import LOGGER


def log_unexpected(what: str, err: BaseException) -> None:
    """Log an error that nobody expected, with the lines of code that led to it.

    Its message may quote a user, a server or a key, and is only logged at the debug level.
    """
    lines = "".join(format_tb(err.__traceback__)).rstrip()
    LOGGER.error("%s: %s\n%s", what, type(err).__name__, lines)
    LOGGER.debug("Message of the error", exc_info=err)
