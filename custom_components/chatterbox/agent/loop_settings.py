"""Settings of the loop: the limits of a turn and the sentences of the agent itself."""

from dataclasses import dataclass
from enum import StrEnum


class OnLimit(StrEnum):
    """Final reply of a turn that has reached its iteration limit."""

    ASK = "ask"
    STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Sentences of the agent itself, in the language of the user."""

    language: str = ""
    """Language code, such as `de`."""
    done: str = "Done."
    no_answer: str = "I have no answer to that."
    cut_off: str = "I had to stop there, as the answer got too long."
    refused: str = "The language model does not want to answer that."
    limit_ask: str = "I have taken {limit} steps and am not finished. Should I continue?"
    limit_stop: str = "I could not finish that within {limit} steps. Please ask more specifically."
    go_on: str = "Should I continue?"
    stuck: str = "I could not get that done."
    time_up: str = "That took too long, so I stopped."
    not_done: str = "I have not done that."
    confirm: str = "Are you sure?"
    later: str = "I'll tell you when it is done."


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopSettings:
    """Limits of a turn."""

    max_iterations: int = 10
    """Model calls; retries and the final reply do not count."""
    turn_timeout: float = 120
    """Seconds for the whole turn."""
    soft_timeout: float = 90
    """Seconds after which no tool is started."""
    on_limit: OnLimit = OnLimit.ASK
    note_cut_off: bool = True
    """Whether the user is told that an answer was cut off by the token limit."""

    @property
    def tool_deadline(self) -> float:
        """Seconds into the turn after which no tool is started, whichever timeout comes first."""
        return min(self.soft_timeout, self.turn_timeout)
