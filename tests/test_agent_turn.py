"""Turns that are interrupted, come in between, wait for a yes, or are handed to somebody else."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, override

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from custom_components.chatterbox.active_conversations import ActiveConversations
from custom_components.chatterbox.const import DOMAIN
from homeassistant.components import conversation
from homeassistant.components.conversation import ConversationInput, ConversationResult
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant, async_get_hass
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component

from .fake_openai import Call, FakeOpenAI, Fault, Gate, Reply, history_problems

AGENT = "conversation.scripted"
STOPPED = "All right, I stopped."
BUSY = "I am still working on your last question."

type Ask = Callable[..., asyncio.Task[ConversationResult]]


class Workshop(llm.API):
    """An API with a tool that takes its time."""

    def __init__(self, hass: HomeAssistant) -> None:
        super().__init__(hass=hass, id="workshop", name="Workshop")
        self.started = asyncio.Event()
        self.go_on = asyncio.Event()
        self.finished = 0
        self.calls = 0

    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        tool = SlowTool(self)
        return llm.APIInstance(
            api=self, api_prompt="", llm_context=llm_context, tools=[tool], custom_serializer=None
        )


class SlowTool(llm.Tool):
    """Changes something, slowly."""

    name = "saw"
    description = "Saws a board."
    integration = "workshop"

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        self._workshop.calls += 1
        self._workshop.started.set()
        await self._workshop.go_on.wait()
        self._workshop.finished += 1
        return llm.ToolResult(data={"boards": 1})


@pytest.fixture
def options() -> dict[str, Any]:
    """Ask a failing server once."""
    return {"retry_wait": 0}


@pytest.fixture
async def workshop(hass: HomeAssistant) -> AsyncIterator[Workshop]:
    """Offer the slow tool."""
    assert await async_setup_component(hass, "llm", {})
    api = Workshop(hass)
    unregister = llm.async_register_api(hass, api)
    yield api
    unregister()


@pytest.fixture
async def home(hass: HomeAssistant, workshop: Workshop) -> HomeAssistant:
    """Return a home with a lamp, a lock and a garage door that the voice assistant may use."""
    for component in ("homeassistant", "conversation", "intent"):
        assert await async_setup_component(hass, component, {})
    for entity_id, name, more in (
        ("light.desk", "Desk", {}),
        ("lock.front", "Front Door", {}),
        ("alarm_control_panel.home", "Alarm", {}),
        ("cover.garage", "Garage", {"device_class": "garage"}),
        ("cover.blind", "Blind", {"device_class": "blind"}),
    ):
        hass.states.async_set(entity_id, "off", {"friendly_name": name, **more})
        async_expose_entity(hass, conversation.DOMAIN, entity_id, should_expose=True)
    return hass


@pytest.fixture
def agent_options() -> dict[str, Any]:
    """Return an agent that may use the workshop."""
    return {"llm_hass_api": ["assist", "workshop"], "recommended": False}


@pytest.fixture
def ask(home: HomeAssistant, loaded_entry: MockConfigEntry) -> Ask:
    """Return what asks the agent in a task, in one conversation unless told otherwise."""

    def converse(
        text: str,
        conversation_id: str | None = "desk",
        *,
        language: str = "en",
        device_id: str | None = None,
        user_id: str | None = None,
    ) -> asyncio.Task[ConversationResult]:
        return asyncio.create_task(
            conversation.async_converse(
                home,
                text,
                conversation_id,
                Context(user_id=user_id),
                language=language,
                agent_id=AGENT,
                device_id=device_id,
            )
        )

    return converse


def speech(result: ConversationResult) -> str:
    text: str = result.response.speech["plain"]["speech"]
    return text


def messages(server: FakeOpenAI) -> list[dict[str, Any]]:
    """Return what the last request sent, which has to be valid."""
    sent = server.completions[-1].messages
    assert history_problems(sent) == []
    return sent


def turn_ids(entry: MockConfigEntry) -> list[str]:
    """Return the conversations with a turn in progress."""
    by_id = entry.runtime_data.conversations._by_id
    return [key for key, item in by_id.items() if item.scope.running]


async def cancel(hass: HomeAssistant, **data: Any) -> str:
    """Call the action; return what it says."""
    response = await hass.services.async_call(
        DOMAIN, "cancel", data, blocking=True, return_response=True
    )
    assert response is not None
    return str(response["status"])


SAW = Reply("One moment.", tool_calls=[Call("*saw", id="saw")])


async def test_a_cancelled_turn_leaves_what_it_did(
    ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(SAW, Reply("One board is sawn."))
    turn = ask("Saw a board")
    await workshop.started.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert len(server.completions) == 1
    workshop.go_on.set()

    assert speech(await ask("Go on")) == "One board is sawn."
    *_, asked, sawing, result, stopped, now = messages(server)
    assert asked["content"] == "Saw a board"
    assert sawing["content"] == "One moment."
    assert [call["id"] for call in sawing["tool_calls"]] == ["saw"]
    assert json.loads(result["content"]) == {"success": True, "result": {"boards": 1}}
    assert stopped["content"] == STOPPED
    assert now["content"].startswith("Go on")
    assert (workshop.calls, workshop.finished) == (1, 1)

    # It is the history from then on, and stays there once.
    await ask("And now?")
    assert [message["role"] for message in messages(server)].count("tool") == 1


async def test_a_cancelled_first_turn_does_not_end_the_conversation(
    ask: Ask, server: FakeOpenAI, workshop: Workshop, loaded_entry: MockConfigEntry
) -> None:
    server.script(SAW, Reply("One board is sawn."))
    turn = ask("Saw a board", None)
    await workshop.started.wait()
    (known,) = turn_ids(loaded_entry)
    turn.cancel()
    await asyncio.wait({turn})
    workshop.go_on.set()
    await ask("Go on", known)
    assert [message["role"] for message in messages(server)].count("tool") == 1


async def test_a_turn_cancelled_later_keeps_its_place(
    ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(Reply("Hello."), SAW, Reply("One board is sawn."))
    await ask("Hi")
    turn = ask("Saw a board")
    await workshop.started.wait()
    turn.cancel()
    await asyncio.wait({turn})
    workshop.go_on.set()
    await ask("Go on")
    said = [message["content"] for message in messages(server) if message["role"] == "user"]
    assert [text.partition("\n")[0] for text in said] == ["Hi", "Saw a board", "Go on"]


async def test_a_message_waits_for_a_tool_that_still_runs(
    ask: Ask, server: FakeOpenAI, workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.script(SAW, Reply("One board is sawn."))
    turn = ask("Saw a board")
    await workshop.started.wait()
    turn.cancel()
    await asyncio.wait({turn})
    monkeypatch.setattr("custom_components.chatterbox.conversation._PENDING_TOOL_TIMEOUT", 0)
    assert speech(await ask("Go on")) == BUSY
    monkeypatch.setattr("custom_components.chatterbox.conversation._PENDING_TOOL_TIMEOUT", 5)
    later = ask("Go on")
    workshop.go_on.set()
    assert speech(await later) == "One board is sawn."
    assert workshop.calls == 1


@pytest.mark.parametrize("data", [{}, {"conversation_id": "desk"}])
async def test_the_action_stops_a_turn(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, data: dict[str, str]
) -> None:
    assert await cancel(home) == "not_processing"
    gate = Gate(after=3)
    server.script(Reply("This is a long story. It never ends.", hold=gate), Reply("Here I am."))
    turn = ask("Tell a story")
    await gate.reached.wait()
    assert await cancel(home, conversation_id="other") == "not_processing"
    assert await cancel(home, **data) == "interrupted"
    result = await turn
    assert speech(result) == STOPPED
    assert result.response.error_code is None
    await server.completions[0].disconnected.wait()
    assert speech(await ask("Are you there?")) == "Here I am."
    assert [message["role"] for message in messages(server)] == ["system", "user"]


async def test_stop_is_said_in_between(ask: Ask, server: FakeOpenAI, workshop: Workshop) -> None:
    server.script(SAW, Reply("One board is sawn."))
    turn = ask("Saw a board")
    await workshop.started.wait()
    assert speech(await ask("Stop!")) == STOPPED
    assert speech(await turn) == STOPPED
    workshop.go_on.set()
    # Said once more, it is not for the model either.
    assert speech(await ask("stop")) == STOPPED
    assert len(server.completions) == 1
    assert speech(await ask("Is it done?")) == "One board is sawn."
    assert [message["role"] for message in messages(server)].count("tool") == 1


async def test_stop_from_the_same_device(ask: Ask, server: FakeOpenAI) -> None:
    gate = Gate()
    server.script(Reply("Late.", hold=gate))
    turn = ask("Tell a story", device_id="satellite")
    await gate.reached.wait()
    assert speech(await ask("Stop", "another", device_id="satellite")) == STOPPED
    assert speech(await turn) == STOPPED


async def test_stop_is_for_the_model_when_nothing_runs(ask: Ask, server: FakeOpenAI) -> None:
    server.script(Reply("Stop what?"))
    assert speech(await ask("Stop")) == "Stop what?"
    server.script(Reply("There is no music."))
    assert speech(await ask("Stop", device_id="satellite")) == "There is no music."


async def test_a_message_in_between_gets_a_sentence(ask: Ask, server: FakeOpenAI) -> None:
    gate = Gate()
    server.script(Reply("Here is your answer.", hold=gate), Reply("Later."))
    turn = ask("A question")
    await gate.reached.wait()
    between = await ask("Another question", language="de")
    assert between.response.error_code is not None
    assert speech(between)
    gate.open()
    assert speech(await turn) == "Here is your answer."
    assert speech(await ask("A third one")) == "Later."
    said = [message["content"] for message in messages(server) if message["role"] == "user"]
    assert [text.partition("\n")[0] for text in said] == ["A question", "A third one"]


async def test_two_messages_at_the_same_moment(ask: Ask, server: FakeOpenAI) -> None:
    server.default = Reply("Yes.")
    answers = [speech(result) for result in await asyncio.gather(ask("One"), ask("Two"))]
    assert sorted(answers) == [BUSY, "Yes."]


async def test_conversations_do_not_mix(ask: Ask, server: FakeOpenAI) -> None:
    server.default = Reply("Yes.")
    await asyncio.gather(ask("One", "kitchen"), ask("Two", "attic"))
    await asyncio.gather(ask("Three", "kitchen"), ask("Four", "attic"))
    histories = [
        [message["content"].partition("\n")[0] for message in request.messages[1:]]
        for request in server.completions[2:]
    ]
    assert sorted(histories) == [["One", "Yes.", "Three"], ["Two", "Yes.", "Four"]]


async def test_somebody_else_does_not_stop_a_turn(ask: Ask, server: FakeOpenAI) -> None:
    gate = Gate()
    server.script(Reply("Late.", hold=gate))
    turn = ask("A question", user_id="ada")
    await gate.reached.wait()
    assert speech(await ask("Stop", user_id="bob")) != STOPPED
    gate.open()
    assert speech(await turn) == "Late."


def said_by(user_id: str | None, conversation_id: str | None = None) -> ConversationInput:
    return ConversationInput(
        text="Hi",
        context=Context(user_id=user_id),
        conversation_id=conversation_id,
        device_id=None,
        satellite_id=None,
        language="en",
        agent_id=AGENT,
    )


def test_old_conversations_are_forgotten() -> None:
    conversations, message = ActiveConversations(), said_by(None)
    first = conversations.get("0", message)
    for number in range(200):
        conversations.get(str(number), message)
    assert conversations.get("0", message) is first
    conversations.get("200", message)
    conversations.get("201", message)
    assert conversations.get("0", message) is first


def test_a_conversation_goes_on_under_another_id() -> None:
    conversations = ActiveConversations()
    first = conversations.get("first", said_by("ada"))
    first.begin(said_by("ada"))
    assert conversations.get("second", said_by("ada", "first")) is first
    assert conversations.get("third", said_by("bob", "first")) is not first
    assert conversations.get("fourth", said_by("ada", "unknown")) is not first


@pytest.mark.parametrize("agent_options", [{}])
@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({"name": "Frontal Doorway"}, "The nearest exposed names: Front Door, "),
        ({"area": "Kit"}, "The nearest areas: Kitchen."),
        ({"floor": "Up"}, "The nearest floors: Upstairs."),
        ({"area": "Kitchen", "domain": ["vacuum"]}, ""),
    ],
)
async def test_the_model_is_told_what_it_could_have_meant(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, arguments: dict[str, Any], hint: str
) -> None:
    ar.async_get(home).async_create("Kitchen")
    fr.async_get(home).async_create("Upstairs")
    server.script(Reply(tool_calls=[Call("*HassTurnOff", arguments)]), Reply("Sorry."))
    await ask("Do it")
    (result,) = [message for message in messages(server) if message["role"] == "tool"]
    error = json.loads(result["content"])["error"]
    assert hint in error
    assert bool(hint) is ("nearest" in error)


UNLOCK = Reply(tool_calls=[Call("*HassTurnOff", {"name": "Front Door"})])


@pytest.mark.parametrize(
    "agent_options", [{"confirm": ["locks"], "recommended": False}], ids=["locks"]
)
@pytest.mark.parametrize(("answer", "times"), [("Yes, please.", 1), ("No.", 0), ("Maybe", 0)])
async def test_a_lock_waits_for_a_yes(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI, answer: str, times: int
) -> None:
    unlock = async_mock_service(home, "lock", "unlock")
    server.script(UNLOCK, Reply("Shall I unlock the front door?"))
    asked = await ask("Unlock the front door")
    assert speech(asked) == "Shall I unlock the front door?"
    assert asked.continue_conversation
    assert unlock == []
    server.script(Reply("All right."))
    assert speech(await ask(answer)) == "All right."
    assert len(unlock) == times
    messages(server)
    # A yes counts once.
    server.script(Reply("To what?"))
    await ask("Yes")
    assert len(unlock) == times


@pytest.mark.parametrize(
    ("agent_options", "call", "waits"),
    [
        ({"confirm": []}, Call("*HassTurnOff", {"name": "Front Door"}), False),
        ({"confirm": ["locks"]}, Call("*HassTurnOn", {"name": "Desk"}), False),
        ({"confirm": ["locks"]}, Call("*HassTurnOff", {"domain": ["lock"]}), True),
        ({"confirm": ["alarms"]}, Call("*HassTurnOn", {"domain": "alarm_control_panel"}), True),
        ({"confirm": ["doors"]}, Call("*HassTurnOn", {"name": "Garage"}), True),
        ({"confirm": ["doors"]}, Call("*HassTurnOn", {"name": "Blind"}), False),
        ({"confirm": ["doors"]}, Call("*HassTurnOn", {}), False),
        ({"confirm": ["destructive"]}, Call("*HassTurnOn", {"name": "Desk"}), True),
        ({"confirm": ["destructive"]}, Call("*get_current_datetime", {}), False),
    ],
)
async def test_what_waits_for_a_yes(
    home: HomeAssistant,
    ask: Ask,
    server: FakeOpenAI,
    call: Call,
    waits: bool,  # noqa: FBT001
) -> None:
    for domain, service in (("light", "turn_on"), ("lock", "unlock"), ("cover", "open_cover")):
        async_mock_service(home, domain, service)
    server.script(Reply(tool_calls=[call]), Reply("Really?"))
    await ask("Do it")
    result = json.loads(messages(server)[3]["content"])
    assert (result.get("error_type") == "confirmation_needed") is waits


@pytest.mark.parametrize(
    "agent_options", [{"fallback_agent": "conversation.home_assistant", "recommended": False}]
)
async def test_another_agent_answers_for_a_server_that_is_down(
    home: HomeAssistant, ask: Ask, server: FakeOpenAI
) -> None:
    turn_on = async_mock_service(home, "light", "turn_on")
    server.default = Reply(fault=Fault.RESET)
    first, second = await ask("Turn on Desk"), await ask("Turn on Desk")
    assert len(turn_on) == 2
    assert (
        speech(first)
        == f"I cannot reach the model, so I do what I can without it. {speech(second)}"
    )
    assert first.response.error_code is None

    assert speech(await ask("Tell me a story")).startswith("I cannot reach the model. Its server")
    server.reset()
    server.script(Reply("Once upon a time."))
    assert speech(await ask("Tell me a story")) == "Once upon a time."
    server.default = Reply(fault=Fault.RESET)
    assert "what I can" in speech(await ask("Turn on Desk"))


@pytest.mark.parametrize("agent_options", [{"fallback_agent": AGENT}, {"fallback_agent": "gone"}])
async def test_a_fallback_that_is_none(ask: Ask, server: FakeOpenAI) -> None:
    server.default = Reply(fault=Fault.RESET)
    assert speech(await ask("Turn on Desk")).startswith("I cannot reach the model. Its server")


@pytest.mark.parametrize(
    "agent_options",
    [{"fallback_agent": "conversation.home_assistant", "llm_hass_api": ["workshop"]}],
)
async def test_nothing_is_handed_over_that_has_begun(
    ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    workshop.go_on.set()
    server.script(SAW)
    server.default = Reply(fault=Fault.RESET)
    assert (await ask("Saw a board")).response.error_code is not None
    assert workshop.calls == 1


@pytest.mark.parametrize(
    ("fault", "issue"),
    [
        (Reply(fault=Fault.MODEL_NOT_FOUND), "model_not_found"),
        (Reply(status=402), "quota_exceeded"),
    ],
)
async def test_what_an_administrator_has_to_repair(
    ask: Ask, server: FakeOpenAI, loaded_entry: MockConfigEntry, fault: Reply, issue: str
) -> None:
    server.script(fault, Reply("Better."))
    await ask("Hello")
    (agent,) = loaded_entry.subentries
    registry = ir.async_get(async_get_hass())
    found = registry.async_get_issue(DOMAIN, f"{issue}_{agent}")
    assert found is not None
    assert found.translation_placeholders is not None
    assert found.translation_placeholders["agent"] == "Scripted"
    await ask("Hello")
    assert registry.async_get_issue(DOMAIN, f"{issue}_{agent}") is None


@pytest.mark.parametrize(
    "agent_options", [{"turn_timeout": 1, "llm_hass_api": ["workshop"], "recommended": False}]
)
async def test_a_tool_that_outlasts_the_turn_is_in_the_history_when_it_is_done(
    ask: Ask, server: FakeOpenAI, workshop: Workshop
) -> None:
    server.script(SAW, Reply("One board is sawn."))
    first = await ask("Saw a board")
    assert speech(first).endswith("That took too long, so I stopped.")
    workshop.go_on.set()
    assert speech(await ask("Is it done?")) == "One board is sawn."
    (result,) = [message for message in messages(server) if message["role"] == "tool"]
    assert json.loads(result["content"])["success"] is True
