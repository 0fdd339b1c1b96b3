"""Tests of compact tool definitions."""

from dataclasses import replace

from custom_components.chatterbox.agent.dialects.capable.compact_tools import compact_tool
from tests.agent.builders import tool


def test_compact_tool_has_short_descriptions() -> None:
    """The first sentence, what is needed first, and nothing that is seldom used."""
    long = replace(
        tool("a", ["level"], area="string", name="string", level="integer", device_class="string"),
        description="Does something with a thing. And a lot more\nthat is to be known. " * 3,
    )
    short = compact_tool(long)
    assert short.description == "Does something with a thing."
    assert list(short.parameters["properties"]) == ["name", "level", "area"]
    assert len(compact_tool(replace(long, description="x" * 500)).description) < 200
    assert compact_tool(replace(long, description="Short")).description == "Short"
