"""Homes of the benchmark, with an agent that is always right and one that never is."""

from itertools import chain

import pytest

from benchmarks.models.bench_homes import BENCH_HOMES
from benchmarks.models.check import problems
from benchmarks.models.home import TableBenchHome
from benchmarks.models.judging import Reply, Result, judge
from benchmarks.models.oracle import obey
from benchmarks.models.runner import recorded_calls
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

DONE = Reply("Done.")


@pytest.fixture
def expected_lingering_timers() -> bool:
    """Allow for the timer with which a calendar waits for its next appointment."""
    return True


@pytest.fixture(params=["flat", "house", "family", "terraced", "apartment"])
async def stage(hass: HomeAssistant, request: pytest.FixtureRequest) -> TableBenchHome:
    for component in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, component, {})
    home = BENCH_HOMES[request.param]()
    assert isinstance(home, TableBenchHome)
    await home.set_up(hass)
    return home


async def test_sentences_name_exposed_entities_and_are_unmet_before(
    hass: HomeAssistant, stage: TableBenchHome
) -> None:
    assert await problems(hass, stage) == []


@pytest.mark.parametrize("key", BENCH_HOMES)
def test_no_sentence_is_in_two_sets_of_a_home(key: str) -> None:
    # Results are resumed by the text, whatever its set.
    texts = [
        sentence.text.casefold()
        for sentence in chain.from_iterable(BENCH_HOMES[key]().sets.values())
    ]
    assert len(texts) == len(set(texts))


async def test_every_row_of_the_table_becomes_an_available_entity(
    hass: HomeAssistant, stage: TableBenchHome
) -> None:
    for item in stage.home.items:
        state = hass.states.get(item.entity_id)
        assert state is not None
        assert state.state != "unavailable"
        assert state.name == item.name
    assert 15 <= sum(item.exposed for item in stage.home.items) <= 35


async def test_command_is_right_once_obeyed_and_nothing_while_ignored(
    hass: HomeAssistant, stage: TableBenchHome
) -> None:
    for first in chain.from_iterable(stage.sets.values()):
        await stage.reset(hass, first.given)
        for sentence in first.turns:
            if not sentence.changes:
                continue
            before = stage.snapshot(hass)
            assert judge(sentence, before, before, [], DONE).result is Result.NOTHING
            with recorded_calls(hass) as calls:
                await obey(hass, sentence, before)
            verdict = judge(sentence, before, stage.snapshot(hass), calls, DONE)
            assert verdict.result is Result.RIGHT, (sentence.text, verdict)


async def test_obeying_another_sentence_is_never_right(
    hass: HomeAssistant, stage: TableBenchHome
) -> None:
    sentences = chain.from_iterable(stage.sets.values())
    commands = [sentence for sentence in sentences if sentence.changes]
    for sentence, other in zip(commands, [*commands[1:], commands[0]], strict=True):
        if set(sentence.changes) & set(other.changes):
            continue
        await stage.reset(hass, {**other.given, **sentence.given})
        before = stage.snapshot(hass)
        await obey(hass, other, before)
        verdict = judge(sentence, before, stage.snapshot(hass), [], DONE)
        assert verdict.result is Result.OPPOSITE_OR_UNRELATED, (sentence.text, other.text)
