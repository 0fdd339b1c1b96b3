"""Questions before doubtful actions name the devices and what becomes of them."""

from dataclasses import replace

import pytest

from custom_components.chatterbox.agent.dialects.guided.catalogue import Catalogue
from custom_components.chatterbox.agent.dialects.guided.clarifications import Clarifications
from custom_components.chatterbox.agent.dialects.guided.inventory import IN_USE, Action
from tests.agent.sample_home import HOME, TOOLS

WORDED = replace(
    HOME, states={"cover": {"open": "open"}}, actions={"cover": {"stop_cover": "Stop cover"}}
)


@pytest.mark.parametrize(
    ("action", "question"),
    [
        ({"verb": "open", "device": "Left Blind"}, "Should Left Blind be open?"),
        ({"verb": "open", "device": "all blinds"}, "Should Left Blind, Right Blind be open?"),
        ({"verb": "stop_moving", "device": "Left Blind"}, "Left Blind: Stop cover?"),
        (
            {"verb": "set_brightness", "device": "Desk Lamp", "brightness": 40},
            "Desk Lamp: 40?",
        ),
        ({"verb": "lock", "device": "Front Door (lock)"}, "Do you mean Front Door?"),
        ({"verb": "pause", "device": IN_USE}, "Are you sure?"),
    ],
)
def test_question_says_what_becomes_of_which_devices(action: Action, question: str) -> None:
    catalogue = Catalogue(TOOLS, WORDED)
    entities = catalogue.targets(action["device"])
    assert Clarifications().before(action, entities, catalogue) == question


def test_devices_beyond_those_that_one_remembers_are_counted() -> None:
    lamps = tuple(
        replace(HOME.entities[0], entity_id=f"light.lamp_{number}", name=f"Lamp {number}")
        for number in range(6)
    )
    catalogue = Catalogue(TOOLS, replace(HOME, entities=lamps))
    all_lights = {"verb": "turn_on", "device": "all lights"}
    question = Clarifications().before(all_lights, catalogue.targets("all lights"), catalogue)
    assert question == "Do you mean Lamp 0, Lamp 1, Lamp 2, Lamp 3 and 2 more?"
