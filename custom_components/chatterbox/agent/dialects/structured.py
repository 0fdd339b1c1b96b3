"""Tool calls as the one JSON object that an answer has to be: an answer, or the call of a tool."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, override

from ..messages import Role, ToolDefinition, well_formed
from .dialect import Dialect, DialectSettings, Request, Unwrapper, with_instructions
from .schemas import call_schemas, for_meant, with_names
from .written import Written, compact_json, render_examples, signature, written

_INSTRUCTIONS = """\
# How you answer
Answer with JSON and nothing else. It is the call of a tool, a list of several calls, or your answer to the user:
{call}
[{call}, {call}]
{answer}
Call a tool first whenever something is to be done or looked up; you then get its result. Answer only when nothing is left to be done.

# Tools
{tools}"""  # noqa: E501 - a line break in the text is one for the model

_OPENING = re.compile(r'\s*\{\s*"answer"\s*:\s*"')
_OPENING_BEGUN = re.compile(
    r'\s*(?:\{\s*(?:"(?:a(?:n(?:s(?:w(?:e(?:r(?:"\s*(?::\s*)?)?)?)?)?)?)?)?)?)?\Z'
)
_HIGH_HALF, _LOW_HALF = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = re.compile(rf"{_HIGH_HALF}{_LOW_HALF}|\\u[0-9a-fA-F]{{4}}|\\[^u]", re.DOTALL)
_PAIR_BEGUN = re.compile(rf"{_HIGH_HALF}(?:\\(?:u(?:[dD](?:[c-fC-F][0-9a-fA-F]?)?)?)?)?\Z")
_SPECIAL = re.compile(r'[\\"]')
_LONGEST_ESCAPE = 6


class Structured(Dialect):
    """Calls as objects of a JSON schema; for servers with constrained decoding."""

    def __init__(self, settings: DialectSettings) -> None:
        """Take worked examples for the prompt, and what the schema is to allow."""
        self._settings = settings

    @override
    def encode(self, request: Request) -> Request:
        if not request.tools:
            return request
        instructions = _INSTRUCTIONS.format(
            call='{"tool": "…", "arguments": {…}}',
            answer='{"answer": "…"}',
            tools="\n".join(map(signature, request.tools)),
        )
        if self._settings.examples:
            shown = render_examples(self._settings.examples, write_calls, write_answer)
            instructions += f"\n\n# Examples\n{shown}"
        schema = union_schema(self._callable(request), answers=request.tool_choice != "required")
        return replace(
            request,
            messages=tuple(
                written(
                    with_instructions(request.messages, instructions), write_calls, write_answer
                )
            ),
            tools=(),
            tool_choice="auto",
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": schema},
            },
        )

    def _callable(self, request: Request) -> list[ToolDefinition]:
        """Return the tools that the answer may call, with the names that it may use.

        The prompt has them all, so that it stays the same: only the schema goes by the message.
        """
        if request.tool_choice == "none":
            return []
        settings, tools = self._settings, list(request.tools)
        if settings.asks and request.messages[-1].role is Role.USER:
            # A question is looked up before anything is changed.
            tools = [tool for tool in tools if tool.annotations.read_only]
            if settings.mentioned.only:
                # What it is about is known by tools that take a name or a room.
                tools = [t for t in tools if "area" in t.parameters.get("properties", ())]
        if settings.mentioned.only:
            named = [for_meant(tool, settings.mentioned) for tool in tools]
            return [tool for tool in named if tool is not None]
        if settings.vocabulary is None:
            return tools
        return [with_names(tool, settings.vocabulary) for tool in tools]

    @override
    def unwrapper(self) -> Unwrapper:
        return AnswerUnwrapper()


def write_calls(calls: Sequence[Written]) -> str:
    """Return calls as the model has to write them: one as an object, several as a list."""
    objects = [{"tool": name, "arguments": arguments} for name, arguments in calls]
    return compact_json(objects[0] if len(objects) == 1 else objects)


def write_answer(answer: str) -> str:
    """Return an answer as the model has to write it."""
    return compact_json({"answer": answer})


def union_schema(tools: Sequence[ToolDefinition], *, answers: bool = True) -> dict[str, Any]:
    """Return the schema of an answer, the call of one of the tools, or a list of such calls."""
    calls: list[dict[str, Any]] = [
        _object({"tool": {"const": tool.name}, "arguments": _any_of(call_schemas(tool))})
        for tool in tools
    ]
    parts = [*calls]
    if calls:
        parts.append({"type": "array", "items": _any_of(calls), "minItems": 2, "maxItems": 4})
    if answers or not calls:
        parts.append(_object({"answer": {"type": "string"}}))
    return _any_of(parts)


def _any_of(parts: list[dict[str, Any]]) -> dict[str, Any]:
    return parts[0] if len(parts) == 1 else {"anyOf": parts}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


class AnswerUnwrapper:
    """Takes the text of an answer out of its object while it comes; anything else goes through."""

    def __init__(self) -> None:
        """Wait for the first characters, which tell what it is."""
        self._held = ""
        self._inside: bool | None = None
        self._over = False

    @property
    def inside(self) -> bool:
        """Whether the text is an answer in its object."""
        return self._inside is True

    def feed(self, text: str) -> str:
        """Take a piece of the text; return what is certain of what was meant."""
        if self._inside is None:
            self._held += text
            return self._begin()
        if not self._inside:
            return text
        self._held += text
        return self._read()

    def finish(self) -> str:
        """Return the rest."""
        return self._held if self._inside is None else ""

    def _begin(self) -> str:
        if (opening := _OPENING.match(self._held)) is not None:
            self._inside = True
            self._held = self._held[opening.end() :]
            return self._read()
        if _OPENING_BEGUN.match(self._held):
            return ""
        self._inside = False
        held, self._held = self._held, ""
        return held

    def _read(self) -> str:
        """Read the string up to its closing quote; the rest is the end of the object."""
        parts: list[str] = []
        text, position = self._held, 0
        while not self._over:
            special = _SPECIAL.search(text, position)
            end = special.start() if special else len(text)
            parts.append(text[position:end])
            position = end
            if special is None:
                break
            if special.group() == '"':
                self._over = True
                break
            if _PAIR_BEGUN.match(text, position):
                break
            if (escape := _ESCAPE.match(text, position)) is None:
                if len(text) - position >= _LONGEST_ESCAPE:
                    position += 1
                    continue
                break
            parts.append(_unescaped(escape.group()))
            position = escape.end()
        self._held = "" if self._over else text[position:]
        return "".join(parts)


def _unescaped(escape: str) -> str:
    try:
        return well_formed(json.loads(f'"{escape}"'))
    except ValueError:
        return escape[1:]
