"""Tests of the request body, as the server receives it."""

import json
from itertools import pairwise

from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.messages import Message
from tests.agent.builders import call, request
from tests.agent.conftest import Connect
from tests.agent.fake_tools import fake_tool, guarded
from tests.agent.scripted_server import MESSAGES, MODEL, QUESTION, TOOLS, provider
from tests.fake_openai import Call, FakeOpenAI, Reply, history_problems


def bytes_of(body: bytes, key: str) -> bytes:
    """Return the bytes of a list in a request."""
    text = body.decode()
    start = text.index("[", text.index(f'"{key}":'))
    _, end = json.JSONDecoder().raw_decode(text, start)
    return text[start:end].encode()


async def test_body_without_tools_has_only_the_configured_parameters(
    server: FakeOpenAI, connect: Connect
) -> None:
    """Exactly this is sent for a question: no tools, no user, nothing of our own."""
    await provider(connect()).complete(QUESTION)
    assert server.completions[0].json == {
        "model": MODEL,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hello?"},
        ],
        "temperature": 0.7,
        "max_completion_tokens": 1024,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_unset_parameters_are_not_sent(server: FakeOpenAI, connect: Connect) -> None:
    asked = provider(connect(), stream=False, temperature=None, max_tokens=None)
    await asked.complete(QUESTION)
    assert server.completions[0].json.keys() == {"model", "messages"}


async def test_tools_are_sent_as_functions(server: FakeOpenAI, connect: Connect) -> None:
    """Tools go out as function objects, in their order."""
    await provider(connect()).complete(request(MESSAGES, TOOLS))
    tools = server.completions[0].json["tools"]
    assert [tool["type"] for tool in tools] == ["function", "function"]
    assert tools[1]["function"] == {
        "name": "turn_on",
        "description": "Turns something on.",
        "parameters": {"type": "object", "properties": {}, "required": []},
    }
    assert "tool_choice" not in server.completions[0].json


async def test_json_of_tools_is_made_once(server: FakeOpenAI, connect: Connect) -> None:
    """And is the same as that of their dictionaries."""
    asked = provider(connect())
    made = [tool.json for tool in TOOLS]
    for _ in range(2):
        await asked.complete(request(MESSAGES, TOOLS))
    for sent in server.completions:
        assert bytes_of(sent.body, "tools") == b"[" + b",".join(made) + b"]"
    assert [json.loads(text) for text in made] == [tool.to_wire() for tool in TOOLS]
    assert all(tool.json is text for tool, text in zip(TOOLS, made, strict=True))


async def test_tool_choice_is_not_sent_without_tools(server: FakeOpenAI, connect: Connect) -> None:
    """Without tools neither they nor a choice of them are sent."""
    await provider(connect()).complete(request(MESSAGES, tool_choice="none"))
    assert not {"tools", "tool_choice"} & server.completions[0].json.keys()


async def test_tools_are_sent_with_tool_choice_none(server: FakeOpenAI, connect: Connect) -> None:
    """The tools stay in the request when they must not be called: its prefix is the same."""
    await provider(connect()).complete(request(MESSAGES, TOOLS, tool_choice="none"))
    assert server.completions[0].json["tool_choice"] == "none"
    assert server.completions[0].tools == ["get_weather", "turn_on"]


async def test_prefix_of_the_body_is_stable_within_a_turn(
    server: FakeOpenAI, connect: Connect
) -> None:
    """The bytes of each request begin with those of the one before; the tools never change."""
    server.script(
        Reply("Looking.", tool_calls=[Call("weather", {"where": "Zürich", "days": 2})]),
        Reply(tool_calls=[Call("look", {}), Call("weather", {"where": "Ulm"})]),
        Reply("Rain."),
    )
    weather = fake_tool("weather", returns={"zeta": 1, "alpha": "8 °C"})
    tools = guarded(weather, fake_tool("look"))
    loop = AgenticLoop(provider(connect()), system_prompt="Be brief.")
    history = [Message.user("Hi"), Message.assistant("Hello.")]
    [event async for event in loop.stream("Weather?", history, tools, suffix="It is noon")]

    bodies = [request.body for request in server.completions]
    assert len(bodies) == 3
    for before, after in pairwise(bodies):
        opening = bytes_of(before, "messages").removesuffix(b"]")
        assert bytes_of(after, "messages").startswith(opening + b",")
        assert bytes_of(before, "tools") == bytes_of(after, "tools")
    assert server.completions[0].tools == ["look", "weather"]
    assert history_problems(server.completions[-1].messages) == []


async def test_body_does_not_depend_on_the_order_of_registered_tools(
    server: FakeOpenAI, connect: Connect
) -> None:
    """Tools that were registered in another order look alike."""
    one, other = fake_tool("a"), fake_tool("b")
    for tools in (guarded(one, other), guarded(other, one)):
        messages = [
            *MESSAGES,
            Message.assistant(None, [call("a", x=1)]),
            Message.tool("call_1", "fine"),
        ]
        await provider(connect()).complete(request(messages, tools.definitions))
    first, second = (request.body for request in server.completions)
    assert first == second
