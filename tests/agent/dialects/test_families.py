"""Tests with raw outputs of real models: what they call, and that nothing of it is spoken."""

import codecs
import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import canitoolcall
import pytest

from custom_components.chatterbox.agent.messages import ToolDefinition

from .reading import Reading, read

FIXTURES = files(canitoolcall) / "_data" / "fixtures"
FAMILIES = sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir())
OPENED_THOUGHTS = ("<think>", "[THINK]", "<|channel>thought", "<|open|>think", "<|channel|>")

type Fixture = Mapping[str, Any]


def fixtures(family: str) -> list[Fixture]:
    """Return the fixtures of a family."""
    return [
        json.loads(line)
        for file in sorted((FIXTURES / family).iterdir(), key=lambda file: file.name)
        if file.name.endswith(".jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


def expected(fixture: Fixture) -> Mapping[str, Any]:
    """Return what a fixture is to be read as; what is broken or cut off holds no call."""
    nothing: Mapping[str, Any] = {"content": None, "reasoning_content": None, "tool_calls": []}
    return fixture.get("expected") or nothing


def starts_thinking(fixture: Fixture) -> bool:
    """Tell whether the prompt has opened the reasoning, which is learned of a model."""
    if (fixture.get("generation_prompt") or "").rstrip().endswith(("<think>", "think<|sep|>")):
        return True
    opened = any(mark in fixture["raw_output"] for mark in OPENED_THOUGHTS)
    return bool(expected(fixture)["reasoning_content"]) and not opened


def read_fixture(fixture: Fixture, pieces: list[str]) -> Reading:
    """Read the output of a fixture in these pieces."""
    tools = [
        ToolDefinition(
            name=tool["function"]["name"],
            description="",
            parameters=tool["function"].get("parameters") or {},
        )
        for tool in fixture["tools"]
    ]
    return read(
        pieces,
        tools,
        finish_reason="length" if "truncated" in fixture["tags"] else "stop",
        starts_thinking=starts_thinking(fixture),
    )


def cuts(text: str) -> Iterator[list[str]]:
    """Yield the text as it comes when the stream of its bytes is cut at each place."""
    raw = text.encode()
    for place in range(1, len(raw)):
        decoder = codecs.getincrementaldecoder("utf-8")()
        yield [decoder.decode(raw[:place]), decoder.decode(raw[place:], final=True)]


def right(reading: Reading, fixture: Fixture) -> bool:
    """Tell whether exactly the expected calls were found."""
    wanted = [(call["name"], call["arguments"]) for call in expected(fixture)["tool_calls"]]
    return json.dumps(reading.calls) == json.dumps(wanted) or reading.calls == wanted


def test_at_least_97_percent_of_the_calls_are_right() -> None:
    """All families together, each output as a whole."""
    everything = [fixture for family in FAMILIES for fixture in fixtures(family)]
    wrong = [
        fixture["id"]
        for fixture in everything
        if not right(read_fixture(fixture, [fixture["raw_output"]]), fixture)
    ]
    assert len(everything) > 400
    assert len(wrong) <= 0.03 * len(everything), wrong


@pytest.mark.timeout(300)
@pytest.mark.parametrize("family", FAMILIES)
def test_cut_anywhere_it_is_read_the_same_and_no_syntax_is_spoken(family: str) -> None:
    """Each output, cut at each byte, and character by character."""
    details = json.loads((FIXTURES / family / "family.json").read_text(encoding="utf-8"))
    for fixture in fixtures(family):
        text = fixture["raw_output"]
        whole = read_fixture(fixture, [text])
        allowed = expected(fixture)["content"] or ""
        spoken = [m for m in details["markers"] if m in whole.said and m not in allowed]
        assert not spoken, fixture["id"]
        for pieces in (list(text), *cuts(text)):
            reading = read_fixture(fixture, pieces)
            assert (reading.said, reading.thought, reading.calls) == (
                whole.said,
                whole.thought,
                whole.calls,
            ), (fixture["id"], pieces)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_said_and_thought_is_kept(family: str) -> None:
    """The text before a call, and the reasoning, are what the model wrote."""
    for fixture in fixtures(family):
        if "expected" not in fixture or "text-after-call" in fixture["tags"]:
            continue
        reading = read_fixture(fixture, [fixture["raw_output"]])
        content = (expected(fixture)["content"] or "").strip()
        assert content.startswith(reading.said.strip()), fixture["id"]
        if not expected(fixture)["tool_calls"]:
            assert reading.said.strip() == content, fixture["id"]
