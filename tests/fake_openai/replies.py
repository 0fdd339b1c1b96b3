"""Scripted replies and their faults."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final, Literal, Self

AUTO: Final = "auto"


class Fault(StrEnum):
    """Everything that can be wrong with an answer."""

    # An HTTP answer other than a completion.
    UNAUTHORIZED = "unauthorized"
    FORBIDDEN = "forbidden"
    MODEL_NOT_FOUND = "model_not_found"
    RATE_LIMITED = "rate_limited"
    RATE_LIMITED_WITHOUT_HINT = "rate_limited_without_hint"
    SERVER_ERROR = "server_error"
    OVERLOADED = "overloaded"
    HTML = "html"
    HTML_BAD_GATEWAY = "html_bad_gateway"
    CONTEXT_LENGTH = "context_length"
    # Only requests that carry the parameter are refused; all others get the reply.
    UNSUPPORTED_TEMPERATURE = "unsupported_temperature"
    UNSUPPORTED_MAX_COMPLETION_TOKENS = "unsupported_max_completion_tokens"
    # A connection that goes wrong.
    RESET = "reset"
    RESET_MIDWAY = "reset_midway"
    TRUNCATED = "truncated"
    NEVER = "never"
    HANGING = "hanging"
    # A stream that carries something else than deltas.
    ERROR_EVENT = "error_event"
    MALFORMED_EVENT = "malformed_event"
    # A completion that is formally right and yet no good.
    EMPTY_CONTENT = "empty_content"
    NULL_CONTENT = "null_content"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    BAD_TOOL_JSON = "bad_tool_json"
    UNKNOWN_TOOL = "unknown_tool"
    MISSING_TOOL_CALL_IDS = "missing_tool_call_ids"
    DUPLICATE_TOOL_CALL_IDS = "duplicate_tool_call_ids"


@dataclass(frozen=True)
class Call:
    """A tool call.

    A name with a star in front stands for the first offered tool whose name ends in the rest, since
    Home Assistant puts prefixes before the names of its tools. Arguments that are a string go out
    as they are. An id of None is replaced by a fresh one; an empty id is left out.
    """

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str | None = None

    def named(self, offered: Iterable[str]) -> Self:
        """Return the call with the name of the offered tool that is meant."""
        if not self.name.startswith("*"):
            return self
        ending = self.name[1:]
        fitting = (name for name in offered if name.endswith(ending))
        return replace(self, name=next(fitting, ending or "tool"))


class Gate:
    """Holds an answer back until the test opens it, so that nobody has to sleep."""

    def __init__(self, after: int = 0) -> None:
        """Hold after so many events of the stream; 0 means before the first byte."""
        self.after = after
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()

    def open(self) -> None:
        """Let the answer go on."""
        self.opened.set()

    async def wait(self, sent: int) -> None:
        """Wait before the next event of the stream, after so many."""
        if self.after == sent:
            self.reached.set()
            await self.opened.wait()


class Lockstep:
    """Holds each of some events of a stream back until the test asks for it."""

    def __init__(self, first: int, last: int) -> None:
        """Hold the events with these numbers, counted from 0, and those between them."""
        self._held = range(first, last + 1)
        self._asked = asyncio.Semaphore(0)

    def advance(self) -> None:
        """Let one more event be sent."""
        self._asked.release()

    async def wait(self, sent: int) -> None:
        """Wait before the next event of the stream, after so many."""
        if sent in self._held:
            await self._asked.acquire()


@dataclass(frozen=True)
class Reply:
    """One answer to a chat completion.

    `finish_reason` and `usage` are made up to fit unless given; a usage of None is not sent.
    `chunk_size` is the number of characters in a delta of text or reasoning, `fragment` in a delta
    of arguments; `pieces` are the deltas of the text, if it is cut elsewhere. With `status` or
    `body` the answer is no completion but exactly these bytes; after them those of `flood` are sent
    again and again, until the client hangs up.
    `headers` are added to any answer, a fault's too.
    `cut` is the part of the bytes of a stream after which the connection is reset.
    """

    text: str | None = None
    reasoning: str | None = None
    tool_calls: Sequence[Call] = ()
    finish_reason: str | None = AUTO
    usage: Mapping[str, float] | Literal["auto"] | None = AUTO
    chunk_size: int = 6
    fragment: int = 4
    fault: Fault | None = None
    cut: float | None = None
    hold: Gate | Lockstep | None = None
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | bytes | None = None
    flood: bytes = b""
    pieces: Sequence[str] | None = None

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read a reply as the script file and the control endpoint have it."""
        values = dict(data)
        settable = {item.name for item in fields(cls)} - {"hold", "flood", "pieces"}
        if unknown := values.keys() - settable:
            raise ValueError(f"a reply has no {', '.join(sorted(unknown))}")
        if "tool_calls" in values:
            values["tool_calls"] = tuple(Call(**call) for call in values["tool_calls"])
        if values.get("fault") is not None:
            values["fault"] = Fault(values["fault"])
        return cls(**values)
