"""Asking the user before something is done that is hard to undo."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..messages import ToolCall, ToolDefinition, ToolResult
from ..state import ConversationState
from .guard import ToolDispatcher

CONFIRMATION_NEEDED = "confirmation_needed"


class AskFirst:
    """Holds a call back that needs the user's yes, and keeps it for the next turn.

    One that the user has agreed to is made; there is at most one such call in a turn.
    """

    def __init__(
        self,
        tools: ToolDispatcher,
        state: ConversationState,
        needs_yes: Callable[[ToolCall, ToolDefinition], bool],
        *,
        agreed: ToolCall | None = None,
    ) -> None:
        """Take what makes the calls, where a call is kept, and which calls need a yes."""
        self._tools = tools
        self._state = state
        self._needs_yes = needs_yes
        self._agreed = agreed

    @property
    def definitions(self) -> Sequence[ToolDefinition]:
        """The tools on offer."""
        return self._tools.definitions

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Have a call made, or keep it until the user has said yes."""
        if call is self._agreed or not self._has_to_wait(call):
            return await self._tools.dispatch(call)
        if self._state.pending is None:
            self._state.pending = replace(call, question=None)
        return ToolResult.failure(
            call,
            "Not done: the user has to agree first. Nothing was changed. "
            "Ask the user about one such call at a time.",
            CONFIRMATION_NEEDED,
        )

    def _has_to_wait(self, call: ToolCall) -> bool:
        return call.invalid is None and (
            call.question is not None
            or any(
                tool.name == call.name and self._needs_yes(call, tool) for tool in self.definitions
            )
        )
