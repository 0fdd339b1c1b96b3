"""Stances of messages on actions."""

from dataclasses import replace
from typing import Any

import pytest

from custom_components.chatterbox.agent import assist
from custom_components.chatterbox.agent.assist import Verb
from custom_components.chatterbox.agent.dialects.guided.stance import Stance, Stances
from custom_components.chatterbox.agent.mentions import Clause, Mentions, SetPoint
from tests.agent.builders import entity

LAMP, RADIO, DOOR, STOVE, BLIND = (
    replace(entity(name, domain, "Hall"), entity_id=f"{domain}.{name.lower()}")
    for name, domain in (
        ("Lamp", "light"),
        ("Radio", "media_player"),
        ("Door", "lock"),
        ("Stove", "climate"),
        ("Blind", "cover"),
    )
)
SWITCH, PLAY, UP_DOWN = "HassTurnOn", "HassMediaUnpause", "volume_step"
NO, ASK, FREE = Stance.NO, Stance.ASK, Stance.FREE
YES, NEVER = frozenset({True}), frozenset({False})


def verb(name: str) -> Verb:
    return next(each for each in assist.VERBS if each.name == name)


def stances(
    stated: dict[tuple[str, str], frozenset[bool]] | None = None,
    *,
    state: str | None = None,
    **more: Any,
) -> Stances:
    """Return the stances of a message about the three devices, which are in a state."""
    known = {pair: frozenset[bool]() for pair in (("light", SWITCH), ("media_player", PLAY))}
    mentions = Mentions(named=(LAMP, RADIO, DOOR), directions={**known, **(stated or {})})
    fields = {key: more.pop(key) for key in [*more] if key in {"numbered", "nearby", "set_points"}}
    states = {each.entity_id: state for each in (LAMP, RADIO, DOOR, BLIND)} if state else {}
    mentions = replace(mentions, **{"is_question": False, **more})
    return Stances(mentions=mentions, states=states, **fields)


@pytest.mark.parametrize(
    ("found", "turn_on", "turn_off"),
    [
        (stances({("light", SWITCH): YES}), FREE, NO),
        (stances({("light", SWITCH): YES | NEVER}), ASK, ASK),
        # Without any words, only what changes something is meant.
        (stances(state="off"), FREE, NO),
        (stances(state="on"), NO, FREE),
        # What is on may be said to be set to something, or asked for.
        (stances(state="on", numbered={LAMP}), NO, ASK),
        (stances(state="on", is_question=None), NO, ASK),
        (stances(), ASK, ASK),
        (stances(state="unavailable"), ASK, ASK),
        # What has no effect is not what was meant.
        (stances({("light", SWITCH): YES}, state="on"), FREE, NO),
        (stances({("light", SWITCH): YES}, state="on", unknown=("rid",)), ASK, NO),
        # A question needs words for a command, and even then it is asked.
        (stances(state="off", is_question=True), NO, NO),
        (stances({("light", SWITCH): YES}, is_question=True), ASK, NO),
        # What has a condition, may be an exception or is taken back is not done at once.
        (stances({("light", SWITCH): YES}, is_qualified=True), ASK, NO),
        (stances({("light", SWITCH): YES}, apart=frozenset({LAMP})), ASK, NO),
        (stances({("light", SWITCH): YES}, excepted=frozenset({LAMP})), ASK, NO),
        (stances({("light", SWITCH): YES}, retracted=frozenset({LAMP})), NO, NO),
        # What is described is asked for, or not to be changed at all.
        (stances({("light", SWITCH): YES}, described=frozenset({"light"})), ASK, NO),
        (stances(state="off", described=frozenset({"light"})), ASK, NO),
        (
            stances({("light", SWITCH): YES}, described=frozenset({"light"}), is_question=True),
            NO,
            NO,
        ),
        # A lamp does no harm.
        (stances({("light", SWITCH): YES}, reported=frozenset({"light"})), FREE, NO),
        # What is not to be done is asked about at most.
        (stances({("light", SWITCH): YES}, is_negated=True), ASK, NO),
        (stances(state="off", is_negated=True), ASK, NO),
        # What is set to a number is not just turned on or off.
        (stances(state="off", numbers=(40.0,), numbered={LAMP}), NO, NO),
        (stances({("light", SWITCH): NEVER}, numbers=(40.0,), numbered={LAMP}), NO, ASK),
        (stances({("light", SWITCH): NEVER}, numbers=(10.0,)), NO, ASK),
        (stances(state="off", unknown=("zap",), numbered={LAMP}), FREE, NO),
        (stances(state="on", unknown=("zap",), numbered={LAMP}), NO, ASK),
        # Of a device in a mentioned place alone, the words have to tell.
        (stances(state="off", nearby={LAMP}), NO, NO),
        (stances(state="off", nearby={LAMP}, named=()), ASK, NO),
    ],
)
def test_direction_needs_words_or_an_effect(
    found: Stances, turn_on: Stance, turn_off: Stance
) -> None:
    assert found.of(verb("turn_on"), [LAMP]) is turn_on
    assert found.of(verb("turn_off"), [LAMP]) is turn_off


def test_language_without_words_allows_everything() -> None:
    assert Stances().of(verb("turn_off"), [LAMP]) is FREE


@pytest.mark.parametrize(
    ("is_question", "unknown", "lock", "unlock"),
    [
        (False, (), FREE, FREE),
        # With other words, nobody is let in.
        (False, ("quick",), FREE, ASK),
        # *Can you lock it?* may be a request, but one with other words asks what it does.
        (None, (), FREE, ASK),
        (None, ("tell", "whether"), ASK, ASK),
        (True, (), ASK, ASK),
    ],
)
def test_what_moves_is_asked_about_after_what_may_be_a_question(
    unknown: tuple[str, ...], lock: Stance, unlock: Stance, *, is_question: bool | None
) -> None:
    for ways, done, way, undone in (
        (YES, "lock", lock, "unlock"),
        (NEVER, "unlock", unlock, "lock"),
    ):
        found = stances({("lock", SWITCH): ways}, is_question=is_question, unknown=unknown)
        assert found.of(verb(done), [DOOR]) is way
        assert found.of(verb(undone), [DOOR]) is NO


@pytest.mark.parametrize(
    ("ways", "state", "more", "name", "stance"),
    [
        (YES, "closed", {}, "open", FREE),
        (YES, "closed", {"unknown": ("let",)}, "open", FREE),
        (NEVER, "open", {"unknown": ("let",)}, "close", FREE),
        (YES, "closed", {"unknown": ("she", "went")}, "open", ASK),
        (YES, "closed", {"unknown": ("crack",), "detailed": {"cover"}}, "open", ASK),
        (YES, "closed", {"is_question": None}, "open", FREE),
        (YES, "closed", {"is_question": None, "unknown": ("see",)}, "open", ASK),
        (YES, "closed", {"is_question": True}, "open", NO),
        (YES, "closed", {"is_negated": True}, "open", ASK),
        # An awning may go down to be open; what has no effect is not meant.
        (NEVER, "closed", {}, "open", ASK),
        (YES, "open", {}, "open", NO),
        (YES | NEVER, "closed", {}, "open", ASK),
        (YES, None, {}, "open", ASK),
    ],
)
def test_what_moves_may_go_up_or_down(
    ways: frozenset[bool], state: str | None, more: dict[str, Any], name: str, stance: Stance
) -> None:
    fields: dict[str, Any] = {"is_question": False, **more}
    found = stances({("cover", UP_DOWN): ways}, state=state, **fields)
    assert found.of(verb(name), [BLIND]) is stance


def test_what_moves_or_has_several_commands_is_asked_about_without_words() -> None:
    assert stances(state="locked").of(verb("unlock"), [DOOR]) is ASK
    assert stances(state="paused").of(verb("resume"), [RADIO]) is ASK


@pytest.mark.parametrize(
    ("reported", "lock"), [(frozenset({"lock"}), ASK), (frozenset({"cover"}), FREE)]
)
def test_what_moves_needs_a_clause_of_a_command(reported: frozenset[str], lock: Stance) -> None:
    found = stances({("lock", SWITCH): YES}, is_question=False, reported=reported)
    assert found.of(verb("lock"), [DOOR]) is lock


def test_stopping_is_another_command_than_moving() -> None:
    found = stances({("cover", SWITCH): YES}, is_question=False)
    assert found.of(verb("stop_moving"), [BLIND]) is ASK
    assert stances(is_question=False).of(verb("stop_moving"), [BLIND]) is FREE
    assert stances(is_question=True).of(verb("stop_moving"), [BLIND]) is NO


def test_group_with_a_possible_exception_is_asked_about() -> None:
    found = stances({("light", SWITCH): YES}, excepted=frozenset({LAMP}))
    other = entity("Other", "light", "Hall")
    assert found.of(verb("turn_on"), [LAMP, other]) is ASK
    assert found.of(verb("turn_on"), [other]) is FREE
    # Verbs that have no groups have no exceptions.
    paused = stances({("media_player", PLAY): YES}, apart=frozenset({RADIO}))
    assert paused.of(verb("resume"), [RADIO]) is FREE


def test_what_moves_may_be_moved_in_part_by_an_unknown_word() -> None:
    stated = {("lock", SWITCH): YES, ("light", SWITCH): YES}
    detailed = frozenset({"lock", "light"})
    found = stances(stated, detailed=detailed, numbered={DOOR, LAMP}, is_question=False)
    assert found.of(verb("lock"), [DOOR]) is ASK
    assert found.of(verb("turn_on"), [LAMP]) is FREE
    assert replace(found, numbered={LAMP}).of(verb("lock"), [DOOR]) is FREE


@pytest.mark.parametrize(
    ("stated", "state", "name", "stance"),
    [
        (YES, "paused", "resume", ASK),
        (YES, "playing", "pause", NO),
        (YES, "playing", "resume", NO),
        (NEVER, "playing", "pause", NO),
    ],
)
def test_words_for_another_command_allow_only_what_goes_the_same_way(
    stated: frozenset[bool], state: str, name: str, stance: Stance
) -> None:
    found = stances({("media_player", SWITCH): stated}, state=state)
    assert found.of(verb(name), [RADIO]) is stance


@pytest.mark.parametrize(
    ("inherited", "state", "turn_on", "turn_off"),
    [
        (YES, "off", FREE, NO),
        (YES, None, FREE, NO),
        (YES, "on", NO, ASK),
        (YES | NEVER, None, ASK, ASK),
    ],
)
def test_clause_without_words_inherits_those_of_another_one(
    inherited: frozenset[bool], state: str | None, turn_on: Stance, turn_off: Stance
) -> None:
    clauses = {LAMP: Clause(inherited={("switch", SWITCH): inherited})}
    found = stances(state=state, clauses=clauses)
    assert found.of(verb("turn_on"), [LAMP]) is turn_on
    assert found.of(verb("turn_off"), [LAMP]) is turn_off


def test_thermostat_is_not_turned_off_without_words_for_it() -> None:
    """It may be said to be too warm."""
    found = stances(
        named=(STOVE,), set_points={STOVE.entity_id: SetPoint(value=20, lowest=7, highest=30)}
    )
    found = replace(found, states={STOVE.entity_id: "heat"})
    assert found.of(verb("turn_off"), [STOVE]) is ASK
    assert replace(found, set_points={}).of(verb("turn_off"), [STOVE]) is FREE


def test_several_devices_in_different_states_are_asked_about() -> None:
    other = entity("Other", "light", "Hall")
    found = stances(state="off")
    found = replace(found, states={**found.states, other.entity_id: "on"})
    assert found.of(verb("turn_on"), [LAMP, other]) is ASK
    assert found.of(verb("turn_on"), []) is NO


def test_verb_without_an_opposite_needs_more_than_a_place() -> None:
    assert stances().of(verb("activate"), [LAMP]) is FREE
    assert stances(nearby={LAMP}).of(verb("activate"), [LAMP]) is NO
    assert stances(nearby={LAMP}).of(verb("set_color"), [LAMP]) is FREE


def test_question_has_no_effect_by_a_verb_without_an_opposite() -> None:
    found = stances(is_question=True)
    assert found.of(verb("next_track"), [LAMP]) is NO
    # *Do the good night thing* has the form of a question.
    assert found.of(verb("activate"), [LAMP]) is ASK
    assert found.of(verb("set_color"), [LAMP]) is ASK
    assert found.of(verb("add_to_list"), [LAMP]) is FREE
    assert stances(is_question=None).of(verb("activate"), [LAMP]) is FREE


@pytest.mark.parametrize(
    ("found", "stance"),
    [
        (stances(numbers=(40.0,)), FREE),
        (stances(parts=(50,)), FREE),
        (stances(), ASK),
        (stances(numbers=(40.0,), is_question=True), ASK),
        (stances(numbers=(40.0,), is_negated=True), ASK),
        (stances(numbers=(40.0,), is_qualified=True), ASK),
        (stances(numbers=(40.0,), excepted=frozenset({LAMP})), ASK),
        (stances(numbers=(40.0,), nearby={LAMP}), ASK),
        (stances(numbers=(40.0,), clauses={LAMP: Clause()}), ASK),
        (stances(numbers=(40.0,), clauses={LAMP: Clause(numbers=(40.0,))}), FREE),
        # A number of another device, or one of several, may not be meant.
        (stances(numbers=(40.0, 20.0), clauses={LAMP: Clause(numbers=(20.0,))}), ASK),
        (stances(numbers=(40.0, 20.0)), ASK),
        (stances(numbers=(40.0, 20.0), clauses={LAMP: Clause(numbers=(40.0,))}), FREE),
        # A half is no other number.
        (stances(numbers=(39.0,), halved_numbers=(40.0,)), FREE),
    ],
)
def test_number_must_be_in_the_message_and_for_the_device(found: Stances, stance: Stance) -> None:
    assert found.of_value(LAMP, 40) is stance


def test_number_beside_off_is_asked_about() -> None:
    """Such as the minutes after which a lamp should be off."""
    off = stances({("light", SWITCH): NEVER}, numbers=(10.0,))
    assert off.of_value(LAMP, 10) is ASK
    assert stances({("light", SWITCH): YES}, numbers=(10.0,)).of_value(LAMP, 10) is FREE
    closed = stances({("cover", SWITCH): NEVER}, numbers=(10.0,))
    assert closed.of_value(BLIND, 10) is FREE


def test_group_is_set_to_the_number_of_the_message() -> None:
    assert stances(numbers=(40.0,)).of_value(None, 40) is FREE


STEP = ("climate", "temperature_step")
SET_POINTS = {STOVE.entity_id: SetPoint(value=20, lowest=7, highest=35)}


@pytest.mark.parametrize(
    ("found", "warmer", "cooler"),
    [
        (stances({STEP: YES}, set_points=SET_POINTS), FREE, NO),
        (stances({STEP: NEVER}, set_points=SET_POINTS, numbers=(2.0,)), NO, FREE),
        (stances({STEP: YES}, set_points=SET_POINTS, is_question=True), ASK, NO),
        # Without words for it, the user knows the direction.
        (stances(set_points=SET_POINTS, numbers=(2.0,)), ASK, ASK),
        (stances(set_points=SET_POINTS, directions={}), ASK, ASK),
        (stances(set_points=SET_POINTS, is_question=True), NO, NO),
        (stances({("climate", SWITCH): NEVER}, set_points=SET_POINTS), NO, NO),
        # A temperature is no difference.
        (stances({STEP: YES}, set_points=SET_POINTS, numbers=(21.0,)), NO, NO),
        (stances({STEP: YES}), NO, NO),
        # In the area of the user, something has to be said of it.
        (stances(set_points=SET_POINTS, nearby={STOVE}, unknown=("brr",)), ASK, ASK),
        (stances({STEP: YES}, set_points=SET_POINTS, nearby={STOVE}), NO, NO),
        (stances(set_points=SET_POINTS, nearby={STOVE}), NO, NO),
    ],
)
def test_temperature_is_changed_by_a_difference(
    found: Stances, warmer: Stance, cooler: Stance
) -> None:
    assert found.of(verb("warmer"), [STOVE]) is warmer
    assert found.of(verb("cooler"), [STOVE]) is cooler


def test_thermostat_is_set_to_what_it_allows() -> None:
    set_temperature = verb("set_temperature")
    assert stances(numbers=(2.0,)).of(set_temperature, [STOVE]) is FREE
    assert stances(numbers=(2.0,), set_points=SET_POINTS).of(set_temperature, [STOVE]) is NO
    assert stances(numbers=(2.0, 21.0), set_points=SET_POINTS).of(set_temperature, [STOVE]) is FREE
    assert stances(set_points=SET_POINTS).of(set_temperature, [STOVE]) is FREE


@pytest.mark.parametrize(
    ("name", "state", "more", "is_commanded"),
    [
        ("turn_on", "off", {}, True),
        ("turn_off", "on", {}, False),
        ("turn_on", "on", {}, False),
        ("turn_on", None, {}, False),
        ("turn_on", "off", {"is_negated": True}, False),
        # *Everything off but the lights*.
        ("turn_on", "off", {"all_devices": True, "kinds": frozenset({"light"})}, False),
        ("turn_on", "off", {"all_devices": True}, True),
        ("set_color", "off", {}, False),
    ],
)
def test_command_is_stated_and_has_an_effect(
    name: str, state: str | None, more: dict[str, Any], *, is_commanded: bool
) -> None:
    found = stances({("light", SWITCH): YES}, state=state, **more)
    assert found.is_commanded(verb(name), LAMP) is is_commanded
    assert not stances(state=state).is_commanded(verb(name), LAMP)
