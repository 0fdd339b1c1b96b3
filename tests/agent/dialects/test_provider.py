"""Tests of a model that speaks a dialect, with the scripted server."""

from collections.abc import AsyncGenerator, Sequence
from typing import Any

import pytest

from custom_components.chatterbox.agent.dialects.dialect import DialectName, DialectSettings
from custom_components.chatterbox.agent.dialects.provider import (
    DialectProvider,
    is_small,
    model_size,
)
from custom_components.chatterbox.agent.dialects.wire_names import wire_names
from custom_components.chatterbox.agent.errors import (
    LLMAPIError,
    LLMError,
    LLMServerError,
    LLMUnsupportedError,
)
from custom_components.chatterbox.agent.messages import Message, ToolDefinition
from custom_components.chatterbox.agent.provider import (
    Completed,
    CompletionResult,
    FormattingProvider,
    ProviderEvent,
    TextDelta,
)
from custom_components.chatterbox.agent.quirks import TOOLS as NO_TOOLS
from custom_components.chatterbox.agent.quirks import ServerQuirks
from custom_components.chatterbox.agent.usage import UsageStats

from .reading import TOOLS, TURN_ON

MESSAGES = [Message.system("Be brief."), Message.user("Light on, please")]
CALL = '<tool_call>{"name": "HassTurnOn", "arguments": {"name": "bed light"}}</tool_call>'


class Scripted:
    """A provider that says or raises one thing after the other."""

    def __init__(self, *script: str | LLMError, usage: UsageStats | None = None) -> None:
        """Take the texts and errors, and what each text costs."""
        self.script = list(script)
        self.usage = usage
        self.asked: list[dict[str, Any]] = []
        self.closed = 0

    async def complete(self, *_: Any, **__: Any) -> CompletionResult:
        """Return nothing: the dialect streams."""
        return CompletionResult()

    async def stream(
        self, messages: Sequence[Message], tools: Any = None, **more: Any
    ) -> AsyncGenerator[ProviderEvent]:
        """Yield the next text in pieces, or raise the next error."""
        self.asked.append({"messages": list(messages), "tools": list(tools or ()), **more})
        said = self.script.pop(0)
        try:
            if isinstance(said, LLMError):
                raise said
            for character in said:
                yield TextDelta(character)
            yield Completed(CompletionResult(content=said, usage=self.usage))
        finally:
            self.closed += 1


def talking(
    provider: FormattingProvider,
    model: str = "big",
    *,
    quirks: ServerQuirks | None = None,
    **more: Any,
) -> DialectProvider:
    """Return the provider behind a dialect."""
    return DialectProvider(provider, model, DialectSettings(**more), quirks)


@pytest.mark.parametrize(
    ("model", "size"),
    [
        ("qwen2.5-coder-1.5b-instruct", 1.5),
        ("llama3.2:3b", 3),
        ("gemma3:270m", 0.27),
        ("Qwen3-30B-A3B", 30),
        ("gemma3n:e4b", 4),
        ("MiniMax-Text-1M", None),
        ("gemini-1.5-pro-1m", None),
        ("gpt-4o-mini", None),
        ("phi-4", None),
    ],
)
def test_the_size_of_a_model_stands_in_its_name(model: str, size: float | None) -> None:
    """Mostly."""
    assert model_size(model) == size
    assert is_small(model) == (size is not None and size <= 4)


class Home:
    """Knows one entity."""

    def entity(self, written: str) -> str | None:
        return "Bed Light" if written.casefold() == "bed light" else None

    area = floor = entity


async def test_marked_call_in_the_text_is_a_call() -> None:
    """With the name that the entity has at home; the stream is read to its end."""
    usage = UsageStats(total_tokens=5)
    scripted = Scripted(f"Sure.\n{CALL}\nAnd now it is on, dear", usage=usage)
    result = await talking(scripted, names=Home()).complete(MESSAGES, TOOLS)
    assert [(call.name, call.arguments) for call in result.tool_calls] == [
        (TURN_ON.name, {"name": "Bed Light"})
    ]
    assert result.content == "Sure.\n"
    assert result.finish_reason == "tool_calls"
    assert result.usage == usage
    assert scripted.closed == 1
    assert scripted.asked[0]["tools"] == list(TOOLS)


async def test_call_that_the_user_quotes_is_text() -> None:
    messages = [Message.system("Be brief."), Message.user(f"What is {CALL}?")]
    result = await talking(Scripted(CALL)).complete(messages, TOOLS)
    assert (result.content, result.tool_calls) == (CALL, ())


async def test_a_server_without_tools_is_asked_in_another_way() -> None:
    """Within the turn; and from then on at once."""
    quirks = ServerQuirks()
    scripted = Scripted(LLMUnsupportedError("no tools", 400), "Hi.", CALL)
    talk = talking(scripted, quirks=quirks)
    assert (await talk.complete(MESSAGES, TOOLS)).content == "Hi."
    assert quirks.refused == {NO_TOOLS}
    assert [bool(asked["tools"]) for asked in scripted.asked] == [True, False]
    quirks.learn("response_format")
    assert (await talk.complete(MESSAGES, TOOLS)).tool_calls
    assert scripted.asked[2]["response_format"] is None


async def test_a_server_that_cannot_read_its_model_is_asked_in_another_way() -> None:
    """llama.cpp says so in the middle of a stream, or instead of one."""
    error = LLMServerError("output that does not match the expected peg-native format", 500)
    assert (await talking(Scripted(error, "Hi.")).complete(MESSAGES, TOOLS)).content == "Hi."
    with pytest.raises(LLMServerError):
        await talking(Scripted(LLMServerError("on fire", 500))).complete(MESSAGES, TOOLS)
    with pytest.raises(LLMServerError):
        await talking(Scripted(error)).complete(MESSAGES)


@pytest.mark.parametrize(
    "error",
    [
        LLMServerError("output that does not match the expected peg-native format", 500),
        LLMAPIError("attempted to call tool 'foo' which was not in request.tools", 400),
    ],
)
async def test_a_slip_of_a_model_is_forgiven(error: LLMError) -> None:
    """The rest of the turn goes another way; the next one begins as before, unless it slips too."""
    quirks = ServerQuirks()
    slipped = Scripted(error, "Hi.", "Hi again.")
    talk = talking(slipped, quirks=quirks)
    await talk.complete(MESSAGES, TOOLS)
    await talk.complete(MESSAGES, TOOLS)
    assert [bool(asked["tools"]) for asked in slipped.asked] == [True, False, False]
    await talking(Scripted("Fine."), quirks=quirks).complete(MESSAGES, TOOLS)
    for _ in range(2):
        assert quirks.refused == set()
        await talking(Scripted(error, "Hi."), quirks=quirks).complete(MESSAGES, TOOLS)
    assert quirks.refused == {NO_TOOLS}


async def test_a_chosen_dialect_is_kept() -> None:
    """Who chose it gets the error."""
    refusal = LLMUnsupportedError("no tools", 400)
    with pytest.raises(LLMUnsupportedError):
        await talking(Scripted(refusal), dialect=DialectName.NATIVE).complete(MESSAGES, TOOLS)
    scripted = Scripted(CALL)
    talk = talking(scripted, "qwen-1b", dialect=DialectName.TEXT, compact_tools=False, max_tools=1)
    assert (await talk.complete(MESSAGES, TOOLS)).tool_calls
    assert "<tool_call>" in scripted.asked[0]["messages"][0].content


async def test_without_tools_or_with_none_wanted_nothing_is_called() -> None:
    """At the limit of a turn the model has to answer."""
    for tools, choice in (([], "auto"), (TOOLS, "none")):
        result = await talking(Scripted(f"Fine.\n{CALL}")).complete(
            MESSAGES,
            tools,
            tool_choice=choice,  # type: ignore[arg-type]
        )
        assert result.tool_calls == ()
        assert (result.content or "").startswith("Fine.")


async def test_long_names_travel_under_short_ones() -> None:
    """Servers refuse more than 64 characters, and most others than letters."""
    long = ToolDefinition(name=f"a.very{'_long' * 20}_name", description="Long.")
    [(name, wire)] = wire_names([long.name, "short"]).items()
    assert name == long.name
    assert len(wire) <= 64
    called = f'<tool_call>{{"name": "{wire}", "arguments": {{}}}}</tool_call>'
    scripted = Scripted(called, "ok")
    talk = talking(scripted)
    result = await talk.complete(MESSAGES, [long])
    assert [call.name for call in result.tool_calls] == [long.name]
    history = [*MESSAGES, result.message, Message.tool(result.tool_calls[0].id, "{}")]
    await talk.complete(history, [long])
    sent = scripted.asked[1]
    assert [one.name for one in sent["tools"]] == [wire]
    assert sent["messages"][2].tool_calls[0].name == wire


async def test_results_carry_a_note_that_never_changes() -> None:
    """What to do with them; the same bytes in every later request."""
    call = (await talking(Scripted(CALL)).complete(MESSAGES, TOOLS)).message
    call_id = call.tool_calls[0].id
    failed = [*MESSAGES, call, Message.tool(call_id, '{"success":false,"error":"x"}')]
    later = [*failed, Message.assistant("It failed."), Message.user("Why?")]
    scripted = Scripted("a", "b")
    talk = talking(scripted, "qwen-1b", dialect=DialectName.NATIVE)
    await talk.complete(failed, TOOLS)
    await talk.complete(later, TOOLS)
    first, second = (asked["messages"] for asked in scripted.asked)
    assert first == second[: len(first)]
    assert "That failed" in first[-1].text


async def test_reasoning_that_the_prompt_has_opened_is_learned_and_unlearned() -> None:
    """After two answers in a row; and at the first answer without it."""
    quirks = ServerQuirks()
    thinking = "I wonder.\n</think>\nYes."
    answers = Scripted(thinking, thinking, "I wonder.</think>Yes.", "No.", "No.")
    talk = talking(answers, quirks=quirks)
    contents, learned = [], []
    for _ in range(5):
        contents.append((await talk.complete(MESSAGES)).content)
        learned.append(quirks.starts_thinking)
    assert contents == [thinking, thinking, "Yes.", "No.", "No."]
    assert learned == [False, True, True, False, False]


async def test_model_that_may_not_think_is_not_waited_for() -> None:
    quirks = ServerQuirks(starts_thinking=True)
    told = talking(Scripted("No."), quirks=quirks, thinks=False).stream(MESSAGES)
    assert len([event async for event in told if isinstance(event, TextDelta)]) == len("No.")
    assert quirks.starts_thinking
