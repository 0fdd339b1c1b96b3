"""Names of states in translations."""

from custom_components.chatterbox.intents.translations import state_names


def test_states_are_named_by_kind() -> None:
    component = {
        "_": {"state": {"locked": "Locked"}},
        "bolt": {"name": "Bolt", "state": {"locked": "Bolted"}},
        "none": {"name": "None"},
    }
    assert state_names({"lock": {"entity_component": component}, "sun": {}}) == {
        "lock": {"locked": "locked"},
        "lock.bolt": {"locked": "bolted"},
    }
