"""Scenario: thousands of random messages, faults and cancellations with one agent."""

import asyncio
from collections.abc import Callable
from typing import Any, override

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from pytest_homeassistant_custom_component.common import MockConfigEntry

from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationResult
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component

from ..conversation_helpers import AGENT
from ..fake_openai import Call, FakeOpenAI, Fault, Gate, Reply, history_problems

CONVERSATIONS = ("kitchen", "attic")
# Those that take as long as the server is given to answer.
SLOW = {Fault.NEVER, Fault.HANGING}
TOOLS = ("look", "paint", "break", "fail")

type Run = Callable[..., Any]


class CountedTool(llm.Tool):
    """Counts how often it ran with which piece of work."""

    integration = "workshop"
    description = "Works."

    def __init__(self, name: str, done: dict[str, int]) -> None:
        self.name = name
        self.annotations = llm.ToolAnnotations(read_only=name == "look")
        self._done = done

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        piece = f"{self.name} {tool_input.tool_args.get('piece')}"
        self._done[piece] = self._done.get(piece, 0) + 1
        await asyncio.sleep(0)
        if self.name == "break":
            raise KeyError(piece)
        if self.name == "fail":
            raise HomeAssistantError("The saw is blunt.")
        return llm.ToolResult(data={"piece": piece})


class Workshop(llm.API):
    """The tools."""

    def __init__(self, hass: HomeAssistant) -> None:
        super().__init__(hass=hass, id="workshop", name="Workshop")
        self.done: dict[str, int] = {}

    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        tools: list[llm.Tool] = [CountedTool(name, self.done) for name in TOOLS]
        return llm.APIInstance(api=self, api_prompt="", llm_context=llm_context, tools=tools)


class Talk:
    """One agent that is spoken to, and what has to hold after every step."""

    def __init__(self, hass: HomeAssistant, server: FakeOpenAI, workshop: Workshop) -> None:
        self._hass = hass
        self._server = server
        self._workshop = workshop
        self._pieces = 0

    def _ask(self, text: str, where: str) -> asyncio.Task[ConversationResult]:
        return asyncio.create_task(
            conversation.async_converse(
                self._hass, text, where, Context(), language="en", agent_id=AGENT
            )
        )

    def replies(self, kinds: list[Fault | str]) -> list[Reply]:
        """Return what the server answers; every tool call is about a piece of its own."""
        replies: list[Reply] = []
        for kind in kinds:
            if isinstance(kind, Fault):
                replies.append(
                    Reply(fault=kind, tool_calls=[] if "tool" not in kind else self._call("paint"))
                )
            elif kind in TOOLS:
                replies.append(Reply("One moment.", tool_calls=self._call(kind)))
            else:
                replies.append(Reply(kind))
        return replies

    def _call(self, name: str) -> list[Call]:
        self._pieces += 1
        return [Call(f"*{name}", {"piece": str(self._pieces)})]

    async def say(self, where: str, kinds: list[Fault | str]) -> None:
        """Say something; whatever the server does there is an answer."""
        self._server.script(*self.replies(kinds))
        await self._listen(self._ask("Go on", where))
        self.check()

    async def break_off(self, where: str, kinds: list[Fault | str], after: int, how: str) -> None:
        """Say something and end the turn in the middle."""
        gate = Gate(after)
        self._server.script(*self.replies(kinds), Reply("It is a long story, this one.", hold=gate))
        turn = self._ask("Tell a story", where)
        reached = asyncio.create_task(gate.reached.wait())
        await asyncio.wait({turn, reached}, return_when=asyncio.FIRST_COMPLETED)
        reached.cancel()
        if turn.done():
            pass
        elif how == "cancel":
            turn.cancel()
            await asyncio.wait({turn})
        elif how == "stop":
            await self._listen(self._ask("Stop", where))
        else:
            await self._listen(self._ask("And another thing", where))
            gate.open()
        if not turn.cancelled():
            await self._listen(turn)
        self.check()

    async def say_at_once(self, kinds: list[Fault | str]) -> None:
        """Speak to the agent from two rooms at the same time."""
        self._server.script(*self.replies(kinds))
        for turn in [self._ask("Hello", where) for where in CONVERSATIONS]:
            await self._listen(turn)
        self.check()

    async def _listen(self, turn: asyncio.Task[ConversationResult]) -> None:
        result = await turn
        speech = result.response.speech["plain"]["speech"]
        assert speech.strip()
        assert "Unexpected" not in speech

    def check(self) -> None:
        """Every request was valid, and nothing was done twice."""
        for request in self._server.completions:
            assert history_problems(request.messages) == []
        assert set(self._workshop.done.values()) <= {1}
        self._workshop.done.clear()
        self._server.reset()


@pytest.fixture
def options() -> dict[str, Any]:
    """Wait for nothing."""
    return {"retry_wait": 0, "first_token_timeout": 0.05, "token_timeout": 0.05}


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent with the tools."""
    return {"llm_hass_api": ["workshop"], "recommended": False, "max_iterations": 4}


@pytest.fixture
async def workshop(hass: HomeAssistant) -> Workshop:
    """Offer the tools."""
    for component in ("homeassistant", "conversation", "intent", "llm"):
        assert await async_setup_component(hass, component, {})
    api = Workshop(hass)
    llm.async_register_api(hass, api)
    return api


KINDS = st.lists(
    st.sampled_from([*(fault for fault in Fault if fault not in SLOW), *TOOLS, "Yes.", "Done."]),
    min_size=1,
    max_size=4,
)
WHERE = st.sampled_from(CONVERSATIONS)


# A request that is cancelled while the HTTP client connects leaves its socket to be collected.
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.timeout(900)
async def test_random_faults_and_cancellations_leave_valid_history_and_an_answer(
    hass: HomeAssistant, server: FakeOpenAI, workshop: Workshop, loaded_entry: MockConfigEntry
) -> None:
    talk = Talk(hass, server, workshop)
    loop = asyncio.get_running_loop()

    def do(step: Any) -> None:
        asyncio.run_coroutine_threadsafe(step, loop).result()

    class Machine(RuleBasedStateMachine):
        """What people, servers and tools do to the agent."""

        @rule(where=WHERE, kinds=KINDS)
        def say(self, where: str, kinds: list[Fault | str]) -> None:
            do(talk.say(where, kinds))

        @rule(kinds=KINDS)
        def say_at_once(self, kinds: list[Fault | str]) -> None:
            do(talk.say_at_once(kinds))

        @rule(
            where=WHERE,
            kinds=st.lists(st.sampled_from(TOOLS), max_size=2),
            after=st.integers(0, 4),
            how=st.sampled_from(["cancel", "stop", "speak"]),
        )
        def break_off(self, where: str, kinds: list[Fault | str], after: int, how: str) -> None:
            do(talk.break_off(where, kinds, after, how))

    # Hypothesis is not asynchronous: it plays in a thread, and its steps are done in the loop.
    await asyncio.to_thread(
        run_state_machine_as_test,
        Machine,
        settings=settings(
            max_examples=25,
            stateful_step_count=80,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
