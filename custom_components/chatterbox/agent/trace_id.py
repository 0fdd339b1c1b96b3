"""Id of the turn in progress, which log lines begin with."""

import logging
from contextvars import ContextVar

TRACE_ID: ContextVar[str | None] = ContextVar("chatterbox_trace_id", default=None)
"""Id of the turn that the current task works for."""


def add_trace_id(record: logging.LogRecord) -> bool:
    """Put the id of the turn before a log line; a filter for loggers."""
    if (trace_id := TRACE_ID.get()) is not None:
        record.msg = f"[{trace_id}] {record.msg}"
    return True
