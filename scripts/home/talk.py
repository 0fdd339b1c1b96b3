"""Asking the home: what goes in from a person, and what comes out on the terminal."""

import asyncio
import contextlib
import json
import os
import re
import sys
import tempfile
from argparse import Namespace
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any, override

from .console import UserError, say
from .core import CoreFlows, be_patient, create_owner, prepare_folder, running_home
from .flows import add_chatterbox
from .servers import Server
from .turn import Conversation, Listener, Turn, create_pipeline

CHUNK = 65536

# A model that was never taught to call tools writes the call down, in one of these ways.
_WRITTEN_CALL = re.compile(
    r"<tool_call>|<tools>|<function\b|\{(?=.*\"name\"\s*:)(?=.*\"arguments\"\s*:)", re.DOTALL
)


def looks_like_tool_call(speech: str) -> bool:
    """Return whether an answer is a tool call that was written as text."""
    return _WRITTEN_CALL.search(speech) is not None


class Narrator(Listener):
    """Prints a turn as it goes: the answer on standard output, the rest on standard error.

    With `as_json` the answer is kept back: the whole turn is printed as JSON at its end.
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
        """Print what is known only at the end."""
        self.on_message()
        if self._as_json:
            print(json.dumps(turn.as_json(), ensure_ascii=False, default=str), flush=True)
        if not turn.good:
            say(turn.speech or "The turn failed without a word; see the log (-v).")
        elif not turn.tools and looks_like_tool_call(turn.speech):
            say(
                "Note: this small model wrote its tool call as text instead of making it; "
                "nothing was done in the home."
            )
        for line in summary(turn):
            say(line)


def summary(turn: Turn) -> list[str]:
    """Return the lines that close a turn: its tools with their durations, its tokens and time."""
    lines = [
        f"  {tool['name']}: {'done' if tool['ok'] else 'failed'} in {tool['seconds']:.2f} s"
        for tool in turn.tools
    ]
    usage = turn.usage
    total = f"  {usage['prompt_tokens']} + {usage['completion_tokens']} tokens"
    if usage["cost"] is not None:
        total += f", ${usage['cost']:.4f}"
    return [*lines, f"{total}, {turn.seconds:.1f} s"]


async def texts(arguments: Namespace) -> AsyncGenerator[str]:
    """Yield what is to be asked: the command line's text, or the lines of standard input.

    Raises UserError at its end when standard input, being no terminal, held nothing to ask.
    """
    if arguments.text:
        yield " ".join(arguments.text)
        return
    asked = False
    asking = sys.stdin.isatty()
    if asking:
        say("Say something to the home; Ctrl-D ends.")
    lines = read_lines(sys.stdin.fileno(), before="> " if asking else "")
    async with contextlib.aclosing(lines):
        async for line in lines:
            if text := line.strip():
                asked = True
                yield text
    if asking:
        # Behind the last prompt.
        say("")
    elif not asked:
        raise UserError("There is nothing to ask: standard input is empty.")


async def read_lines(source: int, before: str = "") -> AsyncGenerator[str]:
    """Yield the lines of a file descriptor without a thread, which could not be interrupted.

    `before` is written on standard error whenever a line is waited for.
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
        # A plain file is always ready, and cannot be waited for.
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
    """Start the home, ask it everything that is to be asked; return whether all turns were good."""
    say("Starting Home Assistant ...")
    with tempfile.TemporaryDirectory(prefix="chatterbox-home-") as folder:
        prepare_folder(Path(folder), port=0)
        async with running_home(Path(folder)) as hass:
            context = await create_owner(hass)
            entry = await add_chatterbox(CoreFlows(hass), server)
            if server.slow:
                await be_patient(hass, entry)
                say("The model reads about the home first; that can take a minute.")
            pipeline_id = await create_pipeline(hass, entry)
            conversation = Conversation(hass, context, entry, pipeline_id)
            good = True
            async with contextlib.aclosing(texts(arguments)) as questions:
                async for text in questions:
                    narrator = Narrator(as_json=arguments.json)
                    turn = await conversation.ask(text, narrator)
                    narrator.end(turn)
                    good = good and turn.good
            return good
