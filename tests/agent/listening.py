"""Listening to a model until it fails."""

from collections.abc import AsyncIterable

from custom_components.chatterbox.agent.errors import LLMError
from custom_components.chatterbox.agent.model.provider import ProviderEvent, TextDelta


async def heard(events: AsyncIterable[ProviderEvent]) -> tuple[list[str], LLMError | None]:
    """Return the pieces of text that come, and the error that ends them."""
    pieces: list[str] = []
    try:
        async for event in events:
            match event:
                case TextDelta(text):
                    pieces.append(text)
    except LLMError as err:
        return pieces, err
    return pieces, None
