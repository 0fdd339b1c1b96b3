"""What messages say of entities."""

from custom_components.chatterbox.agent.mentions import Clause, Mentions, SetPoint, unique_labels
from tests.agent.builders import entity

LAMP, FAN = entity("Lamp", "light", None), entity("Fan", "fan", None)
ON, OFF = frozenset({True}), frozenset({False})


def test_labels_of_repeated_names_have_the_domain_and_the_area() -> None:
    twins = [entity("Lamp", "light", area) for area in ("Hall", "Attic")]
    assert [*unique_labels([LAMP, FAN]).values()] == ["Lamp", "Fan"]
    assert [*unique_labels([*twins, entity("Lamp", "switch", None)]).values()] == [
        "Lamp (light, Hall)",
        "Lamp (light, Attic)",
        "Lamp (switch)",
    ]


def test_message_about_one_device_states_its_directions() -> None:
    found = Mentions(directions={("light", "switch"): ON, ("fan", "switch"): OFF}, numbers=(4.0,))
    assert found.stated(LAMP, "switch") == ON
    assert found.stated(LAMP, "play") == frozenset()
    assert found.directs("light")
    assert not found.directs("lock")
    assert found.all_stated(FAN) == OFF
    assert found.inherited(LAMP, "switch") == frozenset()
    assert found.is_numbered(LAMP)
    assert not Mentions().is_numbered(LAMP)


def test_clause_of_a_device_counts_instead_of_the_message() -> None:
    clause = Clause(stated={("light", "switch"): OFF}, inherited={("fan", "switch"): ON})
    found = Mentions(
        directions={("light", "switch"): ON}, clauses={LAMP: clause}, numbers=(4.0,), parts=(50,)
    )
    assert found.stated(LAMP, "switch") == found.all_stated(LAMP) == OFF
    assert found.inherited(LAMP, "switch") == ON
    assert found.inherited(LAMP, "play") == frozenset()
    assert not found.is_numbered(LAMP)
    assert found.is_numbered(FAN)


def test_phrase_may_have_to_share_an_unknown_word() -> None:
    found = Mentions(known=("the",), unknown=("gates",))
    assert found.best_of(["Fix the fence", "Gate"]) == ["Gate"]
    # A word that all of them have says nothing.
    assert Mentions(known=("the",)).best_of(["Fix the fence", "Feed the cat"]) == []
    assert Mentions(known=("the", "cat")).best_of(["Fix the fence", "Feed the cat"]) == [
        "Feed the cat"
    ]
    assert found.best_of(["Fix the fence", "Paint the gate"], known=False) == []
    assert found.best_of(["Close all gates"], known=False) == ["Close all gates"]


def test_places_are_those_of_an_area_or_a_floor() -> None:
    found = Mentions(areas=("Hall",), floors=("Upstairs",))
    assert found.places(entity("Lamp", "light", "Hall"))
    assert found.places(entity("Lamp", "light", "Bath", floor="Upstairs"))
    assert not found.places(entity("Lamp", "light", "Bath", floor="Downstairs"))
    assert not found.places(LAMP)


def test_set_point_changes_within_its_limits() -> None:
    found = SetPoint(value=20, lowest=7, highest=30)
    assert [found.stepped(each) for each in (2, -2.5, 40, -40)] == [22, 17.5, 30, 7]
    assert [found.allows(each) for each in (6.5, 7, 30, 31)] == [False, True, True, False]


def test_decimal_is_for_the_device_of_its_clause() -> None:
    """A clause has the words of its numbers, of a decimal both parts."""
    fan = entity("Fan", "fan")
    clauses = {LAMP: Clause(numbers=(20.0, 5.0)), fan: Clause(numbers=(23.0,))}
    found = Mentions(numbers=(20.5, 23.0), clauses=clauses)
    assert [found.may_be_set(LAMP, value) for value in (20.5, 23.0)] == [True, False]
    assert [found.may_be_set(fan, value) for value in (20.5, 23.0)] == [False, True]
