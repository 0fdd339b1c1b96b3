"""Provider for OpenAI-compatible servers. The only module that imports the OpenAI SDK."""

import asyncio
import math
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, override

import httpx
import httpx2
import openai

from ..errors import (
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
from .completion_builder import CompletionBuilder
from .provider import Completed, CompletionRequest, LLMProvider, ProviderEvent
from .rejections import MAX_ERROR_TEXT, apply_workaround, chains, error_text
from .request_body import ModelSettings, encode, request_body
from .response_body import Response, parse_json, read_beginning, read_json, stream_events
from .server_quirks import Quirk, ServerQuirks
from .sse import DONE
from .usage import Price, UsageStats

# The SDK's own client is of httpx2; a client that is passed in may be of either.
_HTTP_ERRORS = (httpx.HTTPError, httpx2.HTTPError)
_CONNECT_TIMEOUTS = (httpx.ConnectTimeout, httpx2.ConnectTimeout)

# Seconds that a server has to close a stream after its end mark.
_END_OF_STREAM = 0.2

# Models of a list, and characters of an id.
_MAX_MODELS = 5000
_MAX_MODEL_ID = 256

# The SDK requires a key, also for servers without authentication.
_NO_KEY = "none"

# The SDK sends the requests, but does not read the responses: it would do so without bounds, and
# build models of every chunk. With this type it returns them as they are.
_AS_IT_IS: dict[str, Any] = {
    "cast_to": httpx2.Response,
    "stream": True,
    "options": {"headers": {"Accept-Encoding": "identity"}},
}


class _Client(openai.AsyncOpenAI):
    """Client of the SDK that reads only the beginning of an error."""

    @override
    async def _send_request(self, request: Any, *, stream: bool, **kwargs: Any) -> Any:
        response = await super()._send_request(request, stream=stream, **kwargs)
        if not response.is_error:
            return response
        headers = {
            name: value for name, value in response.headers.items() if name != "content-encoding"
        }
        return type(response)(
            response.status_code,
            headers=headers,
            content=await read_beginning(response),
            request=request,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Timeouts of a server, in seconds."""

    connect: float = 10
    first_token: float = 60
    between_tokens: float = 30


def _ignore() -> None:
    """Do nothing."""


class OpenAICompatibleServer:
    """A server with the OpenAI API.

    `base_url` has the version (`http://host:port/v1`), `api_key` is None for a server without
    authentication. An `http_client` that is passed in is shared and never closed here.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        *,
        http_client: Any = None,
        timeouts: Timeouts | None = None,
    ) -> None:
        self.timeouts = timeouts or Timeouts()
        self.client = _Client(
            api_key=api_key or _NO_KEY,
            base_url=base_url,
            http_client=http_client,
            # Retries have a budget of their own, see `RetryingProvider`.
            max_retries=0,
            # The deadlines below cancel a request, which the HTTP client can miss while it
            # connects; its read timeout ends the request then.
            timeout=openai.Timeout(
                None,
                connect=self.timeouts.connect,
                read=max(self.timeouts.first_token, self.timeouts.between_tokens),
            ),
        )

    def prepare(self) -> None:
        """Load the files of the SDK. Blocks: has to be called outside the event loop."""
        self.client.platform_headers()

    async def list_models(self) -> list[str]:
        """Return the ids of the models, sorted; raise an `LLMError` if there is no list."""
        return sorted(await self._models())

    async def model_details(self, model: str) -> dict[str, Any]:
        """Return a model's entry in the list of models, empty if it has none.

        Raises an `LLMError` if there is no list.
        """
        return (await self._models()).get(model, {})

    async def _models(self) -> dict[str, dict[str, Any]]:
        """Return the models of the server by their ids."""
        with translated_errors():
            async with asyncio.timeout(self.timeouts.first_token):
                answer = await read_json(await self.client.get("/models", **_AS_IT_IS))
        models = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(models, list):
            raise LLMResponseError("the list of models is malformed")
        return {
            str(model["id"]): model
            for model in models[:_MAX_MODELS]
            if isinstance(model, dict) and 0 < len(str(model.get("id") or "")) <= _MAX_MODEL_ID
        }

    def provider(
        self,
        settings: ModelSettings,
        *,
        price: Price | None = None,
        quirks: ServerQuirks | None = None,
        repeats: Callable[[], None] = _ignore,
    ) -> OpenAICompatibleProvider:
        """Return a provider for a model of this server.

        `repeats` is called before a request is repeated with a workaround.
        """
        return OpenAICompatibleProvider(
            self,
            settings,
            price,
            quirks or ServerQuirks(),
            repeats,
        )


class OpenAICompatibleProvider(LLMProvider):
    """Provider for one model of a server, made by `OpenAICompatibleServer.provider`."""

    def __init__(
        self,
        server: OpenAICompatibleServer,
        settings: ModelSettings,
        price: Price | None,
        quirks: ServerQuirks,
        repeats: Callable[[], None],
    ) -> None:
        self._client = server.client
        self._timeouts = server.timeouts
        self._repeats = repeats
        self._settings = settings
        self._price = price
        self._quirks = quirks

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the answer as it comes, then `Completed`."""
        body = request_body(request, self._settings, self._quirks)
        with translated_errors():
            async with asyncio.timeout(self._timeouts.first_token) as deadline:
                response = await self._send(body)
                if "stream" not in body:
                    # The answer is complete: its deadline was that of the first token.
                    completion = await read_json(response)
            if "stream" in body:
                events = self._streamed(response, deadline.when())
            else:
                events = self._unstreamed(completion)
            async with aclosing(events):
                async for event in events:
                    yield event

    async def _send(self, body: dict[str, Any]) -> Response:
        """Send a request; where the server rejects it, apply workarounds until it does not.

        Workarounds are learned once the server has accepted the request. Raises
        `LLMUnsupportedError` if it rejects tools.
        """
        tried = set(self._quirks.rejected)
        applied: list[str] = []
        last_text = ""
        while True:
            try:
                response: Response = await self._client.post(
                    "/chat/completions", content=encode(body), **_AS_IT_IS
                )
            except openai.APIStatusError as err:
                # Such an error may also name a parameter, such as `max_tokens`.
                if _context_error(err.message, err.status_code) is not None:
                    raise
                text = error_text(err.body, err.message)
                name = apply_workaround(err.status_code, text, body, tried)
                if name is None:
                    raise
                # The same error again: the last workaround had no effect.
                if applied and text == last_text and not chains(applied[-1]):
                    applied.pop()
                applied.append(name)
                tried.add(name)
                last_text = text
                self._repeats()
            else:
                for name in applied:
                    self._quirks.learn(name)
                return response

    async def _unstreamed(self, completion: Any) -> AsyncGenerator[ProviderEvent]:
        choice = completion["choices"][0]
        builder = CompletionBuilder()
        for event in builder.add(choice["message"], choice.get("finish_reason"), whole=True):
            yield event
            # Other tasks of the event loop run between the parts of a long text.
            await asyncio.sleep(0)
        builder.usage = self._usage(completion)
        yield self._completed(builder)

    async def _streamed(
        self, response: Response, first_token_by: float | None
    ) -> AsyncGenerator[ProviderEvent]:
        builder = CompletionBuilder()
        usage: dict[str, Any] = {}
        deadline = first_token_by
        loop = asyncio.get_running_loop()
        async with aclosing(response), aclosing(stream_events(response)) as events:
            while True:
                async with asyncio.timeout_at(deadline):
                    data = await anext(events, None)
                if data is None or data == DONE:
                    break
                chunk = _chunk(data)
                usage |= {key: chunk[key] for key in ("usage", "timings") if chunk.get(key)}
                for choice in (chunk.get("choices") or ())[:1]:
                    added = builder.add(choice.get("delta"), choice.get("finish_reason"))
                    for event in added:
                        yield event
                        if len(added) > 1:
                            await asyncio.sleep(0)
                # Some servers open the stream long before the first token.
                if builder.begun:
                    deadline = loop.time() + self._timeouts.between_tokens
            if data == DONE:
                # The connection can be reused once the stream has been read to its end.
                with suppress(TimeoutError, StopAsyncIteration):
                    await asyncio.wait_for(anext(events), _END_OF_STREAM)
        # Some servers and proxies end a stream without any mark. Then a text is complete, as an
        # interrupted connection is an error; a call may not be. Without a token, something else
        # than a stream may have been sent, such as an HTML page.
        has_end = data == DONE or builder.finish_reason is not None
        is_text = bool(builder.text) and not builder.calls
        if not (has_end or is_text) and (builder.begun or _is_event_stream(response.headers)):
            raise LLMConnectionError("the stream broke off")
        builder.usage = self._usage(usage)
        yield self._completed(builder)

    def _completed(self, builder: CompletionBuilder) -> Completed:
        result = builder.result()
        if result.tool_calls:
            self._quirks.learn(Quirk.CALLED_NATIVELY)
        return Completed(result)

    def _usage(self, answer: Mapping[str, Any]) -> UsageStats | None:
        stats = UsageStats.parse(answer.get("usage"), answer.get("timings"))
        if stats is None or self._price is None:
            return stats
        return replace(stats, cost=self._price.cost(stats))


def _is_event_stream(headers: Mapping[str, str]) -> bool:
    return headers.get("content-type", "").startswith("text/event-stream")


def _chunk(data: bytes) -> dict[str, Any]:
    """Parse an event of the stream; raise `LLMError` for an error event."""
    chunk: dict[str, Any] = parse_json(data)
    if error := chunk.get("error"):
        message = error.get("message") if isinstance(error, dict) else None
        text = str(message or error)[:MAX_ERROR_TEXT]
        raise _context_error(text, None) or LLMServerError(text)
    return chunk


@contextmanager
def translated_errors() -> Generator[None]:
    """Raise errors of the SDK and of the HTTP client as `LLMError`s."""
    try:
        yield
    except LLMError:
        raise
    except TimeoutError as err:
        raise LLMTimeoutError("the server was silent for too long") from err
    except (openai.OpenAIError, *_HTTP_ERRORS, OSError) as err:
        raise llm_error(err) from err
    except (ValueError, TypeError, AttributeError, LookupError) as err:
        # The SDK does not validate answers, nor do we.
        raise LLMResponseError(f"the answer cannot be read ({type(err).__name__})") from err


def llm_error(err: Exception) -> LLMError:
    """Return the `LLMError` for an error of the SDK or of the HTTP client."""
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
    status, text, message = err.status_code, err.message[:MAX_ERROR_TEXT], _message(err)
    makers: dict[int, Callable[[], LLMError]] = {
        401: lambda: LLMAuthError(message, status),
        402: lambda: LLMQuotaError(message, status),
        403: lambda: LLMAuthError(message, status),
        429: lambda: _too_many_requests(err, message),
    }
    if (maker := makers.get(status)) is not None:
        return maker()
    if (too_long := _context_error(text, status)) is not None:
        return too_long
    if status >= 500:  # noqa: PLR2004 - HTTP's own classes
        return LLMServerError(message, status)
    if _lacks_model(err):
        return LLMModelNotFoundError(message, status)
    return LLMAPIError(message, status)


def _message(err: openai.APIStatusError) -> str:
    """Return the server's own message, without the SDK's wrapping."""
    match err.body:
        case {"message": str(message)} | {"detail": str(message)} | str(message) if message:
            return message[:MAX_ERROR_TEXT]
    return err.message[:MAX_ERROR_TEXT]


def _lacks_model(err: openai.APIStatusError) -> bool:
    text = err.message.lower()
    if err.status_code == 404:  # noqa: PLR2004 - HTTP's own number
        # An HTML page may contain the word as well.
        return "model" in text and "<html" not in text
    return "model_not_found" in text or "invalid model" in text or "valid model id" in text


def _too_many_requests(err: openai.APIStatusError, message: str) -> LLMError:
    if "insufficient_quota" in f"{err.code} {err.type}":
        return LLMQuotaError(message, err.status_code)
    try:
        retry_after = float(err.response.headers.get("retry-after", ""))
    except ValueError:
        retry_after = math.nan
    finite = retry_after if math.isfinite(retry_after) else None
    return LLMRateLimitError(message, err.status_code, finite)


def _context_error(text: str, status: int | None) -> LLMContextLengthError | None:
    lower = text.lower()
    too_long = "context" in lower and any(
        word in lower for word in ("length", "window", "exceed", "size", "too long")
    )
    return LLMContextLengthError(text, status) if too_long else None
