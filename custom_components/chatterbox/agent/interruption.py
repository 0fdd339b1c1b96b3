"""Stopping a turn from outside, without cancelling whoever waits for its answer."""

import asyncio
from types import TracebackType
from typing import Self


class Interruption:
    """A block of code that can be left at once, whatever it is waiting for.

    It ends as if it had been cancelled, and the code behind it goes on. Where the task itself is
    cancelled as well, that wins.
    """

    def __init__(self) -> None:
        """Begin with nothing to interrupt."""
        self.happened = False
        """Whether the block was left because of an interruption."""
        self.broken_off = False
        """Whether the block was left like that, or because its task was cancelled."""
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0

    @property
    def running(self) -> bool:
        """Whether the block is being executed."""
        return self._task is not None

    def interrupt(self) -> bool:
        """Leave the block; return whether there was something to leave."""
        if self._task is None or self.happened:
            return False
        self.happened = True
        self._task.cancel()
        return True

    async def __aenter__(self) -> Self:
        self._task = asyncio.current_task()
        self._cancelling = self._task.cancelling() if self._task else 0
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        task, self._task = self._task, None
        self.broken_off = kind is asyncio.CancelledError
        if not self.happened or task is None:
            return False
        return task.uncancel() <= self._cancelling and self.broken_off
