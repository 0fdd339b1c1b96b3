"""Status output of the commands on standard error: messages and a progress bar."""

import sys
from pathlib import Path
from typing import TextIO

PROJECT = Path(__file__).resolve().parents[2]
MEBIBYTE = 1024 * 1024
BAR_WIDTH = 30


class UserError(Exception):
    """Error that ends the command; the message is one sentence for the user."""


def say(sentence: str) -> None:
    """Print a message on standard error; standard output is only for the answers."""
    print(sentence, file=sys.stderr, flush=True)


class ProgressBar:
    """Progress of a download of `total` bytes: a bar on a terminal, a line per tenth elsewhere.

    `stream` is standard error by default.
    """

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self._total = total
        self._stream = stream if stream is not None else sys.stderr
        self._shown = -1

    def __call__(self, done: int) -> None:
        """Show that `done` bytes have arrived."""
        terminal = self._stream.isatty()
        done = min(done, self._total)
        part = done / self._total
        step = int(part * (1000 if terminal else 10))
        if step <= self._shown:
            return
        self._shown = step
        sizes = f"{done // MEBIBYTE} of {self._total // MEBIBYTE} MiB"
        if terminal:
            bar = ("#" * int(part * BAR_WIDTH)).ljust(BAR_WIDTH, ".")
            self._stream.write(f"\r[{bar}] {sizes} ")
        else:
            self._stream.write(f"{sizes}\n")
        self._stream.flush()

    def end(self) -> None:
        """End the line of the bar."""
        if self._shown >= 0 and self._stream.isatty():
            self._stream.write("\n")
