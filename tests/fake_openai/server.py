"""HTTP server: two endpoints of the OpenAI API, and three to control it from outside."""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from itertools import count
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from . import wire
from .exchange import Exchange, response
from .refusals import complaint
from .replies import Call, Reply
from .request import Request

DEFAULT_REPLY = Reply("Hello from the scripted model.")
PREWARM_REPLY = Reply("H", finish_reason="length")
CREATED = 1_700_000_000


class FakeOpenAI:
    """A scripted server on the loopback interface, as a context manager.

    Each chat completion takes the next reply of the script, and `default` when there is none left.
    One of a single token only prewarms the server: it is kept apart, and takes no reply.
    `models_reply`, if set, is answered instead of the list of models.
    """

    def __init__(
        self,
        models: Sequence[str] | None = ("scripted-1",),
        *,
        api_key: str | None = None,
        strict_models: bool = False,
        refuses: Sequence[str] = (),
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        """Serve these models, None if they cannot be listed; refuse what `REFUSALS` names."""
        self.models = models
        self.api_key = api_key
        self.strict_models = strict_models
        self.refuses = refuses
        self.refused: list[str] = []
        self.default = DEFAULT_REPLY
        self.prewarm_reply = PREWARM_REPLY
        self.models_reply: Reply | None = None
        self.requests: list[Request] = []
        self.prewarms: list[Request] = []
        self._script: deque[Reply] = deque()
        self._host, self._port = host, port
        self._ids = count(1)
        # An answer that hangs ends with its connection; at the end nobody waits for it.
        self._runner = web.AppRunner(
            self._app(), handler_cancellation=True, shutdown_timeout=0.05, access_log=None
        )

    def script(self, *replies: Reply) -> None:
        """Append replies to the script."""
        self._script.extend(replies)

    def load(self, data: Any) -> None:
        """Take over a script as JSON has it: a list of replies, or an object with settings."""
        settings = data if isinstance(data, Mapping) else {"replies": data}
        for name, value in settings.items():
            match name:
                case "replies":
                    self.script(*map(Reply.from_json, value))
                case "default" | "models_reply":
                    setattr(self, name, Reply.from_json(value))
                case "models" | "api_key" | "strict_models" | "refuses":
                    setattr(self, name, value)
                case _:
                    raise ValueError(f"a script has no {name}")

    def reset(self) -> None:
        """Forget the script and the requests."""
        self._script.clear()
        self.requests.clear()
        self.prewarms.clear()
        self.prewarm_reply = PREWARM_REPLY
        self.default = DEFAULT_REPLY
        self.models_reply = None

    @property
    def url(self) -> str:
        """The base URL, as a client is given it."""
        return f"http://{self._host}:{self._port}/v1"

    @property
    def unused(self) -> int:
        """How many replies of the script nobody has asked for."""
        return len(self._script)

    @property
    def completions(self) -> list[Request]:
        """The requests for a chat completion."""
        return [item for item in self.requests if item.path.endswith("/chat/completions")]

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, self._host, self._port).start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._runner.cleanup()

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 1024**2)
        app.add_routes(
            [
                web.get("/v1/models", self._list_models),
                web.post("/v1/chat/completions", self._complete),
                web.post("/_script", self._take_script),
                web.get("/_requests", self._show_requests),
                web.post("/_reset", self._forget),
            ]
        )
        return app

    # The API.

    async def _list_models(self, request: web.Request) -> web.StreamResponse:
        record = await self._record(request)
        if not self._knows_key(record):
            return response(wire.wrong_key())
        if self.models_reply is not None:
            return await Exchange(request, record).send(self.models_reply, {})
        if self.models is None:
            return response(wire.error(404, "Not found.", "not_found_error"))
        models = [
            {"id": name, "object": "model", "created": CREATED, "owned_by": "tests"}
            for name in self.models
        ]
        return web.json_response({"object": "list", "data": models})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        record = await self._record(request)
        if not self._knows_key(record):
            return response(wire.wrong_key())
        if not isinstance(record.json, dict) or "messages" not in record.json:
            return response(wire.error(400, "The body is no request for a completion."))
        model = record.json.get("model")
        if self.strict_models and model not in (self.models or ()):
            return response(wire.no_such_model(model))
        for refused in self.refuses:
            if (sentence := complaint(refused, record.json)) is not None:
                self.refused.append(refused)
                return response(wire.error(400, sentence))
        if 1 in {record.json.get("max_tokens"), record.json.get("max_completion_tokens")}:
            self.requests.remove(record)
            self.prewarms.append(record)
            reply = self.prewarm_reply
        else:
            reply = self._script.popleft() if self._script else self.default
        reply = wire.shaped(reply)
        calls = [self._identified(call.named(record.tools)) for call in reply.tool_calls]
        head = {"id": f"chatcmpl-{next(self._ids)}", "created": CREATED, "model": model}
        return await Exchange(request, record).send(replace(reply, tool_calls=calls), head)

    def _identified(self, call: Call) -> Call:
        return call if call.id is not None else replace(call, id=f"call_{next(self._ids)}")

    def _knows_key(self, record: Request) -> bool:
        given = record.headers.get("Authorization")
        return self.api_key is None or given == f"Bearer {self.api_key}"

    async def _record(self, request: web.Request) -> Request:
        body = await request.read()
        try:
            content = json.loads(body) if body else None
        except ValueError:
            content = None
        record = Request(request.method, request.path, request.headers.copy(), body, content)
        self.requests.append(record)
        return record

    # The control from outside.

    async def _take_script(self, request: web.Request) -> web.Response:
        try:
            self.load(await request.json())
        except (TypeError, ValueError) as problem:
            return web.json_response({"problem": str(problem)}, status=HTTPStatus.BAD_REQUEST)
        return web.json_response({"waiting": self.unused})

    async def _show_requests(self, _request: web.Request) -> web.Response:
        return web.json_response([record.as_dict() for record in self.requests])

    async def _forget(self, _request: web.Request) -> web.Response:
        self.reset()
        return web.json_response({})
