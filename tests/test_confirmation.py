"""Calls that require a confirmation by the user."""

import json

import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from homeassistant.core import HomeAssistant

from .conversation_helpers import Ask, messages, speech
from .fake_openai import Call, FakeOpenAI, Reply

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
