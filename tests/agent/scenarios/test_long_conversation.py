"""Scenario: long conversations with loop, memory and context window, under random faults."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, override

from hypothesis import given, settings
from hypothesis import strategies as st

from custom_components.chatterbox.agent.errors import LLMContextLengthError, LLMError
from custom_components.chatterbox.agent.events import ToolCallsRequested, ToolFinished, TurnFinished
from custom_components.chatterbox.agent.loop import AgenticLoop
from custom_components.chatterbox.agent.memory.context import build_history, next_start
from custom_components.chatterbox.agent.memory.memory import ConversationMemory, MemorySettings
from custom_components.chatterbox.agent.memory.store import (
    InMemoryConversationStore,
    StoredConversation,
    StoredTurn,
)
from custom_components.chatterbox.agent.messages import Message, ToolCall, ToolDefinition
from custom_components.chatterbox.agent.model.context_window import (
    ContextWindow,
    ContextWindowProvider,
)
from custom_components.chatterbox.agent.model.provider import (
    Completed,
    CompletionRequest,
    CompletionResult,
    LLMProvider,
    ProviderEvent,
)
from custom_components.chatterbox.agent.model.usage import UsageStats
from custom_components.chatterbox.agent.tools.guard import ToolGuard
from custom_components.chatterbox.agent.tools.registry import ToolRegistry
from custom_components.chatterbox.agent.trimming import size
from tests.agent.builders import NOON, caller
from tests.fake_openai.history import history_problems

SYSTEM = "You are a test."
CHARS_PER_TOKEN = 3


@dataclass(frozen=True)
class Step:
    """Behavior of the model in one request: calls tools, fails, or is truncated."""

    calls: int = 0
    result_chars: int = 0
    end: str = ""


STEPS = st.lists(
    st.builds(
        Step,
        calls=st.integers(1, 3),
        result_chars=st.sampled_from([1, 200, 3_000, 30_000]),
    ),
    max_size=3,
)
TURNS = st.lists(
    st.tuples(
        st.text(st.characters(codec="utf-8"), min_size=1, max_size=200).filter(str.strip),
        st.tuples(STEPS, st.sampled_from(["answer", "error", "cancel"])).map(
            lambda both: [*both[0], Step(end=both[1])]
        ),
    ),
    min_size=1,
    max_size=12,
)


class Lookup:
    """A tool whose result is as long as it is told."""

    definition = ToolDefinition(name="look_up", description="Looks something up.")

    async def call(self, arguments: dict[str, Any]) -> Any:
        return ["x" * 99] * (arguments["chars"] // 100 + 1)


@dataclass
class Model(LLMProvider):
    """A model with a window, which checks every request that it gets."""

    window: int
    steps: list[Step] = field(default_factory=list)
    said: str = ""
    refused: int = 0

    @override
    async def stream(self, request: CompletionRequest) -> AsyncGenerator[ProviderEvent]:
        messages = request.messages
        assert history_problems([message.to_wire() for message in messages]) == []
        assert messages[0] == Message.system(SYSTEM)
        current = max(n for n, message in enumerate(messages) if message.role == "user")
        assert messages[current].content == self.said
        tokens = size(messages) // CHARS_PER_TOKEN
        if tokens > self.window:
            self.refused += 1
            raise LLMContextLengthError(f"the context length is {self.window} tokens", 400)
        step = self.steps.pop(0)
        match step.end:
            case "error":
                raise LLMError("broken")
            case "cancel":
                raise asyncio.CancelledError
        calls = [
            ToolCall(id=f"call_{n}", name="look_up", arguments={"chars": step.result_chars})
            for n in range(step.calls)
        ]
        yield Completed(
            CompletionResult(
                content=None if calls else "Yes.",
                tool_calls=tuple(calls),
                usage=UsageStats(prompt_tokens=tokens),
            )
        )


async def answer(
    loop: AgenticLoop, before: list[Message], said: str
) -> tuple[list[Message], TurnFinished | None]:
    """Return what a turn adds to the history, also when it breaks off."""
    tools = ToolGuard(ToolRegistry([Lookup()]), max_result_chars=40_000)
    added: list[Message] = []
    try:
        async with aclosing(loop.stream(said, before, tools)) as events:
            async for event in events:
                match event:
                    case ToolCallsRequested(calls):
                        added.append(Message.assistant(None, calls))
                    case ToolFinished(result):
                        added.append(Message.tool(result.call.id, result.content))
                    case TurnFinished():
                        return [*event.messages] if event.text else added, event
    except LLMError, asyncio.CancelledError:
        pass
    return added, None


async def talk(turns: list[tuple[str, list[Step]]], window: int, known: int, limit: int) -> None:
    model, learned = Model(window), ContextWindow(reported=known)
    store, now = InMemoryConversationStore(), NOON
    for number, (said, steps) in enumerate(turns):
        # As after a restart: nothing but the store survives.
        memory = ConversationMemory(store, MemorySettings(max_turns=8), partial(_same, now))
        conversation = await memory.open(caller())
        model.steps, model.said, model.refused = [*steps], said, 0
        provider = ContextWindowProvider(model, learned, answer=100)
        loop = AgenticLoop(provider, system_prompt=SYSTEM)
        before = build_history(conversation, next_start(conversation, limit))
        added, _ = await answer(loop, before, said)
        # At most two requests are refused in a row, and once the window is known it is kept to.
        assert model.refused <= 2
        if added:

            def plan(
                talk: StoredConversation, history_budget: int | None = provider.history_budget
            ) -> StoredConversation:
                return replace(talk, start=next_start(talk, limit, history_budget))

            now = NOON + timedelta(minutes=number)
            turn = StoredTurn(at=now, user=said, messages=tuple(added))
            conversation = await memory.record(conversation, turn, update=plan)
            assert len(conversation.turns) <= 8


def _same(moment: datetime) -> datetime:
    return moment


@settings(max_examples=60, deadline=None)
@given(
    TURNS, st.integers(400, 20_000), st.sampled_from([0, 300, 4_000, 1_000_000]), st.integers(0, 8)
)
def test_every_request_of_a_long_conversation_is_valid_and_fits(
    turns: list[tuple[str, list[Step]]], window: int, known: int, limit: int
) -> None:
    asyncio.run(talk(turns, window, known, limit))
