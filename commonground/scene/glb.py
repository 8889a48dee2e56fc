"""Colored triangles or points as binary glTF, which browsers, Blender and most viewers open."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from commonground.atomic import write_with

FLOAT, SHORT, INT = 5126, 5123, 5125
VERTICES, INDICES = 34962, 34963
POINTS, TRIANGLES = 0, 4
Z_UP = [-(0.5**0.5), 0.0, 0.0, 0.5**0.5]
"""Turn (x, y, z, w) that stands a map, whose z is up, on glTF's floor, whose y is."""
UNLIT = "KHR_materials_unlit"


def write_glb(path: str | Path, points: Any, colors: Any, faces: Any) -> None:
    """Write points (n, 3), colors (n, 3) of 0 to 255, and triangles (m, 3); points alone without any."""
    data = glb_bytes(points, colors, faces)
    write_with(path, lambda file: file.write(data))


def glb_bytes(
    points: Any,
    colors: Any,
    faces: Any,
    *,
    turned: bool = True,
    lit: bool = True,
    alpha: float = 1.0,
) -> bytes:
    """Return points (n, 3), colors (n, 3) and triangles (m, 3) as a file's bytes.

    Not ``turned``, z stays up. Without light colors are shown as they are, which is quicker. What is behind
    shines through an ``alpha`` below 1.
    """
    points = np.ascontiguousarray(points, "<f4")
    shade = np.full((len(points), 4), round(65535 * alpha), "<u2")
    shade[:, :3] = 65535 * (np.asarray(colors, float) / 255) ** 2.2  # glTF's colors are linear
    corners = np.ascontiguousarray(faces, "<u4").reshape(-1)
    parts = [points.tobytes(), shade.tobytes(), corners.tobytes()]
    material: dict[str, Any] = {
        "doubleSided": True,
        "pbrMetallicRoughness": {"metallicFactor": 0.0},
        "alphaMode": "BLEND" if alpha < 1.0 else "OPAQUE",
    }
    document = _document(points, len(corners), [len(part) for part in parts], material)
    if not turned:
        document["nodes"] = [{"mesh": 0}]
    if not lit:
        material["extensions"] = {UNLIT: {}}
        document["extensionsUsed"] = [UNLIT]
    text = json.dumps(document).encode()
    chunks = [(text + b" " * (-len(text) % 4), b"JSON"), (b"".join(parts), b"BIN\0")]
    total = 12 + sum(8 + len(body) for body, _ in chunks)
    head = struct.pack("<4sII", b"glTF", 2, total)
    return head + b"".join(struct.pack("<I4s", len(body), kind) + body for body, kind in chunks)


def _document(
    points: Any, corners: int, sizes: list[int], material: dict[str, Any]
) -> dict[str, Any]:
    """Return what tells where points, colors and corners lie, and how they are drawn."""
    starts = np.cumsum([0, *sizes]).tolist()
    views = [
        {"buffer": 0, "byteOffset": start, "byteLength": size, "target": target}
        for start, size, target in zip(starts, sizes, (VERTICES, VERTICES, INDICES), strict=False)
    ]
    low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    accessors: list[dict[str, Any]] = [
        {"bufferView": 0, "componentType": FLOAT, "type": "VEC3", "min": low, "max": high},
        {"bufferView": 1, "componentType": SHORT, "type": "VEC4", "normalized": True},
        {"bufferView": 2, "componentType": INT, "type": "SCALAR", "count": corners},
    ]
    for accessor in accessors[:2]:
        accessor["count"] = len(points)
    shape: dict[str, Any] = {"attributes": {"POSITION": 0, "COLOR_0": 1}, "mode": POINTS}
    if corners:
        shape |= {"indices": 2, "mode": TRIANGLES, "material": 0}
    else:
        views, accessors = views[:2], accessors[:2]
    return {
        "asset": {"version": "2.0", "generator": "commonground"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "rotation": Z_UP}],
        "meshes": [{"primitives": [shape]}],
        "materials": [material],
        "buffers": [{"byteLength": starts[-1]}],
        "bufferViews": views,
        "accessors": accessors,
    }
