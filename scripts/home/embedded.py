"""The embedded model: a small model on this machine, served by llama.cpp."""

import contextlib
import os
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from .console import PROJECT, UserError, say
from .ports import check_port
from .servers import Server
from .weights import WEIGHTS, fetch

PROGRAM = Path(__file__).with_name("llama_server.py")
START_SECONDS = 120.0
STOP_SECONDS = 5.0


def cache_folder() -> Path:
    """Return the cache folder of this project, the same as that of scripts/setup."""
    if folder := os.environ.get("CHATTERBOX_CACHE"):
        return Path(folder)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "chatterbox"


@contextlib.contextmanager
def embedded_server(size: str, port: int = 0) -> Iterator[Server]:
    """Run the embedded model of this size until the context ends; port 0 is any free port.

    Raises `UserError` if the port is in use, or the model does not start.
    """
    if port:
        check_port(port)
    weights = WEIGHTS[size]
    python = environment("model") / "bin" / "python"
    path = fetch(weights, cache_folder() / "models", python)
    say(f"Starting the model {weights.name} ...")
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(
            [str(python), str(PROGRAM), str(path), weights.name, str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            # No spinning while threads wait: beside other processes, such as Home Assistant, it
            # makes the model several times slower.
            env={**os.environ, "OMP_WAIT_POLICY": "passive"},
            # Ctrl-C reaches the whole process group; the model has to outlive Home Assistant.
            start_new_session=True,
        )
        try:
            yield Server(f"{_address(process)}/v1", model=weights.name, slow=True)
        finally:
            _stop(process)


def environment(name: str) -> Path:
    """Return the path of one of the project's Python environments; create it if it is missing."""
    setup = subprocess.run(
        [str(PROJECT / "scripts" / "setup"), name], stdout=subprocess.PIPE, text=True, check=False
    )
    if setup.returncode:
        raise UserError(f"The environment '{name}' could not be made.")
    return Path(setup.stdout.splitlines()[-1])


def _address(process: subprocess.Popen[str]) -> str:
    """Return the address of the server as soon as it responds."""
    if process.stdout is None or not (address := process.stdout.readline().strip()):
        raise UserError("The embedded model did not start; name a server with --url instead.")
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with contextlib.suppress(urllib.error.URLError, TimeoutError):
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(f"{address}/health", timeout=5):
                return address
        time.sleep(0.1)
    raise UserError("The embedded model started, but does not answer.")


def _stop(process: subprocess.Popen[str]) -> None:
    """Stop the server, which exits at the end of its standard input."""
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout:
        process.stdout.close()
