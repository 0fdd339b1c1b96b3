"""Retry budget for empty answers and failed tool calls."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from .errors import INVALID_CALL_TYPES
from .messages import ToolResult

MAX_RETRIES_IN_A_ROW = 2
_COMPARED_CHARACTERS = 100


@dataclass(slots=True)
class RetryBudget:
    """Budget of retries that a turn gives the model for its own mistakes.

    A mistake is an empty answer, or one with only invalid calls: unknown tools, wrong arguments.
    A valid call refills the budget.
    """

    used: int = 0
    """Retries in this turn."""
    blocked: bool = False
    """Whether the model may not call more tools: its calls stayed invalid until the budget was
    spent, or a tool failed in the same way twice in a row."""
    _in_a_row: int = 0
    _last_errors: set[tuple[str, str]] = field(default_factory=set)

    @property
    def available(self) -> bool:
        """Return whether a retry is left."""
        return self._in_a_row < MAX_RETRIES_IN_A_ROW

    def use(self) -> None:
        """Use up one retry."""
        self._in_a_row += 1
        self.used += 1

    def record(self, results: Sequence[ToolResult]) -> None:
        """Update the budget with the results of one answer's calls."""
        if all(result.error_type in INVALID_CALL_TYPES for result in results):
            self._last_errors = set()
            self.blocked = not self.available
            if self.available:
                self.use()
            return
        errors = {
            (result.call.name, (result.error_text or "")[:_COMPARED_CHARACTERS])
            for result in results
            if result.error and result.error_type not in INVALID_CALL_TYPES
        }
        self.blocked = bool(errors & self._last_errors)
        self._last_errors = errors
        self._in_a_row = 0
