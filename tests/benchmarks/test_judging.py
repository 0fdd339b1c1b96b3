"""Verdicts on the answers to sentences."""

from datetime import datetime
from typing import Any

import pytest

from benchmarks.models.judging import (
    Call,
    Reply,
    Result,
    Verdict,
    asks_back,
    judge,
    leaks,
    worst,
)
from benchmarks.models.sentence import (
    CLOSED,
    NEXT,
    OFF,
    ON,
    WARMER,
    Sentence,
    affirms,
    denies,
    listed,
    percent,
    ticked,
)

LAMP, FAN = "light.lamp", "fan.fan"
NOTHING: dict[str, Any] = {"state": "off", "brightness": None}


def result(
    sentence: Sentence,
    before: dict[str, Any],
    after: dict[str, Any],
    speech: str = "Done.",
    **reply: Any,
) -> Result:
    other = {FAN: {"state": "off"}}
    return judge(
        sentence,
        {LAMP: {**NOTHING, **before}, **other},
        {LAMP: {**NOTHING, **before, **after}, **other},
        [],
        Reply(speech, **reply),
    ).result


@pytest.mark.parametrize(
    ("wanted", "before", "after", "expected"),
    [
        (ON, {}, {"state": "on"}, Result.RIGHT),
        (ON, {}, {}, Result.NOTHING),
        (percent(30), {}, {"state": "on", "brightness": 76}, Result.RIGHT),
        (percent(30), {}, {"state": "on", "brightness": 255}, Result.PARTLY),
        (percent(30), {"state": "on", "brightness": 150}, {"brightness": 100}, Result.PARTLY),
        (
            percent(30),
            {"state": "on", "brightness": 150},
            {"brightness": 200},
            Result.OPPOSITE_OR_UNRELATED,
        ),
        (
            {"brightness": (70, 80)},
            {"state": "on", "brightness": 150},
            {"state": "off", "brightness": None},
            Result.OPPOSITE_OR_UNRELATED,
        ),
        (CLOSED, {"state": "opening"}, {"state": "open"}, Result.OPPOSITE_OR_UNRELATED),
        (NEXT, {"track": 5}, {"track": 6}, Result.RIGHT),
        (NEXT, {"track": 5}, {"track": 7}, Result.PARTLY),
        (NEXT, {"track": 5}, {"track": 4}, Result.OPPOSITE_OR_UNRELATED),
        (WARMER, {"temperature": 20.0}, {"temperature": 21.5}, Result.RIGHT),
        (WARMER, {"temperature": 20.0}, {"temperature": 19}, Result.OPPOSITE_OR_UNRELATED),
        (listed("milk"), {"items": ("Eggs",)}, {"items": ("Eggs", "Oat milk")}, Result.RIGHT),
        (listed("milk"), {"items": ("Eggs",)}, {"items": ("Eggs", "Silk")}, Result.PARTLY),
        (ticked("eggs"), {"items": ("Eggs", "Tea")}, {"items": ("Tea",)}, Result.RIGHT),
        (ticked("eggs"), {"items": ("Eggs", "Tea")}, {"items": ()}, Result.PARTLY),
    ],
)
def test_a_command_is_judged_by_what_changed(
    wanted: dict[str, Any], before: dict[str, Any], after: dict[str, Any], expected: Result
) -> None:
    assert result(Sentence("?", {LAMP: wanted}), before, after) is expected


def test_a_change_elsewhere_is_unrelated_though_the_command_was_obeyed() -> None:
    before = {LAMP: NOTHING, FAN: {"state": "off"}}
    after = {LAMP: {**NOTHING, "state": "on"}, FAN: {"state": "on"}}
    verdict = judge(Sentence("?", {LAMP: ON}), before, after, [], Reply("Done."))
    assert verdict.result is Result.OPPOSITE_OR_UNRELATED
    assert verdict.findings == ("fan.fan became {'state': 'on'}",)


def test_a_question_that_changes_something_is_unrelated() -> None:
    assert (
        result(Sentence("?", says="off"), {}, {"state": "on"}, "It is off.")
        is Result.OPPOSITE_OR_UNRELATED
    )


@pytest.mark.parametrize(
    ("speech", "expected"),
    [
        ("Which lamp do you mean?", Result.ASKED),
        ("I turned it on. How can I assist you?", Result.NOTHING),
        ("Is it dark? I turned it on.", Result.NOTHING),
        ('{"name": "HassTurnOn"', Result.LEAKED),
    ],
)
def test_an_undone_command_is_judged_by_what_was_said(speech: str, expected: Result) -> None:
    assert result(Sentence("?", {LAMP: ON}), {}, {}, speech) is expected


def test_asking_back_is_right_where_the_sentence_allows_it() -> None:
    sentence = Sentence("?", says=r"\bno\b", may_ask=True)
    assert result(sentence, {}, {}, "Do you mean the lamp?") is Result.RIGHT
    assert result(sentence, {}, {}, "There is no such thing.") is Result.RIGHT
    assert result(sentence, {}, {}, "It is on. Anything else?") is Result.WRONG_ANSWER


@pytest.mark.parametrize(
    ("speech", "failed", "expected"),
    [
        ("It is 7.5 degrees.", False, Result.RIGHT),
        ("It is 75 degrees.", False, Result.WRONG_ANSWER),
        ("It is 7.5 degrees.", True, Result.WRONG_ANSWER),
        ("Which room do you mean?", False, Result.ASKED),
        ("", False, Result.WRONG_ANSWER),
    ],
)
def test_a_question_is_judged_by_its_answer(speech: str, expected: Result, *, failed: bool) -> None:
    assert result(Sentence("?", says=r"7\.5"), {}, {}, speech, failed=failed) is expected


def test_a_call_that_was_expected_has_to_be_made_for_its_entity() -> None:
    sentence = Sentence("?", calls={"light.turn_on": LAMP})
    state = {LAMP: NOTHING}
    for entity_id, expected in ((LAMP, Result.RIGHT), (FAN, Result.NOTHING)):
        calls = [Call("light.turn_on", (entity_id,))]
        assert judge(sentence, state, state, calls, Reply("Done.")).result is expected


@pytest.mark.parametrize(
    "speech",
    [
        '{"topic": "home", "do": []}',
        "[{'name': 'x'}]",
        "<tool_call>",
        "[TOOL_CALLS] x",
        "```json",
        "I call HassTurnOn for it.",
        "light__turn_on",
        "turn_on(name='Lamp')",
        "<|im_end|>",
    ],
)
def test_call_syntax_is_a_leak(speech: str) -> None:
    assert leaks(speech)


@pytest.mark.parametrize(
    "speech",
    ["I turned the lamp on.", "It's 7.5 °C (in the yard), and 38 %.", "The list: milk, tea.", ""],
)
def test_plain_speech_is_no_leak(speech: str) -> None:
    assert not leaks(speech)


@pytest.mark.parametrize(
    ("speech", "expected"),
    [
        ("Which one?", True),
        ("There are two. Which one do you mean?", True),
        ("Kann ich dir sonst noch helfen?", False),
        ("Done.", False),
    ],
)
def test_an_offer_of_help_is_no_question(speech: str, *, expected: bool) -> None:
    assert asks_back(speech) is expected


def test_the_worst_turn_decides_and_all_findings_are_kept() -> None:
    right = Verdict(Result.RIGHT, leaked=False, findings=())
    leaked = Verdict(Result.LEAKED, leaked=True, findings=("a finding",))
    assert worst([right, leaked]) == leaked


def test_an_answer_that_pleads_ignorance_neither_affirms_nor_denies() -> None:
    locked = Sentence("?", says=affirms(r"\blocked\b"))
    unlocked = Sentence("?", says=denies(r"\bnot\b|\bunlocked\b"))
    now = datetime(2026, 11, 22, 14, 5).astimezone()
    assert locked.answered("Yes, it is locked.", now)
    assert not locked.answered("No, it is not locked.", now)
    assert unlocked.answered("It is not locked.", now)
    assert not unlocked.answered("I cannot see whether it is locked or not.", now)


@pytest.mark.parametrize(
    ("speech", "expected"),
    [("14:05", True), ("It's 2:04 PM.", True), ("14 Uhr 05", True), ("13:05", False)],
)
def test_the_time_is_that_of_the_answer(speech: str, *, expected: bool) -> None:
    now = datetime(2026, 11, 22, 14, 5).astimezone()
    assert Sentence("?", says="%TIME%").answered(speech, now) is expected


def test_off_is_met_by_off() -> None:
    assert result(Sentence("?", {LAMP: OFF}), {"state": "on"}, {"state": "off"}) is Result.RIGHT
