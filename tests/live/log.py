"""Log records of a Home Assistant process, as they are written."""

import asyncio
import re
from dataclasses import dataclass

LINE = re.compile(
    r"[\d-]+ [\d:.+-]+ (?P<level>[A-Z]+) \([^)]*\) \[(?P<logger>[^\]]+)\] (?P<text>.*)"
)
# A path may have the project's name in it without being about it.
ABOUT_CHATTERBOX = re.compile(
    r"(?<![/\w])chatterbox|custom_components[./]chatterbox", re.IGNORECASE
)
# What Home Assistant says of every custom integration.
UNTESTED = "We found a custom integration chatterbox which has not been tested"
COMPLAINTS = {"WARNING", "ERROR", "CRITICAL"}


@dataclass
class Record:
    """A log record; its text has all lines, including a traceback."""

    level: str
    logger: str
    text: str

    def __str__(self) -> str:
        """Return the record as one text."""
        return f"{self.level} [{self.logger}] {self.text}"

    @property
    def about_chatterbox(self) -> bool:
        """Return whether Chatterbox logged it or is named in it."""
        return ABOUT_CHATTERBOX.search(str(self)) is not None

    @property
    def complains_about_chatterbox(self) -> bool:
        """Return whether it is a warning, or worse, that Chatterbox should not have caused."""
        return (
            self.level in COMPLAINTS
            and self.about_chatterbox
            and not self.text.startswith(UNTESTED)
        )


class Log:
    """Collector of the records of a process, since its first start."""

    def __init__(self) -> None:
        self.records: list[Record] = []
        self._grown = asyncio.Condition()
        self._ended = False

    def follow(self, stream: asyncio.StreamReader) -> asyncio.Task[None]:
        """Collect the output of a process until its end."""
        self._ended = False
        return asyncio.create_task(self._collect(stream))

    async def _collect(self, stream: asyncio.StreamReader) -> None:
        async for line in stream:
            await self._add(line.decode(errors="replace").rstrip("\n"))
        async with self._grown:
            self._ended = True
            self._grown.notify_all()

    async def wait_for(self, text: str, start: int = 0) -> int:
        """Wait for a record, from the given one on, that has this text; return its number."""

        def found() -> int | None:
            fitting = (
                number
                for number in range(start, len(self.records))
                if text in self.records[number].text
            )
            return next(fitting, None)

        async with self._grown:
            await self._grown.wait_for(lambda: self._ended or found() is not None)
        if (number := found()) is None:
            last = "\n".join(str(record)[:500] for record in self.records[-20:])
            raise AssertionError(f"Home Assistant ended without logging {text!r}:\n{last}")
        return number

    async def _add(self, line: str) -> None:
        async with self._grown:
            if matched := LINE.fullmatch(line):
                self.records.append(Record(**matched.groupdict()))
            elif self.records:
                self.records[-1].text += f"\n{line}"
            else:
                self.records.append(Record("INFO", "start", line))
            self._grown.notify_all()
