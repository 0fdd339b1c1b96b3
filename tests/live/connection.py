"""Client of Home Assistant's WebSocket API."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Self

import aiohttp


class CommandError(Exception):
    """Home Assistant refused a command."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class Connection:
    """An authenticated connection."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._results: dict[int, asyncio.Future[Any]] = {}
        self._events: dict[int, asyncio.Queue[Any]] = {}
        self._receiver = asyncio.create_task(self._receive())

    @classmethod
    async def open(cls, session: aiohttp.ClientSession, token: str) -> Self:
        """Connect and authenticate."""
        socket = await session.ws_connect("api/websocket", max_msg_size=0)
        assert (await socket.receive_json())["type"] == "auth_required"
        await socket.send_json({"type": "auth", "access_token": token})
        assert (await socket.receive_json())["type"] == "auth_ok"
        return cls(socket)

    async def close(self) -> None:
        """Close the connection, also one whose other end is gone."""
        await self._socket.close()
        await self._receiver

    async def call(self, command: str, **data: Any) -> Any:
        """Send a command and return its result."""
        return await self._send(next(self._numbers), command, data)

    @asynccontextmanager
    async def subscribed(self, command: str, **data: Any) -> AsyncIterator[asyncio.Queue[Any]]:
        """Send a command that subscribes to events; return the queue of these."""
        number = next(self._numbers)
        events = self._events[number] = asyncio.Queue()
        try:
            await self._send(number, command, data)
            yield events
        finally:
            del self._events[number]
        await self.call("unsubscribe_events", subscription=number)

    async def _send(self, number: int, command: str, data: dict[str, Any]) -> Any:
        result = self._results[number] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send_json({"id": number, "type": command, **data})
            return await result
        finally:
            del self._results[number]

    async def _receive(self) -> None:
        async for message in self._socket:
            content = message.json()
            number = content["id"]
            if content["type"] == "event":
                if events := self._events.get(number):
                    events.put_nowait(content["event"])
            elif (result := self._results.get(number)) and not result.done():
                if content["success"]:
                    result.set_result(content["result"])
                else:
                    problem = content["error"]
                    result.set_exception(CommandError(problem["code"], problem["message"]))
        for result in self._results.values():
            if not result.done():
                result.set_exception(ConnectionError("Home Assistant closed the connection"))
