"""Media players of the table."""

from typing import override

from homeassistant.components.media_player import MediaPlayerEntity
from homeassistant.components.media_player.const import MediaPlayerState
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from . import add_entities
from .entity import TableEntity


async def async_setup_entry(
    hass: HomeAssistant, entry: ConfigEntry, async_add_entities: AddConfigEntryEntitiesCallback
) -> None:
    """Add the entities of this domain."""
    add_entities(hass, entry, async_add_entities, TableMediaPlayer, "media_player")


class TableMediaPlayer(TableEntity, MediaPlayerEntity):
    """A media player that counts its tracks."""

    _attr_media_track: int

    @override
    async def async_turn_on(self) -> None:
        self.change(state=MediaPlayerState.ON)

    @override
    async def async_turn_off(self) -> None:
        self.change(state=MediaPlayerState.OFF)

    @override
    async def async_media_play(self) -> None:
        self.change(state=MediaPlayerState.PLAYING)

    @override
    async def async_media_pause(self) -> None:
        self.change(state=MediaPlayerState.PAUSED)

    @override
    async def async_media_stop(self) -> None:
        self.change(state=MediaPlayerState.IDLE)

    @override
    async def async_media_next_track(self) -> None:
        self.change(media_track=self._attr_media_track + 1)

    @override
    async def async_media_previous_track(self) -> None:
        self.change(media_track=self._attr_media_track - 1)

    @override
    async def async_set_volume_level(self, volume: float) -> None:
        self.change(volume_level=volume)

    @override
    async def async_mute_volume(self, mute: bool) -> None:
        self.change(is_volume_muted=mute)
