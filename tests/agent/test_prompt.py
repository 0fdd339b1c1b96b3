"""Tests of the tool-use rules and message suffixes."""

from dataclasses import replace

from custom_components.chatterbox.agent.messages import Message, ToolAnnotations
from custom_components.chatterbox.agent.prompt import TurnContext, opening_messages, rules, suffix
from tests.agent.sample_tools import CONTEXT, TURN_ON, WEATHER

READ = replace(WEATHER, annotations=ToolAnnotations(read_only=True))


def test_request_begins_with_the_system_prompt_if_there_is_one() -> None:
    assert opening_messages("Be brief.") == [Message.system("Be brief.")]
    assert opening_messages("") == opening_messages(None) == []


def test_suffix_has_the_known_facts_in_a_fixed_order() -> None:
    assert suffix(TurnContext()) is None
    context = TurnContext(
        time_and_place=["It is noon.", "You are in area Kitchen."],
        user="Ann",
        extra="The bell rang.",
        switch="/no_think",
    )
    assert suffix(context) == (
        "It is noon. You are in area Kitchen. The user's name is Ann. The bell rang. /no_think"
    )
    assert suffix(TurnContext(switch="/think")) == "/think"


def test_rules_name_only_what_the_offered_tools_can_do() -> None:
    assert rules([]) == ""
    reading = rules([READ])
    assert "depends on the weather." in reading
    assert "Never invent" in reading
    assert "A tool answers in JSON" in reading
    assert "done" not in reading
    both = rules([READ, CONTEXT, TURN_ON])
    assert "depends on the home or the weather, or when something is to be changed." in both
    assert "Say that something is done only after" in both
    assert "Use a tool whenever it helps to answer, or when" in rules([TURN_ON])
