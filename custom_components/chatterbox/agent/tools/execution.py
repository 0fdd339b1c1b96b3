"""How the calls of one reply are made: what at the same time, what in order, and until when."""

import asyncio
import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..errors import ToolTimeoutError
from ..messages import ToolCall, ToolDefinition, ToolResult, canonical_json
from .guard import ToolDispatcher, describe_error


def only_reads(definition: ToolDefinition | None) -> bool:
    """Tell whether a tool leaves everything as it is. One that does not exist does."""
    return definition is None or definition.annotations.read_only


def batches(
    calls: Sequence[ToolCall],
    definitions: Mapping[str, ToolDefinition],
    *,
    concurrent_reads: bool,
) -> list[list[ToolCall]]:
    """Group calls that may run together.

    Neighbouring reads may. A write waits for what stands before it, and what stands behind
    it waits for the write: a question about the state that it changes gets the new one.
    """
    if not concurrent_reads:
        return [[call] for call in calls]
    grouped: list[list[ToolCall]] = []
    for reads, group in itertools.groupby(
        calls, key=lambda call: only_reads(definitions.get(call.name))
    ):
        together = list(group)
        grouped += [together] if reads else [[call] for call in together]
    return grouped


class CallMaker:
    """Makes the calls of one reply; each gets a result, whatever happens.

    The same call twice in a reply is made once, and both get its result.
    """

    def __init__(self, tools: ToolDispatcher, *, start_by: float, finish_by: float) -> None:
        """Take what makes the calls, and two times on the monotonic clock."""
        self._tools = tools
        self._start_by = start_by
        self._finish_by = finish_by
        self._made: dict[tuple[str, str, str | None], asyncio.Task[ToolResult]] = {}

    async def make(self, call: ToolCall) -> ToolResult:
        """Return the result of a call; when time is up, an error."""
        error: Exception
        now = time.monotonic()
        if now >= self._start_by:
            error = ToolTimeoutError(f"{call.name} was not called, as the turn took too long.")
        else:
            try:
                async with asyncio.timeout(self._finish_by - now) as limit:
                    return await self._once(call)
            except Exception as err:  # noqa: BLE001 - no dispatcher may break a turn
                error = err
                if limit.expired():
                    error = ToolTimeoutError(f"{call.name} was not finished when the turn ended.")
        return ToolResult(call=call, data=describe_error(call.name, error), error=True)

    async def _once(self, call: ToolCall) -> ToolResult:
        what = (call.name, canonical_json(call.arguments), call.invalid)
        if (same := self._made.get(what)) is not None:
            return replace(await asyncio.shield(same), call=call)
        making = self._made[what] = asyncio.ensure_future(self._tools.dispatch(call))
        return await making
