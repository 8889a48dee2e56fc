"""Reading pictures with bounds: known formats only, and no more pixels than a camera has."""

from __future__ import annotations

import contextlib
import io
import struct
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonground.errors import DataError
from commonground.reasons import reason

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

MAX_PIXELS = 40_000_000
"""No camera here has more; the header of a damaged file may claim it and cost gigabytes."""
READABLE = ("PNG", "JPEG", "PPM", "BMP", "TIFF")
_BROKEN = (
    OSError, ValueError, SyntaxError, EOFError, KeyError, IndexError, TypeError, OverflowError,
    struct.error, zlib.error, MemoryError,
)  # fmt: skip
"""What the image library raises on damaged files."""


@contextlib.contextmanager
def picture(
    data: bytes, formats: tuple[str, ...] = READABLE, size: tuple[int, int] | None = None
) -> Iterator[Picture]:
    """Open an encoded picture, which may be of a ``size`` (width, height) only, for as long as it is used.

    DataError says what is wrong with bytes that are none; a header that claims too much is refused before
    anything is allocated.
    """
    from PIL import Image

    if not data:
        raise DataError("the image is empty (zero bytes)")
    try:
        with Image.open(io.BytesIO(data), formats=formats) as found:
            _fits(found.size, size)
            yield found
    except Image.DecompressionBombError as error:
        raise DataError("the image claims far too many pixels; its header is damaged") from error
    except Image.UnidentifiedImageError as error:
        raise DataError("the image is damaged or of an unknown kind") from error
    except _BROKEN as error:
        raise DataError(f"the image is damaged ({reason(error)})") from error


def _fits(claimed: tuple[int, int], size: tuple[int, int] | None) -> None:
    width, height = claimed
    if size is not None and claimed != size:
        raise DataError(f"the image is {width}×{height}, the camera {size[0]}×{size[1]}")
    if width * height > MAX_PIXELS:
        raise DataError(f"the image claims {width}×{height} pixels; its header is damaged")
