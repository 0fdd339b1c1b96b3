"""What a turn gathers while it runs."""

import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .corrections import Corrections
from .events import LoopOutcome, LoopState, StateChanged, TurnFinished
from .grounding import ClaimFilter
from .messages import Message, Role, ToolResult
from .provider import CompletionResult, TextDelta
from .usage import UsageStats

LOGGER = logging.getLogger(__package__)

# Stands for what the model has not said, where a message of its own has to be.
_SILENCE = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class LastWord:
    """How a turn ends in which no more tools are called."""

    note: str = ""
    """What the model is told, to say something itself; empty: it is not asked."""
    otherwise: str
    """What the user hears if the model says nothing."""
    question: str = ""
    """What is asked behind the model's words, unless they ask something."""
    outcome: LoopOutcome = LoopOutcome.FINAL

    def behind(self, said: str) -> str:
        """Return what is added to the model's words."""
        if not said:
            return self.otherwise
        if not self.question or said.rstrip().endswith("?"):
            return ""
        return f" {self.question}"


@dataclass(frozen=True, slots=True)
class SpokenResults:
    """What the user hears of tool results, without asking the model."""

    text: str
    final: bool
    """Whether the turn is over; otherwise the model has something left to answer."""


@dataclass(slots=True)
class Turn:
    """One turn."""

    history: list[Message]
    asked: str = ""
    language: str = ""
    started: float = field(default_factory=time.monotonic)
    added: list[Message] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    usage: UsageStats = field(default_factory=UsageStats)
    iterations: int = 0
    corrections: Corrections = field(default_factory=Corrections)
    state: LoopState = LoopState.RECEIVE_INPUT
    state_since: float = field(default_factory=time.monotonic)
    timings: dict[LoopState, float] = field(default_factory=dict)
    first_token: float | None = None
    last: CompletionResult = field(default_factory=CompletionResult)
    said: str = ""
    """What was said since the last tool call."""
    claimed: str = ""
    """What the model said last and was not passed on, as nobody had done it."""
    talked: bool = False
    """Whether that was because it speaks of a tool."""
    claims: int = 0
    note: tuple[str, str] | None = None
    """What stands behind the next request only: words of the model, and an answer to them."""
    last_word: LastWord | None = None
    wrote: bool = False
    outcome: LoopOutcome = LoopOutcome.FINAL
    text: str = ""

    @property
    def messages(self) -> list[Message]:
        """What the model is sent."""
        messages = [*self.history, *self.added]
        if self.note is None:
            return messages
        said, note = self.note
        if not said and messages[-1].role is Role.USER:
            return [*messages[:-1], messages[-1].told(note)]
        return [*messages, Message.assistant(said or _SILENCE), Message.user(f"({note})")]

    @property
    def steps(self) -> int:
        """The model calls that count: those that corrected the model do not."""
        return self.iterations - self.corrections.made - min(self.claims, 1)

    def claim_filter(self, tools: Iterable[str]) -> ClaimFilter:
        """Return what keeps claims and the names of tools from being said.

        Once something was done, all may pass.
        """
        if self.wrote:
            return ClaimFilter(self.asked, "")
        return ClaimFilter(self.asked, self.language, tools)

    def say(self, text: str) -> Iterator[TextDelta]:
        """Add to what the user hears; it begins with a word."""
        if text := text if self.said else text.lstrip():
            self.said += text
            yield TextDelta(text)

    def enter(self, state: LoopState) -> StateChanged:
        """Go into a state."""
        LOGGER.debug("state %s -> %s", self.state, state)
        self._leave()
        self.state = state
        return StateChanged(state, self.iterations)

    def _leave(self) -> None:
        now = time.monotonic()
        spent = self.timings.get(self.state, 0.0)
        self.timings[self.state] = spent + now - self.state_since
        self.state_since = now

    def conclude(self, text: str, outcome: LoopOutcome) -> Iterator[TextDelta]:
        """Say the last words and make everything said the answer; an empty one is one, too."""
        if text or not self.said:
            yield TextDelta(text)
        self.text = self.said + text
        self.outcome = outcome
        self.added.append(Message.assistant(self.text))

    def finish(self, outcome: LoopOutcome, text: str = "") -> TurnFinished:
        """End the turn."""
        self._leave()
        seconds = time.monotonic() - self.started
        LOGGER.info(
            "Turn ended (%s) after %d iterations in %.2f s", outcome, self.iterations, seconds
        )
        LOGGER.debug("Turn used %d tokens, cost %s", self.usage.total_tokens, self.usage.cost)
        return TurnFinished(
            outcome=outcome,
            text=text,
            messages=tuple(self.added),
            iterations=self.iterations,
            usage=self.usage,
            results=tuple(self.results),
            seconds=seconds,
            timings=self.timings,
            first_token=self.first_token,
        )
