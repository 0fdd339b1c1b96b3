"""Attachments of Home Assistant's messages, read from their files."""

from collections.abc import Iterable
from pathlib import Path

from homeassistant.components.conversation import Attachment as HassAttachment
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from .agent.attachments import Attachment
from .const import DOMAIN, LOGGER

MAX_ATTACHMENTS = 10
MAX_BYTES = 20 * 1024**2
"""Bytes of all attachments of a message."""


class AttachmentError(HomeAssistantError):
    """An attachment cannot be sent; the translation key names the sentence for the user."""

    def __init__(self, key: str) -> None:
        super().__init__(translation_domain=DOMAIN, translation_key=key)


async def async_read_attachments(
    hass: HomeAssistant, attachments: Iterable[HassAttachment] | None
) -> tuple[Attachment, ...]:
    """Return the attachments of a message.

    Raises `AttachmentError` for a file that cannot be read, for one that is neither an image nor a
    PDF file, whatever its name says, and where they are too many or too large.
    """
    paths = [attachment.path for attachment in attachments or ()]
    if len(paths) > MAX_ATTACHMENTS:
        raise AttachmentError("too_many_attachments")
    return await hass.async_add_executor_job(_read, paths) if paths else ()


def _read(paths: list[Path]) -> tuple[Attachment, ...]:
    found: list[Attachment] = []
    left = MAX_BYTES
    for path in paths:
        try:
            with path.open("rb") as file:
                content = file.read(left + 1)
        except OSError as err:
            LOGGER.debug("Could not read an attachment: %s", err)
            raise AttachmentError("attachment_unreadable") from err
        left -= len(content)
        if left < 0:
            raise AttachmentError("attachments_too_large")
        if (attachment := Attachment.of(content, path.name)) is None:
            raise AttachmentError("attachment_type")
        found.append(attachment)
    return tuple(found)
