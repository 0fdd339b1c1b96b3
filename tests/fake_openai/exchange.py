"""Transmission of one scripted reply: whole or in chunks, delayed, truncated or dropped."""

import asyncio
import json
import socket
import struct
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from aiohttp import web

from . import wire
from .replies import Fault, Reply

if TYPE_CHECKING:
    from .request import Request

# Closing a socket that lingers for zero seconds sends a reset instead of an orderly end.
NO_LINGER = struct.pack("ii", 1, 0)


class Exchange:
    """A request and its answer."""

    def __init__(self, request: web.Request, record: Request) -> None:
        """Answer this request, of which that is the record."""
        self._request = request
        self._record = record

    async def send(self, reply: Reply, head: Mapping[str, Any]) -> web.StreamResponse:
        """Send the reply; the head is what all parts of a completion have in common."""
        try:
            return await self._send(reply, head)
        except asyncio.CancelledError, ConnectionResetError:
            self._record.disconnected.set()
            raise

    async def _send(self, reply: Reply, head: Mapping[str, Any]) -> web.StreamResponse:
        body = self._record.json or {}
        if reply.hold is not None:
            await reply.hold.wait(0)
        if reply.fault is Fault.RESET:
            await self._hang_up(reset=True)
        if reply.fault is Fault.NEVER:
            await self._hang()
        if (answer := wire.raw_answer(reply, body)) is not None:
            return await self._flood(answer, reply.flood) if reply.flood else response(answer)
        if body.get("stream"):
            return await self._stream(reply, head)
        return await self._whole(reply, head)

    async def _flood(self, answer: wire.Answer, flood: bytes) -> NoReturn:
        endless = web.StreamResponse(status=answer.status, headers=answer.headers)
        await endless.prepare(self._request)
        await endless.write(answer.body)
        while True:
            await endless.write(flood)

    async def _whole(self, reply: Reply, head: Mapping[str, Any]) -> web.StreamResponse:
        size = len(self._record.body)
        body = json.dumps(wire.completion(reply, head, size)).encode()
        headers = {"Content-Type": "application/json", **reply.headers}
        if reply.fault is Fault.ERROR_EVENT:
            return response(wire.HTTP_FAULTS[Fault.SERVER_ERROR])
        if reply.fault is Fault.MALFORMED_EVENT:
            return web.Response(body=body[: wire.half(len(body))], headers=headers)
        if reply.fault not in wire.CUT_OFF:
            return web.Response(body=body, headers=headers)
        answer = web.StreamResponse(headers={**headers, "Content-Length": str(len(body))})
        await answer.prepare(self._request)
        await answer.write(body[: wire.half(len(body))])
        if reply.fault is Fault.HANGING:
            await self._hang()
        return await self._hang_up(reset=reply.fault is Fault.RESET_MIDWAY)

    async def _stream(self, reply: Reply, head: Mapping[str, Any]) -> web.StreamResponse:
        options = self._record.json.get("stream_options") or {}
        events = [
            json.dumps(chunk)
            for chunk in wire.chunks(
                reply,
                head,
                len(self._record.body),
                include_usage=bool(options.get("include_usage")),
            )
        ]
        if reply.fault in wire.CUT_OFF:
            events = events[: wire.half(len(events))]
        match reply.fault:
            case Fault.ERROR_EVENT:
                events.append(wire.HTTP_FAULTS[Fault.SERVER_ERROR].body.decode())
            case Fault.MALFORMED_EVENT:
                events.append(events[-1][: wire.half(len(events[-1]))])
            case fault if fault not in wire.CUT_OFF:
                events.append("[DONE]")
        answer = web.StreamResponse(
            headers={
                "Content-Type": "text/event-stream",
                "Cache-Control": "no-cache",
                **reply.headers,
            }
        )
        await answer.prepare(self._request)
        if reply.cut is not None:
            body = "".join(f"data: {event}\n\n" for event in events).encode()
            await answer.write(body[: int(len(body) * reply.cut)])
            await self._hang_up(reset=True)
        for sent, event in enumerate(events):
            if sent and reply.hold is not None:
                await reply.hold.wait(sent)
            await answer.write(f"data: {event}\n\n".encode())
        if reply.fault is Fault.HANGING:
            await self._hang()
        if reply.fault is Fault.RESET_MIDWAY:
            await self._hang_up(reset=True)
        return answer

    @staticmethod
    async def _hang() -> NoReturn:
        """Wait for what can only be the end of the connection or of the server."""
        await asyncio.get_running_loop().create_future()
        raise AssertionError("nobody resolves this future")

    async def _hang_up(self, *, reset: bool) -> NoReturn:
        transport = self._request.transport
        if transport is not None:
            if reset:
                connection: socket.socket = transport.get_extra_info("socket")
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NO_LINGER)
                transport.abort()
            else:
                transport.close()
        await self._hang()


def response(answer: wire.Answer) -> web.Response:
    """Return the answer as aiohttp sends it."""
    return web.Response(status=answer.status, body=answer.body, headers=answer.headers)
