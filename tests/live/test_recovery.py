"""Recovery from faults: sentence, duration, requests, tool runs and the next turn."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.fake_openai import Call, FakeOpenAI, Fault, Gate, Reply, history_problems
from tests.fake_openai.wire import CUT_SHORT

from .chatterbox import (
    Agent,
    add_agent,
    change_agent,
    deltas_of,
    probe_agent,
    process,
    result_of,
    run_pipeline,
    speech_of,
)
from .home import Home

TURN_TIMEOUT = 6
RECOVERED = "Everything works again."
TOOLS = ("paint", "look", "break", "fail", "saw")

CANNOT_CONNECT = "I cannot reach the model. Its server may be turned off."
TIMEOUT = "The model took too long to answer. Please try again."
RATE_LIMITED = "The model receives too many requests right now. Please try again in a minute."
SERVER_ERROR = "The model's server reported an error. Please try again."
BAD_RESPONSE = "I could not understand the response of the model's server."
INVALID_AUTH = "The model's server does not accept my key. Please ask your administrator."
MODEL_NOT_FOUND = "The server does not have the model that I am set up to use."
NO_ANSWER = "I don't have an answer to that."
CUT_OFF = "The rest is missing because the answer was too long."
REFUSED = "The model refused to answer that."
REPETITION = "I started to repeat myself, so I stopped."
STUCK = "I could not get that done."
LIMIT_ASK = "I have taken 4 steps and am not done yet. Should I continue?"
STORY = "One. Two. Three. Four. Five. Six. Seven. Eight. Nine. Ten."
STOPPED = "All right, I stopped."
STOPPED_WRITING = "I've stopped, but what I had already started is still being completed."
SORRY = "That did not work."

type During = Callable[[Home, FakeOpenAI, Gate], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class Row:
    """A fault, with the expected outcome."""

    name: str
    speech: str
    """Expected speech; a leading star stands for the part of the answer received before."""
    requests: int
    replies: tuple[Reply, ...] = ()
    """Replies of the model; the last one is repeated."""
    runs: Mapping[str, int] = field(default_factory=dict)
    """Number of runs of each tool."""
    during: During | None = None
    """Event during the turn."""


def fault(fault: Fault, speech: str, requests: int) -> Row:
    """Return the row of a server with a permanent fault."""
    text = STORY if speech.startswith("*") else None
    return Row(fault.value, speech, requests, (Reply(text, fault=fault),))


def calling(*calls: Call, **more: Any) -> Reply:
    return Reply(tool_calls=calls, **more)


async def _interrupt(home: Home, model: FakeOpenAI, gate: Gate) -> None:
    """Cancel the turn in the middle of the answer."""
    await gate.reached.wait()
    assert await cancel(home) == "interrupted"
    await model.completions[0].disconnected.wait()


async def _interrupt_the_saw(home: Home, model: FakeOpenAI, gate: Gate) -> None:
    """Cancel the turn while a tool is running."""
    await home.log.wait_for("Tool saw is called", home.checked)
    assert await cancel(home) == "interrupted"


BEFORE, MIDWAY = Gate(), Gate(after=3)
THIRTY = [Call("*paint", {"colour": f"shade {number}"}) for number in range(30)]
SCHEMA = {"type": "object", "properties": {"colour": {"type": "string"}}}

ROWS = [
    fault(Fault.UNAUTHORIZED, INVALID_AUTH, 1),
    fault(Fault.FORBIDDEN, INVALID_AUTH, 1),
    fault(Fault.MODEL_NOT_FOUND, MODEL_NOT_FOUND, 1),
    fault(Fault.RATE_LIMITED, RATE_LIMITED, 2),
    fault(Fault.RATE_LIMITED_WITHOUT_HINT, RATE_LIMITED, 2),
    Row(
        "rate_limited_for_long",
        RATE_LIMITED,
        1,
        (Reply(fault=Fault.RATE_LIMITED, headers={"Retry-After": "60"}),),
    ),
    Row(
        "rate_limited_once",
        "It is noon.",
        2,
        (Reply(fault=Fault.RATE_LIMITED), Reply("It is noon.")),
    ),
    # The server has never called a tool so far: the agent is guided, and asks once more.
    fault(Fault.SERVER_ERROR, SERVER_ERROR, 2),
    fault(Fault.OVERLOADED, SERVER_ERROR, 2),
    fault(Fault.HTML, BAD_RESPONSE, 2),
    fault(Fault.HTML_BAD_GATEWAY, SERVER_ERROR, 2),
    fault(Fault.RESET, CANNOT_CONNECT, 2),
    Row("reset_once", "It is noon.", 2, (Reply(fault=Fault.RESET), Reply("It is noon."))),
    fault(Fault.RESET_MIDWAY, f"*{CANNOT_CONNECT}", 1),
    Row("truncated", "It is", 1, (Reply("It is noon.", fault=Fault.TRUNCATED),)),
    fault(Fault.ERROR_EVENT, f"*{SERVER_ERROR}", 1),
    fault(Fault.MALFORMED_EVENT, f"*{BAD_RESPONSE}", 1),
    fault(Fault.HANGING, f"*{TIMEOUT}", 1),
    fault(Fault.NEVER, TIMEOUT, 1),
    fault(Fault.EMPTY_CONTENT, NO_ANSWER, 3),
    fault(Fault.NULL_CONTENT, NO_ANSWER, 3),
    fault(Fault.LENGTH, f"{CUT_SHORT} … {CUT_OFF}", 1),
    fault(Fault.CONTENT_FILTER, REFUSED, 1),
    Row("repetition", f"*{REPETITION}", 1, (Reply("One. " * 100),)),
    Row(
        "bad_tool_json",
        SORRY,
        2,
        (calling(Call("*paint"), fault=Fault.BAD_TOOL_JSON), Reply(SORRY)),
    ),
    Row(
        "arguments_that_echo_the_schema",
        SORRY,
        2,
        (calling(Call("*paint", SCHEMA)), Reply(SORRY)),
    ),
    Row(
        "arguments_of_another_type",
        SORRY,
        2,
        (calling(Call("*paint", {"colour": 7})), Reply(SORRY)),
    ),
    Row("wrong_arguments", SORRY, 2, (calling(Call("*paint", {"colour": {"a": 1}})), Reply(SORRY))),
    Row("unknown_tool", SORRY, 2, (Reply(fault=Fault.UNKNOWN_TOOL), Reply(SORRY))),
    Row("tools_wrong_for_ever", STUCK, 4, (Reply(fault=Fault.UNKNOWN_TOOL),)),
    Row("tool_with_a_bug", SORRY, 2, (calling(Call("*break")), Reply(SORRY)), {"break": 1}),
    Row("tool_that_times_out", SORRY, 2, (calling(Call("*saw")), Reply(SORRY)), {"saw": 1}),
    Row(
        "one_of_two_tools_fails",
        SORRY,
        2,
        (calling(Call("*fail"), Call("*paint")), Reply(SORRY)),
        {"fail": 1, "paint": 1},
    ),
    Row("tool_that_fails_for_ever", STUCK, 3, (calling(Call("*fail")),), {"fail": 2}),
    Row("endless_tools", LIMIT_ASK, 5, (calling(Call("*look")),), {"look": 4}),
    Row("empty_after_a_tool", "Done.", 2, (calling(Call("*paint")), Reply("")), {"paint": 1}),
    Row("thirty_calls", "All done.", 2, (calling(*THIRTY), Reply("All done.")), {"paint": 30}),
    Row(
        "duplicate_ids",
        "It is red.",
        2,
        (calling(Call("*paint"), fault=Fault.DUPLICATE_TOOL_CALL_IDS), Reply("It is red.")),
        {"paint": 1},
    ),
    Row(
        "missing_ids",
        "It is red.",
        2,
        (calling(Call("*paint"), fault=Fault.MISSING_TOOL_CALL_IDS), Reply("It is red.")),
        {"paint": 1},
    ),
    Row(
        "cancelled_before_the_first_word", STOPPED, 1, (Reply("Hi.", hold=BEFORE),), {}, _interrupt
    ),
    Row(
        "cancelled_in_the_middle",
        STOPPED,
        1,
        (Reply("It is a sunny day.", hold=MIDWAY),),
        {},
        _interrupt,
    ),
    Row(
        "cancelled_in_a_writing_tool",
        STOPPED_WRITING,
        1,
        (calling(Call("*saw")),),
        {"saw": 1},
        _interrupt_the_saw,
    ),
]


async def cancel(home: Home) -> str:
    """Call the cancel action; return its status."""
    done = await home.post("api/services/chatterbox/cancel?return_response", {})
    status: str = done["service_response"]["status"]
    return status


async def runs(home: Home) -> dict[str, int]:
    """Return the number of runs of each tool."""
    return {tool: int(await home.state(f"trouble.{tool}") or 0) for tool in TOOLS}


@pytest.fixture(scope="module")
async def fragile(home: Home) -> AsyncIterator[tuple[Agent, FakeOpenAI]]:
    """Return an agent with failing and slow tools, and its own server."""
    async with FakeOpenAI() as server:
        agent = await add_agent(home, server.url)
        await change_agent(
            home,
            agent.entry_id,
            llm_hass_api=["trouble"],
            # A tool call that the server cannot read would lead to the guided profile.
            profile="capable",
            turn_timeout=TURN_TIMEOUT,
            max_iterations=4,
        )
        # The server has never called a tool, so that the agent is guided.
        shown = await probe_agent(home, agent.entry_id)
        assert shown["tools"] == "✗"
        yield agent, server


@pytest.mark.warns
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_fault_ends_in_its_sentence_in_time_and_the_next_turn_works(
    home: Home, fragile: tuple[Agent, FakeOpenAI], row: Row
) -> None:
    """Check sentence, duration, requests, tool runs and the next turn."""
    agent, model = fragile
    for gate in (BEFORE, MIDWAY):
        gate.reached.clear()
    model.reset()
    model.script(*row.replies[:-1])
    model.default = row.replies[-1]
    hold = row.replies[-1].hold
    gate = hold if isinstance(hold, Gate) else BEFORE
    before = await runs(home)

    # What is not over in time is an error here.
    async with asyncio.timeout(TURN_TIMEOUT + 2), asyncio.TaskGroup() as group:
        turn = group.create_task(run_pipeline(home, agent, "paint the wall"))
        if row.during is not None:
            group.create_task(row.during(home, model, gate))
    events = turn.result()

    assert [event for event in events if event["type"] == "error"] == []
    result = result_of(events)
    speech = speech_of(result)
    if row.speech.startswith("*"):
        heard = "".join(str(delta.get("content", "")) for delta in deltas_of(events))
        assert heard.startswith("One")
        assert heard.endswith(f" … {row.speech[1:]}")
    assert speech == row.speech.removeprefix("*")
    assert len(model.completions) == row.requests
    for request in model.completions:
        assert history_problems(request.messages) == []

    await home.ws.call("fire_event", event_type="trouble_go_on")
    model.reset()
    model.default = Reply(RECOVERED)
    again = await process(home, agent, "and now?", result["conversation_id"])
    assert speech_of(again) == RECOVERED
    (request,) = model.completions
    assert history_problems(request.messages) == []
    after = await runs(home)
    assert {tool: after[tool] - before[tool] for tool in TOOLS} == {
        **dict.fromkeys(TOOLS, 0),
        **row.runs,
    }
    if row.name == "cancelled_in_a_writing_tool":
        (saw,) = [item for item in request.messages if item["role"] == "tool"]
        assert json.loads(saw["content"])["success"] is True


async def test_agent_answers_after_a_kill_during_a_tool_call(
    home: Home, fragile: tuple[Agent, FakeOpenAI]
) -> None:
    """After a kill the home starts again, and the next turn is answered."""
    agent, model = fragile
    model.reset()
    model.script(Reply("Hello."), Reply(tool_calls=[Call("*saw")]))
    await process(home, agent, "hello", "workshop")
    seen = len(home.log.records)
    turn = asyncio.create_task(process(home, agent, "saw a board", "workshop"))
    await home.log.wait_for("Tool saw is called", seen)
    await home.kill()
    with pytest.raises(ConnectionError):
        await turn
    await home.start()
    model.reset()
    model.default = Reply(RECOVERED)
    assert speech_of(await process(home, agent, "and now?", "workshop")) == RECOVERED
    assert history_problems(model.completions[0].messages) == []
    assert (await runs(home))["saw"] == 0
