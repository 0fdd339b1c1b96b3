"""All homes with their sentences."""

from collections.abc import Callable, Mapping

from .home import DemoStage, Stage, TableStage
from .homes import FAMILY, FLAT, HOUSE
from .sentences_family import FAMILY_SENTENCES
from .sentences_flat import FLAT_SENTENCES
from .sentences_house import HOUSE_SENTENCES

STAGES: Mapping[str, Callable[[], Stage]] = {
    "demo": DemoStage,
    "flat": lambda: TableStage(FLAT, FLAT_SENTENCES),
    "house": lambda: TableStage(HOUSE, HOUSE_SENTENCES),
    "family": lambda: TableStage(FAMILY, FAMILY_SENTENCES),
}
SETS = ("development", "forty", "new")
