"""HTTP API of the development server: turns of an agent, and their conversations."""

import asyncio
import hmac
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any, override

import probatio
from aiohttp import hdrs, web

from homeassistant.components.conversation import async_converse
from homeassistant.components.conversation.chat_log import async_get_chat_log
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers.chat_session import DATA_CHAT_SESSION

from .turn import NO_USAGE, Listener, TurnProgress, agent_of, open_session

type Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

MAX_BODY = 2**16
"""Bytes of a request."""
PING_SECONDS = 30
"""After such a silence a comment keeps the connection of a stream open."""

_UNEXPECTED = "An unexpected error occurred; the log has it (-v)."

_TEXT = probatio.All(str, str.strip, probatio.Length(min=1))
_INPUT = probatio.Schema(
    {
        probatio.Required("text"): _TEXT,
        probatio.Optional("conversation_id", default=None): probatio.Any(None, _TEXT),
        probatio.Optional("language", default="en"): _TEXT,
    }
)


@dataclass(frozen=True, slots=True)
class Input:
    """A message to the agent, as the body of a request has it."""

    text: str
    conversation_id: str | None = None
    language: str = "en"


class ConversationApi:
    """The API over one agent, for one user; with a token, requests have to carry it."""

    def __init__(
        self, hass: HomeAssistant, context: Context, entry: ConfigEntry, token: str | None = None
    ) -> None:
        self._hass = hass
        self._context = context
        self._entry = entry
        self._agent = agent_of(hass, entry)
        self._authorization = f"Bearer {token}".encode() if token else None
        self._conversations: set[str] = set()

    def app(self) -> web.Application:
        """Return the web application."""
        app = web.Application(
            middlewares=[_json_errors, self._authorized], client_max_size=MAX_BODY
        )
        app.add_routes(
            [
                web.get("/health", self._health),
                web.post("/conversation", self._converse),
                web.post("/conversation/stream", self._stream),
                web.delete("/conversation", self._forget_all),
                web.delete("/conversation/{conversation_id}", self._forget),
            ]
        )
        return app

    @web.middleware
    async def _authorized(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if self._authorization is not None and request.path != "/health":
            given = request.headers.get(hdrs.AUTHORIZATION, "").encode(errors="surrogateescape")
            if not hmac.compare_digest(given, self._authorization):
                raise web.HTTPUnauthorized(
                    text="The bearer token is missing or wrong.",
                    headers={hdrs.WWW_AUTHENTICATE: "Bearer"},
                )
        return await handler(request)

    async def _health(self, _request: web.Request) -> web.Response:
        state = self._hass.states.get(self._agent)
        return web.json_response(
            {
                "status": "ok",
                "entity_name": state.name if state else self._agent,
                "active_sessions": len(self._active()),
            }
        )

    async def _converse(self, request: web.Request) -> web.Response:
        return web.json_response(
            await self._answer(await _input(request), Listener()), dumps=_dumps
        )

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        asked = await _input(request)
        response = web.StreamResponse(
            headers={hdrs.CONTENT_TYPE: "text/event-stream", hdrs.CACHE_CONTROL: "no-cache"}
        )
        await response.prepare(request)
        events = EventQueue()

        async def answer() -> None:
            try:
                events.add("result", await self._answer(asked, events))
            except web.HTTPException as err:
                events.add("error", {"detail": err.text})
            except Exception:
                request.app.logger.exception(_UNEXPECTED)
                events.add("error", {"detail": _UNEXPECTED})
            events.end()

        # Without a reader the turn is cancelled.
        async with asyncio.TaskGroup() as group:
            turn = group.create_task(answer())
            try:
                async for event in events:
                    await response.write(event)
            except ConnectionResetError:
                turn.cancel()
        return response

    async def _answer(self, asked: Input, listener: Listener) -> dict[str, Any]:
        """Run a turn; return its result as the API has it."""
        progress = TurnProgress(listener)
        started = time.monotonic()
        try:
            with (
                open_session(self._hass, asked.conversation_id, self._context) as session,
                async_get_chat_log(
                    self._hass,
                    session,
                    chat_log_delta_listener=lambda _, delta: progress.handle_delta(delta),
                ),
            ):
                self._conversations.add(session.conversation_id)
                result = await async_converse(
                    self._hass,
                    asked.text,
                    session.conversation_id,
                    self._context,
                    asked.language,
                    self._agent,
                )
        except HomeAssistantError as err:
            # The conversation has a turn already.
            raise web.HTTPConflict(text=str(err)) from err
        progress.handle_result(result.as_dict())
        return {
            "response_text": progress.speech,
            "conversation_id": progress.conversation_id,
            "extra": {
                "succeeded": progress.succeeded,
                "seconds": round(time.monotonic() - started, 3),
                **self._trace(progress.conversation_id),
            },
        }

    def _trace(self, conversation_id: str | None) -> dict[str, Any]:
        """Return what is known of the last turn of a conversation."""
        for trace in reversed(self._entry.runtime_data.turns):
            if trace.conversation_id == conversation_id:
                return {
                    "trace_id": trace.id,
                    "iterations": trace.iterations,
                    "tools": [asdict(tool) for tool in trace.tools],
                    "usage": trace.usage.as_dict(),
                }
        return {"trace_id": None, "iterations": 0, "tools": [], "usage": NO_USAGE}

    async def _forget(self, request: web.Request) -> web.Response:
        await self._async_forget(request.match_info["conversation_id"])
        return web.Response(status=HTTPStatus.NO_CONTENT)

    async def _forget_all(self, _request: web.Request) -> web.Response:
        for conversation_id in [*self._conversations]:
            await self._async_forget(conversation_id)
        return web.Response(status=HTTPStatus.NO_CONTENT)

    async def _async_forget(self, conversation_id: str) -> None:
        """Delete a conversation: its running turn, Home Assistant's session, the stored turns."""
        services, about = self._hass.services, {"conversation_id": conversation_id}
        await services.async_call(
            "chatterbox", "cancel", about, blocking=True, context=self._context
        )
        if session := self._hass.data.get(DATA_CHAT_SESSION, {}).pop(conversation_id, None):
            session.async_cleanup()
        self._conversations.discard(conversation_id)
        # Nothing may be stored of it.
        with suppress(ServiceValidationError):
            await services.async_call(
                "chatterbox",
                "clear_history",
                {"agent": self._agent, **about},
                blocking=True,
                context=self._context,
            )

    def _active(self) -> set[str]:
        """Return the conversations that Home Assistant still has a session of."""
        return self._conversations & self._hass.data.get(DATA_CHAT_SESSION, {}).keys()


class EventQueue(Listener):
    """The events of a turn as server-sent events, in their order."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    def add(self, name: str, data: Mapping[str, Any]) -> None:
        """Add an event."""
        self._queue.put_nowait(f"event: {name}\ndata: {_dumps(data)}\n\n".encode())

    def end(self) -> None:
        """End the stream."""
        self._queue.put_nowait(None)

    @override
    def on_text(self, text: str) -> None:
        self.add("text", {"text": text})

    @override
    def on_message(self) -> None:
        self.add("message", {})

    @override
    def on_tool_call(self, name: str, arguments: Mapping[str, Any]) -> None:
        self.add("tool_call", {"name": name, "arguments": dict(arguments)})

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yield the bytes of the events, and comments in between."""
        while True:
            try:
                async with asyncio.timeout(PING_SECONDS):
                    event = await self._queue.get()
            except TimeoutError:
                event = b": ping\n\n"
            if event is None:
                return
            yield event


async def _input(request: web.Request) -> Input:
    """Return the message in the body of a request; raise the HTTP error of a malformed one."""
    try:
        body = json.loads(await request.read())
    except ValueError:
        raise web.HTTPBadRequest(text="The body is no JSON.") from None
    try:
        return Input(**_INPUT(body))
    except probatio.Invalid as err:
        raise web.HTTPUnprocessableEntity(text=str(err)) from err


@web.middleware
async def _json_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer errors with JSON; what nobody expected has no details."""
    try:
        return await handler(request)
    except web.HTTPException as err:
        headers = {
            name: value
            for name, value in err.headers.items()
            if name in {hdrs.ALLOW, hdrs.WWW_AUTHENTICATE}
        }
        return web.json_response({"detail": err.text}, status=err.status, headers=headers)
    except Exception:
        request.app.logger.exception(_UNEXPECTED)
        detail = {"detail": _UNEXPECTED}
        return web.json_response(detail, status=HTTPStatus.INTERNAL_SERVER_ERROR)


def _dumps(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, default=str)
