"""Cancel scope for a turn."""

import asyncio
from types import TracebackType
from typing import Self


class CancelScope:
    """A block of code that can be cancelled from outside without cancelling its task.

    The block ends with `CancelledError` wherever it is waiting, and the code after it runs on.
    If the task itself is cancelled as well, the error passes through.
    """

    def __init__(self) -> None:
        self.cancelled_by_us = False
        """Whether `cancel()` ended the block."""
        self.cancelled = False
        """Whether the block ended by cancellation: by `cancel()` or of its task."""
        self._task: asyncio.Task[object] | None = None
        self._cancelling = 0
        self._left = asyncio.Event()

    @property
    def running(self) -> bool:
        """Return whether the block is being executed."""
        return self._task is not None

    def cancel(self) -> bool:
        """Cancel the block; return whether it was running and not cancelled yet."""
        if self._task is None or self.cancelled_by_us:
            return False
        self.cancelled_by_us = True
        self._task.cancel()
        return True

    async def wait(self) -> None:
        """Wait until the block is left; return at once if it was not entered."""
        if self.running:
            await self._left.wait()

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
        self._left.set()
        self.cancelled = kind is asyncio.CancelledError
        if not self.cancelled_by_us or task is None:
            return False
        return task.uncancel() <= self._cancelling and self.cancelled
