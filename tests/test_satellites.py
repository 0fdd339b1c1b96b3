"""Voice satellites: whether their speech was interrupted."""

import pytest

from custom_components.chatterbox.satellites import SatelliteWatch
from homeassistant.core import HomeAssistant

from .builders import user_message

SATELLITE = "assist_satellite.kitchen"


@pytest.mark.parametrize(
    ("states", "interrupted"),
    [
        (["idle", "listening", "processing"], False),
        (["responding", "listening"], True),
        (["responding", "listening", "processing"], True),
        (["responding", "idle", "listening", "processing"], False),
        (["responding", "listening", "processing", "responding"], False),
        (["responding", "listening", None], False),
        (["listening"], False),
    ],
)
async def test_satellite_is_interrupted_by_speech_during_its_own(
    hass: HomeAssistant, states: list[str | None], *, interrupted: bool
) -> None:
    watch = SatelliteWatch()
    stop = watch.async_start(hass)
    for state in states:
        if state is None:
            hass.states.async_remove(SATELLITE)
        else:
            hass.states.async_set(SATELLITE, state)
    assert watch.interrupted(user_message(satellite_id=SATELLITE)) is interrupted
    assert not watch.interrupted(user_message(satellite_id="assist_satellite.attic"))
    assert not watch.interrupted(user_message())
    stop()


async def test_stopped_watch_ignores_the_satellites(hass: HomeAssistant) -> None:
    watch = SatelliteWatch()
    watch.async_start(hass)()
    for state in ("responding", "listening"):
        hass.states.async_set(SATELLITE, state)
    assert not watch.interrupted(user_message(satellite_id=SATELLITE))
