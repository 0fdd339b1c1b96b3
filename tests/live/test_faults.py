"""Faults of the server: each is answered with a sentence, and the next turn works."""

import re

import pytest

from tests.fake_openai import FakeOpenAI, Fault, Reply, history_problems

from .chatterbox import Agent, deltas_of, process, result_of, run_pipeline, speech_of
from .home import Home

TECHNICAL = re.compile(r"\w*(Error|Exception)\b|Unexpected|Traceback|HTTP|JSON|[{}<>]|\b[45]\d\d\b")
SENTENCE = re.compile(r"\w[.!?]$")
RECOVERED = "Everything works again."


@pytest.mark.warns
@pytest.mark.parametrize("lasting", [False, True], ids=["once", "lasting"])
@pytest.mark.parametrize("fault", Fault)
async def test_fault_is_answered_with_a_sentence_and_the_next_turn_works(
    home: Home,
    agent: Agent,
    model: FakeOpenAI,
    fault: Fault,
    lasting: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    """A fault of one or all replies ends in a sentence, and is not in the history."""
    faulty = Reply("The kitchen lights are on, as you wish.", fault=fault)
    if lasting:
        model.default = faulty
    else:
        model.script(faulty)

    events = await run_pipeline(home, agent, "tell me about the kitchen lights")

    assert [event for event in events if event["type"] == "error"] == []
    result = result_of(events)
    spoken = "".join(delta.get("content") or "" for delta in deltas_of(events))
    # A stream that only lacks its end mark may be complete: its text is the answer.
    assert fault is Fault.TRUNCATED or SENTENCE.search(speech_of(result))
    assert not TECHNICAL.search(spoken)
    # What is spoken while it streams and what is shown at the end must not contradict.
    # A sentence instead of an answer is only the result: the dialog would show it twice.
    assert not spoken or spoken.endswith(speech_of(result))

    model.reset()
    model.default = Reply(RECOVERED)
    again = await process(home, agent, "and now?", result["conversation_id"])
    assert speech_of(again) == RECOVERED
    assert again["conversation_id"] == result["conversation_id"]
    (request,) = model.completions
    assert history_problems(request.messages) == []


@pytest.mark.warns
@pytest.mark.parametrize("fault", [Fault.BAD_TOOL_JSON, Fault.UNKNOWN_TOOL])
async def test_invalid_tool_call_is_returned_to_the_model_as_an_error(
    home: Home, agent: Agent, model: FakeOpenAI, fault: Fault
) -> None:
    """A tool call that cannot be executed returns an error to the model, which then answers."""
    model.script(Reply(fault=fault), Reply("I could not do that."))
    result = await process(home, agent, "turn on the kitchen lights")
    assert speech_of(result) == "I could not do that."
    _, second = model.completions
    assert history_problems(second.messages) == []
    assert '"success": false' in second.messages[-1]["content"].replace('":false', '": false')


@pytest.mark.warns
@pytest.mark.parametrize("fault", [Fault.MISSING_TOOL_CALL_IDS, Fault.DUPLICATE_TOOL_CALL_IDS])
async def test_tool_calls_without_valid_ids_get_new_ones(
    home: Home, agent: Agent, model: FakeOpenAI, fault: Fault
) -> None:
    """Tool calls without valid ids are executed, and their results have ids of their own."""
    model.script(Reply(fault=fault), Reply("Done."))
    await process(home, agent, "what can you do?")
    _, second = model.completions
    assert history_problems(second.messages) == []


@pytest.mark.parametrize(
    ("fault", "parameter"),
    [
        (Fault.UNSUPPORTED_TEMPERATURE, "temperature"),
        (Fault.UNSUPPORTED_MAX_COMPLETION_TOKENS, "max_completion_tokens"),
    ],
)
async def test_rejected_parameter_is_left_out(
    home: Home, agent: Agent, model: FakeOpenAI, fault: Fault, parameter: str
) -> None:
    """A parameter that the server rejects is not sent again, and the turn succeeds."""
    model.default = Reply("I am fine.", fault=fault)
    result = await process(home, agent, "how are you?")
    assert speech_of(result) == "I am fine."
    assert parameter not in model.completions[-1].json
