"""The model's window: how much fits, learned from the server, and requests that keep to it."""

import logging
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import override

from .errors import LLMContextLengthError
from .messages import Message, Role, ToolDefinition, canonical_json
from .provider import Completed, LLMProvider, ProviderEvent, ToolChoice
from .trimming import fit, size

LOGGER = logging.getLogger(__package__)

# Until a server has told: what holds for English text.
_CHARS_PER_TOKEN = 4.0
# What no tokenizer does; a server that counts so leaves out what it had in its cache.
_PLAUSIBLE = (0.5, 10.0)
_WEIGHT_OF_NEWS = 0.3
# A few words say nothing about how many characters make a token.
_ENOUGH_TOKENS = 50

# What the history may have, in characters, where nobody says how large the window is.
HISTORY_CHARS = 48_000
# After a refusal without numbers, this part of what was refused is tried.
_AFTER_REFUSAL = 0.6
# The part of what is left beside the instructions and tools that history may take for good; the
# rest is for what is said next.
_FOR_HISTORY = 7 / 8
# An estimate is one: this part of the window is left free.
_MARGIN = 0.05

_WINDOW_IN_TEXT = re.compile(
    r"(?:context (?:length|window|size)|n_ctx|max_model_len)\D{0,40}?(\d[\d,]{2,})", re.IGNORECASE
)


@dataclass(slots=True)
class ModelWindow:
    """What is known of the window of a model, and of how its tokens are counted."""

    reported: int | None = None
    """Tokens, as the server says."""
    refused: int | None = None
    """Tokens that the server did not take any more."""
    chars_per_token: float = _CHARS_PER_TOKEN

    def size(self, configured: int = 0) -> int | None:
        """Return the tokens that fit; the user's own number counts more than the server's."""
        known = [each for each in (configured or self.reported, self.refused) if each]
        return min(known, default=None)

    def learn(self, chars: int, tokens: int) -> None:
        """Learn from what the server counted in a request that it took."""
        if self.refused is not None and tokens > self.refused:
            self.refused = None
        lowest, highest = _PLAUSIBLE
        if tokens >= _ENOUGH_TOKENS and lowest <= (seen := chars / tokens) <= highest:
            self.chars_per_token += _WEIGHT_OF_NEWS * (seen - self.chars_per_token)

    def shrink(self, text: str, chars: int, answer: int) -> None:
        """Learn from a refusal: its text may hold the size of the window."""
        tried = int(chars / self.chars_per_token) + answer
        if match := _WINDOW_IN_TEXT.search(text):
            told = int(match[1].replace(",", ""))
            if told < tried:
                self.refused = told
                return
            # It fits by our count and not by the server's, so ours is wrong.
            self.chars_per_token *= _AFTER_REFUSAL
            self.refused = told
            return
        self.refused = int(tried * _AFTER_REFUSAL)


class WindowedProvider(LLMProvider):
    """A model that is sent only what fits into its window.

    When the server finds a request too long all the same, it is sent once more, shorter.
    """

    def __init__(
        self, provider: LLMProvider, window: ModelWindow, *, configured: int = 0, answer: int = 0
    ) -> None:
        """Take a model, what is known of its window, and the tokens its answer may have.

        `configured` is the size of the window that the user has set, 0 if none.
        """
        self._provider = provider
        self._window = window
        self._configured = configured
        self._answer = answer
        self._left_out = 0
        self.room: int | None = None
        """Characters that the history may have, as of the turn's first request."""

    @override
    async def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None = None,
        *,
        tool_choice: ToolChoice = "auto",
    ) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`."""
        extra = len(canonical_json([tool.to_wire() for tool in tools])) if tools else 0
        begun = False
        sent = self._fit(messages, extra)
        try:
            async with aclosing(self._ask(sent, tools, extra, tool_choice)) as events:
                async for event in events:
                    begun = True
                    yield event
        except LLMContextLengthError as err:
            self._window.shrink(str(err), size(sent) + extra, self._answer)
            shorter = self._fit(messages, extra)
            if begun or size(shorter) >= size(sent):
                raise
            LOGGER.info("The request was too long for the model and is sent again, shorter")
        else:
            return
        async with aclosing(self._ask(shorter, tools, extra, tool_choice)) as events:
            async for event in events:
                yield event

    async def _ask(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None,
        extra: int,
        tool_choice: ToolChoice,
    ) -> AsyncGenerator[ProviderEvent]:
        events = self._provider.stream(messages, tools, tool_choice=tool_choice)
        async with aclosing(events):
            async for event in events:
                if isinstance(event, Completed) and event.result.usage is not None:
                    self._window.learn(size(messages) + extra, event.result.usage.prompt_tokens)
                yield event

    def _fit(self, messages: Sequence[Message], extra: int) -> list[Message]:
        opening = size(message for message in messages if message.role is Role.SYSTEM)
        tokens = self._window.size(self._configured)
        if tokens is None:
            limit = opening + HISTORY_CHARS
        else:
            usable = tokens * (1 - _MARGIN) - min(self._answer, tokens // 2)
            limit = int(usable * self._window.chars_per_token) - extra
        if self.room is None:
            self.room = int(max(0, limit - opening) * _FOR_HISTORY)
        fitted = fit(messages, limit, self._left_out)
        self._left_out = fitted.left_out
        return fitted.messages
