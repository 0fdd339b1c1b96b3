"""Attachments of Home Assistant's messages: read from files, within limits."""

from pathlib import Path

import pytest

from custom_components.chatterbox.attachments import (
    MAX_ATTACHMENTS,
    MAX_BYTES,
    AttachmentError,
    async_read_attachments,
)
from homeassistant.components.conversation import Attachment
from homeassistant.core import HomeAssistant

from .agent.sample_files import PDF, PNG, image, pdf


def attached(path: Path, content: bytes | None) -> Attachment:
    """Return an attachment whose declared type is wrong."""
    if content is not None:
        path.write_bytes(content)
    return Attachment(media_content_id="media-source://x", mime_type="text/html", path=path)


async def error_of(hass: HomeAssistant, *attachments: Attachment) -> str | None:
    with pytest.raises(AttachmentError) as caught:
        await async_read_attachments(hass, attachments)
    return caught.value.translation_key


async def test_files_are_read(hass: HomeAssistant, tmp_path: Path) -> None:
    found = await async_read_attachments(
        hass, [attached(tmp_path / "a.png", PNG), attached(tmp_path / "b.pdf", PDF)]
    )
    assert found == (image("a.png"), pdf("b.pdf"))


async def test_no_attachments_are_none(hass: HomeAssistant) -> None:
    assert await async_read_attachments(hass, None) == ()


async def test_other_types_are_refused(hass: HomeAssistant, tmp_path: Path) -> None:
    page = attached(tmp_path / "page.png", b"<html></html>")
    assert await error_of(hass, page) == "attachment_type"


async def test_missing_file_is_told(hass: HomeAssistant, tmp_path: Path) -> None:
    assert await error_of(hass, attached(tmp_path / "gone.png", None)) == "attachment_unreadable"


async def test_size_of_all_attachments_is_limited(hass: HomeAssistant, tmp_path: Path) -> None:
    half = PNG + bytes(MAX_BYTES // 2)
    first, second = attached(tmp_path / "a", half), attached(tmp_path / "b", half)
    assert await async_read_attachments(hass, [first])
    assert await error_of(hass, first, second) == "attachments_too_large"


async def test_number_of_attachments_is_limited(hass: HomeAssistant, tmp_path: Path) -> None:
    one = attached(tmp_path / "a.png", PNG)
    assert len(await async_read_attachments(hass, [one] * MAX_ATTACHMENTS)) == MAX_ATTACHMENTS
    assert await error_of(hass, *[one] * (MAX_ATTACHMENTS + 1)) == "too_many_attachments"
