"""What robots saw of a thing when they inspected it: the pictures beside the journals of missions."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import numpy as np

from commonground.arrays import Bytes
from commonground.crops import Crops
from commonground.errors import DataError
from commonground.planning.robots.fleet import PICTURES
from commonground.reading import BoundError, read_bytes

MOST_MB = 20
WIDE = 480
"""Pixels that a picture has on the page."""


def picture_of(missions: Path, thing: str, mapped: Path | None = None) -> Bytes | None:
    """Return the newest picture that a robot took of a thing, else the best one of those that were mapped.

    None where there is none; ``mapped`` is the folder of the map.
    """
    found = [f for f in missions.glob(f"*/{PICTURES}/*.jpg") if thing in f.stem.split("-")]
    for path in sorted(found, key=lambda f: f.stat().st_mtime, reverse=True):
        with contextlib.suppress(OSError, ValueError, BoundError):
            return _pixels(read_bytes(path, MOST_MB))
    with contextlib.suppress(OSError, ValueError, DataError):
        for crop in [] if mapped is None else Crops(mapped).of(thing)[:1]:
            return _pixels(crop.jpeg)
    return None


def _pixels(data: bytes) -> Bytes:
    """Return a picture, small enough for a page; ValueError for one that is none."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as image:
            small = image.convert("RGB")
    except Image.DecompressionBombError as error:
        raise ValueError(str(error)) from error
    small.thumbnail((WIDE, WIDE))
    return np.asarray(small, np.uint8)
