"""A picture of a file as an image encoder takes it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from commonground.arrays import Bytes
from commonground.errors import DataError, MappingError, require
from commonground.reading import BoundError, read_bytes
from commonground.reading_pictures import picture
from commonground.reasons import reason

MOST_MB = 30
SIDE_PX = 1024


def read_picture(path: str | Path) -> Bytes:
    """Return a picture (h, w, 3), made smaller where it is large; MappingError for a file that is none."""
    try:
        return picture_of(read_bytes(path, MOST_MB), path)
    except (OSError, BoundError) as error:
        raise MappingError(f"{path}: no picture that can be read ({reason(error)})") from error


def picture_of(data: bytes, where: object = "picture") -> Bytes:
    """Return the picture (h, w, 3) that bytes hold, made smaller where it is large; MappingError for none."""
    require("PIL", "mapping")
    try:
        with picture(data) as image:
            small = image.convert("RGB")
    except DataError as error:
        raise MappingError(f"{where}: no picture that can be read ({error})") from error
    small.thumbnail((SIDE_PX, SIDE_PX))
    return np.asarray(small, np.uint8)
