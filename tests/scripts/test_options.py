"""Command-line options for the server."""

import contextlib
from collections.abc import Iterator

import pytest

from scripts.home import chat, develop, options
from scripts.home.console import UserError
from scripts.home.options import named_server, selected_server
from scripts.home.servers import Server

URL = "http://server:1234/v1"
RUNNING = Server("http://localhost:11434/v1", model="m1")


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin on a machine with no server and nothing in the environment."""
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(options, "running_server", lambda _: None)

    @contextlib.contextmanager
    def embedded(size: str, port: int) -> Iterator[Server]:
        yield Server(f"embedded {size} {port}")

    monkeypatch.setattr(options, "embedded_server", embedded)


def chosen(*arguments: str, port: int = 0) -> Server:
    """Return the server that a command line chooses."""
    with selected_server(chat.parse([*arguments]), port) as server:
        return server


def test_server_of_the_command_line_is_used() -> None:
    assert chosen("--url", URL, "hi") == Server(URL)
    assert chosen("--url", URL, "--key", "k", "--model", "m") == Server(URL, "k", "m")


def test_server_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert named_server(chat.parse([])) is None
    monkeypatch.setenv("OPENAI_BASE_URL", URL)
    assert chosen() == Server(URL, "k")
    assert chosen("--url", "http://other/v1", "--key", "mine") == Server("http://other/v1", "mine")
    assert chosen("--embedded", "0.5b") == Server("embedded 0.5b 0")


def test_local_server_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "running_server", lambda _: RUNNING)
    assert chosen() == RUNNING
    assert chosen("--url", URL) == Server(URL)
    assert chosen("--embedded", "1.5b") == Server("embedded 1.5b 0")


def test_embedded_model_is_the_last_resort() -> None:
    assert chosen(port=8124) == Server("embedded 0.5b 8124")


def test_model_without_a_server_is_rejected() -> None:
    with pytest.raises(UserError, match="no server for the model 'llama'"):
        chosen("--model", "llama")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--embedded", "7b"),
        ("--embedded", "0.5b", "--url", URL),
        ("--embedded", "0.5b", "--model", "m"),
        ("--key", "k"),
        ("--nonsense",),
    ],
)
def test_wrong_usage_is_an_error(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    for parse in (chat.parse, develop.parse):
        with pytest.raises(SystemExit) as end:
            parse([*arguments])
        assert end.value.code == 2
        assert "error:" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["0", "65535", "-1", "web"])
def test_port_out_of_range_is_rejected(port: str) -> None:
    with pytest.raises(SystemExit) as end:
        develop.parse(["--port", port])
    assert end.value.code == 2


def test_develop_has_home_assistants_own_port() -> None:
    assert develop.parse([]).port == 8123


def test_words_of_the_command_line_are_the_text() -> None:
    assert chat.parse(["turn", "on", "the lights"]).text == ["turn", "on", "the lights"]
    assert chat.parse(["--json"]).text == []
