"""Service actions on stored conversations: list, get, export, clear."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import probatio as vol
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.chatterbox.const import DOMAIN
from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.setup import async_setup_component

from .builders import add_user
from .conversation_helpers import AGENT, perform
from .fake_openai import Call, FakeOpenAI, Reply

type Act = Callable[..., Any]


@pytest.fixture
async def users(hass: HomeAssistant) -> dict[str, MockUser]:
    """Add users: a boss, who is an administrator, and Ann and Bob, who are not."""
    return {
        name: await add_user(hass, name, is_admin=name == "boss") for name in ("boss", "ann", "bob")
    }


@pytest.fixture
async def talked(
    hass: HomeAssistant,
    users: dict[str, MockUser],
    server: FakeOpenAI,
    loaded_entry: MockConfigEntry,
) -> None:
    """Let Ann, Bob and a satellite have talked with the agent."""
    assert await async_setup_component(hass, "conversation", {})
    server.script(Reply(tool_calls=[Call("get_current_datetime")]), Reply("Noon."))
    for user, conversation_id, device in (
        ("ann", "kitchen", None),
        ("ann", "hall", "phone"),
        ("bob", "kitchen", "phone"),
        (None, "satellite", "satellite"),
    ):
        await conversation.async_converse(
            hass,
            f"{user} asks",
            conversation_id,
            Context(user_id=user),
            language="en",
            agent_id=AGENT,
            device_id=device,
        )
    await hass.async_block_till_done(wait_background_tasks=True)


@pytest.fixture
def act(hass: HomeAssistant, talked: None) -> Act:
    """Return a function that performs an action on the agent."""
    return partial(perform, hass, agent=AGENT)


@pytest.fixture
async def set_aside(
    hass: HomeAssistant, disk: Path, talked: None, loaded_entry: MockConfigEntry
) -> None:
    """Let the files of all conversations have been unreadable."""
    rename_all(disk)
    assert await hass.config_entries.async_reload(loaded_entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)


def rename_all(disk: Path) -> None:
    for file in disk.glob(".storage/chatterbox.history/*/*/*"):
        file.rename(file.with_name(f"{file.name}.corrupt.20261104T120000"))


def unreadable(disk: Path) -> list[Path]:
    return list(disk.rglob("*.corrupt.*"))


def seen(answer: dict[str, Any]) -> list[tuple[str | None, str]]:
    return [(each["user"], each["conversation_id"]) for each in answer["conversations"]]


ALL = [(None, "satellite"), ("bob", "kitchen"), ("ann", "hall"), ("ann", "kitchen")]


@pytest.mark.parametrize("action", ["list_conversations", "export_history"])
@pytest.mark.parametrize(
    ("user", "data", "expected"),
    [
        (None, {}, ALL),
        ("boss", {}, ALL),
        ("boss", {"user": "bob"}, ALL[1:2]),
        ("boss", {"device": "phone"}, ALL[1:3]),
        ("boss", {"device": "phone", "user": "ann"}, ALL[2:3]),
        ("ann", {}, ALL[2:]),
        ("ann", {"user": "ann"}, ALL[2:]),
        ("bob", {"device": "satellite"}, []),
    ],
)
async def test_non_administrators_see_only_their_own_conversations(
    act: Act,
    action: str,
    user: str | None,
    data: dict[str, str],
    expected: list[tuple[str | None, str]],
) -> None:
    assert seen(await act(action, user, **data)) == expected


@pytest.mark.parametrize("action", ["list_conversations", "export_history", "clear_history"])
@pytest.mark.parametrize("user", ["bob", "stranger"])
async def test_request_for_another_user_is_unauthorized(act: Act, action: str, user: str) -> None:
    with pytest.raises(Unauthorized):
        await act(action, user, user="ann")


async def test_list_tells_conversations_apart(act: Act) -> None:
    """By their users, the agent and the first words."""
    listed = (await act("list_conversations", "boss"))["conversations"]
    names = [(each["user_name"], each["first_words"]) for each in listed]
    assert names == [
        (None, "None asks"),
        ("bob", "bob asks"),
        ("ann", "ann asks"),
        ("ann", "ann asks"),
    ]
    assert {(each["agent"], each["agent_name"]) for each in listed} == {(AGENT, "Scripted")}


async def test_long_message_is_shortened_in_the_list(
    hass: HomeAssistant, act: Act, server: FakeOpenAI
) -> None:
    await conversation.async_converse(
        hass, "word " * 40, "long", Context(user_id="bob"), language="en", agent_id=AGENT
    )
    await hass.async_block_till_done(wait_background_tasks=True)
    first = (await act("list_conversations", "bob"))["conversations"][0]
    assert first["first_words"] == f"{'word ' * 15}…"


@pytest.mark.parametrize("user", ["person.ann", "Ann Smith", "ann"])
async def test_user_is_chosen_by_person_by_name_or_by_id(
    hass: HomeAssistant, act: Act, users: dict[str, MockUser], user: str
) -> None:
    await hass.auth.async_update_user(users["ann"], name="Ann Smith")
    hass.states.async_set("person.ann", "home", {"user_id": "ann"})
    for caller in ("boss", "ann"):
        assert seen(await act("list_conversations", caller, user=user)) == ALL[2:]
    with pytest.raises(Unauthorized):
        await act("list_conversations", "bob", user=user)


async def test_name_of_two_users_is_no_choice(
    hass: HomeAssistant, act: Act, users: dict[str, MockUser]
) -> None:
    for name in ("ann", "bob"):
        await hass.auth.async_update_user(users[name], name="Twin")
    assert seen(await act("list_conversations", "boss", user="Twin")) == []


async def test_person_without_a_user_is_an_error(hass: HomeAssistant, act: Act) -> None:
    hass.states.async_set("person.guest", "home")
    for person in ("person.guest", "person.nobody"):
        with pytest.raises(ServiceValidationError, match=person):
            await act("list_conversations", "boss", user=person)


async def test_conversation_is_returned_with_its_turns(act: Act) -> None:
    answer = await act("get_conversation", "ann", conversation_id="kitchen")
    assert answer["summary"] is None
    (turn,) = answer["turns"]
    assert turn["user"] == "ann asks"
    assert turn["agent"] == AGENT
    assert [message["role"] for message in turn["messages"]] == ["assistant", "tool", "assistant"]
    by_own_id = await act("get_conversation", "ann", conversation_id=answer["id"])
    assert by_own_id == answer
    exported = await act("export_history", "ann")
    assert answer in exported["conversations"]


@pytest.mark.parametrize("action", ["get_conversation", "clear_history"])
async def test_unknown_or_foreign_conversation_is_not_found(act: Act, action: str) -> None:
    for user, conversation_id in (("bob", "hall"), ("boss", "attic")):
        with pytest.raises(ServiceValidationError) as error:
            await act(action, user, conversation_id=conversation_id)
        assert error.value.translation_key == "history_not_found"


@pytest.mark.parametrize(
    ("user", "data", "left"),
    [
        ("ann", {"conversation_id": "kitchen"}, ALL[:3]),
        ("ann", {}, ALL[:2]),
        ("bob", {"device": "phone"}, [ALL[0], *ALL[2:]]),
        ("boss", {"device": "phone"}, [ALL[0], ALL[3]]),
        ("boss", {"user": "ann"}, ALL[:2]),
        ("boss", {}, []),
    ],
)
async def test_cleared_conversations_are_deleted(
    act: Act, user: str, data: dict[str, str], left: list[tuple[str | None, str]]
) -> None:
    answer = await act("clear_history", user, **data)
    assert answer == {"erased": len(ALL) - len(left)}
    assert seen(await act("list_conversations")) == left


@pytest.mark.usefixtures("set_aside")
@pytest.mark.parametrize(
    ("user", "data", "erased"),
    [
        ("ann", {}, 2),
        ("bob", {}, 1),
        ("boss", {}, 4),
        ("boss", {"user": "ann", "device": "phone"}, 1),
        ("boss", {"conversation_id": "hall"}, 1),
    ],
)
async def test_unreadable_conversations_are_deleted_too(
    disk: Path,
    act: Act,
    user: str,
    data: dict[str, str],
    erased: int,
) -> None:
    """What was set aside is deleted by its owner's request, as far as it says whose it is."""
    assert await act("clear_history", user, **data) == {"erased": erased}
    assert len(unreadable(disk)) == 4 - erased


@pytest.mark.usefixtures("set_aside")
@pytest.mark.parametrize("field", ["conversation_id", "device", "user"])
async def test_empty_filter_deletes_nothing(disk: Path, act: Act, field: str) -> None:
    with pytest.raises(vol.Invalid):
        await act("clear_history", "boss", **{field: ""})
    assert len(unreadable(disk)) == 4


async def test_clear_history_works_without_a_response(hass: HomeAssistant, act: Act) -> None:
    await hass.services.async_call(DOMAIN, "clear_history", {"agent": AGENT}, blocking=True)
    assert seen(await act("list_conversations")) == []


async def test_conversation_with_a_missing_file_is_not_found(
    act: Act, loaded_entry: MockConfigEntry
) -> None:
    (history,) = loaded_entry.runtime_data.histories.values()
    history.memory._cache.clear()
    for info in list(history.memory.store.index):
        await history.memory.store._file(info.id).async_remove()
    with pytest.raises(ServiceValidationError):
        await act("get_conversation", conversation_id="hall")
    assert await act("export_history") == {"conversations": []}


@pytest.mark.parametrize("agent", ["conversation.unknown", "conversation.home_assistant"])
async def test_agent_of_another_integration_is_rejected(act: Act, agent: str) -> None:
    with pytest.raises(ServiceValidationError) as error:
        await act("list_conversations", agent=agent)
    assert error.value.translation_key == "history_no_agent"


async def test_unloaded_agent_is_rejected(
    hass: HomeAssistant, act: Act, loaded_entry: MockConfigEntry
) -> None:
    await hass.config_entries.async_unload(loaded_entry.entry_id)
    with pytest.raises(ServiceValidationError) as error:
        await act("list_conversations")
    assert error.value.translation_key == "history_no_agent"
