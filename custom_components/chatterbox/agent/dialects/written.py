"""What the ways that go through the text share: calls and results as text, tools in the prompt."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..messages import Message, Role, ToolDefinition
from .schemas import first_type

type Written = tuple[str, Mapping[str, Any]]
"""The name of a tool, and the arguments of its call."""
type Writer = Callable[[Sequence[Written]], str]
"""Writes the calls of one answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A worked example: what the user says, and the calls or the answer that are right."""

    user: str
    calls: tuple[Written, ...] = ()
    answer: str = ""


def compact_json(value: Any) -> str:
    """Return JSON in one line as models write it most often; the order of keys is kept."""
    return json.dumps(value, ensure_ascii=False, default=str)


def signature(tool: ToolDefinition) -> str:
    """Return a tool in one line: its name, its arguments with their types, and what it does."""
    required = tool.parameters.get("required") or ()
    parts = []
    for name, schema in (tool.parameters.get("properties") or {}).items():
        optional = "" if name in required else "?"
        parts.append(f"{name}{optional}: {_type(schema)}")
    return f"- {tool.name}({', '.join(parts)}): {tool.description}"


def _type(schema: Mapping[str, Any]) -> str:
    kind = first_type(schema) or "any"
    if kind == "array":
        return f"list of {_type(schema.get('items') or {})}"
    if allowed := schema.get("enum"):
        return " | ".join(map(compact_json, allowed))
    return kind


def written(
    messages: Sequence[Message], write: Writer, answer: Callable[[str], str]
) -> list[Message]:
    """Return a history in which calls and results are text, and only users and models speak.

    The results of one answer become one message, with a blank line between them.
    """
    names: dict[str, str] = {}
    result: list[Message] = []
    after_tool = False
    for message in messages:
        if message.role is Role.TOOL:
            name = names.get(message.tool_call_id or "", "the tool")
            text = f"Result of {name}: {message.text}"
            if after_tool:
                result[-1] = replace(result[-1], content=f"{result[-1].content}\n\n{text}")
            else:
                result.append(Message.user(text))
        elif message.tool_calls:
            names |= {call.id: call.name for call in message.tool_calls}
            result.append(Message.assistant(_with_calls(message, write)))
        elif message.role is Role.ASSISTANT:
            result.append(Message.assistant(answer(message.content or "")))
        else:
            result.append(message)
        after_tool = message.role is Role.TOOL
    return result


def _with_calls(message: Message, write: Writer) -> str:
    calls = write([(call.name, call.arguments) for call in message.tool_calls])
    return f"{message.content}\n{calls}" if message.content else calls


def render_examples(
    examples: Sequence[Example], write: Writer, answer: Callable[[str], str]
) -> str:
    """Return worked examples in the form that a dialect wants."""
    lines = []
    for example in examples:
        reply = write(example.calls) if example.calls else answer(example.answer)
        lines.append(f"User: {example.user}\nYou: {reply}")
    return "\n".join(lines)
