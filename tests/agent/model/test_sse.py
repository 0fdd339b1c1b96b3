"""Tests of server-sent events."""

from collections.abc import AsyncGenerator, Iterable

import pytest

from custom_components.chatterbox.agent.model.sse import event_data


async def read(lines: Iterable[str]) -> list[str]:
    async def given() -> AsyncGenerator[str]:
        for line in lines:
            yield line

    return [data async for data in event_data(given())]


@pytest.mark.parametrize(
    ("lines", "data"),
    [
        (["data: a", "", "data: b", ""], ["a", "b"]),
        (["data:a", ""], ["a"]),
        (["data:  a", ""], [" a"]),
        (["data: a", "data: b", ""], ["a\nb"]),
        (["data: a"], ["a"]),
        ([": still thinking", "", "event: message", "id: 1", "data: a", "", ""], ["a"]),
        (["<html>", "", "<body>"], []),
        (["data:", ""], [""]),
        ([], []),
    ],
)
async def test_data_of_events_is_read_and_other_fields_are_ignored(
    lines: list[str], data: list[str]
) -> None:
    assert await read(lines) == data
