"""Tests of rejected requests: learned within a turn, and not repeated in the next."""

import asyncio
import json
from typing import Any

import pytest

from custom_components.chatterbox.agent.dialects.profile import Profile, select_profile
from custom_components.chatterbox.agent.dialects.provider import DialectProvider, DialectSettings
from custom_components.chatterbox.agent.errors import LLMAPIError, LLMUnsupportedError
from custom_components.chatterbox.agent.messages import Message, ToolCall
from custom_components.chatterbox.agent.model.provider import CompletionResult
from custom_components.chatterbox.agent.model.rejections import error_text, is_tool_parse_error
from custom_components.chatterbox.agent.model.request_body import ModelSettings
from custom_components.chatterbox.agent.model.server_quirks import ServerQuirks
from tests.agent.builders import request, tool
from tests.agent.conftest import Connect
from tests.agent.sample_tools import TOOLS
from tests.fake_openai import FakeOpenAI, Reply
from tests.fake_openai.refusals import REFUSALS

GUIDED = DialectSettings(profile=Profile.GUIDED)
# These concern the guided profile, or lead to it.
ELSEWHERE = {"tools", "json_schema", "response_format"}
CALLS = [
    ToolCall(id=f"call_{number}_{'x' * 20}", name="get_weather", arguments={}) for number in (1, 2)
]
MESSAGES = [
    Message.system("Be brief."),
    Message.user("Weather?"),
    Message.assistant(None, CALLS),
    *(Message.tool(call.id, '{"success":true}') for call in CALLS),
]
EXTRA = {"user": "me", "parallel_tool_calls": True, "reasoning_effort": "low"}
LONG = tool(f"{'very_' * 15}long_name", text={"type": "string", "pattern": "a+"})


async def ask(
    connect: Connect,
    quirks: ServerQuirks,
    messages: list[Message],
    *,
    settings: DialectSettings | None = None,
    choice: str = "required",
) -> CompletionResult:
    """Send one request with everything that a server may reject."""
    model = ModelSettings(model="scripted-1", extra_body=EXTRA)
    raw = connect().provider(model, quirks=quirks)
    talk = DialectProvider(raw, settings, quirks)
    return await talk.complete(request(messages, [*TOOLS, LONG], tool_choice=choice))


@pytest.mark.parametrize("refused", sorted({*REFUSALS} - ELSEWHERE))
async def test_rejection_is_learned_within_the_turn(
    server: FakeOpenAI, connect: Connect, refused: str
) -> None:
    """The second turn makes no rejected request and omits nothing that the server accepts."""
    messages = [*MESSAGES]
    if refused == "two systems":
        messages.insert(1, Message.system("And friendly."))
    server.refuses = [refused]
    quirks = ServerQuirks()
    assert (await ask(connect, quirks, messages)).content == server.default.text
    server.refused.clear()
    assert (await ask(connect, quirks, messages)).content == server.default.text
    assert server.refused == []
    if refused not in {"long names", "max_tokens"}:
        assert quirks.rejected


async def test_rejected_tools_are_learned_and_select_the_guided_profile(
    server: FakeOpenAI, connect: Connect
) -> None:
    server.refuses = ["tools"]
    quirks = ServerQuirks()
    assert (await ask(connect, quirks, MESSAGES)).content == server.default.text
    assert server.refused == ["tools"]
    assert select_profile(Profile.AUTO, "scripted-1", quirks, None).profile is Profile.GUIDED
    server.refused.clear()
    assert (await ask(connect, quirks, MESSAGES, settings=GUIDED)).content == server.default.text
    assert server.refused == []


@pytest.mark.parametrize("refused", ["json_schema", "response_format"])
async def test_rejected_schema_falls_back_to_json_object_and_to_text(
    server: FakeOpenAI, connect: Connect, refused: str
) -> None:
    """The prompt describes the form of the answer in any case."""
    server.refuses = [refused]
    server.default = Reply('{"topic": "other", "answer": "Fine."}')
    quirks = ServerQuirks()
    for _ in range(2):
        server.refused.clear()
        answer = await ask(connect, quirks, MESSAGES, settings=GUIDED)
        assert answer.content == "Fine."
    assert server.refused == []
    sent = server.completions[-1].json.get("response_format")
    assert sent == ({"type": "json_object"} if refused == "json_schema" else None)


async def test_many_rejections_are_learned_in_one_turn(
    server: FakeOpenAI, connect: Connect
) -> None:
    """Old servers reject most parameters."""
    server.refuses = [name for name in REFUSALS if name not in {"tools", "system"}]
    quirks = ServerQuirks()
    assert (await ask(connect, quirks, MESSAGES)).content
    server.refused.clear()
    assert (await ask(connect, quirks, MESSAGES)).content
    assert server.refused == []


async def test_unknown_rejection_is_an_error_and_not_learned(
    server: FakeOpenAI, connect: Connect
) -> None:
    server.default = Reply(status=400, body='{"error": {"message": "I do not like you"}}')
    quirks = ServerQuirks()
    with pytest.raises(LLMAPIError):
        await ask(connect, quirks, MESSAGES)
    server.default = Reply(status=500, body='{"error": {"message": "temperature sensor broken"}}')
    with pytest.raises(LLMAPIError):
        await ask(connect, quirks, MESSAGES)
    assert quirks.rejected == set()


async def test_chosen_capable_profile_does_not_fall_back(
    server: FakeOpenAI, connect: Connect
) -> None:
    server.refuses = ["tools"]
    with pytest.raises(LLMUnsupportedError):
        await ask(connect, ServerQuirks(), MESSAGES, settings=DialectSettings(may_fall_back=False))


async def test_ineffective_workarounds_end_in_an_error(
    server: FakeOpenAI, connect: Connect
) -> None:
    server.default = Reply(
        status=400, body='{"error": {"message": "bad tool schema, bad role tool"}}'
    )
    with pytest.raises(LLMAPIError):
        await ask(connect, ServerQuirks(), MESSAGES)
    assert len(server.completions) < 12


async def test_system_prompt_without_a_user_message_becomes_one(
    server: FakeOpenAI, connect: Connect
) -> None:
    server.refuses = ["system"]
    await ask(connect, ServerQuirks(), [Message.system("Say hello.")], choice="auto")
    assert [message["role"] for message in server.completions[-1].messages] == ["user"]


@pytest.mark.parametrize(
    ("text", "unreadable"),
    [
        ("does not match the expected peg-native format", True),
        ("Failed to parse input at pos 5: <tool_call>", True),
        ("error parsing tool call: raw='{', err=unexpected end", True),
        ("Failed to call a function. See 'failed_generation' for more details.", True),
        ("Tool call validation failed: parameters for tool x did not match schema", True),
        ("attempted to call tool 'foo' which was not in request.tools", True),
        ("Failed to parse messages: tool_calls is wrong", False),
        ("There was an error parsing the body: tools", False),
        ("failed to parse grammar", False),
        ("Request validation failed", False),
        ("out of memory", False),
    ],
)
def test_tool_parse_error_is_recognized(text: str, *, unreadable: bool) -> None:
    """It concerns the output of the model, not the request."""
    assert is_tool_parse_error(text) == unreadable


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<!DOCTYPE html><html>The role of format</html>", ""),
        ("not found", "not found"),
        ({"message": "Bad value", "param": "stream"}, "stream Bad value"),
        ({"message": "Bad value", "param": None}, "Bad value"),
        ({"message": "A slip", "failed_generation": "temperature"}, "A slip"),
        (
            {"detail": [{"loc": ["body", "user"], "msg": "Extra", "input": "temperature"}]},
            "body.user: Extra",
        ),
        ("[{'msg': 'Extra', 'input': {'a': 'stream'}}]", "[{'msg': 'Extra', "),
        ("x [type=a, input_value='stream', input_type=str]", "x [type=a, , input_type=str]"),
        ({"metadata": {"raw": '{"error": {"message": "Bad role"}}'}}, "Bad role"),
        ("{broken", "{broken"),
        ({"title": "?"}, "Error"),
    ],
)
def test_error_text_omits_echoed_input(body: Any, text: str) -> None:
    assert error_text(body, "Error") == text


async def test_ineffective_workaround_is_not_learned(server: FakeOpenAI, connect: Connect) -> None:
    """Neither where the request fails all the same, nor where another workaround succeeds."""
    error = json.dumps({"error": {"message": "'temperature' is bad"}})
    server.script(Reply(status=400, body=error), Reply(status=400, body=error))
    quirks = ServerQuirks()
    with pytest.raises(LLMAPIError):
        await ask(connect, quirks, MESSAGES)
    assert quirks.rejected == set()
    server.refuses = ["system"]
    await ask(connect, quirks, MESSAGES)
    assert quirks.rejected == {"system role"}


async def test_concurrent_turns_learn_the_same_quirks(server: FakeOpenAI, connect: Connect) -> None:
    """Each is rejected for what another has learned in the meantime."""
    server.refuses = ["temperature", "stream_options"]
    quirks = ServerQuirks()
    answers = await asyncio.gather(*(ask(connect, quirks, MESSAGES) for _ in range(3)))
    assert all(answer.content for answer in answers)
    assert quirks.rejected == {"temperature", "stream_options"}
