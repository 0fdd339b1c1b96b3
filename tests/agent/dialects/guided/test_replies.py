"""Tests of the replies of the action grammar: their schemas and their text."""

import pytest

from custom_components.chatterbox.agent.dialects.guided.inventory import Action
from custom_components.chatterbox.agent.dialects.guided.replies import (
    do_schema,
    reply_of,
    write_actions,
    write_answer,
    write_topic,
)
from custom_components.chatterbox.agent.dialects.guided.reply_decoder import ReplyDecoder

LAMP = {"verb": "turn_on", "device": "Lamp"}
DOOR = {"verb": "look_up", "device": "Door"}
TIME = {"verb": "look_up", "device": "time"}


@pytest.mark.parametrize(
    ("items", "written"),
    [
        ([LAMP], '{"topic": "home", "do": [{"verb": "turn_on", "device": "Lamp"}]}'),
        ([DOOR], '{"topic": "home", "look_up": ["Door"]}'),
        ([DOOR, TIME], '{"topic": "home", "look_up": ["Door", "time"]}'),
        ([TIME], '{"topic": "time"}'),
    ],
)
def test_items_round_trip_through_an_answer(items: list[Action], written: str) -> None:
    assert write_actions(items) == written
    decoder = ReplyDecoder()
    assert decoder.feed(written) == ""
    assert decoder.finish() == ("", items)


def test_look_up_beside_an_action_is_ignored() -> None:
    assert reply_of([DOOR, LAMP]) == {"topic": "home", "do": [DOOR, LAMP]}
    assert reply_of([{"verb": "look_up"}]) == {"topic": "home", "look_up": [None]}


def test_text_and_topics_are_written() -> None:
    assert write_topic("time") == '{"topic": "time"}'
    assert write_topic("weather") == '{"topic": "weather", "day": "…"}'
    assert write_answer('"Tür"') == '{"topic": "other", "answer": "\\"Tür\\""}'


@pytest.mark.parametrize(("shortest", "least"), [(1, 1), (3, 3), (6, 4)])
def test_actions_are_bounded(shortest: int, least: int) -> None:
    entries = do_schema([{"const": LAMP}], 8, shortest=shortest)["properties"]["do"]
    assert (entries["minItems"], entries["maxItems"]) == (least, 4)
