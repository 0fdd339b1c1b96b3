"""Results of Home Assistant's own tools."""

from copy import deepcopy
from dataclasses import replace

import pytest

from custom_components.chatterbox.agent import assist_results
from custom_components.chatterbox.agent.messages import Message
from homeassistant.util.yaml import dump
from tests.agent.sample_home import called, result

FOUND = {
    "results": [
        {"title": "Blue Train", "can_play": True, "media_content_id": "x", "thumbnail": "t"},
        {"title": "Albums", "can_play": False},
        {"can_play": True},
        "odd",
    ]
}


def test_result_is_read_from_the_envelope() -> None:
    assert assist_results.result_of(result({"a": 1})) == {"a": 1}
    for failed in (result("odd", success=False), Message.tool("1", "no json"), Message.user("")):
        assert assist_results.result_of(failed) is None
    assert assist_results.result_of(Message.tool("1", "[1]")) is None


def test_failure_is_a_result_without_success() -> None:
    assert assist_results.is_failure(result("odd", success=False))
    for other in (result(), Message.tool("1", "no json"), Message.tool("1", "[false]")):
        assert not assist_results.is_failure(other)


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (
            result(
                {
                    "result": "Live context:\n- names: Front Door\n  domain: lock\n"
                    "  state: 'unlocked'\n  attributes:\n    battery_level: '3'\n"
                    "- names: Sun\n  domain: sun"
                }
            ),
            "Front Door is unlocked (domain lock, battery level 3).\nSun is unknown (domain sun).",
        ),
        (result({"result": "Nothing:\nat all"}), "at all"),
        (result({"result": "One line:"}), "One line:"),
        (result({"result": "First\nsecond"}), "First\nsecond"),
        (result({"state": "on"}), '{"state":"on"}'),
        (result("broken", success=False), '{"success": false, "error": "broken"}'),
        (Message.tool("1", "plain"), "plain"),
        (Message.tool("1", ""), ""),
    ],
)
def test_text_of_a_result_has_no_envelope_and_no_heading(message: Message, text: str) -> None:
    assert assist_results.result_text(message) == text


@pytest.mark.parametrize(
    "text",
    [
        "on",
        "It's: here",
        'Song "Blue" # 1',
        "- a list",
        "\N{CRESCENT MOON} Night light",
        "word " * 40 + "end: here",
        "a\nb: c",
        "tab\there",
        "null",
    ],
)
def test_states_are_read_as_home_assistant_writes_them(text: str) -> None:
    """Quotation marks, escape sequences and line breaks of YAML are undone."""
    entity = {"names": text, "domain": "light", "state": text, "attributes": {"media_title": text}}
    listed = f"Live Context: An overview:\n{dump([entity, deepcopy(entity)])}"
    words = " ".join(text.split())
    expected = f"{words} is {words} (domain light, media title {words})."
    assert assist_results.result_text(result({"result": listed})).split("\n") == [expected] * 2


@pytest.mark.parametrize(
    ("listed", "sentence"),
    [
        ("- names: Lamp\n  state:\n  domain: light", "Lamp is unknown (domain light)."),
        ("- names: Lamp\n  state: on\n  area… (9 more characters)", "Lamp is on ()."),
        ("- names: Lamp\n  state: on\n… (9 more characters)", "Lamp is on ()."),
        ("- names: ''\n  state: 'o… (9 more characters)", " is o… (9 more characters) ()."),
        ('- names: "Lamp \\q"\n  state: "o… (9 more', "Lamp \\q is o… (9 more ()."),
        (
            "- names: Lamp\n  attributes:\n    artist:\n    - A\n    - B: C",
            "Lamp is unknown (artist - A - B: C).",
        ),
        (
            "- names: Lamp\n  attributes:\n    a: 'b\n      c: d'\n  state: on",
            "Lamp is on (a b c: d).",
        ),
    ],
)
def test_states_are_read_where_the_list_is_irregular_or_truncated(
    listed: str, sentence: str
) -> None:
    assert assist_results.result_text(result({"result": f"Live context:\n{listed}"})) == sentence


def test_value_beside_a_measured_one_is_the_target() -> None:
    listed = (
        "Live context:\n- names: Hall\n  state: heat\n  attributes:\n"
        "    current_temperature: '19'\n    temperature: '20.5'\n    humidity: '40'\n"
    )
    sentence = "Hall is heat (current temperature 19, target temperature 20.5, humidity 40)."
    assert assist_results.result_text(result({"result": listed})) == sentence


def test_states_have_their_names() -> None:
    listed = (
        "Live context:\n"
        "- names: Left\n  domain: binary_sensor\n  state: 'on'\n  attributes:\n"
        "    device_class: window\n"
        "- names: Door\n  domain: lock\n  state: locked\n"
        "- names: Sun\n  domain: sun\n  state: above_horizon\n"
    )
    states = {"binary_sensor.window": {"on": "offen"}, "lock": {"locked": "verriegelt"}}
    assert assist_results.result_text(result({"result": listed}), states).splitlines() == [
        "Left is offen (domain binary_sensor, device class window).",
        "Door is verriegelt (domain lock).",
        "Sun is above_horizon (domain sun).",
    ]


def test_days_of_a_forecast_are_counted_from_today() -> None:
    days = [{"date": f"2026-11-0{day}", "temperature_max": day} for day in (1, 2, 3)]
    report = {"conditions": "rainy", "daily": days}
    assert assist_results.result_text(result(report)).splitlines() == [
        '{"conditions":"rainy"}',
        "Today: date 2026-11-01, temperature max 1.",
        "Tomorrow: date 2026-11-02, temperature max 2.",
        "In 2 days: date 2026-11-03, temperature max 3.",
    ]


def test_found_media_are_those_of_the_last_search_that_can_be_played() -> None:
    search = called("search_media", "1", player_name="Radio", search_query="blue")
    other = called("tell_joke", "2")
    messages = [
        Message.assistant(None, [replace(search, id="0")]),
        result({"results": [{"title": "Old", "can_play": True}]}, "0"),
        Message.assistant(None, [search, other]),
        result(FOUND),
        result(FOUND, "2"),
        result(FOUND, "3"),
    ]
    [blue] = assist_results.found_media(messages)
    assert blue == {**FOUND["results"][0], "player_name": "Radio"}  # type: ignore[dict-item]
    assert assist_results.found_media([Message.user("Hi")]) == []
    asked = messages[2]
    for useless in (result("none", success=False), result(["odd"]), result({"results": None})):
        assert assist_results.found_media([asked, useless]) == []


def test_found_medium_is_played_where_it_was_searched() -> None:
    media = [{"title": "A", "media_content_id": "a", "media_content_type": "music"}]
    media = [{**media[0], "player_name": "Radio", "thumbnail": "t"}]
    assert assist_results.play_arguments(media, "A") == {
        "media_content_id": "a",
        "media_content_type": "music",
        "player_name": "Radio",
    }
    assert assist_results.play_arguments([{"title": "A", "player_name": None}], "A") == {}
    assert assist_results.play_arguments(media, "B") == {}
