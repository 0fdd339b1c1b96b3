"""What all ways to make tool calls have in common, and the protocol's own way."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Protocol, override

from ..messages import Message, ToolDefinition
from ..provider import ResponseFormat, ToolChoice
from .arguments import NameResolver
from .vocabulary import Mentioned, Vocabulary
from .written import Example


class DialectName(StrEnum):
    """The ways to make tool calls, as a user chooses between them."""

    AUTO = "auto"
    NATIVE = "native"
    STRUCTURED = "structured"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectSettings:
    """How a model is talked to in a turn. None leaves a choice to the size of the model."""

    dialect: DialectName = DialectName.AUTO
    compact_tools: bool | None = None
    """Whether tools are described shortly."""
    max_tools: int | None = None
    """How many tools are offered at most; 0 is no limit."""
    examples: Sequence[Example] = ()
    vocabulary: Vocabulary | None = None
    names: NameResolver | None = None
    """The names of the home, in which calls of a model are normalized."""
    mentioned: Mentioned = field(default_factory=Mentioned)
    """What the user's message means, for a model that is not to call anything else."""
    thinks: bool = True
    """Whether the model may think before it answers."""
    asks: bool = False
    """Whether the user asks what is or was, and such a model is not to change anything first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the model is asked."""

    messages: tuple[Message, ...]
    tools: tuple[ToolDefinition, ...] = ()
    tool_choice: ToolChoice = "auto"
    response_format: ResponseFormat | None = None


class Unwrapper(Protocol):
    """Takes away what a dialect puts around an answer, while the answer comes."""

    def feed(self, text: str) -> str:
        """Take a piece of the text; return what is certain of what was meant."""

    def finish(self) -> str:
        """Return the rest."""


class Plain:
    """Around the answer there is nothing."""

    def feed(self, text: str) -> str:
        """Return the text as it is."""
        return text

    def finish(self) -> str:
        """Return nothing: nothing was kept."""
        return ""


class Dialect(Protocol):
    """One way to make tool calls."""

    def encode(self, request: Request) -> Request:
        """Return the request as it is sent. Equal requests become equal bytes."""

    def unwrapper(self) -> Unwrapper:
        """Return what reads one answer."""


class Native(Dialect):
    """Tool calls as the OpenAI API has them."""

    @override
    def encode(self, request: Request) -> Request:
        return request

    @override
    def unwrapper(self) -> Unwrapper:
        return Plain()


def with_instructions(messages: Sequence[Message], instructions: str) -> tuple[Message, ...]:
    """Return the messages with something more at the end of the system prompt."""
    if messages and messages[0].role == "system":
        opening = messages[0]
        told = f"{opening.content or ''}\n\n{instructions}".lstrip()
        return (replace(opening, content=told), *messages[1:])
    return (Message.system(instructions), *messages)
