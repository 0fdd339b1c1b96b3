"""Guard around every tool call: errors, timeouts and oversized results become readable results."""

import asyncio
import difflib
import time
from http import HTTPStatus
from typing import Any, override

from ..attachments import Attachment
from ..const import LOGGER
from ..errors import (
    ToolArgumentError,
    ToolError,
    ToolTimeoutError,
    UnknownToolError,
)
from ..messages import ToolCall, ToolDefinition, ToolResult, envelope
from ..trimming import prune
from .dispatcher import ToolDispatcher, wait_for_call
from .registry import Tool, ToolRegistry
from .result import DataWithAttachments, mask_secrets, to_jsonable

_NAMES_SHOWN = 10
_REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_ENVELOPE_CHARS = len(envelope(None, error=False))


class ToolGuard(ToolDispatcher):
    """Dispatcher to the tools of a registry, each of which may take `timeout` seconds.

    A read-only tool is stopped after that, or when the turn is cancelled; one that writes goes on.
    Results are shortened to `max_result_chars` characters, their envelope included.
    """

    def __init__(
        self,
        registry: ToolRegistry,
        *,
        timeout: float = 30,
        max_result_chars: int = 10_000,
    ) -> None:
        self._registry = registry
        self._timeout = timeout
        self._max_result_chars = max_result_chars - _ENVELOPE_CHARS
        self._unfinished: set[asyncio.Task[Any]] = set()

    @property
    @override
    def definitions(self) -> list[ToolDefinition]:
        """The offered tools."""
        return self._registry.definitions

    @override
    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Execute a call and return its result; never raises, except when the turn is cancelled."""
        # The values may be secret, such as the code of a lock, or private.
        LOGGER.debug("Tool %s is called with %s", call.name, ", ".join(call.arguments) or "nothing")
        started = time.monotonic()
        raw: Any
        attachments: tuple[Attachment, ...] = ()
        data: Any
        try:
            raw = await self._run(call)
            if isinstance(raw, DataWithAttachments):
                attachments, raw = raw.attachments, dict(raw)
            data = prune(raw, self._max_result_chars, to_jsonable)
            error = False
        except Exception as err:  # noqa: BLE001 - a tool may raise anything
            raw, error = err, True
            data = prune(describe_error(call.name, err), self._max_result_chars)
        seconds = time.monotonic() - started
        LOGGER.debug(
            "Tool %s %s after %.3f s", call.name, "failed" if error else "succeeded", seconds
        )
        return ToolResult(
            call=call, data=data, error=error, seconds=seconds, raw=raw, attachments=attachments
        )

    async def _run(self, call: ToolCall) -> Any:
        if (tool := self._registry.get(call.name)) is None:
            raise UnknownToolError(self._unknown_text(call.name))
        if call.invalid is not None:
            raise ToolArgumentError(
                f"The arguments of {call.name} are not a JSON object. Call it again with "
                f"arguments like {example_arguments(tool.definition)}."
            )
        annotations = tool.definition.annotations
        task = asyncio.create_task(self._call(tool, call.arguments))
        self._unfinished.add(task)
        task.add_done_callback(self._forget)
        if await wait_for_call(task, read_only=annotations.read_only, seconds=self._timeout):
            if task.cancelled():
                raise ToolError(f"{call.name} was interrupted.")
            return task.result()
        if annotations.read_only:
            task.cancel()
        outcome = "was stopped" if annotations.read_only else "may still take effect"
        raise ToolTimeoutError(f"{call.name} timed out after {self._timeout:g} s and {outcome}.")

    @staticmethod
    async def _call(tool: Tool, arguments: dict[str, Any]) -> Any:
        return await tool.call(dict(arguments))

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._unfinished.discard(task)
        if not task.cancelled() and (err := task.exception()) is not None:
            LOGGER.debug("A tool raised %s", type(err).__name__, exc_info=err)

    def _unknown_text(self, name: str) -> str:
        names = self._registry.names
        if not names:
            return f"There is no tool named {name}, and no other; answer without tools."
        nearest = difflib.get_close_matches(name, names, n=_NAMES_SHOWN, cutoff=0.0)
        return f"There is no tool named {name}. There are: {', '.join(nearest)}."


def describe_error(tool: str, err: Exception) -> dict[str, str]:
    """Return the error as data for the model: `error` and `error_type`, with secrets masked.

    The text of an exception is shown if it is a `ToolError` or a `ValueError`; of others, the type.
    A hint follows where the model cannot do anything about it.
    """
    kind = ToolError.error_type
    match err:
        case ToolError():
            text, kind = mask_secrets(str(err)), err.error_type
        case ValueError() if str(err):
            text = f"{tool} failed: {mask_secrets(str(err))}"
        case _:
            LOGGER.debug("Tool %s failed", tool, exc_info=err)
            text = f"{tool} failed: {type(err).__name__}"
    return {"error": f"{text}{_hint(err)}", "error_type": kind}


def _hint(err: BaseException) -> str:
    """Return a hint for an error that another call would only repeat, else nothing."""
    if isinstance(err, TypeError | AttributeError | LookupError | AssertionError):
        return ". That is a fault of the tool: do without it, and tell the user."
    cause: BaseException | None = err
    while cause is not None:
        # An HTTP client has the status in one of these.
        status = getattr(cause, "status", None) or getattr(cause, "status_code", None)
        if status in _REFUSED:
            return ". Its access was refused: tell the user to check its credentials."
        cause = cause.__cause__
    return ""


def example_arguments(definition: ToolDefinition) -> str:
    """Return a JSON object with the names of a tool's parameters, as an example."""
    properties = definition.parameters.get("properties") or {}
    shown = [f'"{name}": …' for name in properties]
    return "{" + ", ".join(shown) + "}"
