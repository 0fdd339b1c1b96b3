"""Stand-in for ffmpeg: it changes the container of recordings, but not their samples.

The voice of the tests speaks at the rate that satellites want: nothing has to be resampled.
"""

import struct
import sys
from typing import BinaryIO
from urllib.request import urlopen

HEADER = 44
UNKNOWN_SIZE = 0xFFFFFFFF
# A mono WAV of 16 bits at 22,050 Hz, whose end is not known yet.
WAV = struct.pack(
    "<4sI4s4sIHHIIHH4sI",
    *(b"RIFF", UNKNOWN_SIZE, b"WAVE", b"fmt ", 16, 1, 1, 22_050, 44_100, 2, 16),
    *(b"data", UNKNOWN_SIZE),
)


def main(arguments: list[str]) -> None:
    """Convert what Home Assistant asks for."""
    if "-version" in arguments:
        sys.stdout.write("ffmpeg version 7.0\n")
        return
    source = arguments.index("-i") + 1
    wanted = arguments[arguments.index("-f", source) + 1]
    if arguments[source] == "pipe:0":
        convert(sys.stdin.buffer, wanted)
    else:
        with urlopen(arguments[source]) as recording:  # noqa: S310 - Home Assistant's own address
            convert(recording, wanted)


def convert(recording: BinaryIO, wanted: str) -> None:
    """Write a WAV to the standard output, as WAV or as samples alone, as soon as it arrives."""
    recording.read(HEADER)
    output = sys.stdout.buffer
    if wanted == "wav":
        output.write(WAV)
        output.flush()
    while samples := recording.read1(65_536):  # type: ignore[attr-defined]
        output.write(samples)
        output.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
