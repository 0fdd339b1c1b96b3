"""Search of tools: of a large set, only those that the model has found are offered."""

from collections.abc import Collection, Sequence
from typing import Any, override

from ..errors import ToolArgumentError
from ..messages import ToolAnnotations, ToolCall, ToolDefinition, ToolResult
from ..text_match import same_word, words
from .arguments import read_arguments
from .dispatcher import ToolDispatcher, ToolMiddleware
from .registry import ToolRegistry

# Share of the context window that the tools may fill before they are searched.
_SHARE = 0.25
# Characters per token of JSON. What is learned from the server would change from turn to turn, and
# with it the tools at the beginning of each request.
_CHARS_PER_TOKEN = 4
_MAX_FOUND = 8
# Characters of a query that are read: each of its words is compared with all words of the tools.
_MAX_QUERY = 200
_MAX_DESCRIPTION = 200
_MAX_NAMES = 50


class SearchToolsTool:
    """Finds tools by words in their names and descriptions, and adds them to `found`."""

    definition = ToolDefinition(
        name="search_tools",
        description=(
            "Finds further tools that are not listed here, and returns their names and "
            "descriptions; you can call them from then on. Use it before you say that you cannot "
            "do something. Costs nothing."
        ),
        parameters={
            "type": "object",
            "properties": {
                "query": {
                    "type": "string",
                    "description": "Words for what the tool is to do.",
                },
            },
            "required": ["query"],
        },
        annotations=ToolAnnotations(
            read_only=True, destructive=False, idempotent=True, open_world=False
        ),
    )

    def __init__(self, tools: Sequence[ToolDefinition], found: list[str]) -> None:
        self._tools = tools
        self._found = found

    async def call(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the best matches as `tools`; without any the names of all as `no_match_among`."""
        read = read_arguments(arguments, self.definition.parameters)
        if not (wanted := set(words(read.get("query", "")[:_MAX_QUERY]))):
            raise ToolArgumentError("query must say what the tool is to do.")
        best = self._best(wanted)
        self._found += [tool.name for tool in best if tool.name not in self._found]
        if not best:
            return {"no_match_among": [tool.name for tool in self._tools][:_MAX_NAMES]}
        return {
            "tools": [
                {"name": tool.name, "description": tool.description[:_MAX_DESCRIPTION]}
                for tool in best
            ]
        }

    def _best(self, wanted: Collection[str]) -> list[ToolDefinition]:
        """Return the tools with most of the words, those of equal rank by name."""
        texts = {tool.name: {*words(f"{tool.name} {tool.description}")} for tool in self._tools}
        known = set().union(*texts.values())
        matching = [{word for word in known if same_word(word, each)} for each in wanted]
        ranks = {
            name: sum(not forms.isdisjoint(text) for forms in matching)
            for name, text in texts.items()
        }
        matches = [tool for tool in self._tools if ranks[tool.name]]
        return sorted(matches, key=lambda tool: (-ranks[tool.name], tool.name))[:_MAX_FOUND]


class ToolSearchDispatcher(ToolMiddleware):
    """Offers the tools that are always listed, and behind them those found, in that order.

    All others can be called as well.
    """

    def __init__(
        self, inner: ToolDispatcher, searched: Collection[str], found: Sequence[str]
    ) -> None:
        super().__init__(inner)
        self._searched = searched
        self._found = found

    @property
    @override
    def definitions(self) -> Sequence[ToolDefinition]:
        """The offered tools."""
        available = {tool.name: tool for tool in self._inner.definitions}
        listed = [tool for name, tool in available.items() if name not in self._searched]
        found = [available[name] for name in self._found if name in available]
        return [*listed, *(tool for tool in found if tool.name in self._searched)]

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Execute a call, also of a tool that is not offered."""
        return await self._inner.dispatch(call)


def add_search(
    registry: ToolRegistry, searched: Collection[str], found: list[str], window: int | None
) -> bool:
    """Add the search for these tools if all together fill too much of a context window.

    `window` is its size in tokens, None if unknown; `found` gets the names of those found. Returns
    whether the search was added.
    """
    if not searched or window is None or registry.get(SearchToolsTool.definition.name) is not None:
        return False
    chars = sum(len(tool.json) for tool in registry.definitions)
    if chars / _CHARS_PER_TOKEN <= window * _SHARE:
        return False
    tools = [tool for tool in registry.definitions if tool.name in searched]
    registry.register(SearchToolsTool(tools, found))
    return True
