"""Attachments that an action names by their media content ids."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from homeassistant.components.conversation import Attachment as HassAttachment
from homeassistant.components.media_source import async_resolve_media
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from .agent.attachments import Attachment
from .attachments import (
    MAX_ATTACHMENTS,
    SNAPSHOT_DOMAINS,
    AttachmentError,
    async_read_attachments,
    async_snapshot,
    check_size,
)

_MEDIA_CONTENT_ID = "media_content_id"
_MEDIA_CONTENT_TYPE = "media_content_type"

_given: ContextVar[tuple[str, tuple[Attachment, ...]]] = ContextVar(
    "chatterbox_attachments", default=("", ())
)


def given_attachments(message: str) -> tuple[Attachment, ...]:
    """Return the attachments of the message that the current task answers."""
    text, attachments = _given.get()
    return attachments if message == text else ()


@contextmanager
def giving(message: str, attachments: tuple[Attachment, ...]) -> Iterator[None]:
    """Add attachments to a message, as Home Assistant's messages cannot carry any.

    They are not for another message that a tool sends while this one is answered, perhaps to the
    agent of another server.
    """
    token = _given.set((message, attachments))
    try:
        yield
    finally:
        _given.reset(token)


def entities_of(media: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the cameras and image entities whose pictures are attached."""
    for item in media:
        if (entity_id := _entity_of(item)) is not None:
            yield entity_id


async def async_resolve_attachments(
    hass: HomeAssistant, media: Sequence[Mapping[str, Any]]
) -> tuple[Attachment, ...]:
    """Return the pictures of cameras and image entities, and the contents of local files.

    Raises `AttachmentError` for what cannot be read, and where it is too much.
    """
    if len(media) > MAX_ATTACHMENTS:
        raise AttachmentError("too_many_attachments")
    found: list[Attachment] = []
    for item in media:
        try:
            entity_id = _entity_of(item)
            if entity_id is None:
                found += await _async_file(hass, item)
            else:
                found.append(await async_snapshot(hass, entity_id, entity_id))
        except AttachmentError:
            raise
        except HomeAssistantError as err:
            raise AttachmentError("attachment_unreadable") from err
        check_size(found)
    return tuple(found)


def _entity_of(item: Mapping[str, Any]) -> str | None:
    for domain in SNAPSHOT_DOMAINS:
        prefix = f"media-source://{domain}/"
        if item[_MEDIA_CONTENT_ID].startswith(prefix):
            return str(item[_MEDIA_CONTENT_ID].removeprefix(prefix))
    return None


async def _async_file(hass: HomeAssistant, item: Mapping[str, Any]) -> tuple[Attachment, ...]:
    media = await async_resolve_media(hass, item[_MEDIA_CONTENT_ID], None)
    if media.path is None:
        raise AttachmentError("attachment_unreadable")
    return await async_read_attachments(
        hass,
        [
            HassAttachment(
                media_content_id=item[_MEDIA_CONTENT_ID],
                mime_type=item.get(_MEDIA_CONTENT_TYPE) or media.mime_type,
                path=media.path,
            )
        ],
    )
