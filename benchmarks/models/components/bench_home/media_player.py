"""Media players of a benchmark home."""

from typing import override

from homeassistant.components.media_player import MediaPlayerEntity
from homeassistant.components.media_player.const import MediaPlayerState

from . import platform_setup
from .entity import TableEntity


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


async_setup_entry = platform_setup(TableMediaPlayer, "media_player")
