"""Tests of the cancel scope."""

import asyncio

import pytest

from custom_components.chatterbox.agent.cancel_scope import CancelScope


async def _wait_inside(scope: CancelScope, entered: asyncio.Event) -> str:
    async with scope:
        entered.set()
        await asyncio.Event().wait()
    return "behind"


async def test_cancelled_scope_leaves_its_block_and_continues_behind_it() -> None:
    scope, entered = CancelScope(), asyncio.Event()
    assert not scope.cancel()
    task = asyncio.create_task(_wait_inside(scope, entered))
    await entered.wait()
    seen = [scope.running, scope.cancel(), scope.cancel()]
    assert await task == "behind"
    assert [*seen, scope.running] == [True, True, False, False]
    assert scope.cancelled_by_us
    assert scope.cancelled


async def test_cancelled_task_stays_cancelled() -> None:
    scope, entered = CancelScope(), asyncio.Event()
    task = asyncio.create_task(_wait_inside(scope, entered))
    await entered.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not scope.cancelled_by_us
    assert scope.cancelled


async def test_cancelled_task_takes_precedence_over_a_cancelled_scope() -> None:
    scope, entered = CancelScope(), asyncio.Event()
    task = asyncio.create_task(_wait_inside(scope, entered))
    await entered.wait()
    scope.cancel()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_cancellation_at_the_end_of_a_scope_has_no_effect() -> None:
    scope = CancelScope()
    async with scope:
        scope.cancel()
    # Nothing of it is left to strike here.
    await asyncio.sleep(0)
    assert not scope.cancelled


async def test_error_in_a_scope_passes_through() -> None:
    scope = CancelScope()
    with pytest.raises(KeyError):
        async with scope:
            raise KeyError
    assert not scope.cancelled


async def test_end_of_the_block_can_be_waited_for() -> None:
    scope = CancelScope()
    await scope.wait()
    async with scope:
        waiting = asyncio.create_task(scope.wait())
        await asyncio.sleep(0)
        assert not waiting.done()
    await waiting
    await scope.wait()
