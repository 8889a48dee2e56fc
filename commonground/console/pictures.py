"""What robots saw of a thing: pictures of missions that looked at it, and the best ones of the mapping."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bytes
from commonground.console.words import when
from commonground.crops import Crops
from commonground.errors import MALFORMED, CommongroundError, DataError
from commonground.planning.robots.fleet import PICTURES
from commonground.reading import BoundError, parse_json, read_bytes, read_text
from commonground.reading_pictures import picture as opened_picture
from commonground.run_folder import RunFolder

MOST_MB = 20
MOST, BESIDE = 4, 2
"""Pictures that are shown, and how many beside each other."""
WIDE, HIGH = 236, 176
"""Pixels that each has on the page."""
GAP = 8
ORIGINS = "provenance.json"


class Picture(NamedTuple):
    """One picture, and who took it when."""

    pixels: Bytes
    caption: str


def pictures_of(missions: Path, thing: str, mapped: Path | None = None) -> list[Picture]:
    """Return the newest pictures that robots took of a thing, and the best ones of those that were mapped.

    ``mapped`` is the folder of the map. What cannot be read is left out.
    """
    found: list[Picture] = []
    for take in (_inspected(missions, thing), _mapped(thing, mapped)):
        for data, caption in take:
            if len(found) < MOST:
                with contextlib.suppress(OSError, DataError):
                    found.append(Picture(_pixels(data), caption))
    return found


def origins_of(mapped: Path | None, thing: str) -> list[tuple[str, str]]:
    """Return the robots whose maps a thing of a fused map comes from, and its symbols there."""
    if mapped is None:
        return []
    try:
        told = parse_json(read_text(mapped / ORIGINS), mapped / ORIGINS)
        return [(str(robot), str(symbol)) for robot, symbol in told["objects"].get(thing, ())]
    except (OSError, DataError, BoundError, *MALFORMED):
        return []


def side_by_side(pictures: Sequence[Picture]) -> Bytes:
    rows = -(-len(pictures) // BESIDE)
    wide = WIDE * min(len(pictures), BESIDE) + GAP * (min(len(pictures), BESIDE) - 1)
    sheet = np.full((rows * HIGH + GAP * (rows - 1), wide, 3), 36, np.uint8)
    for k, picture in enumerate(pictures):
        row, column = divmod(k, BESIDE)
        h, w = picture.pixels.shape[:2]
        top, left = row * (HIGH + GAP) + (HIGH - h) // 2, column * (WIDE + GAP) + (WIDE - w) // 2
        sheet[top : top + h, left : left + w] = picture.pixels
    return sheet


def _inspected(missions: Path, thing: str) -> Iterator[tuple[bytes, str]]:
    """Yield what robots took of a thing when they inspected it, the newest first."""
    found = [f for f in missions.glob(f"*/{PICTURES}/*.jpg") if thing in f.stem.split("-")]
    for path in sorted(found, key=lambda f: f.stat().st_mtime, reverse=True):
        with contextlib.suppress(OSError, BoundError):
            robot = path.stem.partition(f"-{thing}")[0]
            yield read_bytes(path, MOST_MB), f"{robot} in mission {path.parents[1].name}"


def _mapped(thing: str, mapped: Path | None) -> Iterator[tuple[bytes, str]]:
    """Yield the best pictures of the mapping: of each robot's map where those lie beside the fused one."""
    if mapped is None:
        return
    own = []
    for robot, symbol in origins_of(mapped, thing):
        with contextlib.suppress(OSError, CommongroundError):
            crops = Crops(RunFolder(mapped.parent).robot(robot)).of(symbol)
            own += [(k, crop, robot) for k, crop in enumerate(crops)]
    for _, crop, robot in sorted(own, key=lambda entry: entry[0]):
        yield crop.jpeg, f"{robot}, {when(crop.stamp_ns)}"
    with contextlib.suppress(OSError, DataError):
        for crop in [] if own else Crops(mapped).of(thing):
            yield crop.jpeg, f"mapping, {when(crop.stamp_ns)}"


def _pixels(data: bytes) -> Bytes:
    """Return a picture, small enough for a page; DataError for one that is none."""
    with opened_picture(data) as image:
        small = image.convert("RGB")
    scale = min(WIDE / small.width, HIGH / small.height)
    small = small.resize((max(round(scale * small.width), 1), max(round(scale * small.height), 1)))
    return np.asarray(small, np.uint8)
