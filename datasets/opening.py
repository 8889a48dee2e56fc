"""The reader of a path, by what lies there."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

from commonground.datasets.health import Health
from commonground.datasets.reader import Reader
from commonground.datasets.readers import anybag, folder, kimera_multi, seven_scenes, tum_rgbd
from commonground.errors import DataError, did_you_mean


class Format(NamedTuple):
    """A format: how to recognize a path of it, and how to read it."""

    name: str
    recognizes: Callable[[Path], bool]
    open: Callable[[Path, Health | None], Reader]


FORMATS = (
    Format("folder", folder.recognizes, folder.open_folder),
    Format("tum-rgbd", tum_rgbd.recognizes, tum_rgbd.open_tum),
    Format("7-scenes", seven_scenes.recognizes, seven_scenes.open_seven_scenes),
    Format("bag with a YAML", anybag.described, anybag.open_anybag),
    Format("kimera-multi", kimera_multi.recognizes, kimera_multi.open_kimera_multi),
    Format("bag", anybag.recognizes, anybag.open_anybag),
)
"""Tried in this order, after those of installed packages."""
TAKEN_BY = {
    ".g2o": "commonground fuse optimizes pose graphs",
    ".tum": "poses go with images, as odometry.tum of a dataset folder (docs/formats.md)",
    ".ply": "meshes go with a scene graph, as mesh.ply beside scene.json",
    ".graphml": "GraphML is written only; Spark-DSG files (.json, .bson, .sparkdsg) are read",
    ".geojson": "GeoJSON is written only; Spark-DSG files (.json, .bson, .sparkdsg) are read",
}
"""Endings of files that are no recordings, and what takes them."""
PLUGINS = "commonground.readers"
"""Entry point group in which other packages name their ``Format``."""


def open_dataset(path: str | Path, *, health: Health | None = None) -> Reader:
    """Return the reader for a path, found by looking at it."""
    place = Path(path)
    if not place.exists():
        near = sorted(p.name for p in place.parent.iterdir()) if place.parent.is_dir() else []
        raise DataError(
            f"{place}: there is no such file or folder.{did_you_mean(place.name, near)}"
        )
    formats = (*_plugins(), *FORMATS)
    for format in formats:
        if format.recognizes(place):
            return format.open(place, health)
    if place.suffix in TAKEN_BY:
        raise DataError(f"{place}: this is no recording; {TAKEN_BY[place.suffix]}")
    known = ", ".join(f.name for f in formats if " " not in f.name)
    raise DataError(
        f"{place}: this is no dataset of a known format ({known}); docs/formats.md describes them"
    )


def _plugins() -> tuple[Format, ...]:
    """Return the formats of other installed packages, by name."""
    found = sorted(entry_points(group=PLUGINS), key=lambda entry: entry.name)
    return tuple(entry.load() for entry in found)
