"""Guard against answers that repeat themselves."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import override

from .errors import LLMRepetitionError
from .provider import (
    CompletionRequest,
    LLMProvider,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
)

_WINDOW = 2000
_REPETITIONS = 3
_LONG = 100


def repeats(text: str) -> bool:
    """Return whether a text ends in something said three times or more, over 100 characters."""
    end = text[-_WINDOW:]
    for size in range(1, len(end) // _REPETITIONS + 1):
        length = size * max(_REPETITIONS, _LONG // size + 1)
        if length <= len(end) and end.endswith(end[-length:-size]):
            return True
    return False


class RepetitionGuard(LLMProvider):
    """A provider that ends an answer which repeats itself."""

    def __init__(self, provider: LLMProvider) -> None:
        self._provider = provider

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer; raise `LLMRepetitionError` where it repeats itself."""
        said: dict[type[ProviderEvent], str] = {}
        async with aclosing(self._provider.stream(request)) as events:
            async for event in events:
                yield event
                if isinstance(event, TextDelta | ReasoningDelta):
                    kind = type(event)
                    said[kind] = (said.get(kind, "") + event.text)[-_WINDOW:]
                    if repeats(said[kind]):
                        raise LLMRepetitionError("the answer repeats itself")
