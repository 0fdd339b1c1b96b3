"""The home of both agents, of which any number of entities can be exposed."""

from benchmarks.models.home import TableBenchHome
from benchmarks.models.homes import GRID
from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.core import HomeAssistant
from scripts.home.core import ASSISTANT

EXPOSED = 20


class GridHome(TableBenchHome):
    """The home of numbered entities."""

    def __init__(self) -> None:
        super().__init__(GRID, {})

    def expose(self, hass: HomeAssistant, count: int = EXPOSED) -> None:
        """Expose the first entities, and no others."""
        exposed = hass.data[DATA_EXPOSED_ENTITIES]
        for number, item in enumerate(self.home.items):
            exposed.async_set_assistant_option(
                ASSISTANT, item.entity_id, "should_expose", number < count
            )
