"""Tests of the id of a turn in the log."""

import asyncio
import logging

import pytest

from custom_components.chatterbox.agent.const import LOGGER
from custom_components.chatterbox.agent.trace_id import TRACE_ID


async def test_log_lines_of_a_turn_begin_with_its_id(caplog: pytest.LogCaptureFixture) -> None:
    """Also those of the tasks that it starts."""

    async def turn(trace_id: str) -> None:
        TRACE_ID.set(trace_id)
        LOGGER.warning("Retrying in %g s", 2)
        await asyncio.create_task(tool())

    async def tool() -> None:
        LOGGER.warning("100 % done")

    caplog.set_level(logging.WARNING)
    await asyncio.gather(turn("A"), turn("B"))
    LOGGER.warning("Nobody speaks")
    assert sorted(caplog.messages) == [
        "Nobody speaks",
        "[A] 100 % done",
        "[A] Retrying in 2 s",
        "[B] 100 % done",
        "[B] Retrying in 2 s",
    ]
