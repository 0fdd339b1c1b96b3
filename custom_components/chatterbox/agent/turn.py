"""State of a turn while it runs."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .const import LOGGER
from .events import LoopOutcome, LoopState, StateChanged, Step, TurnFinished
from .language.segmentation import asks
from .messages import (
    PLACEHOLDER,
    Message,
    Role,
    ToolCall,
    ToolDefinition,
    ToolResult,
    interrupted_answer,
)
from .model.provider import (
    CallCompleted,
    CompletionResult,
    ReasoningDelta,
    TextDelta,
    ToolChoice,
)
from .model.usage import UsageStats
from .retry_budget import RetryBudget
from .tools.early_reads import EarlyReads


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalReply:
    """Last reply of a turn in which no more tools may be called."""

    hint: str = ""
    """Instruction for the model; empty: the model is not asked."""
    fallback_text: str
    """Spoken if the model says nothing."""
    question: str = ""
    """Appended to the model's words unless they end with a question."""
    outcome: LoopOutcome = LoopOutcome.FINAL

    def closing_text(self, spoken: str, *, failed: bool) -> str:
        """Return the text to append to the model's words, after a complete or failed request."""
        if not spoken:
            return self.fallback_text
        if failed:
            return f" … {self.fallback_text}"
        if not self.question or asks(spoken):
            return ""
        return f" {self.question}"


@dataclass(frozen=True, slots=True)
class SpokenResults:
    """Confirmation composed from tool results, without the model."""

    text: str
    final: bool
    """Whether it ends the turn; if not, the model is asked as usual."""


type SpeakResults = Callable[[Sequence[ToolResult]], SpokenResults | None]
"""Composes the confirmation of one answer's calls, None if there is nothing to say."""


@dataclass(slots=True, kw_only=True)
class Turn:
    """State of one turn, kept by the loop.

    Methods that return an iterator yield events for the listener, and have to be exhausted.
    """

    history: list[Message]
    """Messages up to and including the user's."""
    confirmed_calls: tuple[ToolCall, ...] = ()
    """Calls that the user has just confirmed, executed before the model is asked."""
    is_command: Callable[[], bool] | None = None
    speak_results: SpeakResults | None = None
    early_reads: EarlyReads | None = None
    """Starts calls while their answer is still arriving, None if it may not."""
    started: float = field(default_factory=time.monotonic)
    """Start on the monotonic clock, in seconds."""
    added: list[Message] = field(default_factory=list)
    """Messages that the turn adds to the history."""
    offered: dict[str, ToolDefinition] = field(default_factory=dict)
    """Tools of the current request, by name."""
    results: list[ToolResult] = field(default_factory=list)
    latest_results: list[ToolResult] = field(default_factory=list)
    """Results of the last answer's calls."""
    spoken_results: SpokenResults | None = None
    """Confirmation of the last answer's calls."""
    state_changed: bool = False
    """Whether a tool has changed something."""
    usage: UsageStats = field(default_factory=UsageStats)
    iterations: int = 0
    """Model calls, except the final reply."""
    retries: RetryBudget = field(default_factory=RetryBudget)
    state: LoopState = LoopState.RECEIVE_INPUT
    state_since: float = field(default_factory=time.monotonic)
    past_steps: list[Step] = field(default_factory=list)
    """The states that the turn has left."""
    step_iteration: int = 0
    """Number of the model call when the state was entered."""
    step_usage: UsageStats | None = None
    """Usage of the request that was sent in the state."""
    first_token: float | None = None
    last: CompletionResult = field(default_factory=CompletionResult)
    """The model's last answer."""
    request_failed: bool = False
    """Whether the last request failed, and the turn does without its answer."""
    spoken_text: str = ""
    """Text passed on since the last tool call."""
    withholds: bool | None = False
    """Whether the text of the current answer is withheld; None while that is undecided."""
    withheld_text: str = ""
    must_call: bool = False
    """Whether the model has to call a tool, as it answered a command without a call."""
    hint: str | None = None
    """Appended to the messages of the next request only."""
    extended: bool = False
    """Whether answers may have more tokens than usual."""
    final_reply: FinalReply | None = None
    """Set once no more tools may be called."""
    outcome: LoopOutcome = LoopOutcome.FINAL
    text: str = ""
    """The whole answer, when the turn is over."""
    _streamed: bool = False
    """Whether text of the current answer was streamed."""
    _gap: bool = False
    """Whether a space belongs before the next text."""

    @property
    def messages(self) -> list[Message]:
        """Messages of the next request."""
        messages = [*self.history, *self.added]
        if self.hint is None:
            return messages
        if messages[-1].role is Role.USER:
            return [*messages[:-1], messages[-1].with_suffix(self.hint)]
        return [*messages, Message.assistant(PLACEHOLDER), Message.user(f"({self.hint})")]

    @property
    def tool_choice(self) -> ToolChoice:
        """Tool choice of the next request."""
        if self.final_reply is not None:
            return "none"
        return "required" if self.must_call else "auto"

    @property
    def steps(self) -> int:
        """Model calls that count towards the limit: retries do not."""
        return self.iterations - self.retries.used

    def retry(self, hint: str | None, *, must_call: bool, extended: bool) -> None:
        """Prepare another request, in place of the last answer."""
        self.hint, self.must_call, self.withheld_text = hint, must_call, ""
        self.extended |= extended
        if must_call or extended:
            # Happens once in a turn, and leaves the budget to mistakes.
            self.retries.used += 1
        else:
            self.retries.use()

    def finalize(self, reply: FinalReply) -> None:
        """Prepare the request for the final reply."""
        self.final_reply, self.hint = reply, reply.hint

    def begin_request(self) -> StateChanged:
        """Begin a request."""
        if self.final_reply is None:
            self.iterations += 1
        self.withholds = None if self.offered and self.final_reply is None else False
        self._streamed = False
        if self.early_reads is not None:
            self.early_reads.begin()
        return self.enter(LoopState.LLM_INFERENCE)

    def receive(
        self, event: TextDelta | ReasoningDelta | CallCompleted
    ) -> Iterable[TextDelta | ReasoningDelta]:
        """Pass on a piece of the answer, or start a call that only reads."""
        if self.first_token is None:
            self.first_token = time.monotonic() - self.started
        match event:
            case TextDelta(text):
                self._streamed = True
                return self.say(text)
            case ReasoningDelta():
                return (event,)
            case _:
                if self.early_reads is not None:
                    self.early_reads.start(event.call)
                return ()

    def complete_request(self, result: CompletionResult) -> Iterator[TextDelta]:
        """Keep a complete answer."""
        if not self._streamed:
            yield from self.say(result.content or "")
        self.hint = None
        self.last = result
        self.usage += result.usage or UsageStats()
        self.step_usage = result.usage
        if result.tool_calls:
            text, self.withheld_text, self.withholds = self.withheld_text, "", False
            yield from self.say(text)

    def fail_request(self) -> None:
        """Do without an answer."""
        self.last, self.withheld_text, self.request_failed = CompletionResult(), "", True

    def say(self, text: str) -> Iterable[TextDelta]:
        """Pass text on, unless it is withheld; leading white space is dropped."""
        if self.withholds is None and text.strip():
            self.withholds = self._is_unfulfilled()
        if self.withholds:
            self.withheld_text += text
            return ()
        if not self.spoken_text or self._gap:
            text = text.lstrip()
        if not text:
            return ()
        text = f" {text}" if self._gap else text
        self._gap = False
        self.spoken_text += text
        return (TextDelta(text),)

    def _is_unfulfilled(self) -> bool:
        if self.must_call:
            return True
        return not self.results and self.is_command is not None and self.is_command()

    def begin_calls(self, calls: tuple[ToolCall, ...]) -> None:
        """Add the message with the calls; text from here on belongs to the next message."""
        self.added.append(Message.assistant(self.spoken_text or None, calls))
        self.latest_results = []
        self.spoken_text = ""
        self.must_call = self._gap = False

    def add_result(self, result: ToolResult, *, read_only: bool) -> None:
        """Keep the result of a call."""
        self.results.append(result)
        self.latest_results.append(result)
        self.state_changed |= not (result.error or result.running or read_only)

    def aggregate_results(self) -> Iterator[TextDelta]:
        """Add the results of an answer's calls to the history, and speak an interim one."""
        latest = self.latest_results
        self.added += [
            Message.tool(result.call.id, result.content, result.attachments) for result in latest
        ]
        self.retries.record(latest)
        spoken = None
        if self.speak_results is not None and not any(result.running for result in latest):
            spoken = self.speak_results(latest)
        self.spoken_results = spoken
        if spoken is not None and not spoken.final:
            self.withholds = False
            yield from self.say(spoken.text)
            self._gap = bool(self.spoken_text)

    def enter(self, state: LoopState) -> StateChanged:
        """Enter a state."""
        LOGGER.debug("state %s -> %s", self.state, state)
        self._leave()
        self.state = state
        self.step_iteration = self.iterations
        return StateChanged(state, self.iterations)

    def _leave(self) -> None:
        now = time.monotonic()
        executes = self.state is LoopState.TOOL_EXECUTION
        self.past_steps.append(
            Step(
                state=self.state,
                iteration=self.step_iteration,
                started=self.state_since - self.started,
                seconds=now - self.state_since,
                usage=self.step_usage,
                calls=len(self.latest_results) if executes else 0,
            )
        )
        self.state_since, self.step_usage = now, None

    def conclude(self, text: str, outcome: LoopOutcome) -> Iterator[TextDelta]:
        """Append the closing text and keep the whole answer, which may be empty."""
        if self._gap and text:
            text = f" {text.lstrip()}"
        if text or not self.spoken_text:
            yield TextDelta(text)
        self.text = self.spoken_text + text
        self.outcome = outcome
        self.added.append(Message.assistant(self.text))

    def interrupt(self) -> TurnFinished:
        """End a cancelled turn with what was said so far, and return its last event."""
        self.added.append(interrupted_answer(self.spoken_text))
        return self.finish(LoopOutcome.CANCELLED, self.spoken_text)

    def finish(self, outcome: LoopOutcome, text: str = "") -> TurnFinished:
        """End the turn and return its last event."""
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
            steps=tuple(self.past_steps),
            first_token=self.first_token,
            truncated=self.last.finish_reason == "length",
        )
