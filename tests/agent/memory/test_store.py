"""Tests of stored conversations."""

import json
from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent.memory.index import ConversationInfo
from custom_components.chatterbox.agent.memory.store import StoredConversation
from custom_components.chatterbox.agent.messages import Message, interrupted_answer
from tests.agent.builders import (
    caller,
    stored_call,
    stored_conversation,
    stored_result,
    stored_turn,
)


def test_conversation_round_trips() -> None:
    talk = stored_conversation(
        stored_turn(
            0, "Regnet es?", Message.assistant(None, [stored_call(city="Köln")]), stored_result()
        ),
        stored_turn(1),
        dropped=3,
        start=4,
        summary="Ann likes tea.",
        device="satellite",
    )
    stored = json.loads(json.dumps(talk.to_dict()))
    assert StoredConversation.from_dict(stored) == talk


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"id": 1},
        [],
        {**stored_conversation(stored_turn()).to_dict(), "turns": [{}]},
        {**stored_conversation(stored_turn()).to_dict(), "turns": 1},
        {**stored_conversation().to_dict(), "created": "yesterday"},
        {**stored_conversation().to_dict(), "created": 0},
    ],
)
def test_malformed_data_is_rejected(data: Any) -> None:
    with pytest.raises(ValueError, match=r"conversation|isoformat"):
        StoredConversation.from_dict(data)


def test_index_entry_is_read_from_stored_data() -> None:
    talk = stored_conversation(stored_turn(0), stored_turn(1), device="desk", ended=True)
    assert ConversationInfo.from_dict(json.loads(json.dumps(talk.to_dict()))) == talk.info


def test_turns_are_sorted_and_the_oldest_deleted() -> None:
    talk = stored_conversation()
    for number in (0, 2, 1, 3):
        talk = talk.with_turn(stored_turn(number), keep=3)
    assert [each.user for each in talk.turns] == ["Question 1", "Question 2", "Question 3"]
    assert (talk.dropped, talk.turn_count, talk.start) == (1, 4, 1)
    assert talk.last_used == stored_turn(3).at


def test_of_large_turns_fewer_are_kept() -> None:
    talk = stored_conversation()
    for number in range(100):
        talk = talk.with_turn(stored_turn(number, "long " * 20_000), keep=100)
    assert 15 < len(talk.turns) < 25
    assert talk.turn_count == 100
    assert talk.turns[-1].at == stored_turn(99).at
    assert not talk.lacks_turn(stored_turn(0).at)


@pytest.mark.parametrize(
    ("ending", "answer"),
    [
        (Message.assistant("Done. " + "x" * 100_000), "Done. " + "x" * 19_994),
        (stored_result(), interrupted_answer(None).content),
    ],
)
def test_huge_turn_is_kept_without_what_its_tools_returned(ending: Message, answer: str) -> None:
    """It does not displace the others."""
    call = Message.assistant(None, [stored_call()])
    results = [stored_result(data="x" * 10_000)] * 150
    turn = replace(stored_turn(1, "?" * 30_000, call, *results, ending), suffix="(It is noon.)")
    talk = stored_conversation(stored_turn(0)).with_turn(turn, keep=9)
    assert talk.turns == (stored_turn(0), stored_turn(1, "?" * 20_000, Message.assistant(answer)))


def test_turn_is_weighed_again_when_it_has_changed() -> None:
    turn = stored_turn(0)
    assert turn.weight == turn.weight
    assert replace(turn, user=f"{turn.user}?").weight == turn.weight + 1
    assert replace(turn) == turn


def test_turn_recorded_again_is_replaced() -> None:
    talk = stored_conversation(stored_turn(0), stored_turn(1)).with_turn(
        stored_turn(0, "Again", Message.assistant("Better")), keep=9
    )
    assert [each.user for each in talk.turns] == ["Again", "Question 1"]


def test_deleted_turn_is_not_reported_as_missing() -> None:
    talk = stored_conversation(stored_turn(1), stored_turn(2))
    assert talk.lacks_turn(stored_turn(0).at)
    assert not talk.lacks_turn(stored_turn(1).at)
    for number in (3, 4):
        talk = talk.with_turn(stored_turn(number), keep=2)
    assert not talk.lacks_turn(stored_turn(0).at)
    assert talk.lacks_turn(stored_turn(5).at)


def test_only_the_latest_ids_are_kept() -> None:
    talk = stored_conversation()
    for number in range(30):
        talk = talk.continued_by(caller(f"id{number}", device="desk"))
    talk = talk.continued_by(caller("id20", device=None))
    assert len(talk.ids) == 20
    assert talk.ids[-1] == "id20"
    assert talk.device == "desk"
