"""Service actions on remembered facts: list, erase."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.chatterbox.fact_store import CallerFacts
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized, UnknownUser
from homeassistant.setup import async_setup_component

from .builders import add_user
from .conversation_helpers import AGENT, perform

type Act = Callable[..., Awaitable[Any]]


@pytest.fixture
async def act(hass: HomeAssistant, loaded_entry: MockConfigEntry) -> Act:
    """Let an agent remember facts about two users and a satellite."""
    assert await async_setup_component(hass, "conversation", {})
    for name in ("boss", "ann", "bob"):
        await add_user(hass, name, is_admin=name == "boss")
    (history,) = loaded_entry.runtime_data.histories.values()
    for person, device in (("ann", None), ("bob", None), (None, "satellite")):
        facts = CallerFacts(history.facts, person, device)
        await facts.async_add(f"About {person or device}.")
        await facts.async_add("Tea.")

    return partial(perform, hass, agent=AGENT)


@pytest.mark.parametrize(
    ("user", "data", "expected"),
    [
        (None, {}, ["About ann.", "Tea.", "About bob.", "Tea.", "About satellite.", "Tea."]),
        ("boss", {"user": "bob"}, ["About bob.", "Tea."]),
        ("boss", {"device": "satellite"}, ["About satellite.", "Tea."]),
        ("ann", {}, ["About ann.", "Tea."]),
        ("ann", {"user": "ann"}, ["About ann.", "Tea."]),
        ("ann", {"device": "satellite"}, []),
    ],
)
async def test_non_administrators_see_only_their_own_facts(
    act: Act, user: str | None, data: dict[str, str], expected: list[str]
) -> None:
    answer = await act("list_facts", user, **data)
    assert [fact["text"] for fact in answer["facts"]] == expected


@pytest.mark.parametrize("user", ["person.ann", "Ann Smith", "ann"])
async def test_user_is_chosen_by_person_by_name_or_by_id(
    hass: HomeAssistant, act: Act, user: str
) -> None:
    ann = await hass.auth.async_get_user("ann")
    assert ann is not None
    await hass.auth.async_update_user(ann, name="Ann Smith")
    hass.states.async_set("person.ann", "home", {"user_id": "ann"})
    for caller in (None, "boss", "ann"):
        answer = await act("list_facts", caller, user=user)
        assert [fact["text"] for fact in answer["facts"]] == ["About ann.", "Tea."]
    with pytest.raises(Unauthorized):
        await act("erase_facts", "bob", user=user)
    assert await act("erase_facts", "boss", user=user) == {"erased": 2}


async def test_person_without_a_user_is_an_error(hass: HomeAssistant, act: Act) -> None:
    hass.states.async_set("person.cat", "home")
    with pytest.raises(ServiceValidationError, match="has no user"):
        await act("erase_facts", user="person.cat")
    assert len((await act("list_facts"))["facts"]) == 6


async def test_fact_is_listed_with_what_is_known_of_it(act: Act) -> None:
    fact = (await act("list_facts", "ann"))["facts"][0]
    assert fact.pop("created").startswith("20")
    assert fact == {"text": "About ann.", "user": "ann", "device": None}


@pytest.mark.parametrize(
    ("user", "data", "erased", "left"),
    [
        (None, {}, 6, 0),
        ("ann", {}, 2, 4),
        ("ann", {"fact": "Tea."}, 1, 5),
        ("boss", {"fact": "Tea."}, 3, 3),
        ("boss", {"user": "ann", "fact": "Coffee."}, 0, 6),
    ],
)
async def test_facts_are_erased(
    act: Act, user: str | None, data: dict[str, str], erased: int, left: int
) -> None:
    assert await act("erase_facts", user, **data) == {"erased": erased}
    assert len((await act("list_facts"))["facts"]) == left


@pytest.mark.parametrize("action", ["list_facts", "erase_facts"])
async def test_what_is_not_allowed_is_refused(act: Act, action: str) -> None:
    with pytest.raises(Unauthorized):
        await act(action, "ann", user="bob")
    with pytest.raises(UnknownUser):
        await act(action, "stranger")
    with pytest.raises(ServiceValidationError):
        await act(action, agent="conversation.home_assistant")
    assert len((await act("list_facts"))["facts"]) == 6
