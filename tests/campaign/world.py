"""A home in which people talk with an agent, and the invariants that hold after every step."""

import asyncio
import json
import logging
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.const import DOMAIN
from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationResult
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import chat_session
from homeassistant.helpers.intent import IntentResponseType

from ..conftest import API_KEY
from ..conversation_helpers import AGENT, speech
from ..fake_openai import Call, FakeOpenAI, Fault, Gate, Reply, history_problems
from ..fake_openai.request import Request
from .workshop import TOOLS, Workshop

# Every message carries a note of its own, by which it is recognized wherever it turns up.
_NOTE = re.compile(r"note (?P<by>\w+) (?P<where>\w+) \d+")
# Notes of a conversation that the model is sent at least, if they were not deleted.
_REMEMBERED = 3
# Limits of what is stored: conversations, turns of each, bytes of each.
_MAX_FILES = 200
_MAX_TURNS = 100
_MAX_FILE_SIZE = 500_000
# Tasks that a home at rest may have more than at the start.
_SPARE_TASKS = 20


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody who speaks in a conversation; without a user it is a satellite."""

    user: str | None
    where: str

    @property
    def name(self) -> str:
        """The name in the notes."""
        return f"{self.user or 'nobody'} {self.where}"


@dataclass(frozen=True, slots=True)
class Scripted:
    """A reply of the server: a fault, a text, or a call of a tool, which may break off."""

    kind: Fault | str
    cut: float | None = None
    """Part of the bytes of the stream after which the connection is reset."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A message that is being answered."""

    turn: asyncio.Task[ConversationResult]
    speaker: Speaker
    note: str | None
    remembered: tuple[str, ...]
    """Notes of earlier turns that the model has to be sent."""


class World:
    """One agent in a home, and what is known of it."""

    def __init__(
        self,
        hass: HomeAssistant,
        server: FakeOpenAI,
        workshop: Workshop,
        entry: MockConfigEntry,
        disk: Path,
    ) -> None:
        self._hass = hass
        self._server = server
        self._workshop = workshop
        self._entry = entry
        self._disk = disk
        self._notes = 0
        self._pieces = 0
        self._remembered: defaultdict[Speaker, list[str]] = defaultdict(list)
        self._window_learned = False
        self._tasks = len(asyncio.all_tasks())
        self._called: set[str] = set()
        """Runs of tools that the server has asked for."""
        self.tool_runs = self.turns = self.steps = 0

    # What happens.

    async def say(self, speaker: Speaker, script: Sequence[Scripted]) -> None:
        """Say something, and hear the answer."""
        self._script(script)
        await self._listen(self._ask(speaker))
        await self._check()

    async def say_at_once(self, speakers: Sequence[Speaker], script: Sequence[Scripted]) -> None:
        """Let several people speak at the same time."""
        self._script(script)
        for asked in [self._ask(speaker) for speaker in speakers]:
            await self._listen(asked)
        await self._check()

    async def break_off(
        self, speaker: Speaker, script: Sequence[Scripted], after: int, how: str
    ) -> None:
        """Say something, and interrupt the answer before so many events of the last reply."""
        gate = Gate(after)
        self._script(script)
        self._server.script(Reply("It is a long story, this one.", hold=gate))
        asked = self._ask(speaker)
        turn = asked.turn
        reached = asyncio.create_task(gate.reached.wait())
        await asyncio.wait({turn, reached}, return_when=asyncio.FIRST_COMPLETED)
        reached.cancel()
        match how:
            case "cancel":
                turn.cancel()
                await asyncio.wait({turn})
            case "stop":
                await self._listen(self._ask(speaker, "Stop"))
            case "speak":
                await self._listen(self._ask(speaker))
            case "reload":
                await self.reload()
            case "restart":
                await self.restart()
            case "clear":
                await self._clear(speaker.user)
        gate.open()
        if not turn.cancelled():
            await self._listen(asked)
        if how == "clear":
            # The turn that was in progress is a part of what was deleted.
            await self._hass.async_block_till_done()
            self._forget(speaker.user)
        await self._check()

    async def reload(self) -> None:
        """Reload the server with its agents."""
        assert await self._hass.config_entries.async_reload(self._entry.entry_id)
        assert self._entry.state is ConfigEntryState.LOADED
        self._forget_window()

    def _forget_window(self) -> None:
        """Expect whole histories of what is said from now on; what was left out stays out."""
        if self._window_learned:
            self._remembered.clear()
        self._window_learned = False

    async def restart(self) -> None:
        """Unload the server, let Home Assistant forget, and set it up again from the disk."""
        assert await self._hass.config_entries.async_unload(self._entry.entry_id)
        self._forget_sessions()
        assert await self._hass.config_entries.async_setup(self._entry.entry_id)
        assert self._entry.state is ConfigEntryState.LOADED
        self._forget_window()

    async def forget_sessions(self) -> None:
        """Let Home Assistant forget its conversations, as it does after minutes of silence."""
        self._forget_sessions()
        await self._check()

    def _forget_sessions(self) -> None:
        sessions = self._hass.data.get(chat_session.DATA_CHAT_SESSION, {})
        for session in list(sessions.values()):
            session.async_cleanup()
        sessions.clear()
        self._hass.data.get(DATA_CHAT_LOGS, {}).clear()

    async def clear(self, user: str | None) -> None:
        """Delete what was said by a user, or by all."""
        await self._clear(user)
        await self._hass.async_block_till_done()
        self._forget(user)
        await self._check()

    async def _clear(self, user: str | None) -> None:
        data = {"agent": AGENT} if user is None else {"agent": AGENT, "user": user}
        await self._hass.services.async_call(DOMAIN, "clear_history", data, blocking=True)

    def _forget(self, user: str | None) -> None:
        """Expect that nothing of a user, or of all, is left."""
        for speaker in list(self._remembered):
            if user in (None, speaker.user):
                del self._remembered[speaker]
        pattern = _NOTE if user is None else re.compile(rf"note {user} ")
        assert not [path for path, text in self._stored() if pattern.search(text)]

    # What has to hold.

    async def _check(self) -> None:
        """Check the invariants, once the home is at rest."""
        await self._hass.async_block_till_done()
        for request in self._server.completions:
            problems = history_problems(request.messages)
            assert not problems, f"{problems} in {request.messages}"
            self._check_confidentiality(request)
        self._check_files()
        assert set(self._workshop.done.values()) <= {1}, "a tool ran twice"
        assert self._workshop.done.keys() <= self._called, "a tool ran that was not called"
        self._called.clear()
        self.steps += 1
        assert len(asyncio.all_tasks()) <= self._tasks + _SPARE_TASKS, "tasks are left"
        self.tool_runs += sum(self._workshop.done.values())
        self._workshop.done.clear()
        self._server.reset()

    def _check_files(self) -> None:
        """Check that every stored conversation is complete, of one person, and within bounds."""
        files = [path for path, _ in self._stored() if "chatterbox.history" in path.parts]
        assert len(files) <= _MAX_FILES, "too many files"
        for path in files:
            content = path.read_bytes()
            assert len(content) <= _MAX_FILE_SIZE, f"{path} has {len(content)} bytes"
            turns = json.loads(content)["data"]["turns"]
            messages = [message for turn in turns for message in turn["messages"]]
            assert len(turns) <= _MAX_TURNS
            assert len({match["by"] for match in _NOTE.finditer(str(turns))}) <= 1
            assert {message["role"] for message in messages} <= {"assistant", "tool"}

    @staticmethod
    def _check_confidentiality(request: Request) -> None:
        """Check that a request has no messages of other people than the one who speaks."""
        notes = [match["by"] for match in _NOTE.finditer(str(request.messages))]
        assert len(set(notes)) <= 1, f"messages of several people in one request: {set(notes)}"

    def check_logs(self, records: Sequence[logging.LogRecord]) -> None:
        """Check that the log has neither the key nor what was said."""
        lines = [record.getMessage() for record in records if record.levelno > logging.DEBUG]
        assert not [line for line in lines if API_KEY in line or _NOTE.search(line)]

    def _stored(self) -> list[tuple[Path, str]]:
        return [
            (path, path.read_text(errors="replace"))
            for path in self._disk.rglob("*")
            if path.is_file()
        ]

    # How it is done.

    def _ask(self, speaker: Speaker, text: str | None = None) -> Asked:
        note = None
        self.turns += 1
        if text is None:
            self._notes += 1
            note = f"note {speaker.name} {self._notes}"
        turn = asyncio.create_task(
            conversation.async_converse(
                self._hass,
                text or f"Go on with {note}",
                # Sessions belong to one user on newer versions of Home Assistant.
                speaker.name.replace(" ", "-"),
                Context(user_id=speaker.user),
                language="en",
                agent_id=AGENT,
                device_id=None if speaker.user else speaker.where,
            )
        )
        return Asked(turn, speaker, note, tuple(self._remembered[speaker][-_REMEMBERED:]))

    async def _listen(self, asked: Asked) -> None:
        """Check that there is an answer, and that the turns before it were remembered."""
        result = await asked.turn
        said = speech(result)
        assert said.strip(), f"{asked.note} is not answered"
        assert "Unexpected" not in said
        if asked.note is None or (request := self._first_request(asked.note)) is None:
            return
        if not self._window_learned:
            lost = [note for note in asked.remembered if note not in str(request.messages)]
            assert not lost, f"{lost} of {asked.remembered} is missing before {asked.note}"
        if result.response.response_type is not IntentResponseType.ERROR:
            self._remembered[asked.speaker].append(asked.note)

    def _first_request(self, note: str) -> Request | None:
        for request in self._server.completions:
            if note in str(request.messages[-1].get("content")):
                return request
        return None

    def _script(self, script: Sequence[Scripted]) -> None:
        """Script the server; every call is about a piece of its own."""
        for reply in script:
            self._window_learned |= reply.kind is Fault.CONTEXT_LENGTH
            kind, cut = reply.kind, reply.cut
            if isinstance(kind, Fault):
                calls = self._call("paint") if "tool" in kind else []
                self._server.script(Reply(fault=kind, tool_calls=calls))
            elif kind in TOOLS:
                self._server.script(Reply("One moment.", tool_calls=self._call(kind), cut=cut))
            else:
                self._server.script(Reply(kind, cut=cut))

    def _call(self, name: str) -> list[Call]:
        self._pieces += 1
        arguments: dict[str, Any] = {"piece": str(self._pieces)}
        self._called.add(f"{name} {self._pieces}")
        return [Call(f"*{name}", arguments)]
