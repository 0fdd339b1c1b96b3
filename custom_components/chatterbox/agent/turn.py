"""What a turn gathers while it runs."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from .corrections import Corrections
from .events import LoopOutcome, LoopState, StateChanged, TurnFinished
from .messages import Message, Role, ToolResult
from .provider import CompletionResult, TextDelta
from .usage import UsageStats

LOGGER = logging.getLogger(__package__)

# Stands for what the model has not said, where a message of its own has to be.
_SILENCE = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalReply:
    """How a turn ends in which no more tools are called."""

    hint: str = ""
    """What the model is told, to say something itself; empty: it is not asked."""
    fallback_text: str
    """What the user hears if the model says nothing."""
    question: str = ""
    """What is asked behind the model's words, unless they ask something."""
    outcome: LoopOutcome = LoopOutcome.FINAL

    def closing_text(self, spoken: str) -> str:
        """Return what is added to the model's words."""
        if not spoken:
            return self.fallback_text
        if not self.question or spoken.rstrip().endswith("?"):
            return ""
        return f" {self.question}"


@dataclass(frozen=True, slots=True)
class SpokenResults:
    """What the user is told of the results of tool calls."""

    text: str
    final: bool
    """Whether that is the answer; otherwise the model is asked as usual."""


type SpeakResults = Callable[[Sequence[ToolResult]], SpokenResults | None]
"""Returns what the user is told of the results of one answer's calls, None for nothing."""


@dataclass(slots=True, kw_only=True)
class Turn:
    """One turn."""

    history: list[Message]
    is_command: Callable[[], bool] | None = None
    speak_results: SpeakResults | None = None
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
    spoken_text: str = ""
    """What was said since the last tool call."""
    withholds: bool | None = False
    """Whether the text of the current answer is held back; None as long as that is open."""
    withheld_text: str = ""
    must_call: bool = False
    """Whether the model was told to call a tool, as it had answered a command without one."""
    required_calls: int = 0
    """How often it was told that."""
    hint: str | None = None
    """What stands behind the next request only."""
    final_reply: FinalReply | None = None
    state_changed: bool = False
    """Whether a tool has changed something."""
    outcome: LoopOutcome = LoopOutcome.FINAL
    text: str = ""
    _gap: bool = False
    """Whether a space belongs before what is said next."""

    @property
    def messages(self) -> list[Message]:
        """What the model is sent."""
        messages = [*self.history, *self.added]
        if self.hint is None:
            return messages
        if messages[-1].role is Role.USER:
            return [*messages[:-1], messages[-1].with_suffix(self.hint)]
        return [*messages, Message.assistant(_SILENCE), Message.user(f"({self.hint})")]

    @property
    def steps(self) -> int:
        """The model calls that count: those that corrected the model do not."""
        return self.iterations - self.corrections.made - self.required_calls

    def say(self, text: str) -> Iterator[TextDelta]:
        """Add to what the user hears, unless it is held back; it begins with a word."""
        if self.withholds is None and text.strip():
            self.withholds = self._is_unfulfilled()
        if self.withholds:
            self.withheld_text += text
            return
        if not self.spoken_text or self._gap:
            text = text.lstrip()
        if text:
            text = f" {text}" if self._gap else text
            self._gap = False
            self.spoken_text += text
            yield TextDelta(text)

    def begin_message(self) -> None:
        """Begin to speak anew: the calls of the last answer are made."""
        self.spoken_text = ""
        self.must_call = self._gap = False

    def _is_unfulfilled(self) -> bool:
        if self.must_call:
            return True
        return not self.results and self.is_command is not None and self.is_command()

    def release(self) -> Iterator[TextDelta]:
        """Say what was held back."""
        text, self.withheld_text, self.withholds = self.withheld_text, "", False
        yield from self.say(text)

    def require_call(self, hint: str) -> None:
        """Have the model asked once more; it then has to call a tool."""
        self.must_call = True
        self.required_calls += 1
        self.withheld_text = ""
        self.hint = hint

    def speak_of(self, results: Sequence[ToolResult]) -> Iterator[TextDelta]:
        """Say what the user is told of results; that may also be the end of the turn."""
        spoken = self.speak_results(results) if self.speak_results is not None else None
        if spoken is None:
            return
        if spoken.final:
            self.final_reply = FinalReply(fallback_text=spoken.text)
            return
        self.withholds = False
        yield from self.say(spoken.text)
        self._gap = bool(self.spoken_text)

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
        if self._gap and text:
            text = f" {text.lstrip()}"
        if text or not self.spoken_text:
            yield TextDelta(text)
        self.text = self.spoken_text + text
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
