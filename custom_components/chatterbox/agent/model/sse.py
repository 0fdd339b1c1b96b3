"""Incremental parser for server-sent events, with a bound on the size of an event.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation.
Servers of models use the field `data` only; the others are ignored.
"""

from collections.abc import Iterator

from ..errors import LLMResponseTooLargeError

DONE = b"[DONE]"
"""Data of the event that ends a stream."""

MAX_EVENT = 2**20
"""Bytes of an event: a server may send a long call, or a whole answer, at once."""
_LINE_ENDS = b"\r\n"


class EventParser:
    """Parser of one stream, fed with the bytes as they arrive."""

    def __init__(self) -> None:
        self._line: list[bytes] = []
        """The parts of a line that is incomplete."""
        self._data: list[bytes] = []
        """The lines of data of an event that is incomplete."""
        self._size = 0
        self._after_cr = False

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Yield the data of the events that are complete.

        Raises `LLMResponseTooLargeError` for an event of more than `MAX_EVENT` bytes.
        """
        if self._after_cr and chunk[:1] == b"\n":
            chunk = chunk[1:]
        self._after_cr = chunk.endswith(b"\r")
        for part in chunk.splitlines(keepends=True):
            self._size += len(part)
            if self._size > MAX_EVENT:
                raise LLMResponseTooLargeError("an event of the stream is too long")
            if part[-1] not in _LINE_ENDS:
                self._line.append(part)
                continue
            line = part.rstrip(_LINE_ENDS)
            if self._line:
                line = b"".join((*self._line, line))
                self._line.clear()
            if line:
                self._add(line)
            else:
                yield from self._event()

    def finish(self) -> Iterator[bytes]:
        """Yield the data of a last event without an empty line after it."""
        self._add(b"".join(self._line))
        yield from self._event()

    def _add(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self._data.append(line.removeprefix(b"data:").removeprefix(b" "))
        else:
            self._size = sum(map(len, self._data))

    def _event(self) -> Iterator[bytes]:
        if self._data:
            yield b"\n".join(self._data)
            self._data.clear()
        self._size = 0
