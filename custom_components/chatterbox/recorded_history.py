"""History and statistics of exposed entities, read from the recorder."""

import difflib
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from homeassistant.components.recorder.const import DOMAIN as RECORDER
from homeassistant.components.recorder.history import state_changes_during_period
from homeassistant.components.recorder.models import StatisticMeanType, StatisticMetaData
from homeassistant.components.recorder.statistics import (
    get_display_unit,
    get_metadata,
    statistic_during_period,
    statistics_during_period,
)
from homeassistant.components.sensor.const import ATTR_STATE_CLASS
from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.recorder import get_instance
from homeassistant.util import dt as dt_util

from .agent.errors import ToolArgumentError, ToolError
from .agent.mentions import ExposedEntity
from .agent.text_match import normalize
from .agent.tools.builtin.history_report import (
    RecordedStates,
    RecordedStatistics,
    Statistics,
    TimeRange,
)
from .exposed import exposed_entities
from .home_cache import home_cache
from .permissions import async_may_read

type _Kind = Literal["mean", "min", "max", "change"]

# Ranges above this are read from statistics, if there are any.
_MAX_RANGE_OF_STATES = timedelta(days=2)
_MAX_RANGE_BY_HOUR = timedelta(days=31)
_MAX_STATES = 20_000
_NAMES_SHOWN = 5
_NUMERIC_DOMAINS = frozenset({"counter", "input_number", "number"})


async def async_read_history(
    hass: HomeAssistant, user_id: str | None, name: str, wanted: TimeRange
) -> RecordedStates | RecordedStatistics:
    """Return what was recorded of the exposed entity with a name, alias or entity id.

    Raises `ToolError` if there is no such entity, the user must not read it, or it lacks the
    statistics that are wanted.
    """
    entity = _find(hass, name)
    if not await async_may_read(hass, user_id, entity.entity_id):
        raise ToolError(f"The user is not allowed to read {entity.name}.")
    if RECORDER not in hass.config.components:
        raise ToolError("Home Assistant records no history: its recorder is not running.")
    return await get_instance(hass).async_add_executor_job(_read, hass, entity, wanted)


def _find(hass: HomeAssistant, name: str) -> ExposedEntity:
    """Return the only exposed entity that is called so. Raises `ToolArgumentError` otherwise."""
    entities = home_cache(hass).get(exposed_entities, lambda: exposed_entities(hass))
    wanted = normalize(name).strip()
    found = [
        entity
        for entity in entities
        if wanted in {normalize(each).strip() for each in (*entity.names, entity.entity_id)}
    ]
    if len(found) == 1:
        return found[0]
    if found:
        several = (f"{entity.entity_id} ({entity.area or 'no area'})" for entity in found)
        raise ToolArgumentError(
            f'Several entities are called "{name}". Use an entity ID: {", ".join(several)}.'
        )
    names = {normalize(entity.name): entity.name for entity in entities}
    nearest = difflib.get_close_matches(wanted, names, n=_NAMES_SHOWN, cutoff=0.0)
    hint = f" The nearest names: {', '.join(names[each] for each in nearest)}." if nearest else ""
    raise ToolArgumentError(f'No entity that is exposed is called "{name}".{hint}')


def _read(
    hass: HomeAssistant, entity: ExposedEntity, wanted: TimeRange
) -> RecordedStates | RecordedStatistics:
    """Read states or statistics: states if the range is short, for the time of each change."""
    metadata = get_metadata(hass, statistic_ids={entity.entity_id}).get(entity.entity_id)
    if metadata is None:
        if wanted.by is not None:
            raise ToolArgumentError(f"{entity.name} has no statistics. Leave out by.")
        return _states(hass, entity, wanted)
    is_long = wanted.end - wanted.start > _MAX_RANGE_OF_STATES
    if not (wanted.by or is_long or metadata[1]["has_sum"]):
        recorded = _states(hass, entity, wanted)
        if recorded.states and recorded.complete:
            return recorded
    return _statistics(hass, entity, wanted, metadata[1])


def _statistics(
    hass: HomeAssistant, entity: ExposedEntity, wanted: TimeRange, metadata: StatisticMetaData
) -> RecordedStatistics:
    entity_id = entity.entity_id
    kinds: set[_Kind] = {"change"} if metadata["has_sum"] else set()
    match metadata["mean_type"]:
        case StatisticMeanType.ARITHMETIC:
            kinds |= {"mean", "min", "max"}
        case StatisticMeanType.CIRCULAR:
            kinds.add("mean")
    by_hour = wanted.end - wanted.start <= _MAX_RANGE_BY_HOUR
    period: Any = wanted.by or ("hour" if by_hour else "day")
    start, end = dt_util.as_utc(wanted.start), dt_util.as_utc(wanted.end)
    rows = statistics_during_period(
        hass,
        start,
        # The recorder includes the period that begins at the end.
        end - timedelta(microseconds=1),
        {entity_id},
        period,
        None,
        {*kinds},
    )
    return RecordedStatistics(
        name=entity.name,
        unit=get_display_unit(
            hass, entity_id, metadata["unit_class"], metadata["unit_of_measurement"]
        ),
        total=_statistic(
            wanted.start, statistic_during_period(hass, start, end, entity_id, kinds, None)
        ),
        periods=[
            _statistic(dt_util.as_local(dt_util.utc_from_timestamp(row["start"])), row)
            for row in rows.get(entity_id, [])
        ],
        period=period,
    )


def _statistic(start: datetime, values: Any) -> Statistics:
    return Statistics(
        start=start,
        mean=values.get("mean"),
        min=values.get("min"),
        max=values.get("max"),
        change=values.get("change"),
    )


def _states(hass: HomeAssistant, entity: ExposedEntity, wanted: TimeRange) -> RecordedStates:
    start, end = dt_util.as_utc(wanted.start), dt_util.as_utc(wanted.end)
    found: Sequence[State] = state_changes_during_period(
        hass, start, end, entity.entity_id, no_attributes=True, limit=_MAX_STATES
    ).get(entity.entity_id, [])
    state = hass.states.get(entity.entity_id)
    attributes = state.attributes if state else {}
    unit = attributes.get(ATTR_UNIT_OF_MEASUREMENT)
    return RecordedStates(
        name=entity.name,
        unit=unit,
        numeric=bool(unit or ATTR_STATE_CLASS in attributes or entity.domain in _NUMERIC_DOMAINS),
        states=[(max(start, each.last_changed), each.state) for each in found],
        complete=len(found) < _MAX_STATES,
    )
