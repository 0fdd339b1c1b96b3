"""Messages, tool calls, tool results and tool definitions, and their form in the OpenAI API."""

import itertools
import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

import orjson

from .attachments import Attachment
from .json_schema import object_schema

type CallKey = tuple[str, str, str | None]
"""Identity of a tool call apart from its id: name, canonical arguments, invalid arguments."""


_MAX_DEPTH = 32

PLACEHOLDER = "…"
"""Content of an assistant message that only keeps the roles alternating."""


class Role(StrEnum):
    """Role of a message's author."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys: equal values give equal bytes, as prompt caches require."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def ordered_json(value: Any) -> str:
    """Return JSON with its keys in the order in which the model wrote them.

    Parsing keeps the order, so that stored calls are sent with the same bytes as new ones.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def replace_lone_surrogates(text: str) -> str:
    """Return the text with lone surrogates replaced, which models write and UTF-8 cannot encode."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _is_deeper(value: Any, levels: int) -> bool:
    """Return whether containers are nested more than so many levels deep."""
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return False
    return not levels or any(_is_deeper(item, levels - 1) for item in value)


def new_call_id() -> str:
    """Return a fresh id for a tool call."""
    return f"call_{uuid.uuid4().hex[:24]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call of the model."""

    id: str
    name: str
    arguments: dict[str, Any]
    invalid: str | None = None
    """The arguments as the model wrote them, if they are not a JSON object."""
    repairs: tuple[str, ...] = field(default=(), compare=False)
    """Changes that were made to the arguments, as text."""
    question: str | None = field(default=None, compare=False)
    """A question that the user has to confirm before the call is executed."""
    day: int | None = field(default=None, compare=False)
    """Number of the day that a look-up is about, counted from today, which is 1; None for any."""

    @property
    def key(self) -> CallKey:
        """The key of the call, equal for calls that do the same."""
        return self.name, canonical_json(self.arguments), self.invalid

    @classmethod
    def parse(cls, call_id: str, name: str, arguments: str) -> Self:
        """Return a call with the arguments parsed from JSON; blank text means no arguments.

        Arguments that are nested more than 32 levels deep are invalid.
        """
        if not arguments.strip():
            return cls(id=call_id, name=name, arguments={})
        try:
            # Lone surrogates may be escaped, so that they show only after parsing.
            unescaped = json.dumps(json.loads(arguments), ensure_ascii=False)
            parsed = json.loads(replace_lone_surrogates(unescaped))
        except ValueError, RecursionError:
            parsed = None
        if isinstance(parsed, dict) and not _is_deeper(parsed, _MAX_DEPTH):
            return cls(id=call_id, name=name, arguments=parsed)
        return cls(id=call_id, name=name, arguments={}, invalid=arguments)

    def to_wire(self) -> dict[str, Any]:
        """Return the OpenAI form; invalid arguments become an empty object."""
        return {
            "id": self.id,
            "type": "function",
            "function": {"name": self.name, "arguments": ordered_json(self.arguments)},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """Result of a tool call."""

    call: ToolCall
    data: Any
    """The tool's data as JSON can represent it; for an error, `error` and `error_type`."""
    error: bool = False
    running: bool = False
    """Whether the tool still runs, and there is no other data yet."""
    attachments: tuple[Attachment, ...] = field(default=(), compare=False)
    """Images that belong to the data."""
    seconds: float = 0.0
    raw: Any = field(default=None, compare=False, repr=False)
    """The tool's data before it was serialized, or the exception that it raised; never sent."""

    @classmethod
    def failure(cls, call: ToolCall, text: str, error_type: str) -> Self:
        """Return the result of a failed call."""
        return cls(call=call, data={"error": text, "error_type": error_type}, error=True)

    @classmethod
    def unfinished(cls, call: ToolCall) -> Self:
        """Return the result of a call that still runs."""
        return cls(call=call, data={"status": "still running"}, running=True)

    @property
    def error_type(self) -> str | None:
        """The type of the error, None for a success."""
        return self._detail("error_type")

    @property
    def error_text(self) -> str | None:
        """The message of the error, None for a success."""
        return self._detail("error")

    def _detail(self, key: str) -> str | None:
        if not self.error:
            return None
        return str(self.data.get(key, "")) if isinstance(self.data, Mapping) else str(self.data)

    @property
    def partial(self) -> bool:
        """Return whether the tool reports that a part of its data is missing."""
        return isinstance(self.data, Mapping) and self.data.get("partial") is True

    @property
    def content(self) -> str:
        """The content of the tool message: `success` with `result`, or with `error`."""
        return envelope(self.data, error=self.error)


def envelope(data: Any, *, error: bool) -> str:
    """Return the data of a result as JSON for the model, marked as success or failure."""
    if not error:
        return canonical_json({"success": True, "result": data})
    details = data if isinstance(data, Mapping) else {"error": data}
    return canonical_json({**details, "success": False})


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message of a conversation."""

    role: Role
    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    suffix: str | None = None
    """A note to the model, sent in brackets after the content."""
    attachments: tuple[Attachment, ...] = ()
    """Images and files, which are sent in the form of `wire_messages` and never stored."""

    @property
    def text(self) -> str:
        """The content with the suffix."""
        content = self.content or ""
        return f"{content}\n\n({self.suffix})" if self.suffix else content

    @property
    def without_attachments(self) -> Self:
        """The message as it is stored."""
        return replace(self, attachments=()) if self.attachments else self

    def with_suffix(self, note: str) -> Self:
        """Return the message with a note added to its suffix."""
        return replace(self, suffix=f"{self.suffix} {note}" if self.suffix else note)

    @classmethod
    def system(cls, content: str) -> Self:
        """Return a system message."""
        return cls(role=Role.SYSTEM, content=content)

    @classmethod
    def user(
        cls, content: str, suffix: str | None = None, attachments: Sequence[Attachment] = ()
    ) -> Self:
        """Return a message of the user; the suffix holds the context of this message."""
        return cls(role=Role.USER, content=content, suffix=suffix, attachments=tuple(attachments))

    @classmethod
    def assistant(cls, content: str | None, tool_calls: Sequence[ToolCall] = ()) -> Self:
        """Return a message of the model, with its tool calls."""
        return cls(role=Role.ASSISTANT, content=content, tool_calls=tuple(tool_calls))

    @classmethod
    def tool(cls, call_id: str, content: str, attachments: Sequence[Attachment] = ()) -> Self:
        """Return a message with the result of a tool call."""
        return cls(
            role=Role.TOOL,
            content=content,
            tool_call_id=call_id,
            attachments=tuple(attachments),
        )

    def to_wire(self) -> dict[str, Any]:
        """Return the OpenAI form, without attachments and anything else that is not stored."""
        wire: dict[str, Any] = {"role": self.role.value, "content": self.text}
        if self.tool_calls:
            # The content may be null only beside tool calls.
            wire["content"] = self.content
            wire["tool_calls"] = [call.to_wire() for call in self.tool_calls]
        if self.tool_call_id is not None:
            wire["tool_call_id"] = self.tool_call_id
        return wire

    @classmethod
    def from_wire(cls, wire: Mapping[str, Any]) -> Self:
        """Return the message of an OpenAI form; keys unknown to the protocol are ignored."""
        calls = tuple(
            ToolCall.parse(
                call["id"], call["function"]["name"], call["function"].get("arguments") or ""
            )
            for call in wire.get("tool_calls") or ()
        )
        return cls(
            role=Role(wire["role"]),
            content=wire.get("content"),
            tool_calls=calls,
            tool_call_id=wire.get("tool_call_id"),
        )


def wire_messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return messages in the OpenAI form, with their attachments.

    Tool messages hold only text: the images of results follow in a message of the user's.
    """
    wire: list[dict[str, Any]] = []
    shown: list[Attachment] = []
    for message, following in itertools.zip_longest(messages, messages[1:]):
        sent = message.to_wire()
        wire.append(sent)
        if message.role is not Role.TOOL:
            if message.attachments:
                sent["content"] = _parts(sent["content"], message.attachments)
            continue
        shown += message.attachments
        if shown and (following is None or following.role is not Role.TOOL):
            names = ", ".join(attachment.name for attachment in shown)
            # Some servers require an answer between a result and a message of the user.
            wire += [
                {"role": "assistant", "content": PLACEHOLDER},
                {"role": "user", "content": _parts(f"(Images from the tools: {names})", shown)},
            ]
            shown = []
    return wire


def _parts(text: str, attachments: Iterable[Attachment]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": text}, *(each.to_wire() for each in attachments)]


def interrupted_answer(text: str | None) -> Message:
    """Return the answer of which only this text was said before the user interrupted it."""
    said = f"{text.rstrip()} … (I was interrupted here.)" if text and text.strip() else None
    return Message.assistant(said or "(I was interrupted before I could answer.)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnnotations:
    """Behavior of a tool. The defaults are the least safe case."""

    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """Definition of a tool, as the model gets it."""

    name: str
    description: str
    parameters: dict[str, Any] = field(default_factory=dict)
    """A JSON schema; `to_wire` converts it to an object schema."""
    annotations: ToolAnnotations = ToolAnnotations()
    _json: list[bytes] = field(default_factory=list, init=False, compare=False, repr=False)
    """The OpenAI form as JSON, once it was made."""

    def __hash__(self) -> int:
        """Return the hash of the name: tools of one name are rarely many."""
        return hash(self.name)

    @property
    def json(self) -> bytes:
        """The OpenAI form as JSON, made once."""
        if not self._json:
            self._json.append(orjson.dumps(self.to_wire(), default=str))
        return self._json[0]

    def to_wire(self) -> dict[str, Any]:
        """Return the OpenAI form."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": object_schema(self.parameters),
            },
        }
