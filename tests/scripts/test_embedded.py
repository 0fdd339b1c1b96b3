"""The embedded model server, with a small program in place of llama.cpp."""

import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from scripts.home import embedded
from scripts.home.console import PROJECT, UserError
from scripts.home.embedded import cache_folder, embedded_server, environment
from scripts.home.weights import Weights

SERVER = """
import sys, threading
from http.server import BaseHTTPRequestHandler, HTTPServer

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(" ".join(sys.argv[1:]).encode())
    def log_message(self, *_):
        pass

server = HTTPServer(("127.0.0.1", int(sys.argv[3])), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}", flush=True)
sys.stdin.read()
"""


def read(url: str) -> str:
    """Return what is at this address."""
    with urllib.request.build_opener().open(url) as response:
        return str(response.read(), "utf-8")


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, socket_enabled: None) -> Path:
    """Return the program that is run instead of llama.cpp, with this Python."""
    path = tmp_path / "server.py"
    path.write_text(SERVER)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    monkeypatch.setattr(embedded, "PROGRAM", path)
    monkeypatch.setattr(embedded, "environment", lambda _: tmp_path)

    def fetch(_weights: Weights, folder: Path, _python: Path) -> Path:
        return folder / "model.gguf"

    monkeypatch.setattr(embedded, "fetch", fetch)
    monkeypatch.setenv("CHATTERBOX_CACHE", "/cache")
    return path


def test_server_runs_while_it_is_used(program: Path) -> None:
    with embedded_server("0.5b") as server:
        assert server.model == "qwen2.5-coder-0.5b-instruct"
        assert server.slow
        told = read(f"{server.url}/models")
    assert told == "/cache/models/model.gguf qwen2.5-coder-0.5b-instruct 0"
    with pytest.raises(urllib.error.URLError):
        read(server.url)


def test_server_stops_when_the_work_fails(program: Path) -> None:
    with pytest.raises(KeyboardInterrupt), embedded_server("0.5b") as server:
        raise KeyboardInterrupt
    with pytest.raises(urllib.error.URLError):
        read(server.url)


def test_port_in_use_is_reported(program: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with (
            pytest.raises(UserError, match=f"Port {port} is in use"),
            embedded_server("0.5b", port),
        ):
            pass
    with embedded_server("0.5b", port) as server:
        assert server.url == f"http://127.0.0.1:{port}/v1"


def test_server_that_does_not_stop_is_killed(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.write_text(SERVER + "threading.Event().wait()\n")
    monkeypatch.setattr(embedded, "STOP_SECONDS", 0.01)
    with embedded_server("0.5b") as server:
        pass
    with pytest.raises(urllib.error.URLError):
        read(server.url)


def test_failed_start_is_reported(program: Path) -> None:
    program.write_text("raise SystemExit('no such model')")
    with pytest.raises(UserError, match="did not start"), embedded_server("0.5b"):
        pass


def test_cache_folder_is_that_of_setup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHATTERBOX_CACHE", "/mine")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert cache_folder() == Path("/mine")
    monkeypatch.delenv("CHATTERBOX_CACHE")
    assert cache_folder() == Path("/xdg/chatterbox")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/someone")
    assert cache_folder() == Path("/home/someone/.cache/chatterbox")


def test_failed_setup_of_the_environment_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHATTERBOX_CACHE", str(tmp_path))
    with pytest.raises(UserError, match="'nonsense' could not be made"):
        environment("nonsense")


def test_setup_refuses_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    setup = subprocess.run(
        [PROJECT / "scripts" / "setup", "model"],
        env={**os.environ, "CHATTERBOX_CACHE": str(tmp_path / "file")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert setup.returncode == 1
    assert "set CHATTERBOX_CACHE" in setup.stderr
