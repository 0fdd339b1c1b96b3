"""Pieces of a scanned answer: text, reasoning and blocks of tool calls."""

from dataclasses import dataclass

from .cursor import ParsedCall


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Text for the user."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningPiece:
    """Reasoning of the model."""

    text: str


@dataclass(frozen=True, slots=True)
class CallPiece:
    """A complete block of tool calls."""

    calls: tuple[ParsedCall, ...]
    raw: str
    """The block as the model wrote it."""


type Piece = TextPiece | ReasoningPiece | CallPiece
