"""Tests of learned quirks and their expiry."""

import pytest

from custom_components.chatterbox.agent.model.server_quirks import LIFETIME, Quirk, ServerQuirks
from tests.agent.fake_clock import FakeClock

DAY = 86_400


class Observer:
    """Counts the changes."""

    def __init__(self) -> None:
        self.changes = 0

    def __call__(self) -> None:
        self.changes += 1


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def observer() -> Observer:
    return Observer()


@pytest.fixture
def quirks(clock: FakeClock, observer: Observer) -> ServerQuirks:
    return ServerQuirks(clock=clock.now, changed=observer)


def test_learned_quirk_expires_after_a_week(quirks: ServerQuirks, clock: FakeClock) -> None:
    quirks.learn("temperature")
    clock.seconds += LIFETIME - 1
    assert quirks.has("temperature")
    assert quirks.rejected == {"temperature"}
    clock.seconds += 1
    assert not quirks.has("temperature")
    assert quirks.rejected == set()
    assert quirks.known == {}


def test_expired_quirk_can_be_learned_again(quirks: ServerQuirks, clock: FakeClock) -> None:
    quirks.learn("temperature")
    clock.seconds += LIFETIME
    quirks.learn("temperature")
    assert quirks.rejected == {"temperature"}


def test_quirk_that_keeps_being_confirmed_does_not_expire(
    quirks: ServerQuirks, clock: FakeClock, observer: Observer
) -> None:
    for _ in range(10 * 24):
        quirks.learn(Quirk.CALLED_NATIVELY)
        clock.seconds += DAY / 24
    assert quirks.called_natively
    # It is stored once a day, not at every turn.
    assert observer.changes == 10


def test_age_is_in_days(quirks: ServerQuirks, clock: FakeClock) -> None:
    quirks.learn("temperature")
    clock.seconds += 1.5 * DAY
    quirks.learn("stream")
    assert quirks.age_in_days == {"temperature": 1.5, "stream": 0}


def test_unlearned_quirk_is_gone(quirks: ServerQuirks, observer: Observer) -> None:
    quirks.learn(Quirk.TOOLS)
    quirks.unlearn(Quirk.TOOLS)
    assert not quirks.has(Quirk.TOOLS)
    assert observer.changes == 2
    quirks.unlearn(Quirk.TOOLS)
    assert observer.changes == 2


def test_observations_are_no_rejections(quirks: ServerQuirks) -> None:
    quirks.learn(Quirk.IGNORES_TOOLS)
    quirks.learn(Quirk.STARTS_THINKING)
    assert quirks.rejected == set()
    assert (quirks.ignores_tools, quirks.starts_thinking) == (True, True)


def test_native_call_disproves_that_tools_do_not_work(quirks: ServerQuirks) -> None:
    for quirk in (Quirk.TOOLS, Quirk.IGNORES_TOOLS, "temperature"):
        quirks.learn(quirk)
    quirks.learn(Quirk.CALLED_NATIVELY)
    assert quirks.known.keys() == {"temperature", Quirk.CALLED_NATIVELY}


@pytest.mark.parametrize("quirk", [Quirk.TOOLS, Quirk.IGNORES_TOOLS])
def test_later_rejection_disproves_a_native_call(quirks: ServerQuirks, quirk: Quirk) -> None:
    quirks.learn(Quirk.CALLED_NATIVELY)
    quirks.learn(quirk)
    assert quirks.known.keys() == {quirk}


def test_unopened_reasoning_is_learned_at_the_second_answer_in_a_row(quirks: ServerQuirks) -> None:
    quirks.note_unopened_reasoning()
    assert not quirks.starts_thinking
    quirks.note_no_reasoning_end()
    quirks.note_unopened_reasoning()
    assert not quirks.starts_thinking
    quirks.note_unopened_reasoning()
    assert quirks.starts_thinking


def test_answer_without_the_end_of_a_reasoning_unlearns_it(quirks: ServerQuirks) -> None:
    quirks.learn(Quirk.STARTS_THINKING)
    quirks.note_no_reasoning_end()
    assert not quirks.starts_thinking
    quirks.note_unopened_reasoning()
    assert not quirks.starts_thinking


def test_known_unopened_reasoning_is_confirmed_by_every_answer(
    clock: FakeClock,
) -> None:
    quirks = ServerQuirks({Quirk.STARTS_THINKING: clock.now()}, clock=clock.now)
    clock.seconds += 6 * DAY
    quirks.note_unopened_reasoning()
    clock.seconds += 6 * DAY
    assert quirks.starts_thinking


def test_merge_takes_what_has_not_expired(
    quirks: ServerQuirks, clock: FakeClock, observer: Observer
) -> None:
    quirks.learn(Quirk.TOOLS)
    other = ServerQuirks({"stream": clock.now() - LIFETIME}, clock=clock.now)
    quirks.merge(other)
    assert quirks.known.keys() == {Quirk.TOOLS}
    other.learn(Quirk.CALLED_NATIVELY)
    other.set_parameters(1.5)
    observer.changes = 0
    quirks.merge(other)
    assert quirks.known.keys() == {Quirk.CALLED_NATIVELY}
    assert quirks.parameters == 1.5
    assert observer.changes == 3


def test_unchanged_size_does_not_notify(quirks: ServerQuirks, observer: Observer) -> None:
    quirks.set_parameters(7.6)
    quirks.set_parameters(7.6)
    assert observer.changes == 1


def test_quirks_without_an_owner_can_be_learned() -> None:
    quirks = ServerQuirks()
    quirks.learn("temperature")
    assert quirks.rejected == {"temperature"}


def test_copy_learns_for_itself() -> None:
    changes: list[None] = []
    quirks = ServerQuirks(parameters=1.5, changed=lambda: changes.append(None))
    quirks.learn(Quirk.TOOLS)
    copied = quirks.copy()
    copied.learn(Quirk.RESPONSE_FORMAT)
    assert copied.has(Quirk.TOOLS)
    assert copied.parameters == 1.5
    assert not quirks.has(Quirk.RESPONSE_FORMAT)
    assert len(changes) == 1
