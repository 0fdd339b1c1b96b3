"""Images and files that are sent with a message."""

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

PDF = "application/pdf"

# Tokens of an image, in characters of English text. Models with tiles or patches count between 700
# and 1,100 tokens for 1,024 by 768 pixels.
_IMAGE_CHARS = 4_000
# Base64 characters of a PDF file for one character of text: a page of 50 kB has some 1,500 tokens.
_FILE_CHARS_RATIO = 11

# By the first bytes of a file.
_SIGNATURES: Mapping[bytes, str] = {
    b"\xff\xd8\xff": "image/jpeg",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
    b"%PDF-": PDF,
}


def media_type_of(content: bytes) -> str | None:
    """Return the media type of a file, by its first bytes; None for one that no model reads."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    found = (kind for start, kind in _SIGNATURES.items() if content.startswith(start))
    return next(found, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """An image or a file. It is sent with its message, and never stored."""

    media_type: str
    data: str = field(repr=False)
    """The content in Base64."""
    name: str = ""

    @classmethod
    def of(cls, content: bytes, name: str = "") -> Self | None:
        """Return the attachment of a file, None if no model reads its type."""
        if (media_type := media_type_of(content)) is None:
            return None
        return cls(media_type=media_type, data=base64.b64encode(content).decode(), name=name)

    @property
    def is_image(self) -> bool:
        """Return whether it is an image, not a file."""
        return self.media_type != PDF

    @property
    def size(self) -> int:
        """Estimate of its tokens, as characters of text."""
        return (
            _IMAGE_CHARS
            if self.is_image
            else max(_IMAGE_CHARS, len(self.data) // _FILE_CHARS_RATIO)
        )

    def to_wire(self) -> dict[str, Any]:
        """Return the part of a message in the OpenAI form."""
        url = f"data:{self.media_type};base64,{self.data}"
        if self.is_image:
            return {"type": "image_url", "image_url": {"url": url}}
        return {"type": "file", "file": {"filename": self.name or "file.pdf", "file_data": url}}


def attachment_note(attachments: Iterable[Attachment]) -> str | None:
    """Return a note on what was attached, which stays in the history; None without any."""
    kinds = ", ".join(attachment.media_type for attachment in attachments)
    return f"Attached: {kinds}." if kinds else None
