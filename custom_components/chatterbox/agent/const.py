"""Constants of the agent."""

import logging

from .trace_id import add_trace_id

LOGGER = logging.getLogger(__package__)
LOGGER.addFilter(add_trace_id)

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
