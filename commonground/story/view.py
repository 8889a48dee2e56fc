"""The fused map as an interactive view inside a page: arrays in base64, drawn by a small script of ours."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from commonground.arrays import Floats
from commonground.reading import read_text
from commonground.scene import SceneGraph
from commonground.scene.batches import (
    Surface,
    areas_of,
    bounds_of,
    boxes_surface,
    crates_of,
    ground_of,
    links_of,
    regions_of,
    rgb,
)

DATA, SCRIPT = Path(__file__).resolve().parents[1] / "data", "view.js"
MOST_TRIANGLES = 60_000
"""Of the mesh in a page; about 1.5 MB."""
MOST_NAMES = 300
STEPS = 65535
HINT = "drag to turn, shift and drag to move, wheel to come nearer, click an object to see it"


def view_3d(graph: SceneGraph, paths: Mapping[str, Floats], colors: Mapping[str, str]) -> str:
    """Return HTML that shows a graph, and the robots' paths (n, 3), without any other file."""
    middle, width_m = bounds_of(graph)
    data = {
        "middle": np.round(middle, 3).tolist(),
        "width": round(width_m, 3),
        "parts": _parts(graph, paths, colors),
        "labels": _labels(graph),
    }
    # a name may hold anything; nothing of it may end the script element
    text = json.dumps(data, allow_nan=False).replace("<", "\\u003c")
    script = read_text(DATA / SCRIPT)
    return (
        '<div id="view3d"><canvas class="gl"></canvas><canvas class="labels"></canvas>'
        f'<div class="bar"></div><div class="hint">{HINT}</div></div>'
        f'<script type="application/json" id="view3d-data">{text}</script><script>{script}</script>'
    )


def _parts(
    graph: SceneGraph, paths: Mapping[str, Floats], colors: Mapping[str, str]
) -> list[dict[str, Any]]:
    found = []
    regions = regions_of(graph)
    areas = areas_of(graph, regions) if regions else None
    if graph.mesh is not None and len(graph.mesh.faces):
        found.append(_part("mesh", ground_of(graph.mesh, MOST_TRIANGLES)))
    if areas is not None:
        found.append(_part("regions", areas, on=graph.mesh is None))
    if graph.has("objects"):
        found.append(_part("objects", boxes_surface(crates_of(graph))))
    if graph.has("places"):
        found.append(_lines("places", links_of(graph, "places"), "#7b8794", on=False))
    for name, path in paths.items():
        pairs = np.stack([path[:-1], path[1:]], axis=1) + (0.0, 0.0, 0.15)
        if len(pairs):
            found.append(_lines(f"path of {name}", pairs, colors[name]))
    return found


def _part(layer: str, surface: Surface, *, on: bool = True) -> dict[str, Any]:
    return _packed(layer, surface.vertices, surface.colors, surface.faces, lines=False, on=on)


def _lines(layer: str, pairs: Floats, color: str, *, on: bool = True) -> dict[str, Any]:
    points = pairs.reshape(-1, 3)
    shades = np.tile(np.array(rgb(color), np.uint8), (len(points), 1))
    return _packed(layer, points, shades, np.arange(len(points)), lines=True, on=on)


def _packed(
    layer: str, points: Floats, colors: ArrayLike, order: ArrayLike, *, lines: bool, on: bool
) -> dict[str, Any]:
    """Return arrays as text; positions in 65,536 steps between the lowest and the highest."""
    low = points.min(axis=0) if len(points) else np.zeros(3)
    span = np.maximum(points.max(axis=0) - low, 1e-6) if len(points) else np.ones(3)
    steps = np.round((points - low) / span * STEPS).astype("<u2")
    return {
        "layer": layer,
        "lines": lines,
        "on": on,
        "low": low.tolist(),
        "span": span.tolist(),
        "at": _text(steps),
        "color": _text(np.asarray(colors, np.uint8)),
        "order": _text(np.asarray(order).astype("<u4")),
    }


def _text(array: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def _labels(graph: SceneGraph) -> list[dict[str, Any]]:
    """Return names, the weightiest first: regions by their size, then things by theirs."""
    found = [
        {
            "kind": "region names",
            "text": r.words,
            "at": np.round(r.middle, 2).tolist(),
            "bold": True,
        }
        for r in sorted(regions_of(graph), key=lambda r: -len(r.places))
    ]
    if not graph.has("objects"):
        return found
    crates, words = crates_of(graph), graph.titles("objects")
    top = crates.centers.copy()
    top[:, 2] += crates.sizes[:, 2] / 2 + 0.3
    for row in np.argsort(-crates.sizes.prod(axis=1), kind="stable")[:MOST_NAMES].tolist():
        text = f"{words[row]} {graph.objects.symbols[row]}".strip()
        found.append(
            {
                "kind": "object names",
                "text": text,
                "card": f"card-{graph.objects.symbols[row]}",
                "at": np.round(top[row], 2).tolist(),
                "bold": False,
            }
        )
    return found
