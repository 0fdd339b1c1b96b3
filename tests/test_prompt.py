"""Default system prompt, and separation of time and area from a prompt."""

import pytest
from freezegun.api import FrozenDateTimeFactory

from custom_components.chatterbox.prompt import DEFAULT_PROMPT, split_time_and_place
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.template import Template


async def test_time_is_split_off_anywhere(hass: HomeAssistant) -> None:
    clock = Template(llm.DATE_TIME_PROMPT, hass).async_render(parse_result=False)
    prompt, found = split_time_and_place(f"Be brief.\n{clock}\nThe visitor is called Ann.")
    assert found == [clock.strip()]
    assert prompt == "Be brief.\n\nThe visitor is called Ann."


async def test_time_is_that_of_now(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Home Assistant may keep the prompt of a session, with the time of its first turn."""
    clock = Template(llm.DATE_TIME_PROMPT, hass)
    earlier = clock.async_render(parse_result=False)
    freezer.tick(24 * 60 * 60)
    prompt, found = split_time_and_place(f"Be brief.\n{earlier}")
    assert found == [clock.async_render(parse_result=False).strip()]
    assert found != [earlier.strip()]
    assert prompt == "Be brief."


@pytest.mark.parametrize("place", ["Kitchen", "Kitchen (floor Ground floor)"])
def test_area_is_split_off(place: str) -> None:
    sentence = (
        f"You are in area {place} and all generic commands like 'turn on the lights' should"
        " target this area."
    )
    prompt, found = split_time_and_place(f"Be brief.\n{sentence}\nNo timers.")
    assert found == [sentence]
    assert prompt.startswith("Be brief.\nWhen a user asks")
    assert prompt.endswith("of that type.\nNo timers.")


def test_prompt_without_time_is_unchanged() -> None:
    assert split_time_and_place("Be brief.\nCurrent time is what you make of it.") == (
        "Be brief.\nCurrent time is what you make of it.",
        [],
    )


@pytest.mark.parametrize(
    "rule", ["voice assistant", "spoken aloud", "short sentences", "language of the user"]
)
def test_the_default_prompt_has_the_rules_of_a_voice_agent(rule: str) -> None:
    assert rule in DEFAULT_PROMPT


def test_the_default_prompt_shows_no_empty_line_in_the_form() -> None:
    assert all(line.strip() for line in DEFAULT_PROMPT.split("\n"))


async def test_the_default_prompt_renders_with_the_name_of_the_home(hass: HomeAssistant) -> None:
    hass.config.location_name = "The Mill"
    rendered = Template(DEFAULT_PROMPT, hass).async_render(
        {"ha_name": hass.config.location_name}, parse_result=False
    )
    assert '"The Mill"' in rendered
    assert "{{" not in rendered
