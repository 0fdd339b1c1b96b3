"""The process of the home."""

import asyncio
import sys

import pytest

from scripts.home import process as module
from scripts.home.console import UserError
from scripts.home.process import while_running


async def started(program: str) -> asyncio.subprocess.Process:
    """Return a process that runs this program."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdin=asyncio.subprocess.PIPE
    )


async def test_result_of_the_work_is_returned_while_the_process_runs() -> None:
    process = await started("input()")
    assert await while_running(process, asyncio.sleep(0, "done")) == "done"
    await process.communicate(b"\n")


async def test_process_that_ends_ends_the_wait() -> None:
    process = await started("")
    with pytest.raises(UserError, match="ended while it was starting"):
        await while_running(process, asyncio.Event().wait())


async def test_wait_has_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "START_SECONDS", 0)
    process = await started("input()")
    with pytest.raises(UserError, match="hangs while it was starting"):
        await while_running(process, asyncio.Event().wait())
    await process.communicate(b"\n")


async def test_failure_of_the_work_is_passed_on() -> None:
    async def failing() -> None:
        raise UserError("no")

    process = await started("input()")
    with pytest.raises(UserError, match="no"):
        await while_running(process, failing())
    await process.communicate(b"\n")
