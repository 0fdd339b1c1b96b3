"""Tests of server-sent events."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from custom_components.chatterbox.agent.errors import LLMResponseTooLargeError
from custom_components.chatterbox.agent.model.sse import MAX_EVENT, EventParser


def read(*chunks: bytes) -> list[bytes]:
    parser = EventParser()
    return [*(data for chunk in chunks for data in parser.feed(chunk)), *parser.finish()]


@pytest.mark.parametrize(
    ("stream", "data"),
    [
        (b"data: a\n\ndata: b\n\n", [b"a", b"b"]),
        (b"data:a\n\n", [b"a"]),
        (b"data:  a\n\n", [b" a"]),
        (b"data: a\ndata: b\n\n", [b"a\nb"]),
        (b"data: a", [b"a"]),
        (b": still thinking\n\nevent: message\nid: 1\ndata: a\n\n\n", [b"a"]),
        (b"<html>\n\n<body>", []),
        (b"data:\n\n", [b""]),
        (b"", []),
        (b"data: \xe2\x80\xa8 \x0b \x85\n\n", [b"\xe2\x80\xa8 \x0b \x85"]),
    ],
)
def test_data_of_events_is_read_and_other_fields_are_ignored(
    stream: bytes, data: list[bytes]
) -> None:
    assert read(stream) == data


@given(st.binary(max_size=60), st.sampled_from([b"\n", b"\r\n", b"\r"]), st.data())
def test_events_do_not_depend_on_the_chunks_and_line_ends(
    noise: bytes, line_end: bytes, data: st.DataObject
) -> None:
    line = noise.translate(None, b"\r\n").lstrip()
    whole = line_end.join([b"data: " + line, b"data: b", b"", b": ping", b"data: c", b"", b""])
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=6)))
    chunks = [whole[start:end] for start, end in zip([0, *cuts], [*cuts, None], strict=True)]
    assert read(*chunks) == [line + b"\nb", b"c"]


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_event_is_complete_with_its_empty_line(line_end: bytes) -> None:
    """Nothing is held back until more arrives."""
    parser = EventParser()
    assert list(parser.feed(b"data: a" + line_end + line_end)) == [b"a"]


@pytest.mark.parametrize(
    "flood", [b"x" * 1000, b"data: x\n", b"data: " + b"x" * 1000 + b"\n"], ids=repr
)
def test_event_without_end_is_too_large(flood: bytes) -> None:
    parser = EventParser()
    with pytest.raises(LLMResponseTooLargeError):
        [event for _ in range(2 * MAX_EVENT // len(flood)) for event in parser.feed(flood)]


def test_comments_and_events_of_the_largest_size_go_on_without_end() -> None:
    parser = EventParser()
    for _ in range(3):
        assert list(parser.feed(b": ping\n" * 1000)) == []
        data = b"x" * (MAX_EVENT - 100)
        assert list(parser.feed(b"data: " + data + b"\n\n")) == [data]
