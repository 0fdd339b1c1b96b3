"""Stored conversations."""

import json
from typing import Any

import pytest

from custom_components.chatterbox.agent.memory.index import ConversationInfo
from custom_components.chatterbox.agent.memory.store import StoredConversation
from custom_components.chatterbox.agent.messages import Message

from ..conversations import call, caller, conversation, result, turn


def test_conversation_round_trips() -> None:
    talk = conversation(
        turn(0, "Regnet es?", Message.assistant(None, [call(city="Köln")]), result()),
        turn(1),
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
        {**conversation(turn()).to_dict(), "turns": [{}]},
        {**conversation(turn()).to_dict(), "turns": 1},
        {**conversation().to_dict(), "created": "yesterday"},
        {**conversation().to_dict(), "created": 0},
    ],
)
def test_malformed_data_is_rejected(data: Any) -> None:
    with pytest.raises(ValueError, match=r"conversation|isoformat"):
        StoredConversation.from_dict(data)


def test_index_entry_is_read_from_stored_data() -> None:
    talk = conversation(turn(0), turn(1), device="desk", ended=True)
    assert ConversationInfo.from_dict(json.loads(json.dumps(talk.to_dict()))) == talk.info


def test_turns_are_sorted_and_the_oldest_deleted() -> None:
    talk = conversation()
    for number in (0, 2, 1, 3):
        talk = talk.with_turn(turn(number), keep=3)
    assert [each.user for each in talk.turns] == ["Question 1", "Question 2", "Question 3"]
    assert (talk.dropped, talk.turn_count, talk.start) == (1, 4, 1)
    assert talk.last_used == turn(3).at


def test_turn_recorded_again_is_replaced() -> None:
    talk = conversation(turn(0), turn(1)).with_turn(
        turn(0, "Again", Message.assistant("Better")), keep=9
    )
    assert [each.user for each in talk.turns] == ["Again", "Question 1"]


def test_deleted_turn_is_not_missing() -> None:
    talk = conversation(turn(1), turn(2))
    assert talk.lacks_turn(turn(0).at)
    assert not talk.lacks_turn(turn(1).at)
    for number in (3, 4):
        talk = talk.with_turn(turn(number), keep=2)
    assert not talk.lacks_turn(turn(0).at)
    assert talk.lacks_turn(turn(5).at)


def test_the_latest_ids_are_kept() -> None:
    talk = conversation()
    for number in range(30):
        talk = talk.continued_by(caller(f"id{number}", device="desk"))
    talk = talk.continued_by(caller("id20", device=None))
    assert len(talk.ids) == 20
    assert talk.ids[-1] == "id20"
    assert talk.device == "desk"
