"""Homes as tables of entities, besides the demo home."""

from collections.abc import Mapping

from .family import FAMILY
from .flat import FLAT
from .grid import GRID
from .house import HOUSE
from .table import Home

__all__ = ["FAMILY", "FLAT", "GRID", "HOMES", "HOUSE", "Home"]

HOMES: Mapping[str, Home] = {home.key: home for home in (FLAT, HOUSE, FAMILY, GRID)}
