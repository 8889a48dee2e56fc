"""Image files and messages to arrays and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bytes, Floats32
from commonground.errors import DataError, require
from commonground.reading import IMAGE_MB, read_bytes
from commonground.reading_pictures import picture

MILLIMETERS_PER_METER = 1000.0
UNMEASURED = 65535
"""Some sensors write this where they saw nothing."""

DEPTH_KINDS = (np.uint16, np.float32)
"""Kinds of numbers that depth is stored as: 8 bits are a picture of it."""


def decode(
    data: bytes | Bytes, *, color: bool, size: tuple[int, int] | None = None
) -> NDArray[np.generic]:
    """Return an image of encoded bytes: color as (h, w, 3) u8 red first, else as stored (h, w).

    DataError says what is wrong with bytes that are none, or not of a ``size`` (width, height); a header
    that claims too much is refused before anything is allocated.
    """
    with picture(bytes(data), size=size) as image:
        return _array(image.convert("RGB") if color else image)


def _array(image: Any) -> NDArray[np.generic]:
    array = np.asarray(image)
    if array.dtype == bool:
        return array.astype(np.uint8)
    if array.dtype == np.int32 and array.size and array.min() >= 0 and array.max() < 1 << 16:
        return array.astype(np.uint16)
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    return array if array.ndim == 2 or image.mode == "RGB" else array[..., 0]


def read_image(
    path: Path, *, color: bool, size: tuple[int, int] | None = None
) -> NDArray[np.generic]:
    """Return the image of a file as ``decode`` does."""
    try:
        data = read_bytes(path, IMAGE_MB)
    except OSError as error:
        raise DataError(f"the image cannot be read: {error.strerror}") from error
    return decode(data, color=color, size=size)


def depth_unit(values: NDArray[np.generic]) -> tuple[float, str]:
    """Return units per meter of raw depth values (n,), judged by their kind and size, and a sentence on it.

    16-bit depth is millimeters, floats are meters by convention; where that would put the middle of the
    scene nearer than 5 cm or farther than 80 m, the other is meant.
    """
    known = np.asarray(values, float)
    known = known[np.isfinite(known) & (known > 0)]
    convention = MILLIMETERS_PER_METER if np.issubdtype(values.dtype, np.integer) else 1.0
    if len(known) == 0:
        return convention, "no depth was found in the images tried"
    middle = float(np.median(known))
    other = MILLIMETERS_PER_METER + 1.0 - convention
    unit = convention if 0.05 <= middle / convention <= 80 else other
    name = "millimeters" if unit == MILLIMETERS_PER_METER else "meters"
    surprise = "" if unit == convention else f", unusual for {values.dtype}"
    return unit, f"depth is in {name} (median {middle / unit:.2f} m{surprise})"


def encode(image: NDArray[np.generic], kind: str, quality: int = 92) -> bytes:
    """Return PNG or JPEG bytes of an image; color is red first."""
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


def to_millimeters(depth_m: Floats32) -> NDArray[np.uint16]:
    """Return depth as 16-bit millimeters; 0 where there is none, or beyond 65.5 m."""
    mm = np.nan_to_num(depth_m, nan=0.0, posinf=0.0, neginf=0.0) * MILLIMETERS_PER_METER
    return np.where((mm > 0) & (mm < 65535), np.rint(mm), 0).astype(np.uint16)


def to_meters(depth: NDArray[np.generic], unit: float) -> Floats32:
    """Return depth in meters, NaN where it is 0, negative or not finite; ``unit`` is units per meter.

    The largest value of 16 bits is what cameras write where they measured none.
    """
    meters = depth.astype(np.float32) / np.float32(unit)
    if depth.dtype == np.uint16:
        meters[depth == UNMEASURED] = np.nan
    return np.where(np.isfinite(meters) & (meters > 0), meters, np.nan).astype(np.float32)
