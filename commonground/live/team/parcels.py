"""A finished map with its mesh, for those who want all of it at the base station."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from commonground.reading import unpacked

MOST_BYTES = 1 << 30
FILES = frozenset(
    ("scene.json", "objects.npz", "posegraph.g2o", "metrics.json", "mesh.ply",
     "trajectory.tum", "odometry.tum", "ground_truth.tum", "crops.zip")
)  # fmt: skip


def packed(place: Path) -> bytes:
    """Return the files of a finished map, its mesh among them."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", compresslevel=6) as tar:
        for file in sorted(place.iterdir()):
            if file.name in FILES:
                tar.add(file, file.name)
    return data.getvalue()


def files_of(packed: bytes) -> list[tuple[str, bytes]]:
    """Return the files of a map; nothing else that may be in there."""
    files = io.BytesIO(unpacked(packed, "a map", MOST_BYTES))
    with tarfile.open(fileobj=files, mode="r:") as tar:
        opened = [(m.name, tar.extractfile(m)) for m in tar if m.isfile() and m.name in FILES]
        return [(name, file.read()) for name, file in opened if file is not None]
