"""What messages say of entities."""

from custom_components.chatterbox.agent.mentions import Clause, Mentions
from tests.agent.builders import entity

LAMP, FAN = entity("Lamp", "light", None), entity("Fan", "fan", None)
ON, OFF = frozenset({True}), frozenset({False})


def test_message_about_one_device_states_its_directions() -> None:
    found = Mentions(directions={("light", "switch"): ON, ("fan", "switch"): OFF}, numbers=(4.0,))
    assert found.stated(LAMP, "switch") == ON
    assert found.stated(LAMP, "play") == frozenset()
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
    assert found.best_of(["Fix the fence"]) == ["Fix the fence"]
    assert found.best_of(["Fix the fence", "Paint the gate"], known=False) == []
    assert found.best_of(["Close all gates"], known=False) == ["Close all gates"]
