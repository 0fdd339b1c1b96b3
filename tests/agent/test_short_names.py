"""Short names of areas."""

from custom_components.chatterbox.agent.mentions import Place
from custom_components.chatterbox.agent.short_names import find_short_names
from tests.agent.builders import entity


def test_short_name_distinguishes_an_area_from_places_and_devices_elsewhere() -> None:
    areas = tuple(Place(name=name) for name in ("Main bedroom", "Guest room", "Bath room", "Attic"))
    floors = (Place(name="Upper floor"),)
    entities = (entity("Main valve", "valve", "Attic"), entity("Bedroom lamp", "light", None))
    found = find_short_names(areas, floors, entities[:1], {"guest"})
    assert found == {"bedroom": "Main bedroom", "bath": "Bath room"}
    # A device that is in no area has the word.
    assert "bedroom" not in find_short_names(areas, floors, entities, ())
