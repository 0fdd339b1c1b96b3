"""What is known of the requests of a turn: size, retries, and the bodies if wanted."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

# Share of the context window above which a request fills it; earlier turns never fill so much. A
# server that cuts requests off counts the tokens that are left, which are all that it can hold.
_FULL = 0.95


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A request as it was sent, with everything private in it."""

    body: bytes
    """JSON."""
    private: frozenset[str]
    """Parameters of the body that the user has added."""


@dataclass(slots=True, kw_only=True)
class RequestLog:
    """The requests of one turn, filled in by its providers."""

    retries: int = 0
    """Requests that were repeated after an error."""
    chars: int = 0
    """Characters of the last request: messages and tools."""
    tokens: int = 0
    """Estimate of its tokens."""
    context_window: int | None = None
    """Tokens of the context window, None if unknown."""
    turns_left_out: int = 0
    """Oldest turns that the last request had no space for."""
    keeps_bodies: bool = False
    sent: list[SentRequest] = field(default_factory=list, repr=False)
    """All requests; empty unless they are kept."""

    @property
    def overflows(self) -> bool:
        """Whether the last request fills the context window even without earlier turns.

        What is in it could not be left out: the instructions, the tools and the current turn.
        """
        return self.context_window is not None and self.tokens > self.context_window * _FULL

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers as JSON."""
        return {
            "retries": self.retries,
            "characters": self.chars,
            "estimated_tokens": self.tokens,
            "context_window": self.context_window,
            "turns_left_out": self.turns_left_out,
        }

    def keep(self, body: bytes, private: Collection[str]) -> None:
        """Keep a request if that is wanted."""
        if self.keeps_bodies:
            self.sent.append(SentRequest(body, frozenset(private)))
