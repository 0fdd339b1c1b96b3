"""A model behind any OpenAI-compatible server. The only module that knows the OpenAI SDK."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, override

import httpx
import httpx2
import openai
from openai.types.chat import ChatCompletionChunk

from .answer import PartialAnswer
from .errors import (
    LLMAPIError,
    LLMAuthError,
    LLMConnectionError,
    LLMContextLengthError,
    LLMError,
    LLMModelNotFoundError,
    LLMQuotaError,
    LLMRateLimitError,
    LLMResponseError,
    LLMServerError,
    LLMTimeoutError,
)
from .messages import Message, ToolDefinition
from .provider import Completed, LLMProvider, ProviderEvent, ResponseFormat, ToolChoice
from .quirks import apply_known_workarounds, apply_workaround, chains, error_text
from .server_quirks import Quirk, ServerQuirks
from .sse import DONE, event_data
from .usage import CostEstimator, UsageStats

LOGGER = logging.getLogger(__package__)

# The SDK's own client is one of httpx2, the client that is passed in may be one of either.
_HTTP_ERRORS = (httpx.HTTPError, httpx2.HTTPError)
_CONNECT_TIMEOUTS = (httpx.ConnectTimeout, httpx2.ConnectTimeout)

# Seconds that a server has to close a stream behind its end mark.
_END_OF_STREAM = 0.2

# Servers without keys still get one, as the SDK does not go without.
_NO_KEY = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """How long a server may be silent, in seconds."""

    connect: float = 10
    first_token: float = 60
    between_tokens: float = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """What is asked of a model."""

    model: str
    temperature: float | None = 0.7
    max_tokens: int | None = 1024
    stream: bool = True
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    """What is sent beside the protocol's own parameters, such as a switch for thinking."""


class OpenAICompatibleServer:
    """A server that speaks the OpenAI protocol."""

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        http_client: Any = None,
        timeouts: Timeouts | None = None,
    ) -> None:
        """Take the address with its version (`http://host:port/v1`), and the key if it wants one.

        An HTTP client that is passed in is shared and never closed here.
        """
        self.timeouts = timeouts or Timeouts()
        self._client = openai.AsyncOpenAI(
            api_key=api_key or _NO_KEY,
            base_url=base_url,
            http_client=http_client,
            # A retry that nobody sees makes a voice user wait; the SDK's own limit is 10 minutes.
            max_retries=0,
            # The deadlines below end a request by cancelling it, which the HTTP client can miss
            # while it connects: its own limit for every read ends it then.
            timeout=openai.Timeout(
                None,
                connect=self.timeouts.connect,
                read=max(self.timeouts.first_token, self.timeouts.between_tokens),
            ),
        )

    def prepare(self) -> None:
        """Do what reads files, once, and outside the event loop."""
        self._client.platform_headers()
        # The SDK imports its parts when they are first asked for.
        _ = self._client.models, self._client.chat.completions

    async def list_models(self) -> list[str]:
        """Return the names of the models, sorted; raise an `LLMError` if there is no list."""
        return sorted(str(model.id) for model in await self._listed() if getattr(model, "id", None))

    async def model_details(self, model: str) -> dict[str, Any]:
        """Return what the list of models says of one, nothing if it is not in it."""
        listed = next((m for m in await self._listed() if getattr(m, "id", None) == model), None)
        return {} if listed is None else dict(listed.model_dump())

    async def _listed(self) -> list[Any]:
        with translated_errors():
            async with asyncio.timeout(self.timeouts.first_token):
                page = await self._client.models.list()
        models = getattr(page, "data", None)
        if not isinstance(models, list):
            raise LLMResponseError("the list of models is malformed")
        return models

    def provider(
        self,
        settings: ModelSettings,
        *,
        costs: CostEstimator | None = None,
        quirks: ServerQuirks | None = None,
    ) -> OpenAICompatibleProvider:
        """Return a model of this server."""
        return OpenAICompatibleProvider(
            self._client,
            settings,
            self.timeouts,
            costs or CostEstimator(),
            quirks or ServerQuirks(),
        )


class OpenAICompatibleProvider(LLMProvider):
    """One model of a server, as the loop asks it."""

    def __init__(
        self,
        client: openai.AsyncOpenAI,
        settings: ModelSettings,
        timeouts: Timeouts,
        costs: CostEstimator,
        quirks: ServerQuirks,
    ) -> None:
        """Use `OpenAICompatibleServer.provider` instead."""
        self._client = client
        self._settings = settings
        self._timeouts = timeouts
        self._costs = costs
        self._quirks = quirks

    @override
    async def stream(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None = None,
        *,
        tool_choice: ToolChoice = "auto",
        response_format: ResponseFormat | None = None,
    ) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`."""
        request = self._request(messages, tools, tool_choice, response_format)
        with translated_errors():
            async with asyncio.timeout(self._timeouts.first_token) as deadline:
                response = await self._send(request)
            if "stream" not in request:
                # The whole answer has come, so that deadline was for all of it.
                for event in self._whole(response):
                    yield event
                return
            async with aclosing(self._streamed(response, deadline.when())) as events:
                async for event in events:
                    yield event

    def _request(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolDefinition] | None,
        tool_choice: ToolChoice,
        response_format: ResponseFormat | None,
    ) -> dict[str, Any]:
        """Return the body of a request, in an order that is always the same."""
        settings = self._settings
        request: dict[str, Any] = {
            "model": settings.model,
            "messages": [message.to_wire() for message in messages],
        }
        if tools:
            request["tools"] = [tool.to_wire() for tool in tools]
            if tool_choice != "auto":
                request["tool_choice"] = tool_choice
        if response_format is not None:
            request["response_format"] = response_format
        if settings.temperature is not None:
            request["temperature"] = settings.temperature
        if settings.max_tokens is not None:
            request["max_completion_tokens"] = settings.max_tokens
        if settings.stream:
            request["stream"] = True
            request["stream_options"] = {"include_usage": True}
        if settings.extra_body:
            kept = settings.extra_body.keys() - self._quirks.refused
            request["extra_body"] = {
                key: value for key, value in settings.extra_body.items() if key in kept
            }
        apply_known_workarounds(request, self._quirks)
        return request

    async def _send(self, request: dict[str, Any]) -> Any:
        """Send a request; what the server refuses is rewritten and sent once more.

        It is remembered when the server has taken the request then. Raises `LLMUnsupportedError`
        if it refuses tools.
        """
        tried = set(self._quirks.refused)
        helped: list[str] = []
        before = ""
        while True:
            try:
                response = await self._client.chat.completions.create(**request)
            except openai.APIStatusError as err:
                # Of a conversation that is too long the limit on the answer may be named, too.
                if _context_error(err.message, err.status_code) is not None:
                    raise
                complaint = error_text(err.body, err.message)
                name = apply_workaround(err.status_code, complaint, request, tried)
                if name is None:
                    raise
                # The same again: it was something else.
                if helped and complaint == before and not chains(helped[-1]):
                    helped.pop()
                helped.append(name)
                tried.add(name)
                before = complaint
            else:
                for name in helped:
                    self._quirks.learn(name)
                return response

    def _whole(self, response: Any) -> list[ProviderEvent]:
        choices = getattr(response, "choices", None)
        if not choices:
            raise LLMResponseError("the answer is not a completion")
        answer = PartialAnswer()
        events = answer.add(choices[0].message, choices[0].finish_reason, whole=True)
        answer.usage = self._usage(response.usage)
        return [*events, self._completed(answer)]

    async def _streamed(
        self, stream: openai.AsyncStream[ChatCompletionChunk], first_token_by: float | None
    ) -> AsyncGenerator[ProviderEvent]:
        answer = PartialAnswer()
        deadline = first_token_by
        loop = asyncio.get_running_loop()
        # The SDK would stop reading at the end mark, and the connection could not be used again.
        async with (
            aclosing(stream.response),
            aclosing(event_data(stream.response.aiter_lines())) as events,
        ):
            while True:
                async with asyncio.timeout_at(deadline):
                    data = await anext(events, None)
                if data is None or data == DONE:
                    break
                chunk = _chunk(data)
                if (usage := getattr(chunk, "usage", None)) is not None:
                    answer.usage = self._usage(usage)
                for choice in (getattr(chunk, "choices", None) or ())[:1]:
                    for event in answer.add(choice.delta, choice.finish_reason):
                        yield event
                # Some servers open the stream long before the first word; only words count.
                if answer.begun:
                    deadline = loop.time() + self._timeouts.between_tokens
            if data == DONE:
                with suppress(TimeoutError, StopAsyncIteration):
                    await asyncio.wait_for(anext(events), _END_OF_STREAM)
        completed = self._completed(answer)
        if data != DONE and answer.finish_reason is None:
            raise LLMConnectionError("the stream broke off")
        yield completed

    def _completed(self, answer: PartialAnswer) -> Completed:
        result = answer.result()
        if result.tool_calls:
            self._quirks.learn(Quirk.CALLED_NATIVELY)
        return Completed(result)

    def _usage(self, usage: Any) -> UsageStats | None:
        if usage is None:
            return None
        prompt = getattr(usage, "prompt_tokens", None) or 0
        completion = getattr(usage, "completion_tokens", None) or 0
        return UsageStats(
            prompt_tokens=prompt,
            completion_tokens=completion,
            total_tokens=getattr(usage, "total_tokens", None) or prompt + completion,
            cost=self._costs.estimate(self._settings.model, prompt, completion),
        )


def _chunk(data: str) -> ChatCompletionChunk:
    """Return an event of the stream; raise `LLMError` if it tells of an error."""
    parsed = json.loads(data)
    if error := parsed.get("error"):
        text = error.get("message") if isinstance(error, dict) else None
        raise _context_error(str(text or error), None) or LLMServerError(str(text or error))
    return ChatCompletionChunk.construct(**parsed)


@contextmanager
def translated_errors() -> Generator[None]:
    """Raise the errors of the SDK, and of the connection under it, as `LLMError`s."""
    try:
        yield
    except LLMError:
        raise
    except TimeoutError as err:
        raise LLMTimeoutError("the server was silent for too long") from err
    except (openai.OpenAIError, *_HTTP_ERRORS, OSError) as err:
        raise llm_error(err) from err
    except (ValueError, TypeError, AttributeError, KeyError) as err:
        # The SDK reads what it gets without checking it, and so do we.
        raise LLMResponseError(f"the answer cannot be read ({type(err).__name__})") from err


def llm_error(err: Exception) -> LLMError:
    """Return the error of the SDK as one of ours."""
    match err:
        case openai.APIStatusError():
            return _status_error(err)
        case openai.APITimeoutError() if not isinstance(err.__cause__, _CONNECT_TIMEOUTS):
            return LLMTimeoutError("the server was silent for too long")
        case openai.APIConnectionError() | httpx.HTTPError() | httpx2.HTTPError() | OSError():
            return LLMConnectionError(f"no connection ({type(err.__cause__ or err).__name__})")
        case openai.APIResponseValidationError():
            return LLMResponseError("the answer is not a completion")
    return LLMResponseError(str(err))


def _status_error(err: openai.APIStatusError) -> LLMError:
    status, text, words = err.status_code, err.message, _words(err)
    makers: dict[int, Callable[[], LLMError]] = {
        401: lambda: LLMAuthError(words, status),
        402: lambda: LLMQuotaError(words, status),
        403: lambda: LLMAuthError(words, status),
        429: lambda: _too_many_requests(err),
    }
    if (maker := makers.get(status)) is not None:
        return maker()
    if (too_long := _context_error(text, status)) is not None:
        return too_long
    if status >= 500:  # noqa: PLR2004 - HTTP's own classes
        return LLMServerError(words, status)
    if _lacks_model(err):
        return LLMModelNotFoundError(words, status)
    return LLMAPIError(words, status)


def _words(err: openai.APIStatusError) -> str:
    """Return what the server says, without the wrapping that the SDK puts around it."""
    match err.body:
        case {"message": str(words)} | {"detail": str(words)} | str(words) if words:
            return words
    return err.message


def _lacks_model(err: openai.APIStatusError) -> bool:
    text = err.message.lower()
    if err.status_code == 404:  # noqa: PLR2004 - HTTP's own number
        # A page for people may have the word as well.
        return "model" in text and "<html" not in text
    return "model_not_found" in text or "invalid model" in text or "valid model id" in text


def _too_many_requests(err: openai.APIStatusError) -> LLMError:
    if "insufficient_quota" in f"{err.code} {err.type}":
        return LLMQuotaError(err.message, err.status_code)
    try:
        retry_after = float(err.response.headers.get("retry-after", ""))
    except ValueError:
        retry_after = None
    return LLMRateLimitError(err.message, err.status_code, retry_after)


def _context_error(text: str, status: int | None) -> LLMContextLengthError | None:
    lower = text.lower()
    too_long = "context" in lower and any(
        word in lower for word in ("length", "window", "exceed", "size", "too long")
    )
    return LLMContextLengthError(text, status) if too_long else None
