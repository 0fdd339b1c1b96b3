"""Tests of the index of conversations."""

from datetime import timedelta
from typing import Any

import pytest

from custom_components.chatterbox.agent.memory.index import (
    ConversationIndex,
    ConversationInfo,
    MemoryScope,
)
from tests.agent.builders import NOON, caller

LONG_AGO = NOON - timedelta(days=1)


def info(name: str, minute: int = 0, **values: Any) -> ConversationInfo:
    defaults: dict[str, Any] = {
        "ids": (name,),
        "owner": "ann",
        "device": None,
        "created": NOON,
        "last_used": NOON + timedelta(minutes=minute),
        "turns": 1,
        "ended": False,
    }
    return ConversationInfo(id=name, **{**defaults, **values})


def index_of(*infos: ConversationInfo) -> ConversationIndex:
    index = ConversationIndex()
    for each in infos:
        index.put(each)
    return index


def test_known_id_takes_precedence() -> None:
    index = index_of(info("a", ids=("kitchen", "hall")), info("b", 5))
    for scope in MemoryScope:
        assert index.find(caller("kitchen"), scope, LONG_AGO) == "a"
        assert index.find(caller("hall"), scope, LONG_AGO) == "a"


def test_replaced_id_is_found() -> None:
    index = index_of(info("a", ids=("old",)))
    found = index.find(caller("new", sent_id="old"), MemoryScope.CONVERSATION, LONG_AGO)
    assert found == "a"


@pytest.mark.parametrize("owner", ["bob", None])
@pytest.mark.parametrize("scope", MemoryScope)
def test_other_owner_finds_nothing(scope: MemoryScope, owner: str | None) -> None:
    index = index_of(info("a", ids=("kitchen",), device="desk"))
    asking = caller("kitchen", sent_id="kitchen", owner=owner, device="desk")
    assert index.find(asking, scope, LONG_AGO) is None


def test_same_id_of_two_owners_is_kept_apart() -> None:
    index = index_of(info("a", ids=("kitchen",)), info("b", ids=("kitchen",), owner="bob"))
    assert index.find(caller("kitchen"), MemoryScope.CONVERSATION, LONG_AGO) == "a"
    asking = caller("kitchen", owner="bob")
    assert index.find(asking, MemoryScope.CONVERSATION, LONG_AGO) == "b"


def test_latest_of_two_with_the_same_id_is_found() -> None:
    index = index_of(info("a", 1, ids=("kitchen",)), info("b", ids=("kitchen",)))
    assert index.find(caller("kitchen"), MemoryScope.CONVERSATION, LONG_AGO) == "a"
    index.remove("b")
    assert index.find(caller("kitchen"), MemoryScope.CONVERSATION, LONG_AGO) == "a"


def test_device_continues_its_latest() -> None:
    index = index_of(info("a", device="desk"), info("b", 1, device="desk"), info("c", 2))
    asking = caller("new", device="desk")
    assert index.find(asking, MemoryScope.DEVICE, LONG_AGO) == "b"
    assert index.find(asking, MemoryScope.CONVERSATION, LONG_AGO) is None
    assert index.find(caller("new"), MemoryScope.DEVICE, LONG_AGO) is None


def test_satellite_without_a_user_continues_its_latest() -> None:
    index = index_of(info("a", owner=None, device="satellite"))
    asking = caller("new", owner=None, device="satellite")
    assert index.find(asking, MemoryScope.DEVICE, LONG_AGO) == "a"
    assert index.find(asking, MemoryScope.USER, LONG_AGO) is None


def test_user_continues_on_any_device() -> None:
    index = index_of(info("a", device="desk"), info("b", 1, device="phone"))
    assert index.find(caller("new", device="desk"), MemoryScope.USER, LONG_AGO) == "b"


def test_conversation_older_than_the_limit_is_not_continued() -> None:
    index = index_of(info("a", device="desk"))
    asking = caller("new", device="desk")
    assert index.find(asking, MemoryScope.DEVICE, NOON) == "a"
    assert index.find(asking, MemoryScope.DEVICE, NOON + timedelta(seconds=1)) is None


def test_ended_conversation_is_not_continued() -> None:
    index = index_of(info("a", device="desk"))
    index.put(info("a", 1, device="desk", ended=True))
    for scope in MemoryScope:
        assert index.find(caller("a", device="desk"), scope, LONG_AGO) is None
    assert len(index) == 1


def test_removal_restores_the_conversation_before_the_latest() -> None:
    index = index_of(
        info("a", device="desk"),
        info("b", 1, device="desk"),
        info("c", 2, device="desk", owner="bob"),
        info("d", 3, owner=None, device="desk"),
    )
    index.remove("b")
    index.remove("b")
    asking = caller("new", device="desk")
    assert index.find(asking, MemoryScope.DEVICE, LONG_AGO) == "a"
    assert index.find(asking, MemoryScope.USER, LONG_AGO) == "a"
    index.remove("d")
    assert index.find(caller("d", owner=None), MemoryScope.CONVERSATION, LONG_AGO) is None
    assert sorted(each.id for each in index) == ["a", "c"]


def test_conversation_moves_with_its_device() -> None:
    index = index_of(info("a", device="desk"))
    index.put(info("a", 1, device="phone"))
    assert index.find(caller("new", device="desk"), MemoryScope.DEVICE, LONG_AGO) is None
    assert index.find(caller("new", device="phone"), MemoryScope.DEVICE, LONG_AGO) == "a"
    assert index.get("a") == info("a", 1, device="phone")


def test_old_and_excess_conversations_expire() -> None:
    assert ConversationIndex().expired(NOON, 1) == []
    index = index_of(*(info(str(n), n) for n in range(5)))
    assert index.expired(NOON, 200) == []
    assert index.expired(NOON + timedelta(minutes=2), 200) == ["1", "0"]
    assert index.expired(LONG_AGO, 2) == ["2", "1", "0"]


def test_conversations_of_automations_expire_first() -> None:
    automations = [info(f"automation {n}", n, owner=None) for n in range(5, 8)]
    index = index_of(info("user", 0), info("satellite", 1, owner=None, device="hall"), *automations)
    assert index.expired(LONG_AGO, 3) == ["automation 6", "automation 5"]


def test_conversation_without_a_turn_expires_soon() -> None:
    index = index_of(info("a", turns=0), info("b", 61), info("c", 60, turns=0))
    assert index.expired(LONG_AGO, 200) == ["a"]
