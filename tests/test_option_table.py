"""Table of options: what is read and stored."""

from itertools import chain
from typing import Any

import pytest

from custom_components.chatterbox.agent.dialects.profile import Profile
from custom_components.chatterbox.option_table import (
    AGENT_FIELDS,
    AGENT_SECTIONS,
    SERVER_FIELDS,
    SERVER_SECTIONS,
    VOICE_FEATURES,
    Option,
    Switches,
    read_options,
)

SWITCHES = Switches("both", (), None, {"one": True, "two": False})
EVERY = (
    *SERVER_FIELDS,
    *AGENT_FIELDS,
    *chain(*AGENT_SECTIONS.values(), *SERVER_SECTIONS.values()),
)


@pytest.mark.parametrize(
    ("option", "stored", "value"),
    [
        (Option("x", 7, None), {}, 7),
        (Option("x", 7, None), {"x": 8}, 8),
        (Option("x", None, None), {}, None),
        (Option("x", (), None), {"x": ["a"]}, ("a",)),
        (Option("x", Profile.AUTO, None), {"x": "guided"}, Profile.GUIDED),
        (SWITCHES, {}, ("one",)),
        (SWITCHES, {"one": False, "two": True}, ("two",)),
    ],
)
def test_option_is_read_with_the_type_of_its_default(
    option: Option, stored: dict[str, Any], value: Any
) -> None:
    read = option.read(stored)
    assert read == value
    assert type(read) is type(value)


def test_value_that_is_no_choice_is_an_error() -> None:
    with pytest.raises(ValueError, match="sometimes"):
        Option("x", Profile.AUTO, None).read({"x": "sometimes"})


@pytest.mark.parametrize(
    ("option", "value", "stored"),
    [
        (Option("x", 7, None), 7, {}),
        (Option("x", 7, None), 8, {"x": 8}),
        (Option("x", None, None), None, {}),
        (Option("x", None, None), 0, {"x": 0}),
        (Option("x", (), None), [], {}),
        (Option("x", (), None), ["a"], {"x": ["a"]}),
        (Option("x", Profile.AUTO, None), "auto", {}),
        (SWITCHES, ["one"], {}),
        (SWITCHES, [], {"one": False}),
        (SWITCHES, ["two", "one"], {"two": True}),
    ],
)
def test_defaults_are_not_stored(option: Option, value: Any, stored: dict[str, Any]) -> None:
    assert option.to_store(value) == stored


def test_every_key_belongs_to_one_option() -> None:
    keys = [key for option in EVERY for key in option.keys]
    assert len(keys) == len(set(keys))
    assert read_options(EVERY, {}).keys() == {option.key for option in EVERY}


def test_every_default_is_accepted_by_its_field() -> None:
    for option in EVERY:
        value = option.read({})
        if value is not None:
            shown = [*value] if isinstance(value, tuple) else value
            assert option.selector(shown) == shown


def test_an_agent_has_at_most_16_advanced_fields() -> None:
    assert sum(len(options) for options in AGENT_SECTIONS.values()) <= 16
    assert len(VOICE_FEATURES) == 6
