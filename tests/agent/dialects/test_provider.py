"""Tests of the dialect provider."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any, override

import pytest

from custom_components.chatterbox.agent.dialects.capable.wire_names import wire_names
from custom_components.chatterbox.agent.dialects.guided.guided_context import GuidedContext
from custom_components.chatterbox.agent.dialects.profile import Profile
from custom_components.chatterbox.agent.dialects.provider import DialectProvider, DialectSettings
from custom_components.chatterbox.agent.errors import (
    LLMAPIError,
    LLMError,
    LLMServerError,
    LLMUnsupportedError,
)
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.mentions import ExposedEntity, RecognizedIntent
from custom_components.chatterbox.agent.messages import Message, ToolDefinition
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
    ReasoningDelta,
    TextDelta,
)
from custom_components.chatterbox.agent.model.server_quirks import Quirk, ServerQuirks
from custom_components.chatterbox.agent.model.usage import UsageStats
from tests.agent.builders import call, request
from tests.agent.sample_tools import TOOLS, TURN_ON

MESSAGES = [Message.system("Be brief."), Message.user("Light on, please")]
REQUEST = request(MESSAGES, TOOLS)
CALL = '<tool_call>{"name": "HassTurnOn", "arguments": {"name": "bed light"}}</tool_call>'
HOME_CONTEXT = GuidedContext(
    vocabulary=HomeVocabulary(
        entities=(
            ExposedEntity(name="Bed Light", domain="light", capabilities=frozenset({"on_off"})),
        ),
        kinds={"light": ["light"]},
    )
)
VERBOSE = ToolDefinition(
    name="turn_on", description="Turns a device on for you. Say exactly which one it is to be."
)


def answer(text: str) -> str:
    """Return a guided answer that speaks."""
    return f'{{"topic": "other", "answer": "{text}"}}'


class Scripted(LLMProvider):
    """A provider that says or raises one thing after the other."""

    def __init__(
        self,
        *script: str | LLMError,
        usage: UsageStats | None = None,
        finish_reason: str = "stop",
    ) -> None:
        self.script = list(script)
        self.usage = usage
        self.finish_reason = finish_reason
        self.asked: list[CompletionRequest] = []
        self.closed = 0

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        """Yield the next text in pieces, or raise the next error."""
        self.asked.append(request)
        said = self.script.pop(0)
        try:
            if isinstance(said, LLMError):
                raise said
            for character in said:
                yield TextDelta(character)
            yield Completed(
                CompletionResult(content=said, usage=self.usage, finish_reason=self.finish_reason)
            )
        finally:
            self.closed += 1


def talking(
    provider: LLMProvider, *, quirks: ServerQuirks | None = None, **settings: Any
) -> DialectProvider:
    """Return the provider behind a dialect."""
    return DialectProvider(provider, DialectSettings(**settings), quirks)


async def at_home() -> GuidedContext:
    return HOME_CONTEXT


def guided(provider: LLMProvider) -> DialectProvider:
    """Return the provider in the guided profile, in a home with one light."""
    settings = DialectSettings(profile=Profile.GUIDED)
    return DialectProvider(provider, settings, guided_context=at_home)


class Home:
    """Knows one entity."""

    def entity(self, written: str) -> str | None:
        return "Bed Light" if written.casefold() == "bed light" else None

    area = floor = entity


async def test_marked_call_in_text_is_made_with_resolved_names() -> None:
    """With the name that the entity has at home; the stream is read to its end."""
    usage = UsageStats(total_tokens=5)
    scripted = Scripted(f"Sure.\n{CALL}\nAnd now it is on, dear", usage=usage)
    result = await talking(scripted, names=Home()).complete(REQUEST)
    assert [(call.name, call.arguments) for call in result.tool_calls] == [
        (TURN_ON.name, {"name": "Bed Light"})
    ]
    assert result.content == "Sure.\n"
    assert result.finish_reason == "tool_calls"
    assert result.usage == usage
    assert scripted.closed == 1
    assert scripted.asked[0].tools == tuple(TOOLS)


async def test_call_quoted_by_the_user_is_text() -> None:
    messages = [Message.system("Be brief."), Message.user(f"What is {CALL}?")]
    result = await talking(Scripted(CALL)).complete(request(messages, TOOLS))
    assert (result.content, result.tool_calls) == (CALL, ())


async def test_rejected_tools_select_the_guided_profile_within_the_turn() -> None:
    quirks = ServerQuirks()
    scripted = Scripted(LLMUnsupportedError("no tools", 400), "Hi.", answer("Hi again."))
    talk = talking(scripted, quirks=quirks)
    profiles = [talk.is_guided]
    assert (await talk.complete(REQUEST)).content == "Hi."
    profiles.append(talk.is_guided)
    assert profiles == [False, True]
    assert quirks.rejected == {Quirk.TOOLS}
    assert (await talk.complete(REQUEST)).content == "Hi again."
    assert [bool(asked.tools) for asked in scripted.asked] == [True, False, False]
    assert [bool(asked.response_format) for asked in scripted.asked] == [False, True, True]


async def test_tool_parse_error_of_the_server_selects_the_guided_profile() -> None:
    """llama.cpp says so in the middle of a stream, or instead of one."""
    error = LLMServerError("output that does not match the expected peg-native format", 500)
    assert (await talking(Scripted(error, "Hi.")).complete(REQUEST)).content == "Hi."
    with pytest.raises(LLMServerError):
        await talking(Scripted(LLMServerError("on fire", 500))).complete(REQUEST)
    with pytest.raises(LLMServerError):
        await talking(Scripted(error)).complete(request(MESSAGES))


@pytest.mark.parametrize(
    "error",
    [
        LLMServerError("output that does not match the expected peg-native format", 500),
        LLMAPIError("attempted to call tool 'foo' which was not in request.tools", 400),
    ],
)
async def test_second_tool_parse_error_in_a_row_is_learned(
    error: LLMError,
) -> None:
    quirks = ServerQuirks()
    slipped = Scripted(error, "Hi.", "Hi again.")
    talk = talking(slipped, quirks=quirks)
    await talk.complete(REQUEST)
    await talk.complete(REQUEST)
    assert [bool(asked.tools) for asked in slipped.asked] == [True, False, False]
    await talking(Scripted("Fine."), quirks=quirks).complete(REQUEST)
    for _ in range(2):
        assert quirks.rejected == set()
        await talking(Scripted(error, "Hi."), quirks=quirks).complete(REQUEST)
    assert quirks.rejected == {Quirk.TOOLS}


async def test_chosen_profile_is_kept_when_tools_are_rejected() -> None:
    refusal, quirks = LLMUnsupportedError("no tools", 400), ServerQuirks()
    talk = talking(Scripted(refusal), quirks=quirks, may_fall_back=False)
    with pytest.raises(LLMUnsupportedError):
        await talk.complete(REQUEST)
    assert not talk.is_guided
    assert quirks.rejected == set()


async def test_repetition_in_the_other_profile_is_counted() -> None:
    repeats: list[int] = []
    scripted = Scripted(LLMUnsupportedError("no tools", 400), answer("Hi."), answer("Hi again."))
    talk = DialectProvider(scripted, repeats=lambda: repeats.append(len(scripted.asked)))
    await talk.complete(REQUEST)
    await talk.complete(REQUEST)
    assert repeats == [1]


async def test_begun_answer_is_not_requested_again() -> None:
    class Breaking(Scripted):
        @override
        async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
            yield TextDelta("Hi. ")
            raise LLMUnsupportedError("no tools", 400)

    heard = talking(Breaking()).stream(REQUEST)
    assert await anext(heard) == TextDelta("Hi. ")
    with pytest.raises(LLMUnsupportedError):
        await anext(heard)


async def test_tool_parse_error_after_reasoning_selects_the_guided_profile_and_is_learned() -> None:
    """Reasoning is not spoken, so that the answer has not begun."""
    error = LLMServerError("output that does not match the expected peg-native format", 500)

    class Thinking(Scripted):
        @override
        async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
            yield ReasoningDelta("Hm.")
            async for event in super().stream(request):
                yield event

    quirks = ServerQuirks()
    for _ in range(2):
        assert quirks.rejected == set()
        result = await talking(Thinking(error, "Hi."), quirks=quirks).complete(REQUEST)
        assert result.content == "Hi."
    assert quirks.rejected == {Quirk.TOOLS}


async def test_native_call_between_two_tool_parse_errors_resets_their_count() -> None:
    """A call without text is an answer that the server could parse."""
    error = LLMServerError("output that does not match the expected peg-native format", 500)

    class Calling(Scripted):
        @override
        async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
            yield Completed(CompletionResult(tool_calls=(call(TURN_ON.name),)))

    quirks = ServerQuirks()
    await talking(Scripted(error, "Hi."), quirks=quirks).complete(REQUEST)
    await talking(Calling(), quirks=quirks).complete(REQUEST)
    await talking(Scripted(error, "Hi."), quirks=quirks).complete(REQUEST)
    assert quirks.rejected == set()


async def test_tools_are_compact_when_configured() -> None:
    scripted = Scripted("Hi.", "Hi.")
    await talking(scripted).complete(request(MESSAGES, [VERBOSE]))
    await talking(scripted, compact_tools=True).complete(request(MESSAGES, [VERBOSE]))
    whole, compact = (asked.tools[0].description for asked in scripted.asked)
    assert (whole, compact) == (VERBOSE.description, "Turns a device on for you.")


async def test_guided_answer_is_streamed_before_its_object_is_complete() -> None:
    events = [e async for e in guided(Scripted(answer("Hi, you."))).stream(REQUEST)]
    assert [e.text for e in events if isinstance(e, TextDelta)] == list("Hi, you.")
    assert events[-1] == Completed(CompletionResult(content="Hi, you."))


async def test_guided_answer_of_another_form_is_spoken_at_its_end() -> None:
    events = [e async for e in guided(Scripted('{"answer": "Hi."}')).stream(REQUEST)]
    assert events == [TextDelta("Hi."), Completed(CompletionResult(content="Hi."))]


async def test_stream_continues_in_the_guided_profile() -> None:
    scripted = Scripted(LLMUnsupportedError("no tools", 400), answer("Hi."))
    events = [e async for e in talking(scripted).stream(REQUEST)]
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == "Hi."
    assert isinstance(events[-1], Completed)
    assert scripted.closed == 2


async def test_guided_actions_are_calls_of_the_offered_tools() -> None:
    usage = UsageStats(total_tokens=5)
    reply = '{"topic": "home", "do": [{"verb": "turn_on", "device": "Bed Light"}]}'
    result = await guided(Scripted(reply, usage=usage)).complete(REQUEST)
    assert [(call.name, call.arguments) for call in result.tool_calls] == [
        (TURN_ON.name, {"name": "Bed Light", "domain": ["light"]})
    ]
    assert (result.content, result.finish_reason) == (None, "tool_calls")
    assert result.usage == usage


async def test_truncated_guided_answer_makes_no_calls() -> None:
    reply = '{"topic": "home", "do": [{"verb": "turn_on", "device": "Bed Light"}]}'
    result = await guided(Scripted(reply, finish_reason="length")).complete(REQUEST)
    assert (result.content, result.tool_calls) == (None, ())
    assert result.finish_reason == "length"


async def test_marked_call_in_a_guided_answer_is_text() -> None:
    result = await guided(Scripted(CALL)).complete(REQUEST)
    assert (result.content, result.tool_calls) == (CALL, ())


async def test_reasoning_in_a_guided_answer_is_not_spoken() -> None:
    scripted = Scripted(f"<think>Hm.</think>{answer('Hi.')}")
    events = [e async for e in guided(scripted).stream(REQUEST)]
    assert "".join(e.text for e in events if isinstance(e, ReasoningDelta)) == "Hm."
    assert "".join(e.text for e in events if isinstance(e, TextDelta)) == "Hi."


async def test_guided_request_without_tools_is_unchanged() -> None:
    scripted = Scripted("Hi.")
    assert (await guided(scripted).complete(request(MESSAGES))).content == "Hi."
    [asked] = scripted.asked
    assert list(asked.messages) == MESSAGES
    assert asked.response_format is None


async def test_command_for_an_unknown_device_is_refused_without_a_request() -> None:
    async def context() -> GuidedContext:
        unknown = RecognizedIntent(name="HassTurnOn", unknown_name=True)
        return replace(HOME_CONTEXT, recognized=unknown)

    scripted = Scripted()
    settings = DialectSettings(profile=Profile.GUIDED)
    talk = DialectProvider(scripted, settings, guided_context=context)
    events = [e async for e in talk.stream(request([Message.user("Turn on the toaster")], TOOLS))]
    refusal = HOME_CONTEXT.clarifications.no_such_device
    assert events == [TextDelta(refusal), Completed(CompletionResult(content=refusal))]
    assert scripted.asked == []


async def test_only_possible_reply_is_made_without_a_request() -> None:
    async def context() -> GuidedContext:
        recognized = RecognizedIntent(name="HassTurnOn", slots={"name": "Bed Light"})
        return replace(HOME_CONTEXT, recognized=recognized)

    scripted = Scripted()
    settings = DialectSettings(profile=Profile.GUIDED)
    talk = DialectProvider(scripted, settings, guided_context=context)
    asked = request([Message.user("Turn on the bed light")], TOOLS)
    [done] = [event async for event in talk.stream(asked)]
    assert isinstance(done, Completed)
    [made] = done.result.tool_calls
    assert made.arguments["name"] == "Bed Light"
    assert done.result.finish_reason == "tool_calls"
    assert scripted.asked == []


async def test_no_calls_are_made_without_tools_or_with_tool_choice_none() -> None:
    """At the limit of a turn the model has to answer."""
    for tools, choice in (([], "auto"), (TOOLS, "none")):
        result = await talking(Scripted(f"Fine.\n{CALL}")).complete(
            request(MESSAGES, tools, tool_choice=choice)
        )
        assert result.tool_calls == ()
        assert (result.content or "").startswith("Fine.")


async def test_long_tool_names_are_replaced_on_the_wire() -> None:
    """Servers refuse more than 64 characters, and most others than letters."""
    long = ToolDefinition(name=f"a.very{'_long' * 20}_name", description="Long.")
    [(name, wire)] = wire_names([long.name, "short"]).items()
    assert name == long.name
    assert len(wire) <= 64
    called = f'<tool_call>{{"name": "{wire}", "arguments": {{}}}}</tool_call>'
    scripted = Scripted(called, "ok")
    talk = talking(scripted)
    result = await talk.complete(request(MESSAGES, [long]))
    assert [call.name for call in result.tool_calls] == [long.name]
    history = [*MESSAGES, result.message, Message.tool(result.tool_calls[0].id, "{}")]
    await talk.complete(request(history, [long]))
    sent = scripted.asked[1]
    assert [one.name for one in sent.tools] == [wire]
    assert sent.messages[2].tool_calls[0].name == wire


async def test_unopened_reasoning_is_learned_and_unlearned() -> None:
    """After two answers in a row; and at the first answer without it."""
    quirks = ServerQuirks()
    thinking = "I wonder.\n</think>\nYes."
    answers = Scripted(thinking, thinking, "I wonder.</think>Yes.", "No.", "No.")
    talk = talking(answers, quirks=quirks)
    contents, learned = [], []
    for _ in range(5):
        contents.append((await talk.complete(request(MESSAGES))).content)
        learned.append(quirks.starts_thinking)
    assert contents == [thinking, thinking, "Yes.", "No.", "No."]
    assert learned == [False, True, True, False, False]


async def test_answer_without_text_does_not_unlearn_unopened_reasoning() -> None:
    quirks = ServerQuirks()
    quirks.learn(Quirk.STARTS_THINKING)
    assert (await talking(Scripted(""), quirks=quirks).complete(request(MESSAGES))).content is None
    assert quirks.starts_thinking


async def test_text_is_not_held_back_when_reasoning_is_off() -> None:
    quirks = ServerQuirks()
    quirks.learn(Quirk.STARTS_THINKING)
    told = talking(Scripted("No."), quirks=quirks, thinks=False).stream(request(MESSAGES))
    assert len([event async for event in told if isinstance(event, TextDelta)]) == len("No.")
    assert quirks.starts_thinking
