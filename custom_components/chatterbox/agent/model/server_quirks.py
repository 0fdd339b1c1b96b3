"""Quirks of a server and a model, learned for a week at most."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum, unique
from typing import Final

# Seconds.
_DAY: Final = 86_400.0
LIFETIME: Final = 7 * _DAY
# Quirks that are confirmed often are stored once a day.
_REFRESH: Final = _DAY
# Consecutive answers that begin within the reasoning: a single one may just quote the end tag.
_UNOPENED_IN_A_ROW: Final = 2


@unique
class Quirk(StrEnum):
    """Known quirks, as they are stored.

    A rejected parameter of the user's own is a quirk as well, by its name.
    """

    TOOLS = "tools"
    """The server rejects `tools`."""
    STREAM = "stream"
    """The server rejects `stream`."""
    STREAM_WITH_TOOLS = "stream with tools"
    """The server rejects `stream` in a request with `tools`."""
    STREAM_OPTIONS = "stream_options"
    """The server rejects `stream_options`."""
    MAX_COMPLETION_TOKENS = "max_completion_tokens"
    """The server knows this parameter by its older name, `max_tokens`."""
    MAX_TOKENS = "max_tokens"
    """The server rejects both names."""
    TEMPERATURE = "temperature"
    """The server rejects `temperature`."""
    TOOL_CHOICE = "tool_choice"
    """The server rejects `tool_choice`."""
    RESPONSE_FORMAT = "response_format"
    """The server rejects or ignores a JSON schema."""
    JSON_OBJECT = "json_object"
    """The server rejects every `response_format`."""
    SCHEMA_KEYWORDS = "schema keywords"
    """The server rejects keywords in the schemas of tools."""
    TOOL_CALL_IDS = "tool call ids"
    """The server rejects ids that are not nine letters and digits."""
    TOOL_ROLE = "role tool"
    """The server rejects messages with tool calls and their results."""
    NULL_CONTENT = "null content"
    """The server rejects messages without content."""
    MULTIPLE_SYSTEM_MESSAGES = "several system messages"
    """The server rejects a second system message."""
    SYSTEM_ROLE = "system role"
    """The server rejects every system message."""
    IMAGES = "images"
    """The model does not accept images."""
    FILES = "files"
    """The model does not accept files, such as PDF."""
    IGNORES_TOOLS = "ignores tools"
    """The server accepts `tools`, but the model never calls one."""
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
    """Quirks of one model of a server; the owner decides where they are stored."""

    learned: dict[str, float] = field(default_factory=dict)
    """Time at which each quirk was learned, in seconds since the epoch."""
    parameters: float | None = None
    """The size that the server states for the model, in billions."""
    tool_parse_failures: int = 0
    """Consecutive answers whose tool calls the server failed to parse."""
    changed: Callable[[], None] | None = None
    """Called when a quirk was learned or unlearned."""
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

    def copy(self) -> ServerQuirks:
        """Return a copy that learns for itself, and is not stored."""
        return replace(self, learned=dict(self.learned), changed=None)

    def merge(self, other: ServerQuirks) -> None:
        """Learn the quirks of another instance, as of now."""
        for quirk in other.known:
            self.learn(quirk)
        if other.parameters is not None:
            self.set_parameters(other.parameters)

    def set_parameters(self, parameters: float) -> None:
        """Remember the size that the server states for the model, in billions."""
        if parameters != self.parameters:
            self.parameters = parameters
            self._notify()

    def note_vision(self, *, sees: bool) -> None:
        """Learn what the server states about a model: whether it accepts images."""
        if sees:
            self.unlearn(Quirk.IMAGES)
        else:
            self.learn(Quirk.IMAGES)

    @property
    def is_blind(self) -> bool:
        """Return whether the model is known not to accept images."""
        return self.has(Quirk.IMAGES)

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
    def rejected(self) -> frozenset[str]:
        """The quirks that are rejected parameters or messages."""
        return frozenset(self.known) - _OBSERVED

    @property
    def ignores_tools(self) -> bool:
        """Return whether the server accepts `tools`, but the model never calls one."""
        return self.has(Quirk.IGNORES_TOOLS)

    @property
    def called_natively(self) -> bool:
        """Return whether the model has made a tool call of the protocol."""
        return self.has(Quirk.CALLED_NATIVELY)

    @property
    def starts_thinking(self) -> bool:
        """Return whether answers begin within the reasoning."""
        return self.has(Quirk.STARTS_THINKING)

    def note_unopened_reasoning(self) -> None:
        """Count an answer that ends a reasoning without having begun it; learn it at the second."""
        self._unopened += 1
        if self._unopened >= _UNOPENED_IN_A_ROW or self.starts_thinking:
            self.learn(Quirk.STARTS_THINKING)

    def note_no_reasoning_end(self) -> None:
        """Unlearn that answers begin within the reasoning: one had no end of a reasoning."""
        self._unopened = 0
        self.unlearn(Quirk.STARTS_THINKING)

    def _notify(self) -> None:
        if self.changed is not None:
            self.changed()
