"""The scripted server as a process of its own, whose processor time does not count."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from scripts.home.console import PROJECT


@contextmanager
def scripted_server() -> Iterator[str]:
    """Run the scripted server until the context ends; yield its address."""
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.agent_turn.server"],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise OSError("the server has no pipes")
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.stdin.close()
            process.wait()
