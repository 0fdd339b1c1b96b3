"""Tests of the cancel scope."""

import asyncio

import pytest

from custom_components.chatterbox.agent.cancel_scope import CancelScope


async def _wait_inside(scope: CancelScope, entered: asyncio.Event) -> str:
    async with scope:
        entered.set()
        await asyncio.Event().wait()
    return "behind"


async def test_the_block_is_left_and_what_is_behind_it_goes_on() -> None:
    scope, entered = CancelScope(), asyncio.Event()
    assert not scope.cancel()
    task = asyncio.create_task(_wait_inside(scope, entered))
    await entered.wait()
    seen = [scope.running, scope.cancel(), scope.cancel()]
    assert await task == "behind"
    assert [*seen, scope.running] == [True, True, False, False]
    assert scope.cancelled_by_us
    assert scope.cancelled


async def test_a_cancelled_task_stays_cancelled() -> None:
    scope, entered = CancelScope(), asyncio.Event()
    task = asyncio.create_task(_wait_inside(scope, entered))
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not scope.cancelled_by_us
    assert scope.cancelled


async def test_a_cancelled_task_wins_over_a_cancelled_scope() -> None:
    scope, entered = CancelScope(), asyncio.Event()
    task = asyncio.create_task(_wait_inside(scope, entered))
    await entered.wait()
    scope.cancel()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_scope_cancelled_at_its_end_changes_nothing() -> None:
    scope = CancelScope()
    async with scope:
        scope.cancel()
    # Nothing of it is left to strike here.
    await asyncio.sleep(0)
    assert not scope.cancelled


async def test_an_error_passes() -> None:
    scope = CancelScope()
    with pytest.raises(KeyError):
        async with scope:
            raise KeyError
    assert not scope.cancelled
