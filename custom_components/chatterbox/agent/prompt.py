"""What a model is told beside the user's instructions, and where it is told.

The system prompt, the tools and the history are the same bytes in every request, so that a server
reads them once. What changes stands behind the message.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .assist import STATE_TOOLS, TIME_TOOLS, WEATHER_TOOLS, short_name
from .messages import ToolDefinition


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """What is true of one message only."""

    time_and_place: Sequence[str] = ()
    """What Home Assistant says of the time and the place, as sentences."""
    user: str | None = None
    extra: str | None = None
    """What the caller wants the model to know, such as what it is an answer to."""
    switch: str | None = None
    """What sets the reasoning effort of the model's family."""


def suffix(context: TurnContext) -> str | None:
    """Return what stands behind a message, None if there is nothing to say."""
    parts = [*context.time_and_place]
    if context.user:
        parts.append(f"The user's name is {context.user}.")
    parts += filter(None, (context.extra, context.switch))
    return " ".join(parts) or None


# What answers can depend on, by the tools that tell it.
_TOPICS: Mapping[str, frozenset[str]] = {
    "the home": STATE_TOOLS,
    "the time": TIME_TOOLS,
    "the weather": WEATHER_TOOLS,
    "what was said before": frozenset({"search_history"}),
}
_GROUNDING = "Never invent a state, a number or the outcome of an action."
_SILENCE = "Call it at once; never speak of tools, of their names or their arguments."
_ENVELOPE = (
    "A tool answers in JSON: success with a result, or an error that says what to change. When it"
    " fails, try another way, or say in plain words why it did not work."
)
_DONE = "Say that something is done only after the tool that did it has succeeded."


def rules(tools: Sequence[ToolDefinition]) -> str:
    """Return what a model has to know to work with these tools; nothing if there are none."""
    if not tools:
        return ""
    short = set(map(short_name, tools))
    reasons = [topic for topic, names in _TOPICS.items() if names & short]
    when = f"the answer depends on {_or(reasons)}" if reasons else "it helps to answer"
    writes = not all(tool.annotations.read_only for tool in tools)
    if writes:
        when += ", or when something is to be changed"
    lines = [f"Use a tool whenever {when}. {_GROUNDING} {_SILENCE}", _ENVELOPE]
    return "\n".join([*lines, _DONE] if writes else lines)


def _or(words: Sequence[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last
