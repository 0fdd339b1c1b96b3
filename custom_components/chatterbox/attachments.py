"""Attachments of a message: files, and pictures of cameras and image entities."""

from collections.abc import Iterable
from pathlib import Path

from homeassistant.components.conversation import Attachment as HassAttachment
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, split_entity_id, valid_entity_id
from homeassistant.exceptions import HomeAssistantError

from .agent.attachments import Attachment
from .const import DOMAIN, LOGGER

MAX_ATTACHMENTS = 10
MAX_BYTES = 20 * 1024**2
"""Bytes of all attachments of a message."""
SNAPSHOT_DOMAINS = (Platform.CAMERA, Platform.IMAGE)


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


async def async_snapshot(
    hass: HomeAssistant,
    entity_id: str,
    name: str,
    *,
    width: int | None = None,
    height: int | None = None,
) -> Attachment:
    """Return the picture of a camera, scaled if it can be, or of an image entity.

    Raises `HomeAssistantError` if there is none, as `AttachmentError` if it cannot be sent.
    """
    domain = split_entity_id(entity_id)[0] if valid_entity_id(entity_id) else ""
    if domain not in SNAPSHOT_DOMAINS or domain not in hass.config.components:
        raise AttachmentError("attachment_unreadable")
    # Loaded already: where they are not set up, what they require may be missing.
    if domain == Platform.CAMERA:
        from homeassistant.components.camera import async_get_image  # noqa: PLC0415

        content = (await async_get_image(hass, entity_id, width=width, height=height)).content
    else:
        from homeassistant.components import image  # noqa: PLC0415

        content = (await image.async_get_image(hass, entity_id)).content
    if len(content) > MAX_BYTES:
        raise AttachmentError("attachments_too_large")
    attachment = await hass.async_add_executor_job(Attachment.of, content, name)
    if attachment is None or not attachment.is_image:
        raise AttachmentError("attachment_type")
    return attachment


def check_size(attachments: Iterable[Attachment]) -> None:
    """Raise `AttachmentError` if attachments are too large together."""
    # Base64 has four characters for three bytes, of which the last two may be padding.
    if sum(len(each.data) // 4 * 3 - 2 for each in attachments) > MAX_BYTES:
        raise AttachmentError("attachments_too_large")
