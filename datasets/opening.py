"""Which reader a path needs."""

from __future__ import annotations

from pathlib import Path

from commonground.datasets.health import Health
from commonground.datasets.reader import Reader
from commonground.datasets.readers import folder
from commonground.errors import DataError


def open_dataset(path: str | Path, *, health: Health | None = None) -> Reader:
    """Return the reader for a path, found by looking at it."""
    place = Path(path)
    if not place.exists():
        raise DataError(f"{place}: there is no such file or folder")
    if folder.recognises(place):
        return folder.open_folder(place, health)
    raise DataError(f"{place}: this is no dataset of a known format")
