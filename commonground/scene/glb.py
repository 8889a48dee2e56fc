"""Colored triangles or points as a binary glTF file, which browsers, Blender and most viewers open."""

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


def write_glb(path: str | Path, points: Any, colors: Any, faces: Any) -> None:
    """Write points (n, 3), colors (n, 3) of 0 to 255, and triangles (m, 3); points alone without any."""
    points = np.ascontiguousarray(points, "<f4")
    shade = np.full((len(points), 4), 65535, "<u2")
    shade[:, :3] = 65535 * (np.asarray(colors, float) / 255) ** 2.2  # glTF's colors are linear
    corners = np.ascontiguousarray(faces, "<u4").reshape(-1)
    parts = [points.tobytes(), shade.tobytes(), corners.tobytes()]
    starts = np.cumsum([0, *map(len, parts)]).tolist()
    views = [
        {"buffer": 0, "byteOffset": start, "byteLength": len(part), "target": target}
        for start, part, target in zip(starts, parts, (VERTICES, VERTICES, INDICES), strict=False)
    ]
    low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    accessors: list[dict[str, Any]] = [
        {"bufferView": 0, "componentType": FLOAT, "type": "VEC3", "min": low, "max": high},
        {"bufferView": 1, "componentType": SHORT, "type": "VEC4", "normalized": True},
        {"bufferView": 2, "componentType": INT, "type": "SCALAR", "count": len(corners)},
    ]
    for accessor in accessors[:2]:
        accessor["count"] = len(points)
    shape: dict[str, Any] = {"attributes": {"POSITION": 0, "COLOR_0": 1}, "mode": POINTS}
    if len(corners):
        shape |= {"indices": 2, "mode": TRIANGLES, "material": 0}
    else:
        views, accessors = views[:2], accessors[:2]
    document = {
        "asset": {"version": "2.0", "generator": "commonground"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "rotation": Z_UP}],
        "meshes": [{"primitives": [shape]}],
        "materials": [{"doubleSided": True, "pbrMetallicRoughness": {"metallicFactor": 0.0}}],
        "buffers": [{"byteLength": starts[-1]}],
        "bufferViews": views,
        "accessors": accessors,
    }
    text = json.dumps(document).encode()
    chunks = [(text + b" " * (-len(text) % 4), b"JSON"), (b"".join(parts), b"BIN\0")]
    total = 12 + sum(8 + len(body) for body, _ in chunks)
    head = struct.pack("<4sII", b"glTF", 2, total)
    body = b"".join(struct.pack("<I4s", len(body), kind) + body for body, kind in chunks)
    write_with(path, lambda file: file.write(head + body))
