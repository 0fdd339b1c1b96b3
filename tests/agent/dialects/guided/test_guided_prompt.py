"""Tests of the prompt of the guided profile."""

from custom_components.chatterbox.agent import assist
from custom_components.chatterbox.agent.dialects.guided.catalogue import Catalogue
from custom_components.chatterbox.agent.dialects.guided.guided_prompt import (
    build_instructions,
    device_lines,
)
from custom_components.chatterbox.agent.home import HomeVocabulary
from tests.agent.builders import entity
from tests.agent.sample_home import GARAGE, HOME, JOKE, SWEEP, TIMER, TOOLS

CATALOGUE = Catalogue(TOOLS, HOME)


def test_devices_are_listed_by_area_with_their_kinds() -> None:
    lines = device_lines(CATALOGUE)
    assert [line.partition(":")[0] for line in lines] == ["- Elsewhere", "- Kitchen", "- Office"]
    assert "Kettle (switch)" in lines[1]
    assert "Front Door (lock), Front Door (binary sensor)" in lines[0]
    assert "Film Night (scene)" in lines[0]


def test_list_of_a_large_home_has_only_kinds() -> None:
    many = tuple(entity(f"Lamp {'x' * 100} {number}", "light", "Hall") for number in range(100))
    lines = device_lines(Catalogue(TOOLS, HomeVocabulary(entities=(*many, GARAGE))))
    assert lines == ["- Elsewhere: covers", "- Hall: lights"]


def test_other_tools_are_listed_with_their_descriptions() -> None:
    lines = build_instructions(CATALOGUE).splitlines()
    for tool in (JOKE, SWEEP, TIMER):
        assert f"- {assist.short_name(tool)}: {tool.description}" in lines
