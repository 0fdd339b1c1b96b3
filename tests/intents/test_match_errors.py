"""Error sentences for targets that did not match, as Home Assistant's own agent has them."""

import json
from typing import Any

import pytest

from custom_components.chatterbox.intents.match_errors import match_error
from homeassistant.components.conversation.default_agent import _get_match_error_response
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
from homeassistant.helpers import floor_registry as fr
from homeassistant.helpers.intent import (
    MatchFailedError,
    MatchFailedReason,
    MatchTargetsConstraints,
    MatchTargetsResult,
)

from ..conversation_helpers import Ask, messages
from ..fake_openai import Call, FakeOpenAI, Reply

PLACES: list[dict[str, Any]] = [{}, {"area_name": "Office"}, {"floor_name": "Attic"}]
SUBJECTS: list[dict[str, Any]] = [
    {},
    {"name": "Lamp"},
    {"domains": ["light"]},
    {"device_classes": ["blind"], "domains": ["cover"]},
    {"name": "Lamp", "domains": ["light"]},
]


@pytest.mark.parametrize("states", [None, {"on"}])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("reason", [*MatchFailedReason, None])
def test_key_is_that_of_home_assistants_own_agent(
    reason: MatchFailedReason | None,
    subject: dict[str, Any],
    place: dict[str, Any],
    states: set[str] | None,
) -> None:
    for no_match_name in (None, "Lamp"):
        err = MatchFailedError(
            MatchTargetsResult(is_match=False, no_match_reason=reason, no_match_name=no_match_name),
            MatchTargetsConstraints(**subject, **place, states=states),
        )
        expected_key, expected_values = _get_match_error_response(err)
        key, values = match_error(err)
        if expected_key == "no_intent":
            # Nothing can be said of it; what the user said was understood.
            assert key == ""
        else:
            assert (key, values) == (expected_key, expected_values)


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
async def test_error_of_an_unknown_name_suggests_the_nearest_ones(
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
