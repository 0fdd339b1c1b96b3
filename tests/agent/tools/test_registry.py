"""Tests of the tool registry."""

import pytest

from custom_components.chatterbox.agent.tools.registry import ToolRegistry
from tests.agent.fake_tools import fake_tool


def test_tools_are_sorted_by_name() -> None:
    tools = [fake_tool("walk"), fake_tool("ask")]
    registry = ToolRegistry(tools)
    registry.register(fake_tool("look"))
    assert registry.names == ["ask", "look", "walk"]
    assert [definition.name for definition in registry.definitions] == registry.names


def test_tool_is_found_by_name() -> None:
    """A tool is found by its name, and nothing by another."""
    tool = fake_tool("look")
    registry = ToolRegistry([tool])
    assert registry.get("look") is tool
    assert registry.get("Look") is None


def test_duplicate_name_is_rejected() -> None:
    """A second tool of the same name is refused, and the first one stays."""
    tool = fake_tool("look")
    registry = ToolRegistry([tool])
    with pytest.raises(ValueError, match="a tool named look already"):
        registry.register(fake_tool("look"))
    assert registry.get("look") is tool


def test_empty_registry_has_no_tools() -> None:
    """A registry may be empty."""
    assert ToolRegistry().definitions == []
