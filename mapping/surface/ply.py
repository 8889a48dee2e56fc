"""The mesh as a PLY file that every viewer opens, with class and times seen as further vertex properties."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from commonground.atomic import write_with
from commonground.errors import MappingError
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.reading import SCENE_MB, read_bytes

_VERTEX = np.dtype(
    [("xyz", "<f4", 3), ("rgb", "u1", 3), ("label", "<i4"), ("first_s", "<f8"), ("last_s", "<f8")]
)
_FACE = np.dtype([("n", "u1"), ("corners", "<i4", 3)])
_PROPERTIES = (
    "float x", "float y", "float z", "uchar red", "uchar green", "uchar blue",
    "int label", "double first_seen_s", "double last_seen_s",
)  # fmt: skip


def write_mesh(part: MeshPart, path: str | Path) -> None:
    """Write a binary PLY. ``first_seen_s`` and ``last_seen_s`` are seconds; label −1 is none."""
    vertex = np.empty(len(part.vertices), _VERTEX)
    vertex["xyz"], vertex["rgb"], vertex["label"] = part.vertices, part.colors, part.labels
    vertex["first_s"], vertex["last_s"] = part.first_seen_ns / 1e9, part.last_seen_ns / 1e9
    face = np.empty(len(part.faces), _FACE)
    face["n"], face["corners"] = 3, part.faces
    properties = "".join(f"property {p}\n" for p in _PROPERTIES)
    header = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(vertex)}\n{properties}"
        f"element face {len(face)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    write_with(path, lambda file: file.writelines([header.encode(), vertex.data, face.data]))


def read_mesh(path: str | Path) -> MeshPart:
    """Read a PLY that ``write_mesh`` wrote; vertex keys are not kept there and come back as zeros."""
    file = Path(path)
    try:
        data = read_bytes(file, SCENE_MB)
    except OSError as error:
        raise MappingError(f"{file}: cannot be read: {error.strerror}") from error
    head, found, body = data.partition(b"end_header\n")
    lines = head.decode("ascii", "replace").splitlines()
    counts = [x.split()[-1] for x in lines if x.startswith("element ")]
    properties = [x.removeprefix("property ") for x in lines if x.startswith("property ")]
    whole = len(counts) == 2 and all(count.isdecimal() for count in counts)
    if not (found and whole and tuple(properties[:-1]) == _PROPERTIES):
        raise MappingError(f"{file}: no mesh written by 'commonground map'")
    n, m = map(int, counts)
    if len(body) != n * _VERTEX.itemsize + m * _FACE.itemsize:
        raise MappingError(f"{file}: the mesh is cut off; map again")
    vertex = np.frombuffer(body, _VERTEX, n)
    face = np.frombuffer(body, _FACE, m, n * _VERTEX.itemsize)
    return MeshPart(
        np.zeros(n, np.int64),
        np.array(vertex["xyz"]),
        np.array(vertex["rgb"]),
        np.array(vertex["label"]),
        np.round(vertex["first_s"] * 1e9).astype(np.int64),
        np.round(vertex["last_s"] * 1e9).astype(np.int64),
        np.array(face["corners"]),
    )
