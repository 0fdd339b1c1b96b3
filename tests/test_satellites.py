"""Voice satellites: announcements, and whether their speech was interrupted."""

import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.chatterbox.satellites import (
    SatelliteWatch,
    async_announce,
    can_announce,
)
from homeassistant.core import Context, HomeAssistant

from .builders import user_message

SATELLITE = "assist_satellite.kitchen"


@pytest.mark.parametrize(
    ("state", "features", "can"),
    [("idle", 3, True), ("listening", 1, True), ("idle", 2, False), ("unavailable", 1, False)],
)
async def test_satellite_that_is_there_can_announce(
    hass: HomeAssistant, state: str, features: int, *, can: bool
) -> None:
    assert not can_announce(hass, None)
    assert not can_announce(hass, SATELLITE)
    hass.states.async_set(SATELLITE, state, {"supported_features": features})
    assert can_announce(hass, SATELLITE) is can


async def test_satellite_that_is_never_idle_does_not_announce(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("custom_components.chatterbox.satellites._LONGEST_WAIT", 0)
    announced = async_mock_service(hass, "assist_satellite", "announce")
    hass.states.async_set(SATELLITE, "listening")
    with pytest.raises(TimeoutError):
        await async_announce(hass, SATELLITE, "It is done.", Context())
    assert announced == []


async def test_satellite_announces_once_it_is_idle(hass: HomeAssistant) -> None:
    announced = async_mock_service(hass, "assist_satellite", "announce")
    hass.states.async_set(SATELLITE, "listening")
    context = Context()
    announcing = hass.async_create_task(async_announce(hass, SATELLITE, "It is done.", context))
    for state in ("processing", None, "idle"):
        if state is None:
            hass.states.async_remove(SATELLITE)
        else:
            hass.states.async_set(SATELLITE, state)
    await announcing
    (call,) = announced
    assert call.data == {"entity_id": SATELLITE, "message": "It is done."}
    assert call.context is context


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
