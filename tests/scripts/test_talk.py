"""Input and output of a conversation at the terminal."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.home.chat import main, parse
from scripts.home.console import UserError
from scripts.home.talk import TurnPrinter, is_written_tool_call, read_lines, read_requests, summary
from scripts.home.turn import NO_USAGE, Turn

TURN = Turn(
    speech="The lights are on.",
    conversation_id="c1",
    succeeded=True,
    tools=[{"name": "turn_on", "arguments": {"name": "Küche"}, "ok": True, "seconds": 0.25}],
    usage={
        **NO_USAGE,
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "total_tokens": 15,
        "cost": 0.01,
        "cached_share": 0.9,
    },
    seconds=1.23456,
    trace={"trace_id": "t1", "outcome": "final"},
)


@pytest.mark.parametrize(
    "speech",
    [
        '<tool_call>\n{"name": "x"}\n</tool_call>',
        "<tools>turn_on</tools>",
        '{"name": "HassTurnOn", "arguments": {"name": "Kitchen Lights"}}',
        '```json\n{\n  "arguments": {},\n  "name" : "HassTurnOn"\n}\n```',
        'Sure: {"name": "HassTurnOn", "arguments": {"name": "Kitch',
        "<function=turn_on>",
    ],
)
def test_tool_call_in_the_text_is_detected(speech: str) -> None:
    assert is_written_tool_call(speech)


@pytest.mark.parametrize(
    "speech",
    [
        "",
        "The lights are on.",
        'It is called "name".',
        '{"name": "Kitchen"}',
        "tools {x} arguments",
    ],
)
def test_plain_answer_is_no_tool_call(speech: str) -> None:
    assert not is_written_tool_call(speech)


def test_answer_is_printed_alone(capsys: pytest.CaptureFixture[str]) -> None:
    printer = TurnPrinter(as_json=False)
    printer.on_message()
    printer.on_text("I will ")
    printer.on_text("look.")
    printer.on_tool_call("turn_on", {"name": "Küche"})
    printer.on_message()
    printer.on_text("The lights are on.")
    printer.end(TURN)
    out, err = capsys.readouterr()
    assert out == "I will look.\nThe lights are on.\n"
    assert '  calls turn_on {"name": "Küche"}\n' in err
    assert "  turn_on: done in 0.25 s\n" in err
    assert "  10 + 5 tokens, 90% cached, $0.0100, 1.2 s\n" in err


def test_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    printer = TurnPrinter(as_json=True)
    printer.on_text("The lights are on.")
    printer.end(TURN)
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line) == {
        "speech": "The lights are on.",
        "conversation_id": "c1",
        "trace_id": "t1",
        "tools": TURN.tools,
        "usage": TURN.usage,
        "seconds": 1.235,
        "trace": TURN.trace,
    }


def test_json_of_a_turn_without_a_trace_has_no_id() -> None:
    """Such as one that the agent refused."""
    shown = replace(TURN, trace=None).as_json()
    assert (shown["trace_id"], shown["trace"]) == (None, None)


def test_failed_turn_is_reported_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    TurnPrinter(as_json=False).end(
        replace(TURN, succeeded=False, speech="The server is gone.", tools=[])
    )
    out, err = capsys.readouterr()
    assert out == ""
    assert "The server is gone." in err


def test_failed_turn_without_speech_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    TurnPrinter(as_json=False).end(replace(TURN, succeeded=False, speech="", tools=[]))
    assert "failed without a word" in capsys.readouterr().err


def test_written_tool_call_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    written = replace(TURN, speech="<tool_call>", tools=[])
    TurnPrinter(as_json=False).end(written)
    assert "nothing was done" in capsys.readouterr().err
    TurnPrinter(as_json=False).end(replace(written, tools=TURN.tools))
    assert "nothing was done" not in capsys.readouterr().err


def test_summary_of_a_turn_without_tools_and_price() -> None:
    assert summary(replace(TURN, tools=[], usage=NO_USAGE)) == ["  0 + 0 tokens, 1.2 s"]
    assert summary(TURN)[-1] == "  10 + 5 tokens, 90% cached, $0.0100, 1.2 s"
    failed = [{**TURN.tools[0], "ok": False}]
    assert summary(replace(TURN, tools=failed))[0] == "  turn_on: failed in 0.25 s"


async def lines_of(descriptor: int) -> list[str]:
    """Return all lines of a descriptor."""
    return [line async for line in read_lines(descriptor)]


async def test_lines_of_a_pipe_are_read() -> None:
    source, sink = os.pipe()
    os.write(sink, "first\nzweite Küche\nlast".encode())
    os.close(sink)
    assert await lines_of(source) == ["first\n", "zweite Küche\n", "last"]
    os.close(source)


async def test_lines_of_a_plain_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_text("first\n\nsecond")
    with path.open() as file:
        assert await lines_of(file.fileno()) == ["first\n", "\n", "second"]


async def test_line_is_read_as_soon_as_it_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    source, sink = os.pipe()
    lines = read_lines(source, before="> ")
    for word in ("one", "two"):
        os.write(sink, f"{word}\n".encode())
        assert await anext(lines) == f"{word}\n"
    assert capsys.readouterr().err == "> > "
    await lines.aclose()
    os.close(source)
    os.close(sink)


async def test_text_of_the_command_line_is_used() -> None:
    asked = parse(["turn", "it", "on"])
    assert [text async for text in read_requests(asked)] == ["turn it on"]


async def test_texts_of_standard_input_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lines"
    path.write_text(" first \n\nsecond\n")
    with path.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        assert [text async for text in read_requests(parse([]))] == ["first", "second"]


async def test_empty_standard_input_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = tmp_path / "nothing"
    nothing.touch()
    with nothing.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        with pytest.raises(UserError, match="nothing to ask"):
            [text async for text in read_requests(parse([]))]


@pytest.mark.parametrize("arguments", [[""], ["  ", " "], []])
def test_empty_text_is_rejected(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["chat", *arguments])
    monkeypatch.setattr("sys.stdin", None)
    assert main() == 1
    assert capsys.readouterr().err == "There is nothing to ask: the text is empty.\n"
