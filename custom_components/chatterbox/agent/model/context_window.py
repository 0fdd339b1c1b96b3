"""Keep requests within the model's context window."""

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import override

from ..const import LOGGER
from ..errors import LLMContextLengthError
from ..messages import Role
from ..trimming import fit, size
from .provider import Completed, CompletionRequest, LLMProvider, ProviderEvent, TextDelta
from .request_log import RequestLog

# English text, until the server has counted tokens.
_CHARS_PER_TOKEN = 4.0
# No tokenizer is outside of this range: a server that counts so omits cached tokens.
_PLAUSIBLE_CHARS_PER_TOKEN = (0.5, 10.0)
# Weight of a new observation in the moving average of characters per token.
_SMOOTHING = 0.3
# A shorter request says nothing about the characters per token.
_MIN_OBSERVED_TOKENS = 50

# Characters of the history while the context window is unknown.
DEFAULT_HISTORY_BUDGET = 48_000
# Factor for what overflowed, where the server does not state the size of its context window.
_OVERFLOW_FACTOR = 0.6
# Share of the context window, without the instructions and tools, that the stored history may fill;
# the rest is for the current turn.
_HISTORY_SHARE = 7 / 8
# Share of the context window that stays free, as token counts are estimates.
_MARGIN = 0.05

_WINDOW_IN_ERROR = re.compile(
    r"(?:context (?:length|window|size)|n_ctx|max_model_len)\D{0,40}?(\d[\d,]{2,})", re.IGNORECASE
)


@dataclass(slots=True)
class ContextWindow:
    """The context window of a model, and its characters per token, as learned from the server."""

    reported: int | None = None
    """Tokens, as reported by the server."""
    refused: int | None = None
    """Tokens at which the server rejected a request as too long."""
    chars_per_token: float = _CHARS_PER_TOKEN

    def size(self, configured: int = 0) -> int | None:
        """Return the size in tokens, None if unknown; `configured` overrides the reported size."""
        known = [each for each in (configured or self.reported, self.refused) if each]
        return min(known, default=None)

    def learn(self, chars: int, tokens: int) -> None:
        """Learn from the prompt tokens that the server counted in an accepted request."""
        if self.refused is not None and tokens > self.refused:
            self.refused = None
        lowest, highest = _PLAUSIBLE_CHARS_PER_TOKEN
        if tokens >= _MIN_OBSERVED_TOKENS and lowest <= (seen := chars / tokens) <= highest:
            self.chars_per_token += _SMOOTHING * (seen - self.chars_per_token)

    def on_context_overflow(self, error: str, chars: int, answer: int) -> None:
        """Learn from a request that was rejected as too long.

        `error` may state the size of the context window; `chars` is the length of the request, and
        `answer` the tokens reserved for the answer.
        """
        estimated = int(chars / self.chars_per_token) + answer
        if (match := _WINDOW_IN_ERROR.search(error)) is None:
            self.refused = int(estimated * _OVERFLOW_FACTOR)
            return
        self.refused = int(match[1].replace(",", ""))
        if self.refused >= estimated:
            # By the estimate the request fits, so the estimate is too low.
            self.chars_per_token *= _OVERFLOW_FACTOR


class ContextWindowProvider(LLMProvider):
    """Trims the history to the context window, and retries once where it overflows all the same.

    `configured` is the size of the context window that the user has set, 0 if none; `answer` the
    tokens reserved for the answer.
    """

    def __init__(
        self,
        provider: LLMProvider,
        window: ContextWindow,
        *,
        configured: int = 0,
        answer: int = 0,
        log: RequestLog | None = None,
    ) -> None:
        self._provider = provider
        self._window = window
        self._configured = configured
        self._answer = answer
        self._left_out = 0
        self._log = log or RequestLog()
        self.history_budget: int | None = None
        """Characters that the stored history may have; set by the first request of the turn."""

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`."""
        # With the commas and brackets of their list.
        extra = sum(len(tool.json.decode()) + 1 for tool in request.tools) + bool(request.tools)
        begun = False
        sent, chars = self._fit(request, extra)
        try:
            async with aclosing(self._ask(sent, chars)) as events:
                async for event in events:
                    begun = begun or isinstance(event, TextDelta)
                    yield event
        except LLMContextLengthError as err:
            self._window.on_context_overflow(str(err), chars, self._answer)
            shorter, fewer_chars = self._fit(request, extra)
            if begun or fewer_chars >= chars:
                raise
            LOGGER.info("Context window exceeded, retrying with a shorter history")
        else:
            return
        async with aclosing(self._ask(shorter, fewer_chars)) as events:
            async for event in events:
                yield event

    async def _ask(self, request: CompletionRequest, chars: int) -> AsyncGenerator[ProviderEvent]:
        """Send a request of that many characters."""
        # The tokens of an image say nothing about those of a text.
        is_text = not any(message.attachments for message in request.messages)
        async with aclosing(self._provider.stream(request)) as events:
            async for event in events:
                if is_text and isinstance(event, Completed) and event.result.usage is not None:
                    self._window.learn(chars, event.result.usage.prompt_tokens)
                yield event

    def _fit(self, request: CompletionRequest, extra: int) -> tuple[CompletionRequest, int]:
        """Return the request with as much of its history as fits, and its characters."""
        opening = size(message for message in request.messages if message.role is Role.SYSTEM)
        tokens = self._window.size(self._configured)
        if tokens is None:
            limit = opening + DEFAULT_HISTORY_BUDGET
        else:
            usable = tokens * (1 - _MARGIN) - min(self._answer, tokens // 2)
            limit = int(usable * self._window.chars_per_token) - extra
        if self.history_budget is None:
            self.history_budget = int(max(0, limit - opening) * _HISTORY_SHARE)
        fitted = fit(request.messages, limit, self._left_out)
        self._left_out = fitted.left_out
        chars = fitted.chars + extra
        self._note(chars, tokens)
        return replace(request, messages=tuple(fitted.messages)), chars

    def _note(self, chars: int, tokens: int | None) -> None:
        self._log.chars = chars
        self._log.tokens = int(chars / self._window.chars_per_token)
        self._log.context_window = tokens
        self._log.turns_left_out = self._left_out
