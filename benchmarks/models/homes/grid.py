"""A home of numbered entities, for measuring in homes of any size."""

from . import table
from .table import Home, Item

SIZE = 500
_PER_AREA = 8


def _item(number: int) -> Item:
    """Return one of the entities; of ten, five are lights."""
    area = f"Area {number // _PER_AREA + 1}"
    match number % 10:
        case 1 | 6:
            return table.cover(f"cover_{number}", f"Cover {number}", area)
        case 3:
            return table.switch(f"switch_{number}", f"Switch {number}", area)
        case 7:
            return table.sensor(f"sensor_{number}", f"Sensor {number}", area, 20)
        case 9:
            return table.climate(
                f"climate_{number}", f"Heating {number}", area, target=20, current=19
            )
    return table.light(f"light_{number}", f"Light {number + 1}", area)


GRID = Home(
    key="grid",
    name="Grid",
    language="en",
    areas=dict.fromkeys(f"Area {number + 1}" for number in range(-(-SIZE // _PER_AREA))),
    satellites=("Area 1", "Area 2"),
    items=tuple(map(_item, range(SIZE))),
)
