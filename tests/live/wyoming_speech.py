"""Speech-to-text and text-to-speech over the Wyoming protocol, without sound.

The samples of a recording are the characters of what is said, so that every recording can be read:
what a satellite says, and what it hears, is known to the letter.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import AudioChunk, AudioStart, AudioStop
from wyoming.event import Event, Eventable, async_read_event, async_write_event
from wyoming.info import AsrModel, AsrProgram, Attribution, Describe, Info, TtsProgram, TtsVoice
from wyoming.tts import SynthesizeChunk, SynthesizeStart, SynthesizeStop, SynthesizeStopped

LANGUAGES = ["de", "en", "zh"]
WIDTH, CHANNELS = 2, 1
MICROPHONE_RATE, SPEAKER_RATE = 16_000, 22_050
# Home Assistant passes on whole hundredths of a second.
MICROPHONE_BLOCK = MICROPHONE_RATE // 100 * WIDTH
# A sentence is complete when the next one begins, when its mark needs no space behind it, or at the
# end of its paragraph.
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)|(?<=[。！？])|\n\s*\n")

type Send = Callable[[Eventable], Awaitable[None]]

ABOUT: dict[str, Any] = {
    "attribution": Attribution("Live tests", "https://example.com"),
    "installed": True,
    "description": None,
    "version": "1",
}


def record(text: str) -> bytes:
    """Return the samples of a text."""
    return text.encode("utf-16-le")


def read(samples: bytes) -> str:
    """Return the text of samples; silence has none."""
    return samples.decode("utf-16-le").strip("\0")


def spoken(text: str) -> AudioChunk:
    """Return what a microphone records of a text."""
    samples = record(text)
    silence = b"\0" * (-len(samples) % MICROPHONE_BLOCK)
    return AudioChunk(MICROPHONE_RATE, WIDTH, CHANNELS, samples + silence)


@asynccontextmanager
async def served(
    handle: Callable[[Event, Send], Awaitable[None]],
    ended: Callable[[Send], None] = lambda _send: None,
) -> AsyncIterator[int]:
    """Serve the Wyoming protocol with a handler of events; return the port.

    `ended` is called with the way back of each connection that has ended.
    """
    open_connections: set[asyncio.StreamWriter] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def send(message: Eventable) -> None:
            await async_write_event(message.event(), writer)

        open_connections.add(writer)
        try:
            while event := await async_read_event(reader):
                await handle(event, send)
        except ConnectionError, asyncio.IncompleteReadError:
            pass
        finally:
            ended(send)
            open_connections.discard(writer)
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in open_connections:
            writer.close()


class SpeechServer:
    """Speech-to-text, and text-to-speech that speaks a sentence as soon as it is complete."""

    def __init__(self) -> None:
        self._recordings: dict[Send, bytes] = {}
        self._unspoken: dict[Send, str] = {}

    async def handle(self, event: Event, send: Send) -> None:
        """Answer an event."""
        if Describe.is_type(event.type):
            await send(info())
        elif Transcribe.is_type(event.type):
            self._recordings[send] = b""
        elif AudioChunk.is_type(event.type):
            self._recordings[send] += AudioChunk.from_event(event).audio
        elif AudioStop.is_type(event.type):
            await send(Transcript(read(self._recordings[send])))
        elif SynthesizeStart.is_type(event.type):
            self._unspoken[send] = ""
            await send(AudioStart(SPEAKER_RATE, WIDTH, CHANNELS))
        elif SynthesizeChunk.is_type(event.type):
            text = self._unspoken[send] + SynthesizeChunk.from_event(event).text
            *sentences, self._unspoken[send] = SENTENCE_END.split(text)
            for sentence in sentences:
                await self._speak(sentence, send)
        elif SynthesizeStop.is_type(event.type):
            await self._speak(self._unspoken[send], send)
            await send(AudioStop())
            await send(SynthesizeStopped())

    def ended(self, send: Send) -> None:
        """Forget a connection."""
        self._recordings.pop(send, None)
        self._unspoken.pop(send, None)

    @staticmethod
    async def _speak(sentence: str, send: Send) -> None:
        if sentence := sentence.strip():
            await send(AudioChunk(SPEAKER_RATE, WIDTH, CHANNELS, record(f"{sentence} ")))


def info() -> Info:
    """Return what the server offers."""
    # The recordings have no sound by which Home Assistant could tell speech from silence: the
    # satellite says where they end.
    listener = AsrProgram(
        name="Listener",
        models=[AsrModel(name="letters", languages=LANGUAGES, **ABOUT)],
        requires_external_vad=False,
        **ABOUT,
    )
    speaker = TtsProgram(
        name="Speaker",
        voices=[TtsVoice(name="letters", languages=LANGUAGES, speakers=None, **ABOUT)],
        supports_synthesize_streaming=True,
        **ABOUT,
    )
    return Info(asr=[listener], tts=[speaker])
