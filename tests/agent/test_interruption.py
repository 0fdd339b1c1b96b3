"""A turn is stopped from outside."""

import asyncio

import pytest

from custom_components.chatterbox.agent.interruption import Interruption


async def _wait_inside(interruption: Interruption, entered: asyncio.Event) -> str:
    async with interruption:
        entered.set()
        await asyncio.Event().wait()
    return "behind"


async def test_the_block_is_left_and_what_is_behind_it_goes_on() -> None:
    interruption, entered = Interruption(), asyncio.Event()
    assert not interruption.interrupt()
    task = asyncio.create_task(_wait_inside(interruption, entered))
    await entered.wait()
    seen = [interruption.running, interruption.interrupt(), interruption.interrupt()]
    assert await task == "behind"
    assert [*seen, interruption.running] == [True, True, False, False]
    assert interruption.happened
    assert interruption.broken_off


async def test_a_cancelled_task_stays_cancelled() -> None:
    interruption, entered = Interruption(), asyncio.Event()
    task = asyncio.create_task(_wait_inside(interruption, entered))
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not interruption.happened
    assert interruption.broken_off


async def test_a_cancellation_wins_over_an_interruption() -> None:
    interruption, entered = Interruption(), asyncio.Event()
    task = asyncio.create_task(_wait_inside(interruption, entered))
    await entered.wait()
    interruption.interrupt()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_interruption_that_comes_too_late_changes_nothing() -> None:
    interruption = Interruption()
    async with interruption:
        interruption.interrupt()
    # Nothing of it is left to strike here.
    await asyncio.sleep(0)
    assert not interruption.broken_off


async def test_an_error_passes() -> None:
    interruption = Interruption()
    with pytest.raises(KeyError):
        async with interruption:
            raise KeyError
    assert not interruption.broken_off
