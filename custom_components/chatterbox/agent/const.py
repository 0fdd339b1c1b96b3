"""Constants of the agent."""

import logging

LOGGER = logging.getLogger(__package__)
