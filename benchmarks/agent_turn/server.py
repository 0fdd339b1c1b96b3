"""Scripted server without a framework, so that it takes little of the time that is measured.

It prints its port, and exits at the end of its standard input. `GET /busy` returns the seconds
that it was busy with requests since the last one, from the end of a request to that of its reply.
"""

import asyncio
import json
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from typing import Any

from .replies import CREATED, MODEL, Reply, reply_to

_HEADER = "HTTP/1.1 {}\r\nContent-Type: {}\r\n{}\r\n\r\n"


class ScriptedServer:
    """Chat completions and the list of models of the OpenAI API, over HTTP/1.1."""

    def __init__(self) -> None:
        self._busy = 0.0

    async def serve(self) -> None:
        """Serve on a free port until the process ends."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0, limit=64 * 1024**2)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                body = await reader.readexactly(content_length(head))
                started = time.perf_counter()
                await self._answer(head.split(" ", 2)[1], body, writer)
                await writer.drain()
                self._busy += time.perf_counter() - started
        except asyncio.IncompleteReadError, ConnectionError:
            pass
        finally:
            writer.close()

    async def _answer(self, path: str, body: bytes, writer: asyncio.StreamWriter) -> None:
        match path:
            case "/v1/models":
                models = [{"id": MODEL, "object": "model", "created": CREATED, "owned_by": "x"}]
                writer.write(_json({"object": "list", "data": models}))
            case "/v1/chat/completions":
                await self._complete(json.loads(body), writer)
            case "/busy":
                busy, self._busy = self._busy, 0.0
                writer.write(_json({"seconds": busy}))
            case _:
                writer.write(_json({"error": {"message": "Not found."}}, status="404 Not Found"))

    async def _complete(self, request: Mapping[str, Any], writer: asyncio.StreamWriter) -> None:
        reply = reply_to(request)
        if not request.get("stream"):
            writer.write(_json(reply.completion()))
            return
        header = _HEADER.format("200 OK", "text/event-stream", "Transfer-Encoding: chunked")
        writer.write(header.encode())
        delays = chain(reply.delays, repeat(0.0))
        # The delays do not end.
        for chunk, delay in zip(chunks(reply), delays, strict=False):
            if delay:
                await asyncio.sleep(delay)
            if writer.is_closing():
                return
            writer.write(chunk)
        writer.write(b"0\r\n\r\n")


def content_length(head: str) -> int:
    """Return the length of the body that follows a header, in bytes."""
    for line in head.split("\r\n"):
        name, _, value = line.partition(":")
        if name.lower() == "content-length":
            return int(value)
    return 0


def chunks(reply: Reply) -> Iterator[bytes]:
    """Yield the events of a reply as chunks of the HTTP transfer coding."""
    for event in reply.events():
        yield b"%x\r\n%b\r\n" % (len(event), event)


def _json(content: Mapping[str, Any], status: str = "200 OK") -> bytes:
    body = json.dumps(content).encode()
    header = _HEADER.format(status, "application/json", f"Content-Length: {len(body)}")
    return header.encode() + body


def _exit_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=_exit_with_input, daemon=True).start()
    asyncio.run(ScriptedServer().serve())
