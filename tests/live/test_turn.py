"""Turns through the conversation API and through a pipeline."""

import json

from tests.fake_openai import Call, FakeOpenAI, Reply, history_problems

from .chatterbox import KITCHEN, Agent, deltas_of, process, result_of, run_pipeline, speech_of
from .home import Home

ANSWER = "The kitchen lights are on, and it is dry outside."


async def test_two_tool_calls_in_one_reply_are_executed(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """Both tools run, the results are sent back in order, and the answer is streamed."""
    await home.call_service("light.turn_off", entity_id=KITCHEN)
    assert await home.state(KITCHEN) == "off"
    model.script(
        Reply(
            tool_calls=(
                Call("*HassTurnOn", {"name": "Kitchen Lights"}, id="call_lights"),
                Call("*get_weather", {"location": "Utrecht"}, id="call_weather"),
            )
        ),
        Reply(ANSWER),
    )

    events = await run_pipeline(home, agent, "turn on the kitchen lights; how is the weather?")

    assert await home.state(KITCHEN) == "on"
    first, second = model.completions
    assert [name for name in first.tools if name.endswith("HassTurnOn")]
    assert [name for name in first.tools if name.endswith("get_weather")]
    assert first.tools == sorted(first.tools)
    assert first.json["stream"] is True

    assert [history_problems(request.messages) for request in (first, second)] == [[], []]
    asked, lights, weather = second.messages[-3:]
    assert [call["id"] for call in asked["tool_calls"]] == ["call_lights", "call_weather"]
    assert [lights["tool_call_id"], weather["tool_call_id"]] == ["call_lights", "call_weather"]
    assert json.loads(lights["content"])["success"] is True
    # The weather service may be out of reach here; then that is the result.
    assert isinstance(json.loads(weather["content"])["success"], bool)

    deltas = deltas_of(events)
    results = [delta["tool_call_id"] for delta in deltas if delta.get("role") == "tool_result"]
    assert results == ["call_lights", "call_weather"]
    pieces = [delta["content"] for delta in deltas if delta.get("content")]
    assert len(pieces) > 1
    assert "".join(pieces) == ANSWER
    assert speech_of(result_of(events)) == ANSWER


async def test_conversation_continues_by_its_id(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """A conversation continues by its id; without one, another conversation starts."""
    model.script(Reply("Hello, Ada."), Reply("You are Ada."), Reply("I do not know."))
    first = await process(home, agent, "My name is Ada.")
    second = await process(home, agent, "Who am I?", first["conversation_id"])
    other = await process(home, agent, "Who am I?")

    assert [speech_of(result) for result in (first, second, other)] == [
        "Hello, Ada.",
        "You are Ada.",
        "I do not know.",
    ]
    assert second["conversation_id"] == first["conversation_id"] != other["conversation_id"]
    _, again, afresh = model.completions
    assert [message["role"] for message in again.messages] == [
        *("system", "user", "assistant", "user")
    ]
    assert "Ada" in again.messages[1]["content"]
    assert again.messages[2]["content"] == "Hello, Ada."
    assert "Ada" not in json.dumps(afresh.messages)


async def test_empty_message_is_answered_without_a_request(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """An empty message is answered without a request to the model."""
    result = await process(home, agent, "  ")
    assert speech_of(result)
    assert model.requests == []


async def test_question_at_the_end_continues_the_conversation(
    home: Home, agent: Agent, model: FakeOpenAI
) -> None:
    """Only an answer that ends with a question continues the conversation."""
    model.script(Reply("Which light do you mean?"), Reply("It is on."))
    assert (await process(home, agent, "turn it on"))["continue_conversation"] is True
    assert (await process(home, agent, "the kitchen"))["continue_conversation"] is False
