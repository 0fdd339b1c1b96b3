"""Homes as tables of entities, besides the demo home."""

from collections.abc import Mapping

from .apartment import APARTMENT
from .family import FAMILY
from .flat import FLAT
from .grid import GRID
from .house import HOUSE
from .table import Home
from .terraced import TERRACED

__all__ = ["APARTMENT", "FAMILY", "FLAT", "GRID", "HOMES", "HOUSE", "TERRACED", "Home"]

HOMES: Mapping[str, Home] = {
    home.key: home for home in (FLAT, HOUSE, FAMILY, TERRACED, APARTMENT, GRID)
}
