"""Provider for servers with the OpenAI API."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, closing
from dataclasses import replace
from types import MappingProxyType
from typing import Any, override

import aiohttp

from ..errors import LLMConnectionError, LLMResponseError, LLMServerError
from .completion_builder import CompletionBuilder
from .http_client import HttpClient, Timeouts
from .http_errors import HttpStatusError, context_error, translated_errors
from .provider import Completed, CompletionRequest, LLMProvider, ProviderEvent
from .rejections import MAX_ERROR_TEXT, apply_workaround, chains, error_text
from .request_body import ModelSettings, encode, request_body
from .request_log import RequestLog
from .response_body import EventStream, parse_json, read_json
from .server_quirks import Quirk, ServerQuirks
from .sse import DONE
from .usage import Price, UsageStats

# Chunks of a stream that are read before other tasks of the event loop run.
_CHUNKS_AT_ONCE = 32

# Models of a list, and characters of an id.
_MAX_MODELS = 5000
_MAX_MODEL_ID = 256


def _ignore() -> None:
    """Do nothing."""


class OpenAICompatibleServer:
    """A server with the OpenAI API.

    `base_url` has the version (`http://host:port/v1`), `api_key` is None for a server without
    authentication, and `headers` are sent with every request. The `session` is shared and never
    closed here.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        base_url: str,
        api_key: str | None = None,
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        timeouts: Timeouts | None = None,
    ) -> None:
        self.timeouts = timeouts or Timeouts()
        self.client = HttpClient(session, base_url, api_key, self.timeouts.connect, headers)

    async def list_models(self) -> list[str]:
        """Return the ids of the models, sorted; raise an `LLMError` if there is no list."""
        with translated_errors():
            async with asyncio.timeout(self.timeouts.first_token):
                answer = await read_json(await self.client.get("/models"))
        models = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(models, list):
            raise LLMResponseError("the list of models is malformed")
        return sorted(
            {
                str(model["id"])
                for model in models[:_MAX_MODELS]
                if isinstance(model, dict) and 0 < len(str(model.get("id") or "")) <= _MAX_MODEL_ID
            }
        )

    def provider(
        self,
        settings: ModelSettings,
        *,
        price: Price | None = None,
        quirks: ServerQuirks | None = None,
        repeats: Callable[[], None] = _ignore,
        log: RequestLog | None = None,
    ) -> OpenAICompatibleProvider:
        """Return a provider for a model of this server.

        `repeats` is called before a request is repeated with a workaround.
        """
        return OpenAICompatibleProvider(
            self,
            settings,
            price,
            quirks or ServerQuirks(),
            repeats=repeats,
            log=log or RequestLog(),
        )


class OpenAICompatibleProvider(LLMProvider):
    """Provider for one model of a server, made by `OpenAICompatibleServer.provider`."""

    def __init__(  # noqa: PLR0913 - what is optional is given by name
        self,
        server: OpenAICompatibleServer,
        settings: ModelSettings,
        price: Price | None,
        quirks: ServerQuirks,
        *,
        repeats: Callable[[], None],
        log: RequestLog,
    ) -> None:
        self._client = server.client
        self._timeouts = server.timeouts
        self._repeats = repeats
        self._settings = settings
        self._price = price
        self._quirks = quirks
        self._log = log

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

    async def _send(self, body: dict[str, Any]) -> aiohttp.ClientResponse:
        """Send a request; where the server rejects it, apply workarounds until it does not.

        Workarounds are learned once the server has accepted the request. Raises
        `LLMUnsupportedError` if it rejects tools.
        """
        tried = set(self._quirks.rejected)
        applied: list[str] = []
        last_text = ""
        while True:
            content = encode(body)
            self._log.keep(content, self._settings.extra_body)
            try:
                response = await self._client.post("/chat/completions", content)
            except HttpStatusError as err:
                # Such an error may also name a parameter, such as `max_tokens`.
                if context_error(err.text, err.status) is not None:
                    raise
                text = error_text(err.body, err.text)
                name = apply_workaround(err.status, text, body, tried)
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
        self, response: aiohttp.ClientResponse, first_token_by: float | None
    ) -> AsyncGenerator[ProviderEvent]:
        builder = CompletionBuilder()
        usage: dict[str, Any] = {}
        stream = EventStream(response)
        deadline = first_token_by
        is_done = False
        with closing(response):
            while not is_done:
                async with asyncio.timeout_at(deadline):
                    chunks = await stream.read()
                if chunks is None:
                    break
                for number, data in enumerate(chunks, 1):
                    if is_done := data == DONE:
                        await stream.finish()
                        break
                    events = _add(data, builder, usage)
                    for event in events:
                        yield event
                        if len(events) > 1:
                            await asyncio.sleep(0)
                    if not number % _CHUNKS_AT_ONCE:
                        await asyncio.sleep(0)
                # Some servers open the stream long before the first token.
                if builder.begun:
                    deadline = asyncio.get_running_loop().time() + self._timeouts.between_tokens
        if not is_done:
            _raise_if_broken_off(builder, response)
        builder.usage = self._usage(usage)
        yield self._completed(builder)

    def _completed(self, builder: CompletionBuilder) -> Completed:
        result = builder.result()
        if result.tool_calls:
            self._quirks.learn(Quirk.CALLED_NATIVELY)
        return Completed(result)

    def _usage(self, answer: Mapping[str, Any]) -> UsageStats | None:
        stats = UsageStats.parse(answer.get("usage"), answer.get("timings"))
        # What the server charges for this very request is known best by itself.
        if stats is None or self._price is None or stats.cost is not None:
            return stats
        return replace(stats, cost=self._price.cost(stats))


def _raise_if_broken_off(builder: CompletionBuilder, response: aiohttp.ClientResponse) -> None:
    """Raise `LLMConnectionError` unless a stream without an end mark is complete."""
    # Some servers and proxies end a stream without any mark. Then a text is complete, as an
    # interrupted connection is an error; a call may not be. Without a token, something else than a
    # stream may have been sent, such as an HTML page.
    is_text = bool(builder.text) and not builder.calls
    has_begun = builder.begun or response.content_type == "text/event-stream"
    if has_begun and not is_text and builder.finish_reason is None:
        raise LLMConnectionError("the stream broke off")


def _add(data: bytes, builder: CompletionBuilder, usage: dict[str, Any]) -> list[ProviderEvent]:
    """Add a chunk of the stream to the answer; return what it adds."""
    chunk = _chunk(data)
    for key in ("usage", "timings"):
        if found := chunk.get(key):
            usage[key] = found
    choices = chunk.get("choices")
    if not choices:
        return []
    choice = choices[0]
    return builder.add(choice.get("delta"), choice.get("finish_reason"))


def _chunk(data: bytes) -> dict[str, Any]:
    """Parse an event of the stream; raise `LLMError` for an error event."""
    chunk: dict[str, Any] = parse_json(data)
    if error := chunk.get("error"):
        message = error.get("message") if isinstance(error, dict) else None
        text = str(message or error)[:MAX_ERROR_TEXT]
        raise context_error(text, None) or LLMServerError(text)
    return chunk
