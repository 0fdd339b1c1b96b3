"""Tests of what a model is told beside its instructions."""

from dataclasses import replace

import pytest

from custom_components.chatterbox.agent.dialects.vocabulary import Mentioned, Vocabulary
from custom_components.chatterbox.agent.messages import Message, ToolAnnotations, ToolCall
from custom_components.chatterbox.agent.prompt import (
    Surroundings,
    TurnMode,
    rules,
    suffix,
    turn_mode,
    with_notes,
    worked_examples,
)

from .dialects.reading import CONTEXT, LIGHT_SET, TURN_ON, WEATHER, tool
from .dialects.test_vocabulary import HOME

READ = replace(WEATHER, annotations=ToolAnnotations(read_only=True))


def test_what_is_true_now_stands_behind_the_message() -> None:
    """Only what there is to say."""
    assert suffix(Surroundings()) is None
    everything = suffix(
        Surroundings(
            moment=["It is noon.", "You are in area Kitchen."],
            user="Ann",
            extra="The bell rang.",
            switch="/no_think",
            mentioned=Mentioned(things=HOME.things[:1]),
            mode=TurnMode.HYBRID,
        )
    )
    assert everything is not None
    for part in (
        "noon. You are in area Kitchen.",
        "Ann",
        "Bed Light (light, Bedroom)",
        "Use a tool",
    ):
        assert part in everything
    assert everything.endswith("The bell rang. /no_think")
    nowhere = replace(HOME.things[0], area=None)
    assert (
        suffix(Surroundings(mentioned=Mentioned(things=(nowhere,))))
        == "In this home: Bed Light (light)."
    )
    assert suffix(Surroundings(mode=TurnMode.CONVERSATION)) is None


def test_the_mode_is_told_by_the_tools_and_the_question() -> None:
    """What cannot be done is not talked of."""
    assert turn_mode([], asks=True) is TurnMode.CONVERSATION
    assert turn_mode([READ], asks=False) is TurnMode.INFORMATION
    assert turn_mode([TURN_ON], asks=False) is TurnMode.CONTROL
    assert turn_mode([TURN_ON, READ], asks=False) is TurnMode.HYBRID
    assert turn_mode([TURN_ON, READ], asks=True) is TurnMode.INFORMATION


def test_the_rules_are_those_of_the_tools_that_there_are() -> None:
    """Of what is not there no word is said."""
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


def test_results_get_a_note() -> None:
    """One for each answer's results, by what came of them."""
    good, bad, odd = (
        Message.tool("1", '{"success":true}'),
        Message.tool("2", '{"success":false}'),
        Message.tool("3", "no json"),
    )
    noted = with_notes([Message.user("a"), bad, good, Message.assistant("b"), good, odd])
    assert [message.content for message in noted[:2]] == ["a", '{"success":false}']
    assert "That failed" in noted[2].text
    assert noted[3].content == "b"
    assert noted[4] == good
    assert "Now tell the user" in noted[5].text
    assert with_notes([Message.tool("1", "[1]")])[0].text != "[1]"


@pytest.mark.parametrize(
    ("arguments", "left"),
    [
        ({"name": "Bed Light"}, "Front Door"),
        ({"name": "Front Door"}, "Bed Light"),
        ({"area": "Bedroom"}, "Front Door"),
        ({}, ""),
    ],
)
def test_what_was_not_called_yet_is_noted(arguments: dict[str, str], left: str) -> None:
    """For all that the user called by its name; later messages are of another turn."""
    call = ToolCall(id="1", name=TURN_ON.name, arguments=arguments)
    turn = [
        Message.user("Turn on the bed light and lock the front door", "In this home: Lamp."),
        Message.assistant(None, [call]),
        Message.tool("1", '{"success":true}'),
    ]
    later = [Message.assistant("Done."), Message.user("Thanks")]
    noted = with_notes([*turn, *later], HOME)
    assert noted[2] == with_notes(turn, HOME)[2]
    assert noted[2].suffix == (f"Not done yet: {left}." if left else with_notes(turn)[2].suffix)


def test_examples_are_made_of_what_is_there() -> None:
    """The things, rooms and tools of this home, and no others."""
    examples = worked_examples([TURN_ON, LIGHT_SET, WEATHER], HOME, 20)
    offered = {TURN_ON.name, LIGHT_SET.name, WEATHER.name}
    calls = [call for example in examples for call in example.calls]
    assert {name for name, _ in calls} == offered
    assert {arguments["name"] for _, arguments in calls if "name" in arguments} <= set(HOME.names)
    assert max(len(example.calls) for example in examples) == 2
    assert len(examples) < 20
    assert examples[-1].answer == "You are welcome."
    assert len(worked_examples([TURN_ON, LIGHT_SET], HOME, 6)) == 6
    assert all(example.answer for example in worked_examples([], HOME, 5))
    assert worked_examples([TURN_ON], HOME, 0) == []


def test_without_rooms_there_is_no_example_with_one() -> None:
    """It would not be true."""
    nowhere = Vocabulary(things=tuple(replace(thing, area=None) for thing in HOME.things))
    off = tool("intent__HassTurnOff", name="string", area="string")
    assert all(
        "area" not in dict(e.calls).get(off.name, {}) for e in worked_examples([off], nowhere, 20)
    )


def test_the_things_that_are_meant_are_found() -> None:
    """The exact names for what people say."""
    for said, names in (
        ("Turn on the kitchen light", ["Kitchen Lights"]),
        ("Good morning!", []),
        ("the big one please", ["Lamp"]),
        ("light in the kitchen", ["Kitchen Lights"]),
        ("lock the front door and the bed light", ["Bed Light", "Front Door"]),
        ("something in the kitchen", ["Kitchen Lights"]),
        ("the lock in the kitchen", ["Kitchen Lights"]),
    ):
        assert [thing.name for thing in HOME.mentioned(said).things] == names, said
    assert Vocabulary().mentioned("anything") == Mentioned()


def test_all_things_of_a_kind_in_a_room_are_told_as_such() -> None:
    """With the arguments that mean them."""
    second = replace(HOME.things[1], name="Counter", entity_id="light.c")
    home = replace(HOME, things=(*HOME.things, second))
    meant = home.mentioned("All lights in the kitchen")
    assert (meant.things, meant.area, meant.domain) == ((), "Kitchen", "light")
    said = suffix(Surroundings(mentioned=meant))
    assert said == 'This means {"area": "Kitchen", "domain": ["light"]}, without a name.'
    assert suffix(Surroundings(mentioned=Mentioned(area="Kitchen"))) == "The area is Kitchen."
    several = suffix(Surroundings(mentioned=home.mentioned("bed light and front door")))
    assert several is not None
    assert several.endswith("Call a tool for each of them.")
