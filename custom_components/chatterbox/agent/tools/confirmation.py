"""Confirmation of calls by the user before they are executed."""

from collections.abc import Callable, Sequence
from typing import override

from ..messages import ToolCall, ToolDefinition, ToolResult
from .conversation_state import ConversationState
from .dispatcher import ToolDispatcher, ToolMiddleware

CONFIRMATION_NEEDED = "confirmation_needed"


class ConfirmationDispatcher(ToolMiddleware):
    """Holds back calls that require a confirmation; the first one is kept for the next turn.

    Others with the same question are kept as well. `confirmed_calls` are those that the user has
    just confirmed. Where a yes is not known in the language of the user, the model agrees in the
    user's place, by the same call again.
    """

    def __init__(
        self,
        inner: ToolDispatcher,
        state: ConversationState,
        requires_confirmation: Callable[[ToolCall, ToolDefinition], bool],
        *,
        confirmed_calls: Sequence[ToolCall] = (),
    ) -> None:
        super().__init__(inner)
        self._state = state
        self._requires_confirmation = requires_confirmation
        self._confirmed_calls = confirmed_calls

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Execute a call, or hold it back until the user has confirmed it."""
        is_confirmed = any(call is each for each in self._confirmed_calls)
        if is_confirmed or not self._has_to_wait(call) or self._is_agreed(call):
            return await self._inner.dispatch(call)
        pending = self._state.pending_calls
        if not pending or (call.question is not None and call.question == pending[0].question):
            self._state.pending_calls = (*pending, call)
        return ToolResult.failure(
            call,
            "Not done: the user has to agree first. Nothing was changed. "
            "Ask the user about one such call at a time.",
            CONFIRMATION_NEEDED,
        )

    def _is_agreed(self, call: ToolCall) -> bool:
        """Return whether the model makes the call that it proposed; it may do so once."""
        proposed = self._state.proposed_calls
        self._state.proposed_calls = tuple(each for each in proposed if each.key != call.key)
        return self._state.proposed_calls != proposed

    def _has_to_wait(self, call: ToolCall) -> bool:
        if call.invalid is not None:
            return False
        tool = self.definition(call.name)
        return call.question is not None or (
            tool is not None and self._requires_confirmation(call, tool)
        )
