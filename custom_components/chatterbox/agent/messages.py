"""Messages, tool calls and tool definitions, and their OpenAI wire form in both directions."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from .json_schema import object_schema


class Role(StrEnum):
    """Who speaks."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


def canonical_json(value: Any) -> str:
    """Return JSON whose bytes depend on the value alone: servers cache prompts by their bytes."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str)


def ordered_json(value: Any) -> str:
    """Return JSON with its keys in the order in which the model wrote them.

    It is so again when it has been read: stored calls are sent with the same bytes as new ones.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def replace_lone_surrogates(text: str) -> str:
    """Return the text with `U+FFFD` for lone surrogates, which cannot be sent."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def new_call_id() -> str:
    """Return a fresh id for a tool call."""
    return f"call_{uuid.uuid4().hex[:24]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call that the model wants made."""

    id: str
    name: str
    arguments: dict[str, Any]
    invalid: str | None = None
    """What the model wrote as arguments, where it could not be read as a JSON object."""
    repairs: tuple[str, ...] = field(default=(), compare=False)
    """What was changed in what the model wrote, so that it is what the model meant."""
    question: str | None = field(default=None, compare=False)
    """What the user is asked before the call is made, None where it is clear what is meant."""

    @classmethod
    def parse(cls, call_id: str, name: str, arguments: str) -> Self:
        """Make a call from arguments as they came over the wire; no text means no arguments."""
        if not arguments.strip():
            return cls(id=call_id, name=name, arguments={})
        try:
            # A lone surrogate shows only when its escape sequence has been read.
            text = json.dumps(json.loads(arguments), ensure_ascii=False)
            parsed = json.loads(replace_lone_surrogates(text))
        except ValueError:
            parsed = None
        if isinstance(parsed, dict):
            return cls(id=call_id, name=name, arguments=parsed)
        return cls(id=call_id, name=name, arguments={}, invalid=arguments)

    def to_wire(self) -> dict[str, Any]:
        """Return the OpenAI form; arguments that could not be read go back as an empty object."""
        return {
            "id": self.id,
            "type": "function",
            "function": {"name": self.name, "arguments": ordered_json(self.arguments)},
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What became of a tool call."""

    call: ToolCall
    data: Any
    """What the tool returned; for an error an object with `error` and `error_type`."""
    error: bool = False
    seconds: float = 0.0
    raw: Any = field(default=None, compare=False, repr=False)
    """What the tool returned, before it was shortened, or the exception it raised; never sent."""

    @classmethod
    def failure(cls, call: ToolCall, text: str, error_type: str) -> Self:
        """Make the result of a call that came to nothing."""
        return cls(call=call, data={"error": text, "error_type": error_type}, error=True)

    @property
    def error_type(self) -> str | None:
        """What kind of error it is, None for a success."""
        return self._detail("error_type")

    @property
    def error_text(self) -> str | None:
        """What the model is told of the error, None for a success."""
        return self._detail("error")

    def _detail(self, key: str) -> str | None:
        if not self.error:
            return None
        return str(self.data.get(key, "")) if isinstance(self.data, Mapping) else str(self.data)

    @property
    def content(self) -> str:
        """The envelope that the model reads: `success` with `result`, or with `error`."""
        return envelope(self.data, error=self.error)


def envelope(data: Any, *, error: bool) -> str:
    """Wrap the outcome of a tool so that success and failure can be told apart."""
    if not error:
        return canonical_json({"success": True, "result": data})
    details = data if isinstance(data, Mapping) else {"error": data}
    return canonical_json({**details, "success": False})


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation."""

    role: Role
    content: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    suffix: str | None = None
    """What the model is told behind the content, in brackets."""

    @property
    def text(self) -> str:
        """The content with what stands behind it."""
        content = self.content or ""
        return f"{content}\n\n({self.suffix})" if self.suffix else content

    def with_suffix(self, note: str) -> Self:
        """Return the message with something more behind its content."""
        return replace(self, suffix=f"{self.suffix} {note}" if self.suffix else note)

    @classmethod
    def system(cls, content: str) -> Self:
        """Make the instructions."""
        return cls(role=Role.SYSTEM, content=content)

    @classmethod
    def user(cls, content: str, suffix: str | None = None) -> Self:
        """Make what the user said; the suffix is what the model is to know of that moment."""
        return cls(role=Role.USER, content=content, suffix=suffix)

    @classmethod
    def assistant(cls, content: str | None, tool_calls: Sequence[ToolCall] = ()) -> Self:
        """Make what the model said, and the calls it wants made."""
        return cls(role=Role.ASSISTANT, content=content, tool_calls=tuple(tool_calls))

    @classmethod
    def tool(cls, call_id: str, content: str) -> Self:
        """Make the answer to a tool call."""
        return cls(role=Role.TOOL, content=content, tool_call_id=call_id)

    def to_wire(self) -> dict[str, Any]:
        """Return the OpenAI form. Nothing but what the protocol knows is ever sent."""
        wire: dict[str, Any] = {"role": self.role.value, "content": self.text}
        if self.tool_calls:
            # A null content is allowed beside tool calls only.
            wire["content"] = self.content
            wire["tool_calls"] = [call.to_wire() for call in self.tool_calls]
        if self.tool_call_id is not None:
            wire["tool_call_id"] = self.tool_call_id
        return wire

    @classmethod
    def from_wire(cls, wire: Mapping[str, Any]) -> Self:
        """Read the OpenAI form; keys that are not the protocol's are left out."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnnotations:
    """How a tool behaves. The defaults are the least safe case."""

    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """What the model is told of a tool."""

    name: str
    description: str
    parameters: dict[str, Any] = field(default_factory=dict)
    """A JSON Schema; it is made an object schema if it is not one."""
    annotations: ToolAnnotations = ToolAnnotations()

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
