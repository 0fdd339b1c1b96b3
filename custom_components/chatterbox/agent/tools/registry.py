"""The tools of a turn."""

from collections.abc import Iterable
from typing import Any, Protocol

from ..messages import ToolDefinition


class Tool(Protocol):
    """Something that the model can have done."""

    @property
    def definition(self) -> ToolDefinition:
        """What the model is told of the tool."""

    async def call(self, arguments: dict[str, Any]) -> Any:
        """Do it and return data that JSON can carry.

        Raises `ToolArgumentError` before anything is done if the arguments are wrong, and any
        other `ToolError` if it fails.
        """


class ToolRegistry:
    """Tools by name, offered in the order of their names: the same bytes in every request."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        """Start with some tools."""
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool) -> None:
        """Add a tool; raise `ValueError` if there is one of that name."""
        name = tool.definition.name
        if name in self._tools:
            raise ValueError(f"there is a tool named {name} already")
        self._tools[name] = tool

    def get(self, name: str) -> Tool | None:
        """Return a tool, or None if there is none of that name."""
        return self._tools.get(name)

    @property
    def names(self) -> list[str]:
        """The names of the tools, sorted."""
        return sorted(self._tools)

    @property
    def definitions(self) -> list[ToolDefinition]:
        """What the model is told of the tools, sorted by name."""
        return [self._tools[name].definition for name in self.names]
