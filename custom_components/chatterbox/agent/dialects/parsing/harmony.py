"""Scanner of the harmony response format of gpt-oss.

An answer is a sequence of messages, each with a header that names its channel or its recipient:
`<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`.

Sources: https://cookbook.openai.com/articles/openai-harmony, and the chat template of
openai/gpt-oss-20b (chat_template.jinja).
"""

import re
from collections.abc import Iterator

from .cursor import Cursor, IncompleteBlock, MalformedBlock
from .pieces import CallPiece, ParsedCall, Piece, ReasoningPiece, TextPiece

_MAX_HEADER_LENGTH = 300
_MESSAGE = "<|message|>"
_MESSAGE_WITHOUT_BODY = re.compile(r"<\|(?:end|call|return)\|>|(?<!\A)<\|start\|>")
_RECIPIENT = re.compile(r"to=([\w.\-]+)")
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)")
_END_OF_BODY = re.compile(r"<\|(?:end|return|start)\|>")
_MAX_END_LENGTH = len("<|return|>")
_FUNCTIONS = "functions."
_REPARSE_GROWTH = 1.25


class HarmonyScanner:
    """Incremental scanner: splits an answer into text, reasoning and calls."""

    def __init__(self) -> None:
        self._buffer = ""
        self._piece: type[TextPiece | ReasoningPiece] | None = None
        """Type of the current message's body; None within a header."""
        self._wait_for = 0

    def feed(self, text: str) -> list[Piece]:
        """Process a chunk of the answer; return the pieces that are complete."""
        self._buffer += text
        if len(self._buffer) < self._wait_for and "}" not in text:
            return []
        return list(self._advance(final=False))

    def finish(self) -> list[Piece]:
        """Return the remaining pieces."""
        return list(self._advance(final=True))

    def _advance(self, *, final: bool) -> Iterator[Piece]:
        self._wait_for = 0
        while self._buffer:
            before = len(self._buffer)
            if self._piece is None:
                yield from self._header(final=final)
            else:
                yield from self._body(self._piece, final=final)
            if len(self._buffer) == before:
                self._wait_for = int(before * _REPARSE_GROWTH)
                return

    def _body(self, piece: type[TextPiece | ReasoningPiece], *, final: bool) -> Iterator[Piece]:
        text = self._buffer
        if (end := _END_OF_BODY.search(text)) is not None:
            length = end.start() if end.group() == "<|start|>" else end.end()
            body, self._buffer, self._piece = text[: end.start()], text[length:], None
        else:
            tail = text.rfind("<", max(0, len(text) - _MAX_END_LENGTH)) if not final else -1
            length = tail if tail >= 0 else len(text)
            body, self._buffer = text[:length], text[length:]
        if body:
            yield piece(body)

    def _header(self, *, final: bool) -> Iterator[Piece]:
        text = self._buffer
        message = text.find(_MESSAGE, 0, _MAX_HEADER_LENGTH)
        broken = _MESSAGE_WITHOUT_BODY.search(text, 1, _MAX_HEADER_LENGTH)
        if broken is not None and not 0 <= message < broken.start():
            self._buffer = text[broken.start() if broken[0] == "<|start|>" else broken.end() :]
        elif message >= 0:
            yield from self._message(text[:message], message + len(_MESSAGE), final=final)
        elif final or len(text) >= _MAX_HEADER_LENGTH:
            self._buffer = ""

    def _message(self, header: str, body: int, *, final: bool) -> Iterator[Piece]:
        recipient, channel = _RECIPIENT.search(header), _CHANNEL.search(header)
        if recipient is not None and recipient[1].startswith(_FUNCTIONS):
            yield from self._call(recipient[1].removeprefix(_FUNCTIONS), body, final=final)
            return
        to_other = recipient is not None and recipient[1] != "assistant"
        is_reasoning = to_other or (channel is not None and channel[1] == "analysis")
        self._piece = ReasoningPiece if is_reasoning else TextPiece
        self._buffer = self._buffer[body:]

    def _call(self, name: str, body: int, *, final: bool) -> Iterator[Piece]:
        cursor = Cursor(self._buffer, body, final)
        cursor.skip_space()
        try:
            arguments = cursor.arguments()
        except IncompleteBlock:
            if final:
                self._buffer = ""
            return
        except MalformedBlock:
            self._piece, self._buffer = ReasoningPiece, self._buffer[body:]
            return
        cursor.skip_space()
        try:
            _ = cursor.accept("<|call|>") or cursor.accept("<|end|>")
        except IncompleteBlock:
            if not final:
                return
        raw = self._buffer[: cursor.position]
        self._buffer = self._buffer[cursor.position :]
        yield CallPiece((ParsedCall(name, arguments),), raw)
