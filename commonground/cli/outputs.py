"""What a command writes is not what it reads, nor the same file twice: a slip would cost a map."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from commonground.errors import ConfigError

WRITTEN = ("out", "pddl_out", "order_out", "gantt", "keep", "crops", "record")
"""Names of the options that take what is written, in any command."""
OF_A_MAP = frozenset(
    [
        "scene.json", "objects.npz", "mesh.ply", "posegraph.g2o", "trajectory.tum", "crops.zip",
        "manifest.json", "dataset.yaml",
    ]
)  # fmt: skip
"""Files of runs and datasets that other commands read."""


def check_outputs(values: Mapping[str, Any]) -> None:
    """Raise ConfigError where a file to be written is read too, or is to be written twice."""
    taken: dict[Path, str] = {}
    read = [path for name, value in values.items() if name not in WRITTEN for path in _paths(value)]
    for name in WRITTEN:
        for path in _paths(values.get(name)):
            option = f"--{name.replace('_', '-')}"
            place = _real(path)
            if place.exists() and not place.is_file():  # a folder, or a device
                continue
            if place in taken:
                raise ConfigError(f"{option} {path}: {taken[place]} is written there; name another")
            taken[place] = option
            if place.is_file() and any(_is_of(place, _real(other)) for other in read):
                raise ConfigError(
                    f"{option} {path}: is read by this command and would be lost; name another file"
                )


def _is_of(place: Path, read: Path) -> bool:
    """Return whether a file is what is read, or a part of a run or dataset that is."""
    return place == read or (place.name in OF_A_MAP and read.is_dir() and read in place.parents)


def _real(path: Path) -> Path:
    """Return where a path leads; a link to itself is no error here."""
    return Path(os.path.realpath(path))


def _paths(value: Any) -> Iterator[Path]:
    if isinstance(value, Path):
        yield value
    elif isinstance(value, list | tuple):
        yield from (path for path in value if isinstance(path, Path))
