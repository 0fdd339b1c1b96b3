"""Command line of the development server."""

import pytest

from scripts.home.serve import parse


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHATTERBOX_TOKEN", raising=False)


def test_this_machine_may_ask_without_a_token() -> None:
    parsed = parse([])
    assert (parsed.host, parsed.port, parsed.token) == ("127.0.0.1", 8765, None)


def test_other_machines_need_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(["--host", "192.0.2.1"])
    assert parse(["--host", "192.0.2.1", "--token", "secret"]).token == "secret"
    monkeypatch.setenv("CHATTERBOX_TOKEN", "hidden")
    assert parse(["--host", "192.0.2.1"]).token == "hidden"


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_impossible_port_is_refused(port: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(["--port", port])
