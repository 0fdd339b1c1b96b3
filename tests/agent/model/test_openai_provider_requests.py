"""What the provider sends, over real HTTP."""

import json
from itertools import pairwise
from typing import Any

import pytest

from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.messages import Message
from custom_components.chatterbox.agent.model.server_quirks import Quirk, ServerQuirks
from tests.fake_openai import Call, FakeOpenAI, Fault, Reply, history_problems

from ..asking import MESSAGES, MODEL, QUESTION, TOOLS, provider
from ..conftest import Connect
from ..fakes import call, fake_tool, guarded, request


def bytes_of(body: bytes, key: str) -> bytes:
    """Return the bytes of a list in a request."""
    text = body.decode()
    start = text.index("[", text.index(f'"{key}":'))
    _, end = json.JSONDecoder().raw_decode(text, start)
    return text[start:end].encode()


# The body.


async def test_body_without_tools(server: FakeOpenAI, connect: Connect) -> None:
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


async def test_body_with_little(server: FakeOpenAI, connect: Connect) -> None:
    """What is not set is not sent."""
    asked = provider(connect(), stream=False, temperature=None, max_tokens=None)
    await asked.complete(QUESTION)
    assert server.completions[0].json.keys() == {"model", "messages"}


async def test_tools_are_functions(server: FakeOpenAI, connect: Connect) -> None:
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


async def test_no_tools_no_key(server: FakeOpenAI, connect: Connect) -> None:
    """Without tools neither they nor a choice of them are sent."""
    await provider(connect()).complete(request(MESSAGES, tool_choice="none"))
    assert not {"tools", "tool_choice"} & server.completions[0].json.keys()


async def test_tool_choice(server: FakeOpenAI, connect: Connect) -> None:
    """The tools stay in the request when they must not be called: its prefix is the same."""
    await provider(connect()).complete(request(MESSAGES, TOOLS, tool_choice="none"))
    assert server.completions[0].json["tool_choice"] == "none"
    assert server.completions[0].tools == ["get_weather", "turn_on"]


@pytest.mark.parametrize(
    ("key", "header"), [("sk-mine", "Bearer sk-mine"), (None, "Bearer none"), ("", "Bearer none")]
)
async def test_key(
    server: FakeOpenAI, connect: Connect, key: str | None, header: str, http_client: Any
) -> None:
    """A server that wants no key gets a placeholder."""
    await provider(connect(api_key=key, http_client=http_client)).complete(QUESTION)
    assert server.completions[0].headers["Authorization"] == header


# The prefix.


async def test_bytes_of_a_turn(server: FakeOpenAI, connect: Connect) -> None:
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


async def test_bytes_do_not_depend_on_order(server: FakeOpenAI, connect: Connect) -> None:
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


# What a server refuses.


@pytest.mark.parametrize(
    ("fault", "refused", "instead"),
    [
        (Fault.UNSUPPORTED_TEMPERATURE, "temperature", {}),
        (
            Fault.UNSUPPORTED_MAX_COMPLETION_TOKENS,
            "max_completion_tokens",
            {"max_tokens": 1024},
        ),
    ],
)
async def test_refused_parameter_is_replaced_once(
    server: FakeOpenAI,
    connect: Connect,
    http_client: Any,
    *,
    fault: Fault,
    refused: str,
    instead: dict[str, Any],
) -> None:
    """A refused parameter is replaced, and not sent again by whoever shares the quirks."""
    server.default = Reply("Yes.", fault=fault)
    endpoint, quirks = connect(http_client=http_client), ServerQuirks()
    for _ in range(2):
        asked = provider(endpoint, more={"quirks": quirks})
        assert (await asked.complete(QUESTION)).content == "Yes."
    first, second, third = (request.json for request in server.completions)
    assert refused in first
    assert second == third == {**{k: v for k, v in first.items() if k != refused}, **instead}
    assert quirks.rejected == {refused}


async def test_everything_refused(server: FakeOpenAI, connect: Connect) -> None:
    """One parameter after the other is given up; the question is asked all the same."""
    texts = [
        "Unknown field: stream_options",
        "max_completion_tokens: extra fields not permitted",
        "max_tokens is too large",
        "temperature must be 1",
    ]
    server.script(*(Reply(status=400, body=json.dumps({"error": text})) for text in texts[:-1]))
    server.script(Reply(status=422, body=json.dumps({"detail": texts[-1]})), Reply("Yes."))
    quirks = ServerQuirks()
    asked = provider(connect(), more={"quirks": quirks})
    assert (await asked.complete(QUESTION)).content == "Yes."
    assert server.completions[-1].json.keys() == {"model", "messages", "stream"}
    await asked.complete(QUESTION)
    assert server.completions[-1].json.keys() == {"model", "messages", "stream"}
    assert len(server.completions) == len(texts) + 2


async def test_what_the_list_says_of_a_model(server: FakeOpenAI, connect: Connect) -> None:
    """Nothing, of one that is not in it."""
    server.models = ("a", "b")
    assert (await connect().model_details("b"))["id"] == "b"
    assert await connect().model_details("c") == {}


@pytest.mark.parametrize("stream", [True, False])
async def test_native_call_is_learned(
    server: FakeOpenAI, connect: Connect, *, stream: bool
) -> None:
    """And disproves that the server has no tools; a call in the text is none."""
    quirks = ServerQuirks()
    quirks.learn(Quirk.TOOLS)
    server.script(Reply("<tool_call>{}</tool_call>"), Reply(tool_calls=[Call("get_time")]))
    asked = provider(connect(), more={"quirks": quirks}, stream=stream)
    await asked.complete(QUESTION)
    assert quirks.known.keys() == {Quirk.TOOLS}
    await asked.complete(QUESTION)
    assert quirks.known.keys() == {Quirk.CALLED_NATIVELY}
