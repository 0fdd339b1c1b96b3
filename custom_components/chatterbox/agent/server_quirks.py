"""Quirks of a server and a model, learned for a week at most."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

# Seconds.
_DAY: Final = 86_400.0
LIFETIME: Final = 7 * _DAY
# What is confirmed often is written once a day.
_REFRESH: Final = _DAY
# Answers in a row that begin within the reasoning: one may just quote the end mark.
_UNOPENED_IN_A_ROW: Final = 2


class Quirk(StrEnum):
    """Quirks with a name, beside the parameters and messages that a server rejects."""

    TOOLS = "tools"
    """The server rejects `tools`."""
    RESPONSE_FORMAT = "response_format"
    """The server rejects or ignores a JSON schema."""
    JSON_OBJECT = "json_object"
    """The server rejects every `response_format`."""
    IGNORES_TOOLS = "ignores tools"
    """The server accepts `tools`, and no call ever comes."""
    CALLED_NATIVELY = "called natively"
    """The model has made a tool call of the protocol."""
    STARTS_THINKING = "starts thinking"
    """Answers begin within the reasoning, as the prompt has opened it already."""


_OBSERVED = frozenset({Quirk.IGNORES_TOOLS, Quirk.CALLED_NATIVELY, Quirk.STARTS_THINKING})
_DISPROVES: Mapping[str, tuple[Quirk, ...]] = {
    Quirk.CALLED_NATIVELY: (Quirk.TOOLS, Quirk.IGNORES_TOOLS),
    Quirk.TOOLS: (Quirk.CALLED_NATIVELY,),
    Quirk.IGNORES_TOOLS: (Quirk.CALLED_NATIVELY,),
}


@dataclass(slots=True)
class ServerQuirks:
    """Quirks of one model of a server. Its owner decides where it is stored."""

    learned: dict[str, float] = field(default_factory=dict)
    """When each quirk was learned, in seconds since the epoch."""
    parameters: float | None = None
    """The size that the server states for the model, in billions."""
    unreadable: int = 0
    """How often in a row the server could not read what its model wrote as tool calls."""
    changed: Callable[[], None] | None = None
    """Is called when something was learned or unlearned."""
    clock: Callable[[], float] = time.time
    """Returns the time in seconds since the epoch."""
    _unopened: int = field(default=0, init=False)

    def has(self, quirk: str) -> bool:
        """Return whether a quirk was learned and has not expired."""
        return self.clock() - self.learned.get(quirk, -LIFETIME) < LIFETIME

    def learn(self, quirk: str) -> None:
        """Remember a quirk, and drop those that it disproves."""
        for other in _DISPROVES.get(quirk, ()):
            self.unlearn(other)
        now = self.clock()
        if quirk not in self.learned or now - self.learned[quirk] >= _REFRESH:
            self.learned[quirk] = now
            self._notify()

    def unlearn(self, quirk: str) -> None:
        """Drop a quirk."""
        if self.learned.pop(quirk, None) is not None:
            self._notify()

    def merge(self, other: ServerQuirks) -> None:
        """Learn what somebody else has found out just now."""
        for quirk in other.known:
            self.learn(quirk)
        if other.parameters is not None:
            self.set_parameters(other.parameters)

    def set_parameters(self, parameters: float) -> None:
        """Remember the size that the server states for the model, in billions."""
        if parameters != self.parameters:
            self.parameters = parameters
            self._notify()

    @property
    def known(self) -> dict[str, float]:
        """The quirks that have not expired, each with the time when it was learned."""
        return {quirk: at for quirk, at in self.learned.items() if self.has(quirk)}

    @property
    def age_in_days(self) -> dict[str, float]:
        """The age of each quirk that has not expired."""
        now = self.clock()
        return {quirk: (now - at) / _DAY for quirk, at in self.known.items()}

    @property
    def refused(self) -> frozenset[str]:
        """The names of what the server rejects."""
        return frozenset(self.known) - _OBSERVED

    @property
    def ignores_tools(self) -> bool:
        """Whether the server accepts `tools`, and no call ever comes."""
        return self.has(Quirk.IGNORES_TOOLS)

    @property
    def called_natively(self) -> bool:
        """Whether the model has made a tool call of the protocol."""
        return self.has(Quirk.CALLED_NATIVELY)

    @property
    def starts_thinking(self) -> bool:
        """Whether answers begin within the reasoning."""
        return self.has(Quirk.STARTS_THINKING)

    def note_unopened_reasoning(self) -> None:
        """Count an answer that ended a reasoning that it had not begun; learn it at the second."""
        self._unopened += 1
        if self._unopened >= _UNOPENED_IN_A_ROW or self.starts_thinking:
            self.learn(Quirk.STARTS_THINKING)

    def note_no_reasoning_end(self) -> None:
        """Unlearn from an answer without the end of a reasoning that answers begin with it."""
        self._unopened = 0
        self.unlearn(Quirk.STARTS_THINKING)

    def _notify(self) -> None:
        if self.changed is not None:
            self.changed()
