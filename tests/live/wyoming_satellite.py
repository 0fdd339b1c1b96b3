"""Voice satellite that speaks the Wyoming protocol with Home Assistant."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from itertools import count
from types import TracebackType
from typing import Self

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.error import Error
from wyoming.event import Event
from wyoming.info import Describe, Info, Satellite
from wyoming.ping import Ping, Pong
from wyoming.pipeline import PipelineStage, RunPipeline
from wyoming.satellite import RunSatellite
from wyoming.snd import Played
from wyoming.timer import TimerCancelled, TimerFinished, TimerStarted, TimerUpdated
from wyoming.wake import Detection

from .wyoming_speech import ABOUT, Send, read, served, spoken

TIMERS = (TimerStarted, TimerUpdated, TimerCancelled, TimerFinished)
# What the component `dialog` sends.
LISTEN = "listen"


class VoiceSatellite:
    """A satellite in an area; it runs in the test and waits for Home Assistant to connect."""

    def __init__(self, name: str, area: str) -> None:
        self.name = name
        self.area = area
        self.port = 0
        self.entity_id = ""
        self.transcripts: list[str] = []
        """What Home Assistant understood."""
        self.answers: list[str] = []
        """What the satellite played; the last one may be incomplete."""
        self.timers: list[str] = []
        """Types of the events of timers."""
        self.errors: list[str] = []
        """Codes of errors."""
        self.keeps_playing = False
        """Whether answers play on until they are interrupted."""
        self.invited = False
        """Whether Home Assistant wants the satellite to listen by itself."""
        self._listening = False
        self._playing = False
        self._samples = b""
        self._home: Send | None = None
        self._wakes = count(1)
        self._changed = asyncio.Condition()
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self.port = await self._stack.enter_async_context(served(self._handle, self._ended))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    # What the user does.

    async def say(self, text: str) -> None:
        """Say the wake word and a sentence; return when it is understood."""
        await self.connected()
        # Home Assistant takes a wake word that is heard twice in short time for one.
        await self._send(Detection(name=f"{self.name} {next(self._wakes)}"))
        await self._speak(text)

    async def reply(self, text: str) -> None:
        """Say a sentence without a wake word once the satellite listens by itself.

        It does so when the question, which comes after the invitation, is played.
        """
        await self._until(lambda: self.invited)
        await self.answer()
        await self._speak(text)

    async def hears(self, text: str) -> None:
        """Wait until the answer that is playing, or played last, has this text."""
        await self._until(lambda: bool(self.answers) and text in self.answers[-1])

    async def answer(self) -> str:
        """Wait until the answer to what was said last is played, and return it."""
        await self._until(lambda: bool(self.answers) and not self._playing)
        return self.answers[-1].strip()

    async def ask(self, text: str) -> str:
        """Say a sentence and return the answer."""
        await self.say(text)
        return await self.answer()

    async def rings(self) -> None:
        """Wait until a timer has finished."""
        await self._until(lambda: TimerFinished(id="").event().type in self.timers)

    async def connected(self) -> None:
        """Wait until Home Assistant is connected."""
        await self._until(lambda: self._home is not None)

    async def _speak(self, text: str) -> None:
        self.answers.clear()
        self._playing = self._listening = self.invited = False
        understood = len(self.transcripts)
        await self._send(RunPipeline(PipelineStage.ASR, PipelineStage.TTS))
        await self._until(lambda: self._listening)
        await self._send(spoken(text))
        await self._send(AudioStop())
        await self._until(lambda: len(self.transcripts) > understood)

    # What Home Assistant does.

    async def _handle(self, event: Event, send: Send) -> None:
        if Describe.is_type(event.type):
            satellite = Satellite(name=self.name, area=self.area, **ABOUT)
            await send(Info(satellite=satellite))
        elif Ping.is_type(event.type):
            await send(Pong(Ping.from_event(event).text))
        else:
            async with self._changed:
                await self._take(event, send)
                self._changed.notify_all()

    async def _take(self, event: Event, send: Send) -> None:
        if RunSatellite.is_type(event.type):
            self._home = send
        elif Transcribe.is_type(event.type):
            self._listening = True
        elif Transcript.is_type(event.type):
            self.transcripts.append(Transcript.from_event(event).text)
        elif Error.is_type(event.type):
            self.errors.append(str(Error.from_event(event).code))
        elif event.type == LISTEN:
            self.invited = True
        elif any(timer.is_type(event.type) for timer in TIMERS):
            self.timers.append(event.type)
        else:
            await self._play(event, send)

    async def _play(self, event: Event, send: Send) -> None:
        if AudioStart.is_type(event.type):
            self._playing = True
            self._samples = b""
            self.answers.append("")
        elif AudioChunk.is_type(event.type) and self._playing:
            self._samples += AudioChunk.from_event(event).audio
            self.answers[-1] = read(self._samples)
        elif AudioStop.is_type(event.type):
            self._playing = False
            if not self.keeps_playing:
                await send(Played())

    def _ended(self, send: Send) -> None:
        if self._home is send:
            self._home = None

    async def _send(self, message: Detection | RunPipeline | AudioChunk | AudioStop) -> None:
        assert self._home is not None, "Home Assistant is not connected"
        await self._home(message)

    async def _until(self, state: Callable[[], bool]) -> None:
        """Wait for a state; an error ends the wait."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.errors or state())
        assert self.errors == []
