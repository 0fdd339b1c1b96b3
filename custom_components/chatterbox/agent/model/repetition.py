"""Guard against answers that repeat themselves."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import override

from ..errors import LLMRepetitionError
from .provider import (
    CompletionRequest,
    LLMProvider,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
)

# Characters.
_WINDOW = 2000
_REPETITIONS = 3
_MIN_CHARS = 100
# Characters that the last repetitions have in common with those before, at the least.
_MIN_TAIL = _MIN_CHARS - _MIN_CHARS // _REPETITIONS


def repeats(text: str) -> bool:
    """Return whether a text ends in a phrase repeated at least 3 times, over 100 characters."""
    end = text[-_WINDOW:]
    if len(end) < _MIN_CHARS:
        return False
    # A phrase that is repeated so often begins with these characters a phrase earlier, too.
    tail = end[-_MIN_TAIL:]
    place = end.rfind(tail, 0, -1)
    while place >= 0:
        size = len(end) - len(tail) - place
        length = size * max(_REPETITIONS, _MIN_CHARS // size + 1)
        if length <= len(end) and end.endswith(end[-length:-size]):
            return True
        place = end.rfind(tail, 0, place + len(tail) - 1)
    return False


class RepetitionGuard(LLMProvider):
    """A provider that ends answers that repeat themselves."""

    def __init__(self, provider: LLMProvider) -> None:
        self._provider = provider

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer; raise `LLMRepetitionError` where it repeats itself."""
        ends: dict[type[ProviderEvent], str] = {}
        async with aclosing(self._provider.stream(request)) as events:
            async for event in events:
                yield event
                if isinstance(event, TextDelta | ReasoningDelta):
                    kind = type(event)
                    ends[kind] = (ends.get(kind, "") + event.text)[-_WINDOW:]
                    if repeats(ends[kind]):
                        raise LLMRepetitionError("the answer repeats itself")
