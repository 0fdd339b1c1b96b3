"""Tests of the few-shot examples."""

from dataclasses import replace

import pytest

from custom_components.chatterbox.agent import assist
from custom_components.chatterbox.agent.dialects.guided.catalogue import Catalogue
from custom_components.chatterbox.agent.dialects.guided.examples import worked_examples
from custom_components.chatterbox.agent.dialects.guided.inventory import MISSING
from custom_components.chatterbox.agent.home import HomeVocabulary
from custom_components.chatterbox.agent.messages import ToolCall
from tests.agent.builders import entity
from tests.agent.sample_home import HOME, KETTLE, TOOLS

CATALOGUE = Catalogue(TOOLS, HOME)
EXAMPLES = worked_examples(CATALOGUE)
ACTIONS = [example for example in EXAMPLES if example.do]


def test_every_example_has_actions_or_an_answer() -> None:
    assert all(bool(example.do) != bool(example.answer) for example in EXAMPLES)
    assert len({example.user for example in EXAMPLES}) == len(EXAMPLES)


def test_actions_of_examples_are_calls_of_offered_tools_for_exposed_entities() -> None:
    names = {tool.name for tool in TOOLS}
    for example in ACTIONS:
        for item in example.do:
            name, arguments = CATALOGUE.to_call(item)
            assert name in names
            call = ToolCall(id="1", name=name, arguments=arguments)
            topic = item["device"] in CATALOGUE.topics
            assert CATALOGUE.entities_of(call) or topic or item["device"] == MISSING


def test_every_kind_of_entity_has_an_example_and_a_question() -> None:
    verbs = {item["verb"] for example in ACTIONS for item in example.do}
    assert {"turn_on", "close", "unlock", "set_temperature", "add_to_list", "activate"} <= verbs
    devices = {i["device"] for e in ACTIONS for i in e.do if i["verb"] == "look_up"}
    assert {"Front Door (lock)", "Right Blind", "time", "date", "weather"} <= devices


def test_several_actions_and_a_group_are_shown() -> None:
    assert max(len(example.do) for example in EXAMPLES) == 2
    assert any(item["device"].startswith("all lights in ") for e in ACTIONS for item in e.do)


def test_values_stand_under_the_key_of_their_verb() -> None:
    items = {item["verb"]: item for example in ACTIONS for item in example.do}
    assert items["set_brightness"]["brightness"] == 35
    assert items["set_color"]["color"] == "purple"
    assert items["add_to_list"]["item"] == "flour"


@pytest.mark.parametrize("tools", [(), TOOLS])
def test_empty_home_has_examples_without_devices(tools: tuple[object, ...]) -> None:
    empty = Catalogue(tools, HomeVocabulary())  # type: ignore[arg-type]
    looked_up = {item["device"] for e in worked_examples(empty) for item in e.do}
    assert looked_up == ({"time", "date", "weather"} if tools else set())


def test_few_kinds_have_no_example_of_several_actions() -> None:
    turn_off = [tool for tool in TOOLS if assist.short_name(tool) == "HassTurnOff"]
    small = Catalogue(turn_off, HomeVocabulary(entities=(KETTLE,)))
    examples = [example for example in worked_examples(small) if example.do]
    assert [example.do for example in examples] == [
        ({"verb": "turn_off", "device": "Kettle"},),
        ({"verb": "turn_off", "device": MISSING},),
    ]


def test_refused_commands_are_for_things_that_the_home_does_not_have() -> None:
    def refused(home: HomeVocabulary) -> list[str]:
        examples = worked_examples(Catalogue(TOOLS, home))
        return [e.user for e in examples for item in e.do if item["device"] == MISSING]

    assert refused(HOME) == ["Let the drawbridge down.", "The carousel has to go round."]
    drawbridge = entity("Old drawbridge", "cover", None, "open")
    with_one = replace(HOME, entities=(*HOME.entities, drawbridge))
    assert refused(with_one) == ["The carousel has to go round.", "Enough of the fog machine."]


def test_lights_without_an_area_are_no_group_in_an_example() -> None:
    lights = tuple(entity(f"Lamp {number}", "light", None, "on_off") for number in range(2))
    examples = worked_examples(Catalogue(TOOLS, HomeVocabulary(entities=lights)))
    assert not any("far too bright" in example.user for example in examples)
