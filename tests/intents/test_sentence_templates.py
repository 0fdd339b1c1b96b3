"""Words and phrases of Home Assistant's sentence templates."""

from typing import Any

import pytest
from hassil.parse_expression import parse_sentence

from custom_components.chatterbox.intents.sentence_templates import (
    SentenceTemplates,
    requires_words,
)

DATA: dict[str, Any] = {
    "expansion_rules": {
        "light": "[the ]light[s]",
        "switch": "(turn|switch) [on]",
        "loop": "round <loop>",
        "fans": "<the>[ ]fans",
        "the": "(the|those)",
    },
    "lists": {
        "percent": {"range": {"from": 0, "to": 100}},
        "anything": {"wildcard": True},
        "color": {"values": ["red", {"in": "(pale|dark) blue", "out": "navy"}]},
        "covers": {
            "values": [
                {"in": "garage[ door[s]]", "out": "garage"},
                {"in": "<the> store", "out": ["blind", "shade"]},
                "gate {percent}<missing>",
            ]
        },
    },
}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        pytest.param("open window", {"open", "window"}, id="plain"),
        pytest.param("open  window ", {"open", "window"}, id="spaces"),
        pytest.param("open [the] window", {"open", "the", "window"}, id="optional"),
        pytest.param("Lampe[n]", {"Lampe", "Lampen"}, id="ending"),
        pytest.param(
            "Roll[l](a|ä)den", {"Rolladen", "Rollladen", "Rolläden", "Rollläden"}, id="in"
        ),
        pytest.param("<light> off", {"the", "light", "lights", "off"}, id="rule"),
        pytest.param("<switch>", {"turn", "switch", "on"}, id="rule with a space"),
        pytest.param("<fans>", {"the", "those", "fans", "thefans", "thosefans"}, id="glued rule"),
        pytest.param(
            "sky<light>", {"skythe", "light", "lights", "skylight", "skylights"}, id="glue"
        ),
        pytest.param("<loop>", {"round"}, id="rule in itself"),
        pytest.param("<missing> on", {"on"}, id="unknown rule"),
        pytest.param("to {percent}%", {"to", "%"}, id="range"),
        pytest.param("say {anything:message}", {"say"}, id="wildcard"),
        pytest.param("{color} {name}", {"red", "pale", "dark", "blue"}, id="values"),
        pytest.param("(dim;the lamp)", {"dim", "the", "lamp"}, id="permutation"),
        pytest.param("a lamp|two lamps", {"a", "lamp", "two", "lamps"}, id="alternatives"),
        pytest.param("{area}の電気を<switch>", {"の電気を", "turn", "switch", "on"}, id="unspaced"),
    ],
)
def test_words_are_those_of_every_string_a_template_stands_for(
    template: str, expected: set[str]
) -> None:
    """Brackets within a word make several words, spaces within brackets separate them."""
    assert SentenceTemplates(DATA).words([template]) == expected


def test_words_of_no_template_are_none() -> None:
    """A language may have no sentences."""
    assert SentenceTemplates({}).words([]) == frozenset()


def test_list_values_have_whole_phrases() -> None:
    """The words of a phrase stay together, and a value may be several."""
    assert set(SentenceTemplates(DATA).list_values("covers")) == {
        ("garage", "garage"),
        ("garage", "garage door"),
        ("garage", "garage doors"),
        ("blind", "the store"),
        ("blind", "those store"),
        ("shade", "the store"),
        ("shade", "those store"),
        ("gate {percent}<missing>", "gate"),
    }


def test_required_words_are_the_smallest_sets_without_optional_words() -> None:
    templates = SentenceTemplates(
        {
            "expansion_rules": {
                "close": "(close|shut) [(up|down)]",
                "turn": "(turn|switch)",
                "loop": "again <loop>",
            }
        }
    )
    found = templates.required_words(
        ["<close> [the] {name}", "<turn> {name} off", "[<turn>] {name} off", "(lights;out)"]
    )
    assert found == set(map(frozenset, ({"close"}, {"shut"}, {"off"}, {"lights", "out"})))
    assert templates.required_words(["[the] {name}", "<loop>", "<unknown>"]) == {
        frozenset({"again"})
    }


def test_letters_that_a_word_may_have_within_it_make_another_word() -> None:
    templates = SentenceTemplates({})
    found = templates.required_words(["enc[i]ende {name}", "[he]runter [mit] {name}", "aus[e]"])
    assert found == {
        frozenset({word}) for word in ("encende", "enciende", "runter", "herunter", "aus")
    }


def test_first_words_are_those_of_sentences_that_begin_with_no_list() -> None:
    templates = SentenceTemplates({})
    found = templates.first_words(
        ["(is|are) {name} on", "{name} is on", "[the] {name}", "(is)", "[now]"]
    )
    assert found == {"is", "are"}


def test_unknown_list_has_no_values() -> None:
    """Not every language has each list."""
    assert not list(SentenceTemplates(DATA).list_values("missing"))


@pytest.mark.parametrize(
    ("template", "required"),
    [
        ("<switch> {name}", True),
        ("{name} on", True),
        ("{name} (on|off)", True),
        ("[<the>] {name} [on]", False),
        ("{name} ([now]|on)", False),
        ("{name}[ in] {area}", False),
        ("<unknown> {name}", False),
        ("({name};on)", True),
    ],
)
def test_required_words_are_beside_lists_and_options(template: str, required: bool) -> None:  # noqa: FBT001 - a column
    rules = {name: parse_sentence(rule) for name, rule in DATA["expansion_rules"].items()}
    assert requires_words(parse_sentence(template).expression, rules) is required


def test_units_may_directly_follow_a_list() -> None:
    data = {"expansion_rules": {"warm": "to {degrees}[°| grades]"}}
    templates = ["heat {degrees}[( degree[s])|°] now", "{name} <warm>", "{degrees} (hot|warm)"]
    found = SentenceTemplates(data).units(
        [*templates, "{other}[ percent]", "[a {degrees}]"], "degrees"
    )
    assert {word for word in found if word.isalpha()} == {"degree", "degrees", "grades"}


@pytest.mark.parametrize(
    ("template", "listed"),
    [
        ("paint {area} {color}", True),
        ("paint {area} <tint>", True),
        ("paint ({color}|<tint>)", True),
        ("paint {area}", False),
        ("paint [{color}]", False),
        ("paint ({color}|glossy)", False),
        ("paint <unknown>", False),
    ],
)
def test_listed_value_is_in_all_sentences_of_a_template(template: str, listed: bool) -> None:  # noqa: FBT001 - a column
    data = {
        "lists": {"color": {"values": ["red"]}, "area": {}},
        "expansion_rules": {"tint": "in {color}"},
    }
    assert SentenceTemplates(data).has_listed_value(template) is listed
