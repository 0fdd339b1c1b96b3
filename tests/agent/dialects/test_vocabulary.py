"""Tests of the names of the home."""

from typing import Any

import pytest

from custom_components.chatterbox.agent.dialects.repair import Repairer
from custom_components.chatterbox.agent.dialects.scanner import FoundCall
from custom_components.chatterbox.agent.dialects.vocabulary import Thing, Vocabulary, nearest

from .reading import LIGHT_SET, TURN_ON, WEATHER, tool

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
    ("arguments", "meant"),
    [
        ({"name": "kitchen light"}, {"name": "Kitchen Lights"}),
        (
            {"name": "Kitchen Lights", "area": "Kitchen", "domain": ["light"]},
            {"name": "Kitchen Lights"},
        ),
        ({"name": "Lamp", "area": "hall"}, {"name": "Lamp", "area": "Hall"}),
        ({"name": "big one"}, {"name": "Lamp"}),
        ({"name": "light.bed"}, {"name": "Bed Light"}),
        ({"name": "light.bed_light"}, {"name": "Bed Light"}),
        ({"name": "bed light", "area": "Hall"}, {"name": "Bed Light", "area": "Hall"}),
        ({"name": "bed light", "area": "Moon", "domain": "lamp"}, {"name": "Bed Light"}),
        ({"name": "bed light", "domain": ["switch"]}, {"name": "Bed Light"}),
        ({"name": "bed light", "domain": [["lock"]]}, {"name": "Bed Light"}),
        (
            {"name": "front door", "domain": ["light"]},
            {"name": "Front Door", "domain": ["light"]},
        ),
        ({"name": "front door", "area": "Hall"}, {"name": "Front Door"}),
        ({"name": "kitchen"}, {"name": "kitchen"}),
        ({"name": "kitchen", "domain": "light"}, {"area": "Kitchen", "domain": ["light"]}),
        ({"area": "Bed light"}, {"name": "Bed Light"}),
        ({"area": "kitchn", "domain": ["light"]}, {"area": "Kitchen", "domain": ["light"]}),
        ({"area": "Garden"}, {"area": "Garden"}),
        ({"name": "Spaceship"}, {"name": "Spaceship"}),
        ({"name": 5}, {"name": "5"}),
    ],
)
def test_arguments_get_the_names_of_the_home(arguments: Any, meant: Any) -> None:
    """And lose what only narrows a search that a single name has ended."""
    call = Repairer([TURN_ON], HOME).call("1", FoundCall("HassTurnOn", arguments))
    assert call.arguments == meant
    assert bool(call.repairs) == (arguments != meant) or call.name != "HassTurnOn"


def test_floors_are_names_too() -> None:
    """Where a tool takes one."""
    with_floor = tool("vacuum", floor="string", name="string")
    call = Repairer([with_floor], HOME).call("1", FoundCall("vacuum", {"floor": "groundfloor"}))
    assert call.arguments == {"floor": "Ground floor"}


def test_a_tool_for_one_kind_is_for_a_room_as_well() -> None:
    """Where its kind is certain, and not all that is in the room."""
    vacuum = tool("vacuum", name="string", area="string")
    kind = {"type": "string", "enum": ["light"]}
    for one in (LIGHT_SET, vacuum, tool("x", name="string", area="string", domain=kind)):
        call = Repairer([one], HOME).call("1", FoundCall(one.name, {"name": "hall"}))
        assert call.arguments == {"area": "Hall"}


def test_the_floor_is_left_to_the_tool() -> None:
    """If there is such a floor; the kind of a device is not needed beside a name."""
    narrow = tool("x", name="string", floor="string", device_class="string")
    repairer = Repairer([narrow], HOME)
    for floor, kept in (("ground floor", {"floor": "Ground floor"}), ("Moon", {})):
        given = {"name": "bed light", "floor": floor, "device_class": "outlet"}
        assert repairer.call("1", FoundCall("x", given)).arguments == {"name": "Bed Light", **kept}


def test_what_is_not_of_the_home_is_left_alone() -> None:
    """A city may be called like a room, and a colour like a lamp."""
    repairer = Repairer([WEATHER, LIGHT_SET], HOME)
    assert repairer.call("1", FoundCall("get_weather", {"city": "kitchen"})).arguments == {
        "city": "kitchen"
    }
    call = repairer.call("1", FoundCall("HassLightSet", {"name": "Bed Light", "brightness": 5}))
    assert call.arguments == {"name": "Bed Light", "brightness": 5}


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
