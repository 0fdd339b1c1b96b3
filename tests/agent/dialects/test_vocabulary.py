"""Tests of the names of the home."""

import pytest

from custom_components.chatterbox.agent.dialects.vocabulary import Thing, Vocabulary, nearest

HOME = Vocabulary(
    things=(
        Thing(name="Bed Light", domain="light", entity_id="light.bed", area="Bedroom"),
        Thing(name="Kitchen Lights", domain="light", entity_id="light.k", area="Kitchen"),
        Thing(name="Lamp", domain="light", entity_id="light.a", area="Hall", aliases=("Big one",)),
        Thing(name="Lamp", domain="light", entity_id="light.b", area="Attic"),
        Thing(name="Front Door", domain="lock", entity_id="lock.front"),
    ),
    areas=("Attic", "Bedroom", "Hall", "Kitchen"),
    floors=("Ground floor",),
)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("kitchen lights", "Kitchen Lights"),
        ("Kitchen Light", "Kitchen Lights"),
        ("the bed light", "Bed Light"),
        ("Bettlicht", None),
        ("", None),
        ("kitchen lihgts", None),
    ],
)
def test_the_nearest_name_is_found(written: str, meant: str | None) -> None:
    """If it is near, and the only one."""
    assert nearest(written, HOME.names) == meant


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Bedroom Light 1", "Bedroom Light 2"),
        ("Window 1", "Window 11"),
        ("Bathroom light", "Bedroom light"),
        ("Living room", "Dining room"),
        ("Front door lock", "Front door clock"),
        ("Living room lamp left", "Living room lamp"),
        ("unlock", "lock"),
        ("inactive", "active"),
    ],
)
def test_what_is_called_otherwise_is_something_else(written: str, name: str) -> None:
    """However much it is alike."""
    assert nearest(written, [name]) is None
    assert nearest(name, [written]) is None


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("kitchen light", "Kitchen Lights"),
        ("kitchn", "Kitchen"),
        ("desk lam", "Desk Lamp"),
        ("the iphon", "iPhone"),
        ("window 1s", "Window 1s"),
        ("Küchenlampe 2", "Küchenlampen 2"),
    ],
)
def test_a_slip_is_forgiven(written: str, name: str) -> None:
    """Also a plural."""
    assert nearest(written, [name, "Garage"]) == name


def test_two_names_that_are_as_near_are_none() -> None:
    """Nobody wants the wrong lamp."""
    assert nearest("lamp 3", ["Lamp 1", "Lamp 2"]) is None
    assert nearest("lamp", ["Lamp", "LAMP"]) is None


@pytest.mark.parametrize(
    ("said", "only"),
    [
        ("Turn on the bed light", True),
        ("Turn on the bed light, please, and lock the front door", True),
        ("The bed light, and the one in the kitchen", False),
        ("The bed light and the light in the attic", False),
        ("The bed light and the doors", False),
        ("The bed light and everything on the ground floor", False),
        ("The bed light and all locks", False),
        # Two things have this name: it takes a room as well.
        ("The lamp in the hall", False),
        ("Something with a light", False),
        ("The lights in the kitchen", True),
        ("The light in the kitchen and the front door", False),
    ],
)
def test_it_is_known_whether_more_may_be_meant(said: str, *, only: bool) -> None:
    """Words that are left and belong to something in the home tell it."""
    assert HOME.mentioned(said).only == only


@pytest.mark.parametrize(
    ("said", "percentage"),
    [
        ("Bed light to 40%", True),
        ("Das Bed Light auf 40 Prozent", True),
        ("Bed light to forty", False),
        ("Bed light and front door to 40%", False),
        ("The light in the kitchen to 5 percent", True),
    ],
)
def test_a_percentage_for_one_thing_is_known(said: str, *, percentage: bool) -> None:
    """With two, nobody knows whose it is."""
    assert HOME.mentioned(said).percentage == percentage


def test_two_rooms_are_none() -> None:
    """Nobody knows which one a thing is in."""
    assert HOME.mentioned("Something in the hall and in the attic").area is None
    assert HOME.mentioned("Something in the hall").area == "Hall"


def test_all_of_a_kind_in_a_room_are_meant_together() -> None:
    """Where there are several, and none is called by its name."""
    two = tuple(Thing(name=name, domain="light", area="Hall") for name in ("Left", "Right"))
    home = Vocabulary(things=two, areas=("Attic", "Hall"))
    mentioned = home.mentioned("Lights in the hall")
    assert (mentioned.area, mentioned.domain, mentioned.things) == ("Hall", "light", ())
    assert home.mentioned("Lights in the attic").domain is None
