"""A home in which people talk with an agent, are interrupted, and what is said is deleted."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_homeassistant_custom_component.common import MockConfigEntry

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationResult
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import chat_session
from homeassistant.helpers.intent import IntentResponseType

from ..conversation_helpers import AGENT, perform, speech
from ..fake_openai import Call, FakeOpenAI, Fault, Gate, Reply
from ..fake_openai.request import Request
from .invariants import NOBODY, Invariants
from .workshop import TOOLS, Workshop

# Notes of a conversation that the model is sent at least, if they were not deleted.
_REMEMBERED = 3
NEW_CONVERSATION = "New conversation"
# Calls of built-in tools.
BUILT_IN_CALLS: Mapping[str, Mapping[str, Any]] = {
    "search_history": {"query": "note"},
    "look_at_camera": {"camera": "Door"},
    "search_tools": {"query": "paint"},
}


@dataclass(frozen=True, slots=True)
class Speaker:
    """Somebody who speaks in a conversation; without a user it is a satellite."""

    user: str | None
    where: str

    @property
    def name(self) -> str:
        """The name in the notes."""
        return f"{self.user or NOBODY} {self.where}"

    @property
    def conversation(self) -> str:
        """The id of the conversation; they belong to one user on newer Home Assistants."""
        return self.name.replace(" ", "-")


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
    ) -> None:
        self._hass = hass
        self._server = server
        self._workshop = workshop
        self._entry = entry
        self.invariants = Invariants(hass, server, workshop, entry)
        self._notes = 0
        self._forgotten = 0
        """Number of the last note that need not be remembered."""
        self._pieces = 0
        self._remembered: defaultdict[Speaker, list[str]] = defaultdict(list)
        self._window_learned = False
        self.remembers_all = True
        """True if the agent is set to send the whole of a conversation."""
        self.turns = 0

    async def say(self, speaker: Speaker, script: Sequence[Scripted]) -> None:
        """Say something, and hear the answer."""
        self._script(script)
        await self._listen(self._ask(speaker))
        await self.invariants.check()

    async def say_at_once(self, speakers: Sequence[Speaker], script: Sequence[Scripted]) -> None:
        """Let several people speak at the same time."""
        self._script(script)
        for asked in [self._ask(speaker) for speaker in speakers]:
            await self._listen(asked)
        await self.invariants.check()

    async def answer(self, speaker: Speaker, text: str) -> None:
        """Say yes or no, perhaps to a question of the agent, or begin a new conversation."""
        await self._listen(self._ask(speaker, text))
        if text == NEW_CONVERSATION:
            self._remembered.pop(speaker, None)
        await self.invariants.check()

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
        if turn.done():
            # The reply that is left is for somebody else, who does not have to wait for it.
            gate.open()
        await self._interrupt(asked, how)
        gate.open()
        if not turn.cancelled():
            await self._listen(asked)
        if how == "clear":
            # The turn that was in progress is a part of what was deleted.
            await self._forget(speaker.user)
        await self.invariants.check()

    async def _interrupt(self, asked: Asked, how: str) -> None:
        match how:
            case "cancel":
                asked.turn.cancel()
                await asyncio.wait({asked.turn})
            case "stop":
                await self._listen(self._ask(asked.speaker, "Stop"))
            case "speak":
                await self._listen(self._ask(asked.speaker))
            case "reload":
                await self.reload()
            case "restart":
                await self.restart()
            case "clear":
                await self._clear(asked.speaker.user)

    async def reload(self) -> None:
        """Reload the server with its agents."""
        assert await self._hass.config_entries.async_reload(self._entry.entry_id)
        self._reloaded()

    async def restart(self) -> None:
        """Unload the server, let Home Assistant forget, and set it up again from the disk."""
        assert await self._hass.config_entries.async_unload(self._entry.entry_id)
        self._forget_sessions()
        assert await self._hass.config_entries.async_setup(self._entry.entry_id)
        self._reloaded()

    def _reloaded(self) -> None:
        assert self._entry.state is ConfigEntryState.LOADED
        if not self.invariants.stores:
            self.invariants.facts.clear()
        # Expect whole histories of what is said from now on; what was left out stays out.
        if self._window_learned or not self.remembers_all:
            self._remember_from_now_on()
        self._window_learned = False

    def _remember_from_now_on(self) -> None:
        """Expect nothing of what was said, and of what is being answered."""
        self._remembered.clear()
        self._forgotten = self._notes

    async def begin_again(self, how: str) -> None:
        """Reload, restart, or let Home Assistant forget its conversations."""
        match how:
            case "reload":
                await self.reload()
            case "restart":
                await self.restart()
            case _:
                self._forget_sessions()
        await self.invariants.check()

    def _forget_sessions(self) -> None:
        """Forget, as after minutes of silence."""
        sessions = self._hass.data.get(chat_session.DATA_CHAT_SESSION, {})
        for session in list(sessions.values()):
            session.async_cleanup()
        sessions.clear()
        self._hass.data.get(DATA_CHAT_LOGS, {}).clear()

    async def _clear(self, user: str | None) -> None:
        await self._perform("clear_history", **({} if user is None else {"user": user}))

    async def _forget(self, user: str | None, *, facts: bool = False) -> None:
        """Expect that nothing of a user, or of all, is left."""
        for speaker in list(self._remembered):
            if user in (None, speaker.user):
                del self._remembered[speaker]
        await self.invariants.erased(user, facts=facts)

    async def _perform(self, action: str, /, **data: Any) -> dict[str, Any]:
        return await perform(self._hass, action, agent=AGENT, **data)

    # How it is done.

    def _note(self, speaker: Speaker) -> str:
        self._notes += 1
        return self.invariants.know(f"note {speaker.name} {self._notes}")

    def _ask(self, speaker: Speaker, text: str | None = None) -> Asked:
        self.turns += 1
        note = self._note(speaker) if text is None else None
        turn = asyncio.create_task(
            conversation.async_converse(
                self._hass,
                text or f"Go on with {note}",
                speaker.conversation,
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
        # A turn that a reload interrupted may have been asked while not all was remembered.
        is_new = int(asked.note.rpartition(" ")[2]) > self._forgotten
        if self._window_learned or not self.remembers_all or not is_new:
            return
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
            elif kind in BUILT_IN_CALLS:
                call = Call(f"*{kind}", BUILT_IN_CALLS[kind])
                self._server.script(Reply("I look.", tool_calls=[call], cut=cut))
            else:
                self._server.script(Reply(kind, cut=cut))

    def _call(self, name: str) -> list[Call]:
        self._pieces += 1
        arguments: dict[str, Any] = {"piece": str(self._pieces)}
        self.invariants.called.add(f"{name} {self._pieces}")
        return [Call(f"*{name}", arguments)]
