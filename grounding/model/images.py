"""Pictures in questions to a model, as data URIs."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from commonground.errors import GroundingError

MAX_BYTES = 8_000_000
"""Larger pictures are refused: servers do so too."""
_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
}


def image_type(data: bytes, where: str = "picture") -> str:
    """Return the media type of a picture by its first bytes; GroundingError if models do not take it."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    for signature, kind in _SIGNATURES.items():
        if data.startswith(signature):
            return kind
    raise GroundingError(f"{where}: is no PNG, JPEG, GIF or WebP picture; convert it first")


def image_part(data: bytes, where: str = "picture") -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise GroundingError(
            f"{where}: has {len(data)} bytes; scale it down to {MAX_BYTES} at most"
        )
    text = base64.b64encode(data).decode("ascii")
    return {
        "type": "image_url",
        "image_url": {"url": f"data:{image_type(data, where)};base64,{text}"},
    }


def with_images(text: str, images: Iterable[bytes]) -> list[dict[str, Any]]:
    """Return the content of a message: words, then pictures."""
    return [{"type": "text", "text": text}, *(image_part(image) for image in images)]
