"""Tool calls in tags within the text; for servers and models that know no other way."""

from collections.abc import Sequence
from dataclasses import replace
from typing import override

from .dialect import Dialect, Plain, Request, Unwrapper, with_instructions
from .written import Example, Written, compact_json, render_examples, signature, written

_INSTRUCTIONS = """\
# How you call tools
To have something done or looked up, write the call of a tool and nothing else:
{call}
You then get its result. Several calls stand below each other. Otherwise answer in plain words.

# Tools
{tools}"""


class Text(Dialect):
    """Calls in Hermes' tags, which most models know; what they write instead is read, too."""

    def __init__(self, examples: Sequence[Example] = ()) -> None:
        """Take worked examples for the prompt."""
        self._examples = examples

    @override
    def encode(self, request: Request) -> Request:
        if not request.tools:
            return request
        instructions = _INSTRUCTIONS.format(
            call='<tool_call>{"name": "…", "arguments": {…}}</tool_call>',
            tools="\n".join(map(signature, request.tools)),
        )
        if self._examples:
            shown = render_examples(self._examples, write_calls, str)
            instructions += f"\n\n# Examples\n{shown}"
        messages = with_instructions(request.messages, instructions)
        return replace(
            request,
            messages=tuple(written(messages, write_calls, str)),
            tools=(),
            tool_choice="auto",
        )

    @override
    def unwrapper(self) -> Unwrapper:
        return Plain()


def write_calls(calls: Sequence[Written]) -> str:
    """Return calls as the model has to write them."""
    objects = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return "\n".join(f"<tool_call>{compact_json(call)}</tool_call>" for call in objects)
