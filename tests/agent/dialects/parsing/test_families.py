"""Tests of all families, with raw outputs of real models."""

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import canitoolcall
import pytest

from custom_components.chatterbox.agent.dialects.parsing.families import BLOCK_STARTS
from custom_components.chatterbox.agent.messages import ToolDefinition
from tests.agent.dialects.answer_reader import Reading, read

FIXTURES = files(canitoolcall) / "_data" / "fixtures"
FAMILIES = sorted(folder.name for folder in FIXTURES.iterdir() if folder.is_dir())
REASONING_ENDS = (
    *("</think>", "[/THINK]", "<channel|>", "<|close|>think<|sep|>"),
    "<|close|>response<|sep|>",
)
HARMONY = re.compile(r"\s*(?:<\|start\|>|<\|channel\|>|to=functions)")
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
    """Return what a fixture is to be read as; what is malformed has no call."""
    nothing: Mapping[str, Any] = {"content": None, "reasoning_content": None, "tool_calls": []}
    return fixture.get("expected") or nothing


def is_truncated(fixture: Fixture) -> bool:
    return "truncated" in fixture["tags"]


def has_marked_calls(fixture: Fixture) -> bool:
    """Return whether the calls of a fixture stand where calls may stand.

    Not those that are bare JSON or Python, nor those behind text in its line.
    """
    text = fixture["raw_output"]
    if HARMONY.match(text):
        return True
    if starts_thinking(fixture) or text.lstrip().startswith(OPENED_THOUGHTS):
        for mark in filter(text.__contains__, REASONING_ENDS):
            text = text.partition(mark)[2]
    text = text.removeprefix("<|close|>response<|sep|>")
    opener = BLOCK_STARTS.pattern.search(text)
    return opener is not None and not text[: opener.start()].rpartition("\n")[2].strip()


def starts_thinking(fixture: Fixture) -> bool:
    """Return whether the prompt has opened the reasoning, which is learned of a model."""
    if (fixture.get("generation_prompt") or "").rstrip().endswith(("<think>", "think<|sep|>")):
        return True
    opened = any(mark in fixture["raw_output"] for mark in OPENED_THOUGHTS)
    closed = fixture["raw_output"].lstrip().startswith(("</think>", "<|close|>think<|sep|>"))
    return closed or (bool(expected(fixture)["reasoning_content"]) and not opened)


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
        finish_reason="length" if is_truncated(fixture) else "stop",
        starts_thinking=starts_thinking(fixture),
    )


def cuts(text: str) -> Iterator[list[str]]:
    """Yield the text as it comes when the stream of its bytes is cut at each place."""
    raw = text.encode()
    for place in range(1, len(raw)):
        decoder = codecs.getincrementaldecoder("utf-8")()
        yield [decoder.decode(raw[:place]), decoder.decode(raw[place:], final=True)]


EVERYTHING = [fixture for family in FAMILIES for fixture in fixtures(family)]
MARKED = [
    fixture
    for fixture in EVERYTHING
    if expected(fixture)["tool_calls"] and has_marked_calls(fixture) and not is_truncated(fixture)
]
UNMARKED = [
    fixture
    for fixture in EVERYTHING
    if expected(fixture)["tool_calls"]
    and not has_marked_calls(fixture)
    and not is_truncated(fixture)
]


def test_fixtures_cover_marked_and_unmarked_calls() -> None:
    assert len(MARKED) > 250
    assert len(UNMARKED) > 50


@pytest.mark.parametrize("fixture", MARKED, ids=lambda fixture: fixture["id"])
def test_marked_calls_are_read(fixture: Fixture) -> None:
    wanted = [(call["name"], call["arguments"]) for call in expected(fixture)["tool_calls"]]
    assert read_fixture(fixture, [fixture["raw_output"]]).calls == wanted


def test_unmarked_calls_are_text() -> None:
    for fixture in UNMARKED:
        reading = read_fixture(fixture, [fixture["raw_output"]])
        assert not reading.calls, fixture["id"]
        text = fixture["raw_output"]
        assert reading.text.strip() in text, fixture["id"]
        assert all(call["name"] in reading.text for call in expected(fixture)["tool_calls"]), (
            fixture["id"]
        )


def test_outputs_without_expected_calls_make_no_calls() -> None:
    for fixture in EVERYTHING:
        if is_truncated(fixture) or not expected(fixture)["tool_calls"]:
            assert not read_fixture(fixture, [fixture["raw_output"]]).calls, fixture["id"]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("family", FAMILIES)
def test_result_does_not_depend_on_the_split_of_the_stream(family: str) -> None:
    for fixture in fixtures(family):
        text = fixture["raw_output"]
        whole = read_fixture(fixture, [text])
        for pieces in (list(text), *cuts(text)):
            reading = read_fixture(fixture, pieces)
            assert (reading.text, reading.reasoning, reading.calls) == (
                whole.text,
                whole.reasoning,
                whole.calls,
            ), (fixture["id"], pieces)


@pytest.mark.parametrize("family", FAMILIES)
def test_text_and_reasoning_are_kept(family: str) -> None:
    for fixture in fixtures(family):
        if "expected" not in fixture or is_truncated(fixture):
            continue
        reading = read_fixture(fixture, [fixture["raw_output"]])
        content = (expected(fixture)["content"] or "").strip()
        reasoning = (expected(fixture)["reasoning_content"] or "").strip()
        if fixture in UNMARKED or (starts_thinking(fixture) and not reading.unopened):
            content = fixture["raw_output"].strip()
            assert reading.text.strip() in content, fixture["id"]
        elif "text-after-call" not in fixture["tags"] and "x-empty-section" not in fixture["tags"]:
            assert reading.text.strip() == content, fixture["id"]
        assert reading.reasoning.strip().startswith(reasoning), fixture["id"]
