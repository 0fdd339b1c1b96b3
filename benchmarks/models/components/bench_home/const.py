"""Constants of the benchmark's integration."""

from homeassistant.util.hass_dict import HassKey

from .entity import TableEntity

DOMAIN = "bench_home"
CONF_HOME = "home"
ENTITIES: HassKey[dict[str, TableEntity]] = HassKey(DOMAIN)
"""The entities of the home, by their id."""
