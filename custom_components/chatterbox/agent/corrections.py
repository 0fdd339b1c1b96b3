"""Retry limit for malformed answers and tool calls."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from .errors import ToolArgumentError, UnknownToolError
from .messages import ToolResult

MAX_CORRECTIONS = 2
_MISTAKES = {ToolArgumentError.error_type, UnknownToolError.error_type}
_COMPARED = 100


@dataclass(slots=True)
class Corrections:
    """Counts what the model did wrong in a row."""

    made: int = 0
    """How often the model was corrected in this turn."""
    _in_a_row: int = 0
    _last_errors: set[tuple[str, str]] = field(default_factory=set)

    def correct(self) -> bool:
        """Count a correction; return whether there was one left."""
        if self._in_a_row >= MAX_CORRECTIONS:
            return False
        self._in_a_row += 1
        self.made += 1
        return True

    def after(self, results: Iterable[ToolResult]) -> bool:
        """Judge the results of a reply; return whether the model may call tools again.

        It may not after the same tool failed in the same way twice in a row, nor when it still
        calls tools wrongly after it was corrected twice.
        """
        results = list(results)
        errors = {
            (result.call.name, (result.error_text or "")[:_COMPARED])
            for result in results
            if result.error and result.error_type not in _MISTAKES
        }
        repeated = bool(errors & self._last_errors)
        self._last_errors = errors
        if all(result.error_type in _MISTAKES for result in results):
            return self.correct() and not repeated
        self._in_a_row = 0
        return not repeated
