"""Attachments of an action: pictures of cameras and image entities, and local files."""

from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from custom_components.chatterbox.attachments import MAX_ATTACHMENTS, MAX_BYTES, AttachmentError
from custom_components.chatterbox.media_attachments import (
    async_resolve_attachments,
    entities_of,
    given_attachments,
    giving,
)
from homeassistant.components import camera, image
from homeassistant.components.media_source import PlayMedia
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component

from .agent import sample_files
from .agent.sample_files import PDF, PNG


def media(media_content_id: str) -> dict[str, Any]:
    return {"media_content_id": media_content_id, "media_content_type": "image/png"}


FRONT = media("media-source://camera/camera.front")
MAP = media("media-source://image/image.map")
FILE = media("media-source://media_source/local/a.pdf")


@pytest.fixture(autouse=True)
def set_up(hass: HomeAssistant) -> None:
    """Let cameras and image entities be set up."""
    for component in ("camera", "image"):
        hass.config.components.add(component)


async def error_of(hass: HomeAssistant, *items: dict[str, Any]) -> str | None:
    with pytest.raises(AttachmentError) as caught:
        await async_resolve_attachments(hass, items)
    return caught.value.translation_key


async def test_pictures_and_files_are_read(hass: HomeAssistant, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(PDF)
    with (
        patch.object(camera, "async_get_image", return_value=camera.Image("image/png", PNG)),
        patch.object(image, "async_get_image", return_value=image.Image("image/png", PNG)),
        patch(
            "custom_components.chatterbox.media_attachments.async_resolve_media",
            return_value=PlayMedia("/a.pdf", "application/pdf", path=path),
        ),
    ):
        found = await async_resolve_attachments(hass, [FRONT, MAP, FILE])
    assert found == (
        sample_files.image("camera.front"),
        sample_files.image("image.map"),
        sample_files.pdf("a.pdf"),
    )


async def test_what_cannot_be_read_is_told(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "media_source", {})
    with patch.object(camera, "async_get_image", side_effect=HomeAssistantError("off")):
        assert await error_of(hass, FRONT) == "attachment_unreadable"
    with patch.object(camera, "async_get_image", return_value=camera.Image("text/html", b"<p>")):
        assert await error_of(hass, FRONT) == "attachment_type"
    with patch(
        "custom_components.chatterbox.media_attachments.async_resolve_media",
        return_value=PlayMedia("https://example.com/a.png", "image/png"),
    ):
        assert await error_of(hass, FILE) == "attachment_unreadable"
    assert await error_of(hass, media("media-source://nothing/x")) == "attachment_unreadable"
    huge = camera.Image("image/png", PNG + bytes(MAX_BYTES))
    with patch.object(camera, "async_get_image", return_value=huge):
        assert await error_of(hass, FRONT) == "attachments_too_large"
    large = camera.Image("image/png", PNG + bytes(MAX_BYTES // 2))
    with patch.object(camera, "async_get_image", return_value=large):
        assert len(await async_resolve_attachments(hass, [FRONT])) == 1
        assert await error_of(hass, FRONT, FRONT) == "attachments_too_large"
    hass.config.components.add("light")
    for other in ("light.lamp", "nonsense"):
        assert (
            await error_of(hass, media(f"media-source://camera/{other}")) == "attachment_unreadable"
        )
    hass.config.components.remove("camera")
    assert await error_of(hass, FRONT) == "attachment_unreadable"
    assert await error_of(hass, *[FRONT] * (MAX_ATTACHMENTS + 1)) == "too_many_attachments"


def test_entities_are_those_of_cameras_and_images() -> None:
    assert [*entities_of([FRONT, FILE, MAP])] == ["camera.front", "image.map"]


def test_attachments_are_given_within_a_message_only() -> None:
    one = (sample_files.image("a.png"),)
    with giving("Look", one):
        assert given_attachments("Look") == one
        assert given_attachments("Ask the other agent") == ()
    assert given_attachments("Look") == ()
