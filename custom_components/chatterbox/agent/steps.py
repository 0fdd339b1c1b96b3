"""State machine of a turn: the transitions between the states of the loop."""

from dataclasses import dataclass

from .events import LoopOutcome, LoopState
from .loop_settings import LoopSettings, OnLimit, Phrases
from .messages import ToolCall
from .model.provider import CompletionResult
from .tools.confirmation import CONFIRMATION_NEEDED
from .turn import FinalReply, Turn

# Hints for the model, appended to the history of one request.
_EMPTY = "Your answer was empty. Answer now, or call a tool."
_UNFULFILLED = "Nothing has been done yet. Call the tool that does what the user asked for."
_STUCK = (
    "This does not work; no more tools can be called now. Tell the user in one sentence what "
    "was done and what was not."
)
_TIME_UP = (
    "There is no time left for tools. Answer now, in one or two sentences, with what is known."
)
_LIMIT_ASK = (
    "No more tools can be called in this turn. Say in one or two sentences what is done and what "
    "is missing, and ask whether to go on."
)
_LATER = (
    "What is still running takes longer; the user is told of it later. Say only what the other "
    "results are, in one or two sentences."
)
_CONFIRM = (
    "This has not been done: the user has to agree first. Ask, in one short question that names "
    "what would be done."
)


@dataclass(frozen=True, slots=True)
class AskModel:
    """Request an answer, with the tools on offer."""


@dataclass(frozen=True, slots=True)
class CallTools:
    """Execute tool calls."""

    calls: tuple[ToolCall, ...]


@dataclass(frozen=True, slots=True)
class Retry:
    """Request another answer in place of an unusable one."""

    hint: str | None
    must_call: bool = False
    """Whether the model has to call a tool."""
    extended: bool = False
    """Whether the answer may have more tokens from now on."""


@dataclass(frozen=True, slots=True)
class Finalize:
    """Request a final reply, without tool calls."""

    reply: FinalReply


@dataclass(frozen=True, slots=True)
class Answer:
    """End the turn with the text so far."""

    closing_text: str = ""
    """Text to append to the answer of the model."""
    outcome: LoopOutcome = LoopOutcome.FINAL


type Step = AskModel | CallTools | Retry | Finalize | Answer


def next_step(
    turn: Turn, settings: LoopSettings, phrases: Phrases, *, now: float, has_tools: bool
) -> Step:
    """Return the next step of a turn; `now` is a time of the clock of `turn.started`.

    Expects a turn that has received its input, has an answer of the model, or the results of all
    calls of an answer. Changes nothing.
    """
    if turn.final_reply is not None:
        closing_text = turn.final_reply.closing_text(turn.spoken_text, failed=turn.request_failed)
        return Answer(closing_text, turn.final_reply.outcome)
    match turn.state:
        case LoopState.TOOL_DECISION:
            return _after_answer(turn, settings, phrases, has_tools=has_tools)
        case LoopState.RESULT_AGGREGATION:
            return _after_results(turn, settings, phrases, now)
    if turn.confirmed_calls and has_tools:
        return CallTools(turn.confirmed_calls)
    return AskModel()


_FINISH_REASONS = frozenset({"length", "content_filter"})


def finish_warning(result: CompletionResult) -> str | None:
    """Return how an answer ended, None where it ended as usual."""
    if result.tool_calls or result.finish_reason == "stop":
        return None
    if result.finish_reason == "tool_calls":
        return "announced tool calls and made none"
    # Any other reason is a text of the server.
    reason = result.finish_reason if result.finish_reason in _FINISH_REASONS else "unknown"
    return f"stopped with the reason {reason}"


def _after_answer(turn: Turn, settings: LoopSettings, phrases: Phrases, *, has_tools: bool) -> Step:
    # Calls count whatever the finish reason: some servers say `stop` beside them.
    if turn.last.tool_calls and has_tools:
        return CallTools(turn.last.tool_calls)
    if turn.must_call:
        return Answer(phrases.not_done)
    if turn.withheld_text:
        return Retry(_UNFULFILLED, must_call=True)
    if turn.spoken_text.strip():
        cut_off = turn.last.finish_reason == "length" and settings.note_cut_off
        return Answer(f" … {phrases.cut_off}" if cut_off else "")
    return _after_empty_answer(turn, phrases)


def _after_empty_answer(turn: Turn, phrases: Phrases) -> Step:
    reason = turn.last.finish_reason
    if reason == "content_filter":
        return Answer(phrases.refused)
    if turn.state_changed:
        return Answer(phrases.done)
    if reason == "length":
        # Reasoning may have used up the tokens.
        return Answer(phrases.cut_off) if turn.extended else Retry(None, extended=True)
    if reason in {"stop", "tool_calls"} and turn.retries.available:
        return Retry(_EMPTY)
    return Answer(phrases.no_answer)


def _after_results(turn: Turn, settings: LoopSettings, phrases: Phrases, now: float) -> Step:
    if turn.spoken_results is not None and turn.spoken_results.final:
        return Answer(turn.spoken_results.text)
    reply = _final_reply(turn, settings, phrases, now)
    if reply is None:
        return AskModel()
    if not reply.hint or now >= turn.started + settings.turn_timeout:
        return Answer(reply.fallback_text, reply.outcome)
    return Finalize(reply)


def _final_reply(
    turn: Turn, settings: LoopSettings, phrases: Phrases, now: float
) -> FinalReply | None:
    """Return the final reply that is due, None while the model may call tools."""
    if running := [result.running for result in turn.latest_results if result.running]:
        hint = "" if len(running) == len(turn.latest_results) else _LATER
        return FinalReply(hint=hint, fallback_text=phrases.later, question=phrases.later)
    if any(result.error_type == CONFIRMATION_NEEDED for result in turn.latest_results):
        return FinalReply(hint=_CONFIRM, fallback_text=phrases.confirm, question=phrases.confirm)
    if turn.retries.blocked:
        return FinalReply(hint=_STUCK, fallback_text=phrases.stuck)
    if now >= turn.started + settings.tool_deadline:
        return FinalReply(hint=_TIME_UP, fallback_text=phrases.time_up)
    if turn.steps >= settings.max_iterations:
        return _limit_reply(settings, phrases)
    return None


def _limit_reply(settings: LoopSettings, phrases: Phrases) -> FinalReply:
    limit, outcome = settings.max_iterations, LoopOutcome.LIMIT
    if settings.on_limit is OnLimit.ASK:
        return FinalReply(
            hint=_LIMIT_ASK,
            fallback_text=phrases.limit_ask.format(limit=limit),
            question=phrases.go_on,
            outcome=outcome,
        )
    return FinalReply(
        hint="", fallback_text=phrases.limit_stop.format(limit=limit), outcome=outcome
    )
