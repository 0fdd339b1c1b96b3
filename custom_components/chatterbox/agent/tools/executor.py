"""Execution of the calls of one answer: reads in parallel, writes in order, within a deadline."""

import asyncio
import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..errors import ToolTimeoutError
from ..messages import CallKey, ToolCall, ToolDefinition, ToolResult
from .dispatcher import ToolDispatcher
from .guard import describe_error


def is_read_only(definition: ToolDefinition | None) -> bool:
    """Return whether a tool changes nothing; an unknown tool (None) does not either."""
    return definition is None or definition.annotations.read_only


def plan_batches(
    calls: Sequence[ToolCall],
    definitions: Mapping[str, ToolDefinition],
) -> list[list[ToolCall]]:
    """Return batches of calls that may run concurrently, to be executed one after the other.

    Adjacent reads share a batch. A write is a batch of its own: a read
    after it gets the changed state.
    """
    batches: list[list[ToolCall]] = []
    for reads, group in itertools.groupby(
        calls, key=lambda call: is_read_only(definitions.get(call.name))
    ):
        together = list(group)
        batches += [together] if reads else [[call] for call in together]
    return batches


class ToolExecutor:
    """Executor of the calls of one answer; each call gets a result, whatever happens.

    Equal calls are executed once and share the result, unless another write is between them.
    `definitions` are the offered tools by name. `start_by` is when the last call may be started and
    `finish_by` when the last one is abandoned, in seconds of the monotonic clock.
    """

    def __init__(
        self,
        dispatcher: ToolDispatcher,
        definitions: Mapping[str, ToolDefinition],
        *,
        start_by: float,
        finish_by: float,
    ) -> None:
        self._dispatcher = dispatcher
        self._definitions = definitions
        self._start_by = start_by
        self._finish_by = finish_by
        self._tasks: dict[CallKey, asyncio.Task[ToolResult]] = {}

    async def execute(self, call: ToolCall) -> ToolResult:
        """Return the result of a call, which is an error if there is no time for it."""
        error: Exception
        now = time.monotonic()
        if now >= self._start_by:
            error = ToolTimeoutError(f"{call.name} was not called, as the turn took too long.")
        else:
            try:
                async with asyncio.timeout(self._finish_by - now) as limit:
                    return await self._execute_once(call)
            except Exception as err:  # noqa: BLE001 - no dispatcher may break a turn
                error = err
                if limit.expired():
                    error = ToolTimeoutError(f"{call.name} was not finished when the turn ended.")
        return ToolResult(call=call, data=describe_error(call.name, error), error=True)

    async def _execute_once(self, call: ToolCall) -> ToolResult:
        if (task := self._tasks.get(call.key)) is not None:
            return replace(await asyncio.shield(task), call=call)
        if not is_read_only(self._definitions.get(call.name)):
            # What was read before may have changed, and what was written may be undone.
            self._tasks.clear()
        task = self._tasks[call.key] = asyncio.ensure_future(self._dispatcher.dispatch(call))
        return await task
