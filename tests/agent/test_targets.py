"""Targets of a message with given mentions."""

from dataclasses import replace

import pytest

from custom_components.chatterbox.agent.mentions import ExposedEntity, Mentions
from custom_components.chatterbox.agent.targets import find_targets
from tests.agent.builders import entity
from tests.agent.sample_home import COUNTER, DESK, FLOOR_LAMP, HOME, KETTLE, LEFT, RIGHT, SINK

LOUNGE, STUDY, LAMP = (
    replace(entity(name, "light", area), entity_id=f"light.{number}")
    for number, (name, area) in enumerate(
        (("Lamp", "Lounge"), ("Lamp", "Study"), ("Floor Lamp", "Study"))
    )
)
ENTITIES = (LOUNGE, STUDY, LAMP)


@pytest.mark.parametrize(
    ("mentions", "certain", "possible"),
    [
        (Mentions(named=(LOUNGE, STUDY)), (LOUNGE, STUDY), ()),
        (Mentions(named=(LOUNGE, STUDY), areas=("Study",)), (STUDY,), ()),
        # *The lamp in the attic* may be either, or none.
        (Mentions(named=(LOUNGE, STUDY), is_elsewhere=True), (), (LOUNGE, STUDY)),
        (Mentions(named=(LAMP,), is_elsewhere=True), (LAMP,), ()),
        # *In the lounge, sorry, in the study* corrects a place, *and* adds one.
        (
            Mentions(named=(LOUNGE, STUDY), areas=("Lounge", "Study"), unknown=("sorry",)),
            (),
            (LOUNGE, STUDY),
        ),
        (Mentions(named=(LOUNGE, STUDY), areas=("Lounge", "Study")), (LOUNGE, STUDY), ()),
    ],
)
def test_one_of_several_devices_of_a_name_needs_a_place(
    mentions: Mentions, certain: tuple[ExposedEntity, ...], possible: tuple[ExposedEntity, ...]
) -> None:
    found = find_targets(ENTITIES, mentions)
    assert (found.certain, found.possible) == (certain, possible)


def test_area_of_the_user_tells_devices_of_a_name_apart() -> None:
    found = find_targets(ENTITIES, Mentions(named=(LOUNGE, STUDY)), "Study")
    assert (found.certain, found.possible) == ((STUDY,), ())


LIGHTS = (COUNTER, DESK, FLOOR_LAMP, SINK)


def test_kind_of_a_named_entity_adds_no_other_ones() -> None:
    mentions = Mentions(named=(DESK,), kinds=frozenset({"light", "cover.blind"}))
    found = find_targets(HOME.entities, mentions)
    assert (found.certain, found.possible) == ((DESK,), (LEFT, RIGHT))


def test_kind_is_certain_in_a_mentioned_place_or_in_the_area_of_the_user() -> None:
    lights = Mentions(kinds=frozenset({"light"}))
    assert find_targets(HOME.entities, lights).possible == LIGHTS
    assert find_targets(HOME.entities, lights, "Kitchen").certain == (COUNTER, SINK)
    there = Mentions(kinds=frozenset({"light"}), floors=("Upstairs",))
    assert find_targets(HOME.entities, there, "Kitchen").certain == (DESK, FLOOR_LAMP)


def test_place_alone_makes_all_its_entities_possible() -> None:
    found = find_targets(HOME.entities, Mentions(areas=("Kitchen",)))
    assert found.certain == ()
    assert {COUNTER, KETTLE, SINK} <= {*found.possible}


def test_one_of_several_of_a_name_is_where_the_other_named_device_is() -> None:
    lamps = tuple(entity("Lamp", "light", area) for area in ("Lounge", "Study"))
    curtain = entity("Curtain", "cover", "Study")
    mentions = Mentions(named=(*lamps, curtain))
    assert find_targets(mentions.named, mentions).certain == (lamps[1], curtain)
    # The room of the user is as likely.
    found = find_targets(mentions.named, mentions, "Lounge")
    assert (found.certain, found.possible) == ((curtain,), lamps)
    assert find_targets(mentions.named, mentions, "Study").certain == (lamps[1], curtain)
    # A place that is said counts instead.
    for place in ({"is_elsewhere": True}, {"areas": ("Attic",)}):
        found = find_targets(mentions.named, replace(mentions, **place))
        assert set(lamps) <= {*found.possible}
