"""``report.html`` of a map: what it was made of, the plan, the mesh from three sides, and every object."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Bytes, Floats32
from commonground.crops import Crops
from commonground.scene import Boxes, SceneGraph, load_scene
from commonground.scene.draw import draw_scene
from commonground.story.page import figure, image, table, text, write_page
from commonground.symbols import symbol_of

REPORT = "report.html"
SIDES = (("from above", 0, 1, 2), ("from the front", 0, 2, -1), ("from the side", 1, 2, 0))
"""Names, the axes to the right and up, and the one toward the eye (−1: y, away from it)."""
WIDE_PX = 620
CARD = "display:inline-block;vertical-align:top;width:210px;margin:4px;font-size:12px"


def write_map_report(
    folder: Path,
    title: str,
    facts: Sequence[tuple[str, Any]],
    notes: Iterable[str],
) -> Path:
    """Write the report of the map of a robot, or of several, in ``folder``."""
    graph = load_scene(folder / "scene.json")
    parts = [
        f"<h1>{text(title)}</h1>",
        table(["", ""], facts),
        *(f"<p class='no'>{text(note)}</p>" for note in notes),
        "<h2>Plan</h2>",
        figure(draw_scene(graph, size_in=9), "the map from above, objects, places and paths"),
        *_mesh(folder / "mesh.ply"),
        "<h2>Objects</h2>",
        *_cards(graph, Crops(folder)),
    ]
    return write_page(folder / REPORT, title, parts)


def _mesh(file: Path) -> Iterable[str]:
    """Yield the mesh from three sides, if there is one."""
    from commonground.mapping.surface.ply import read_mesh

    if not file.is_file():
        return
    mesh = read_mesh(file)
    if not len(mesh.vertices):
        return
    a, b = mesh.vertices[mesh.faces[:, 0]], mesh.vertices[mesh.faces[:, 1]]
    edge_m = float(np.median(np.linalg.norm(a - b, axis=1))) if len(a) else 0.0
    yield "<h2>Mesh</h2>"
    for name, right, up, eye in SIDES:
        points = mesh.vertices[:, [right, up]]
        near = mesh.vertices[:, eye] if eye >= 0 else -mesh.vertices[:, 1]
        seen = splat(points, near, mesh.colors, edge_m)
        yield f"<p>{text(name)}<br>{image(_png(seen), 'png', name)}</p>"


def splat(points: Floats32, near: Floats32, colors: Bytes, apart_m: float = 0.0) -> Bytes:
    """Return an image (h, w, 3) of colored points (n, 2), right and up, those with more ``near`` on top.

    Points so far apart leave no gaps in it.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    pixel_m = max(float((high - low).max()) / WIDE_PX, 0.4 * apart_m, 1e-6)
    w, h = np.ceil((high - low) / pixel_m).astype(int) + 3
    out = np.full((h, w, 3), 255, np.uint8)
    order = np.argsort(near, kind="stable")
    u, v = ((points[order] - low) / pixel_m).astype(int).T + 1
    for dv in (-1, 0, 1):
        for du in (-1, 0, 1):
            out[h - 1 - np.clip(v + dv, 0, h - 1), np.clip(u + du, 0, w - 1)] = colors[order]
    return out


def _png(pixels: Bytes) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _cards(graph: SceneGraph, crops: Crops) -> Iterable[str]:
    """Yield a card for each object: how it looked best, what it is, its size and where it is."""
    layer = graph.objects
    for row, name in enumerate(graph.label_words("objects")):
        symbol = symbol_of(int(layer.ids[row]))
        seen = "".join(image(crop.jpeg, "jpeg", symbol) for crop in crops.of(symbol)[:1])
        at = ", ".join(f"{x:.1f}" for x in layer.positions[row])
        size = _size(layer.boxes, row)
        said = f"<b>{symbol}</b> {text(name or 'thing')}<br>{size}at {at}"
        yield f"<div style='{CARD}'>{seen}<br>{said}</div>"


def _size(boxes: Boxes | None, row: int) -> str:
    """Return the size of a thing, or nothing where the graph has no boxes."""
    if boxes is None:
        return ""
    return " × ".join(f"{x:.2f}" for x in boxes.sizes[row]) + " m "
