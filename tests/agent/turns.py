"""Turns of the loop with a scripted provider, and their events."""

from collections.abc import AsyncIterable, Iterable, Sequence

from custom_components.chatterbox.agent.events import (
    LoopEvent,
    LoopState,
    StateChanged,
    TurnFinished,
)
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.loop_settings import LoopSettings
from custom_components.chatterbox.agent.model.provider import TextDelta
from tests.agent.fake_provider import Answer, ScriptedProvider
from tests.agent.fake_tools import FakeTool, guarded


async def collect(events: AsyncIterable[LoopEvent]) -> list[LoopEvent]:
    """Return all events of a turn."""
    return [event async for event in events]


async def collect_until[E: BaseException](
    kind: type[E], events: AsyncIterable[LoopEvent]
) -> tuple[list[LoopEvent], E]:
    """Return the events of a turn that ends with an error, and the error."""
    told: list[LoopEvent] = []
    try:
        async for event in events:
            told.append(event)  # noqa: PERF401 - what came before the error is kept
    except kind as err:
        return told, err
    raise AssertionError(f"no {kind.__name__} after {told}")


def only[T](kind: type[T], events: Iterable[object]) -> list[T]:
    """Return the events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def states(events: Iterable[object]) -> list[LoopState]:
    """Return the states that a turn went through."""
    return [event.state for event in only(StateChanged, events)]


async def run_turn(
    *answers: Answer,
    tools: Sequence[FakeTool] | None = None,
    settings: LoopSettings | None = None,
) -> tuple[TurnFinished, list[LoopEvent], ScriptedProvider]:
    """Run a turn to its end; return its last event, all of them, and the model."""
    provider = ScriptedProvider(*answers)
    loop = AgenticLoop(provider, settings)
    dispatcher = None if tools is None else guarded(*tools)
    events = await collect(loop.stream("Hello?", [], dispatcher))
    (finished,) = only(TurnFinished, events)
    assert events[-1] is finished
    return finished, events, provider


def spoken(events: Sequence[LoopEvent]) -> str:
    """Return the spoken text."""
    return "".join(event.text for event in only(TextDelta, events))
