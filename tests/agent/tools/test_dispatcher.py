"""Tests of the dispatcher interface and of waiting for calls."""

import asyncio
from typing import override

import pytest

from custom_components.chatterbox.agent.messages import ToolCall, ToolResult
from custom_components.chatterbox.agent.tools.dispatcher import ToolMiddleware, wait_for_call
from tests.agent.builders import call
from tests.agent.fake_tools import fake_tool, guarded


class Middleware(ToolMiddleware):
    """Middleware that passes calls on."""

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        return await self._inner.dispatch(call)


async def test_middleware_offers_the_tools_of_the_inner_dispatcher() -> None:
    inner = guarded(fake_tool("dim"), fake_tool("look"))
    outer = Middleware(inner)
    assert outer.definitions == inner.definitions
    assert outer.definition("look") == inner.definition("look") is not None
    assert outer.definition("fly") is None
    assert (await outer.dispatch(call("dim"))).data == "fine"


@pytest.mark.parametrize("read_only", [True, False])
async def test_call_that_ends_in_time_has_ended(*, read_only: bool) -> None:
    task = asyncio.create_task(asyncio.sleep(0, "fine"))
    assert await wait_for_call(task, read_only=read_only, seconds=5)
    assert task.result() == "fine"


@pytest.mark.parametrize("read_only", [True, False])
async def test_call_goes_on_after_the_timeout(*, read_only: bool) -> None:
    go_on = asyncio.Event()
    task = asyncio.create_task(go_on.wait())
    assert not await wait_for_call(task, read_only=read_only, seconds=0)
    go_on.set()
    assert await wait_for_call(task, read_only=read_only)
    assert not task.cancelled()


@pytest.mark.parametrize("read_only", [True, False])
async def test_only_a_read_is_cancelled_with_its_turn(*, read_only: bool) -> None:
    go_on = asyncio.Event()
    task = asyncio.create_task(go_on.wait())
    waiting = asyncio.create_task(wait_for_call(task, read_only=read_only))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    go_on.set()
    await asyncio.wait({task})
    assert task.cancelled() is read_only
