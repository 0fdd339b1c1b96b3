"""Images and files that are sent with a message."""

import base64

import pytest

from custom_components.chatterbox.agent.attachments import (
    Attachment,
    attachment_note,
    media_type_of,
)
from tests.agent.sample_files import JPEG, PDF, PNG, image, pdf


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (JPEG, "image/jpeg"),
        (PNG, "image/png"),
        (b"GIF89a...", "image/gif"),
        (b"GIF87a...", "image/gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (PDF, "application/pdf"),
        (b"RIFF\x10\0\0\0WAVEfmt ", None),
        (b"<html>", None),
        (b"", None),
    ],
)
def test_media_type_is_told_by_the_content(content: bytes, media_type: str | None) -> None:
    assert media_type_of(content) == media_type
    attachment = Attachment.of(content)
    assert (attachment.media_type if attachment else None) == media_type


def test_image_is_a_data_url() -> None:
    url = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
    assert image().to_wire() == {"type": "image_url", "image_url": {"url": url}}


@pytest.mark.parametrize(("name", "sent"), [("bill.pdf", "bill.pdf"), ("", "file.pdf")])
def test_file_has_a_name(name: str, sent: str) -> None:
    file = pdf(name).to_wire()["file"]
    assert file["filename"] == sent
    assert file["file_data"].startswith("data:application/pdf;base64,JVBERi")


def test_content_is_not_shown() -> None:
    assert image().data not in repr(image())


def test_size_is_an_estimate_of_the_tokens() -> None:
    """An image has the same however large it is; a file has more tokens the larger it is."""
    large = Attachment.of(PNG + bytes(1_000_000))
    assert large is not None
    assert large.size == image().size == pdf().size
    long = Attachment.of(PDF + bytes(1_000_000))
    assert long is not None
    # 20 pages of 1,500 tokens.
    assert 100_000 < long.size < 140_000


def test_note_names_the_types() -> None:
    assert attachment_note([image(), pdf()]) == "Attached: image/png, application/pdf."
    assert attachment_note([]) is None
