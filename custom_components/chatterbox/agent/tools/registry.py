"""Registry of the tools of a turn."""

from collections.abc import Iterable
from typing import Any, Protocol

from ..messages import ToolDefinition


class Tool(Protocol):
    """A function that the model can call."""

    @property
    def definition(self) -> ToolDefinition:
        """Name, description and parameters, as the model gets them."""

    async def call(self, arguments: dict[str, Any]) -> Any:
        """Run the tool; return data that JSON can represent.

        Raises `ToolArgumentError` before anything is done if the arguments are wrong, and any
        other `ToolError` if the tool fails.
        """


class ToolRegistry:
    """Tools by name, offered in the order of their names: the same bytes in every request."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            self.register(tool)

    def register(self, tool: Tool) -> None:
        """Add a tool. Raises `ValueError` if its name is taken."""
        name = tool.definition.name
        if name in self._tools:
            raise ValueError(f"there is a tool named {name} already")
        self._tools[name] = tool

    def get(self, name: str) -> Tool | None:
        """Return the tool of this name, or None."""
        return self._tools.get(name)

    @property
    def names(self) -> list[str]:
        """The names of the tools, sorted."""
        return sorted(self._tools)

    @property
    def definitions(self) -> list[ToolDefinition]:
        """The definitions of the tools, sorted by name."""
        return [self._tools[name].definition for name in self.names]
