"""Recorded requests."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Request:
    """A request that the server got; the names of the headers are in any case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    json: Any
    # Set when the connection ended before the answer was complete.
    disconnected: asyncio.Event = field(default_factory=asyncio.Event, compare=False, repr=False)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages of a chat completion."""
        messages: list[dict[str, Any]] = self.json["messages"]
        return messages

    @property
    def tools(self) -> list[str]:
        """The names of the offered tools."""
        return [tool["function"]["name"] for tool in self.json.get("tools") or []]

    def as_dict(self) -> dict[str, Any]:
        """Return the request as the log endpoint has it."""
        return {
            "method": self.method,
            "path": self.path,
            "headers": dict(self.headers),
            "json": self.json,
            "disconnected": self.disconnected.is_set(),
        }
