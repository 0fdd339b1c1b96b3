"""Config flow of the benchmark's integration: a home is imported by its key."""

from typing import Any

from homeassistant.config_entries import ConfigFlow, ConfigFlowResult

from .const import CONF_HOME, DOMAIN


class BenchHomeConfigFlow(ConfigFlow, domain=DOMAIN):
    """Config flow that imports a home."""

    async def async_step_import(self, import_data: dict[str, Any]) -> ConfigFlowResult:
        """Create the entry of a home."""
        return self.async_create_entry(title=import_data[CONF_HOME], data=import_data)
