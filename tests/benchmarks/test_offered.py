"""What the action grammar offers for the sentences of the benchmark, and its measure."""

import pytest

from benchmarks.models.bench_homes import BENCH_HOMES
from benchmarks.models.home import TableBenchHome
from benchmarks.models.offered import Offered, Summary, measure
from benchmarks.models.sentence import OFF, ON, Sentence, on
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

# Of the third set: sentences, right at once, right at once or after a question, with an
# opposite, with an unrelated device. More of the former, and less of the latter, is better.
EXPECTED = {
    "flat": Summary(20, 16, 19, 0, 0, 0, 0),
    "house": Summary(31, 23, 31, 0, 1, 0, 0),
    "family": Summary(32, 29, 31, 0, 0, 0, 0),
}


@pytest.fixture
def expected_lingering_timers() -> bool:
    """Allow for the timer with which a calendar waits for its next appointment."""
    return True


async def set_up(hass: HomeAssistant, key: str) -> TableBenchHome:
    for component in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, component, {})
    home = BENCH_HOMES[key]()
    assert isinstance(home, TableBenchHome)
    await home.set_up(hass)
    return home


@pytest.mark.timeout(600)
@pytest.mark.parametrize("key", EXPECTED)
async def test_right_actions_are_offered_and_opposite_ones_are_not(
    hass: HomeAssistant, key: str
) -> None:
    home = await set_up(hass, key)
    found = Summary.of(await measure(hass, home, home.sets["third"]))
    floor = EXPECTED[key]
    assert found.sentences == floor.sentences
    assert found.right >= floor.right
    assert found.right_or_asked >= floor.right_or_asked
    assert found.opposite <= floor.opposite
    assert found.with_unrelated <= floor.with_unrelated


async def test_measure_tells_right_opposite_and_unrelated_actions(hass: HomeAssistant) -> None:
    home = await set_up(hass, "house")
    lamp, spots = "light.study_lamp", "light.lounge_spots"
    off = Sentence("Turn the spotlights off", {spots: OFF}, {spots: {"is_on": True}})
    wrong = Sentence("Turn the spotlights off", {spots: ON}, {spots: {"is_on": False}})
    other = Sentence("Turn the spotlights off", {lamp: OFF}, on(lamp, spots))
    absent = Sentence("Turn on the microwave", says="no", may_ask=True)
    follow_up = Sentence("Turn on the spotlights", {spots: ON}, then=off)
    right, opposite, unrelated, nothing, then = await measure(
        hass, home, [off, wrong, other, absent, follow_up]
    )
    assert right.is_right
    assert not right.opposite | right.unrelated
    assert opposite.opposite == {'{"verb": "turn_off", "device": "Spotlights"}'}
    assert not opposite.is_right_or_asked
    assert unrelated.unrelated == {spots}
    assert nothing.is_right
    assert then.text == "Turn the spotlights off"
    assert then.is_right


def test_question_counts_where_it_is_right() -> None:
    asked = Offered("", wanted=1, after_question=1)
    assert not asked.is_right
    assert asked.is_right_or_asked
    assert Offered("", wanted=1, after_question=1, may_ask=True).is_right
