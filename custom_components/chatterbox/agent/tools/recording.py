"""Record every call's outcome, also after the turn was cancelled."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import override

from ..messages import Message, Role, ToolCall, ToolResult
from .dispatcher import ToolDispatcher, ToolMiddleware, wait_for_call
from .executor import is_read_only


@dataclass(slots=True)
class _Record:
    """A call in its task."""

    call: ToolCall
    read_only: bool
    task: asyncio.Task[ToolResult]
    abandoned: bool = False
    """Whether the turn did not wait for its end."""
    in_background: bool = False
    """Whether its result is told after the turn."""


class RecordingDispatcher(ToolMiddleware):
    """Executes calls in tasks of their own, so that writes survive a cancelled turn.

    `patience` returns the seconds after which a call goes on in the background; without it the turn
    waits for every call.
    """

    def __init__(
        self, inner: ToolDispatcher, *, patience: Callable[[], float] | None = None
    ) -> None:
        super().__init__(inner)
        self._patience = patience
        self._records: list[_Record] = []
        """In the order of the calls."""

    @property
    def writing(self) -> bool:
        """Return whether a call that may change something still runs, except in the background."""
        return any(
            _is_running(record.task)
            for record in self._records
            if not (record.read_only or record.in_background)
        )

    @property
    def in_background(self) -> list[ToolCall]:
        """The calls whose results are told after the turn."""
        return [record.call for record in self._records if record.in_background]

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Execute a call and record its result."""
        definition = self.definition(call.name)
        # An unknown tool may be a write.
        read_only = definition is not None and is_read_only(definition)
        record = _Record(call, read_only, asyncio.create_task(self._inner.dispatch(call)))
        self._records.append(record)
        seconds = None if self._patience is None else max(0.0, self._patience())
        try:
            if not await wait_for_call(record.task, read_only=read_only, seconds=seconds):
                record.in_background = True
                return ToolResult.unfinished(call)
        except asyncio.CancelledError:
            record.abandoned = True
            raise
        return record.task.result()

    async def wait(self, *calls: ToolCall) -> None:
        """Wait until these calls, or all, have ended."""
        if tasks := [each.task for each in self._records if not calls or each.call in calls]:
            await asyncio.wait(tasks)

    def give_up(self) -> None:
        """Give up the calls in the background: cancel reads, and let writes complete."""
        for record in self._records:
            if record.in_background:
                record.in_background, record.abandoned = False, True
                if record.read_only:
                    record.task.cancel()

    def with_results(self, messages: Sequence[Message]) -> list[Message]:
        """Return the messages of a turn with every call followed by its result as of now.

        The result that the model got is kept, unless the turn did not wait for the call's end.
        """
        given = deque(message for message in messages if message.role is Role.TOOL)
        complete: list[Message] = []
        for message in messages:
            if message.role is Role.TOOL:
                continue
            complete.append(message)
            for call in message.tool_calls:
                known = given.popleft() if given else None
                record = self._record(call)
                if known is None or (record is not None and record.abandoned):
                    known = Message.tool(call.id, self.outcome(call).content)
                complete.append(known)
        return complete

    def outcome(self, call: ToolCall) -> ToolResult:
        """Return the result of a call as of now, an error if there will be none."""
        record = self._record(call)
        if record is None:
            return ToolResult.failure(call, f"{call.name} was not called.", "interrupted")
        task = record.task
        if _is_running(task):
            return ToolResult.unfinished(call)
        if not task.done() or task.cancelled() or task.exception() is not None:
            return ToolResult.failure(call, f"{call.name} was stopped.", "interrupted")
        result = task.result()
        return result if result.call is call else replace(result, call=call)

    def _record(self, call: ToolCall) -> _Record | None:
        """Return the record of a call, or of the equal one whose result `ToolExecutor` shares."""
        shared = None
        for record in self._records:
            if record.call is call:
                return record
            if record.call.key == call.key:
                shared = record
            elif not record.read_only:
                shared = None
        return shared


def _is_running(task: asyncio.Task[ToolResult]) -> bool:
    return not (task.done() or task.cancelling())
