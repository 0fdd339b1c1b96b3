"""Pieces of a scanned answer: text, reasoning and blocks of tool calls."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Text for the user."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPiece:
    """Reasoning of the model."""

    text: str


@dataclass(frozen=True, slots=True)
class ParsedCall:
    """A tool call as the model wrote it."""

    name: str
    arguments: dict[str, Any]
    typed: bool = True
    """Whether the values have types; in the XML formats every value is text."""


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A complete block of tool calls."""

    calls: tuple[ParsedCall, ...]
    raw: str
    """The block as the model wrote it."""


type Piece = TextPiece | ReasoningPiece | CallPiece
