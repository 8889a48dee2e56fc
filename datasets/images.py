"""Image files and messages to arrays and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bytes, Floats32
from commonground.errors import DataError, require

MILLIMETRES_PER_METRE = 1000.0
MAX_SIDE = 16_384
"""No camera has more pixels a side; a damaged header may claim it."""


def decode(data: bytes | Bytes, *, color: bool) -> NDArray[np.generic]:
    """Return an image of encoded bytes: colour as (h, w, 3) u8 red first, else as stored (h, w).

    DataError says in a word what is wrong with bytes that are none.
    """
    require("cv2", "mapping")
    import cv2

    buffer = np.frombuffer(data, np.uint8)
    if len(buffer) == 0:
        raise DataError("the image is empty (zero bytes)")
    try:
        image = cv2.imdecode(buffer, cv2.IMREAD_COLOR if color else cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise DataError(f"the image cannot be decoded: {str(error).strip()[-80:]}") from error
    if image is None:
        raise DataError("the image is damaged or of an unknown kind")
    if color:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
    return np.asarray(image if image.ndim == 2 else image[..., 0])


def read_image(path: Path, *, color: bool) -> NDArray[np.generic]:
    """Return the image of a file as ``decode`` does."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise DataError(f"the image cannot be read: {error.strerror}") from error
    return decode(data, color=color)


def encode(image: NDArray[np.generic], kind: str, quality: int = 92) -> bytes:
    """Return PNG or JPEG bytes of an image; colour is red first."""
    require("cv2", "mapping")
    import cv2

    if image.ndim == 3:
        image = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
    # compression 1 is three times as fast as the default and a tenth larger
    options = (
        [cv2.IMWRITE_JPEG_QUALITY, quality] if kind == "jpg" else [cv2.IMWRITE_PNG_COMPRESSION, 1]
    )
    good, buffer = cv2.imencode(f".{kind}", image, options)
    if not good:
        raise DataError(f"the image cannot be written as {kind}")
    return bytes(buffer)


def to_millimetres(depth_m: Floats32) -> NDArray[np.uint16]:
    """Return depth as 16-bit millimetres; 0 where there is none, or beyond 65.5 m."""
    mm = np.nan_to_num(depth_m, nan=0.0, posinf=0.0, neginf=0.0) * MILLIMETRES_PER_METRE
    return np.where((mm > 0) & (mm < 65535), np.rint(mm), 0).astype(np.uint16)


def to_metres(depth: NDArray[np.generic], unit: float) -> Floats32:
    """Return depth in metres, NaN where it is 0, negative or not finite; ``unit`` is units per metre."""
    metres = depth.astype(np.float32) / np.float32(unit)
    return np.where(np.isfinite(metres) & (metres > 0), metres, np.nan).astype(np.float32)
