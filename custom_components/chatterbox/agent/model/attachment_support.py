"""Support of a model for images and files, as its server states it or was seen to reject them."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import override

from ..errors import LLMFileError, LLMImageError
from .provider import CompletionRequest, LLMProvider, ProviderEvent
from .server_quirks import Quirk, ServerQuirks


class AttachmentSupportProvider(LLMProvider):
    """Never sends an image or a file to a model that is known not to accept it.

    Raises `LLMImageError` and `LLMFileError` instead, and learns from those of the server.
    """

    def __init__(self, provider: LLMProvider, quirks: ServerQuirks) -> None:
        self._provider = provider
        self._quirks = quirks

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`."""
        attachments = [each for message in request.messages for each in message.attachments]
        if self._quirks.is_blind and any(each.is_image for each in attachments):
            raise LLMImageError("the model does not accept images")
        if self._quirks.has(Quirk.FILES) and not all(each.is_image for each in attachments):
            raise LLMFileError("the model does not accept files")
        try:
            async with aclosing(self._provider.stream(request)) as events:
                async for event in events:
                    yield event
        except LLMImageError:
            self._quirks.learn(Quirk.IMAGES)
            raise
        except LLMFileError:
            self._quirks.learn(Quirk.FILES)
            raise
