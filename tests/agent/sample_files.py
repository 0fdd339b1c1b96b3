"""Small files of all kinds, and attachments of them."""

import base64

from custom_components.chatterbox.agent.attachments import Attachment

JPEG = b"\xff\xd8\xff\xe0\x00\x10JFIF"
# One transparent pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PDF = b"%PDF-1.4\n%%EOF\n"


def image(name: str = "") -> Attachment:
    """Return an image of one pixel."""
    attachment = Attachment.of(PNG, name)
    assert attachment is not None
    return attachment


def pdf(name: str = "") -> Attachment:
    """Return an empty PDF file."""
    attachment = Attachment.of(PDF, name)
    assert attachment is not None
    return attachment
