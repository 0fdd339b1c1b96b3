"""Limits of a turn, and the sentences that the agent itself says."""

from dataclasses import dataclass
from enum import StrEnum


class OnLimit(StrEnum):
    """Behavior of a turn that has used up its model calls."""

    ASK = "ask"
    ANSWER = "answer"
    STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Sentences of the agent itself, in the language of the user."""

    language: str = ""
    """Which one that is, such as `de`."""
    done: str = "Done."
    no_answer: str = "I have no answer to that."
    cut_off: str = "I had to stop there, as the answer got too long."
    refused: str = "The language model does not want to answer that."
    limit_ask: str = "I have taken {limit} steps and am not finished. Shall I go on?"
    limit_stop: str = "I could not finish that within {limit} steps. Please ask more specifically."
    go_on: str = "Shall I go on?"
    stuck: str = "I could not get that done."
    time_up: str = "That took too long, so I stopped."
    not_done: str = "I have not done that."
    confirm: str = "Shall I really do that?"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """The limits of a turn."""

    max_iterations: int = 10
    """Calls of the model."""
    turn_timeout: float = 120
    """Seconds for the whole turn."""
    soft_timeout: float = 90
    """Seconds after which no tool is started any more."""
    concurrent_reads: bool = True
    """Whether tools that only read run at the same time."""
    on_limit: OnLimit = OnLimit.ASK
    note_cut_off: bool = True
    """Whether the user is told that an answer was cut off by the token limit."""
