"""Conversation with the home on the terminal: input, output, and the loop between them."""

import asyncio
import contextlib
import json
import os
import re
import sys
from argparse import Namespace
from collections.abc import AsyncGenerator, Mapping
from typing import Any, override

from .console import UserError, say
from .core import running_agent
from .servers import Server
from .turn import Conversation, Listener, Turn, create_pipeline

CHUNK = 65536

# Call syntax in an answer: models that were not trained to call tools write it as text.
_WRITTEN_CALL = re.compile(
    r"<tool_call>|<tools>|<function\b|\{(?=.*\"name\"\s*:)(?=.*\"arguments\"\s*:)", re.DOTALL
)


def is_written_tool_call(speech: str) -> bool:
    """Return whether an answer is a tool call that was written as text."""
    return _WRITTEN_CALL.search(speech) is not None


class TurnPrinter(Listener):
    """Printer of a turn: the answer on standard output, everything else on standard error.

    With `as_json` the turn is printed at its end, as JSON.
    """

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._in_line = False

    @override
    def on_text(self, text: str) -> None:
        if not self._as_json:
            print(text, end="", flush=True)
            self._in_line = not text.endswith("\n")

    @override
    def on_message(self) -> None:
        if self._in_line:
            print(flush=True)
            self._in_line = False

    @override
    def on_tool_call(self, name: str, arguments: Mapping[str, Any]) -> None:
        self.on_message()
        say(f"  calls {name} {json.dumps(arguments, ensure_ascii=False, default=str)}")

    def end(self, turn: Turn) -> None:
        """Print the end of the turn: its JSON or error, and its summary."""
        self.on_message()
        if self._as_json:
            print(json.dumps(turn.as_json(), ensure_ascii=False, default=str), flush=True)
        if not turn.succeeded:
            say(turn.speech or "The turn failed without a word; see the log (-v).")
        elif not turn.tools and is_written_tool_call(turn.speech):
            say(
                "Note: this small model wrote its tool call as text instead of making it; "
                "nothing was done in the home."
            )
        for line in summary(turn):
            say(line)


def summary(turn: Turn) -> list[str]:
    """Return the lines after a turn: its tools with their durations, its tokens and seconds."""
    lines = [
        f"  {tool['name']}: {'done' if tool['ok'] else 'failed'} in {tool['seconds']:.2f} s"
        for tool in turn.tools
    ]
    usage = turn.usage
    total = f"  {usage['prompt_tokens']} + {usage['completion_tokens']} tokens"
    if usage["cached_share"] is not None:
        total += f", {usage['cached_share']:.0%} cached"
    if usage["cost"] is not None:
        total += f", ${usage['cost']:.4f}"
    return [*lines, f"{total}, {turn.seconds:.1f} s"]


async def read_requests(arguments: Namespace) -> AsyncGenerator[str]:
    """Yield the texts of the user: that of the command line, or the lines of standard input.

    Raises `UserError` at the end if standard input is empty and no terminal.
    """
    if arguments.text:
        yield " ".join(arguments.text)
        return
    asked = False
    interactive = sys.stdin.isatty()
    if interactive:
        say("Say something to the home; Ctrl-D ends.")
    lines = read_lines(sys.stdin.fileno(), before="> " if interactive else "")
    async with contextlib.aclosing(lines):
        async for line in lines:
            if text := line.strip():
                asked = True
                yield text
    if interactive:
        # A line break after the last prompt.
        say("")
    elif not asked:
        raise UserError("There is nothing to ask: standard input is empty.")


async def read_lines(source: int, before: str = "") -> AsyncGenerator[str]:
    """Yield the lines of a file descriptor without a thread, which could not be interrupted.

    The prompt `before` is written on standard error before each line.
    """
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()

    def read() -> bool:
        if chunk := os.read(source, CHUNK):
            reader.feed_data(chunk)
            return True
        loop.remove_reader(source)
        reader.feed_eof()
        return False

    try:
        loop.add_reader(source, read)
    except PermissionError:
        # A regular file is always ready, and cannot be added to the loop.
        while read():
            pass
    try:
        while True:
            print(before, end="", file=sys.stderr, flush=True)
            if not (line := await reader.readline()):
                break
            yield line.decode(errors="replace")
    finally:
        loop.remove_reader(source)


async def converse(arguments: Namespace, server: Server) -> bool:
    """Start the home and ask it every text of the user; return whether all turns succeeded."""
    async with running_agent(server) as home:
        if server.slow:
            say("The model reads about the home first; that can take a minute.")
        pipeline_id = await create_pipeline(home.hass, home.entry)
        conversation = Conversation(home.hass, home.owner, home.entry, pipeline_id)
        succeeded = True
        async with contextlib.aclosing(read_requests(arguments)) as requests:
            async for text in requests:
                printer = TurnPrinter(as_json=arguments.json)
                turn = await conversation.ask(text, printer)
                printer.end(turn)
                succeeded = succeeded and turn.succeeded
        return succeeded
