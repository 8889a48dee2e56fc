"""What the cameras saw beside what was mapped: a card for each object, as many as a page has room for."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bytes, Floats
from commonground.crops import Crops
from commonground.geometry import from_quat_wxyz
from commonground.scene import Mesh, SceneGraph
from commonground.story.page import image, text

ROOM = 1_500_000
"""Characters that all cards of a page take at most; objects beyond that are in a table."""
MAPPED_PX = 150
AROUND = 1.25
"""What is shown of the mesh, in sizes of the object's box."""
FEWEST = 30
"""Vertices of the mesh without which there is nothing to see of an object."""


class Gallery(NamedTuple):
    """Cards in HTML, and rows of those objects for which there was no room."""

    cards: str
    others: list[tuple[str, str, str, str]]


def gallery(graph: SceneGraph, crops: Crops, room: int = ROOM) -> Gallery:
    """Return a card for each object: what a camera saw of it, what was mapped, what it is, where, how large.

    Those with a picture come first, the most often seen among them before the others.
    """
    layer, words = graph.objects, graph.label_words("objects")
    seen = layer.columns.get("observations", np.zeros(len(layer)))
    pictured = np.array([bool(crops.of(s)) for s in layer.symbols], bool)
    cards: list[str] = []
    others = []
    for row in np.lexsort((-np.asarray(seen, float), ~pictured)).tolist():
        symbol, word = layer.symbols[row], words[row] or "thing"
        at = ", ".join(f"{x:.1f}" for x in layer.positions[row])
        size = " × ".join(f"{x:.1f}" for x in _size(graph, row))
        card = _card(symbol, word, f"{size} m at {at}", list(_pictures(graph, crops, row)))
        if len(card) <= room:
            cards.append(card)
            room -= len(card)
        else:
            others.append((symbol, word, size, at))
    return Gallery(f"<div class='cards'>{''.join(cards)}</div>" if cards else "", others)


def _card(symbol: str, word: str, where: str, pictures: list[tuple[str, str]]) -> str:
    shown = "".join(
        f"<figure>{p}<figcaption>{text(said)}</figcaption></figure>" for p, said in pictures
    )
    said = f"<b>{text(word)} {symbol}</b><br>{text(where)}"
    return f"<div class='card' id='card-{symbol}'><div class='pair'>{shown}</div>{said}</div>"


def _pictures(graph: SceneGraph, crops: Crops, row: int) -> Iterator[tuple[str, str]]:
    """Yield what the camera saw best, and the mesh there, each with what it is."""
    symbol = graph.objects.symbols[row]
    for crop in crops.of(symbol)[:1]:
        yield image(crop.jpeg, "jpeg", f"{symbol} as a camera saw it"), "camera"
    mapped = mapped_view(graph.mesh, graph, row) if graph.mesh is not None else None
    if mapped is not None:
        yield image(_png(mapped), "png", f"{symbol} as it was mapped"), "map"


def _size(graph: SceneGraph, row: int) -> list[float]:
    boxes = graph.objects.boxes
    return [] if boxes is None or not boxes.valid[row] else boxes.sizes[row].tolist()


def mapped_view(mesh: Mesh, graph: SceneGraph, row: int) -> Bytes | None:
    """Return the mesh around an object from its broad side; None where there is nothing of it."""
    boxes = graph.objects.boxes
    if boxes is None or mesh.colors is None or not boxes.valid[row]:
        return None
    half = AROUND * boxes.sizes[row] / 2 + 0.1
    near = np.abs(mesh.vertices - boxes.centers[row]).max(axis=1) < 2 * half.max()
    R = from_quat_wxyz(boxes.quat_wxyz[row])
    local = (mesh.vertices[near] - boxes.centers[row]) @ R
    inside = (np.abs(local) < half).all(axis=1)
    if int(inside.sum()) < FEWEST:
        return None
    flat = [k for k in range(3) if k != int(np.abs(R[2]).argmax())]  # axes that lie in the plane
    broad = flat[int(np.argmax(boxes.sizes[row][flat]))]
    right = R[:, broad] * (1, 1, 0)
    right /= max(float(np.linalg.norm(right)), 1e-9)
    points = mesh.vertices[near][inside] - boxes.centers[row]
    away = np.cross(right, (0.0, 0.0, 1.0))
    sheet = np.stack([points @ right, points[:, 2]], axis=1)
    return splat(sheet, -(points @ away), mesh.colors[near][inside], _apart_m(points))


def _apart_m(points: Floats) -> float:
    """Return about how far vertices are from each other."""
    from scipy.spatial import cKDTree

    some = points[:: max(len(points) // 200, 1)]
    return float(np.median(cKDTree(points).query(some, k=2)[0][:, 1]))


def splat(points: Floats, near: Floats, colors: Bytes, apart_m: float) -> Bytes:
    """Return an image (h, w, 3) of colored points (n, 2), right and up, those with more ``near`` on top.

    Points so far apart leave no gaps in it.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    pixel_m = max(float((high - low).max()) / MAPPED_PX, 1e-6)
    w, h = np.ceil((high - low) / pixel_m).astype(int) + 1
    out = np.full((h, w, 3), 255, np.uint8)
    order = np.argsort(near, kind="stable")
    u, v = ((points[order] - low) / pixel_m).astype(int).T
    reach = int(np.clip(np.ceil(0.7 * apart_m / pixel_m), 0, 12))
    depth = np.full((h, w), -np.inf)
    for dv in range(-reach, reach + 1):
        for du in range(-reach, reach + 1):
            y, x = h - 1 - np.clip(v + dv, 0, h - 1), np.clip(u + du, 0, w - 1)
            over = near[order] >= depth[y, x]
            out[y[over], x[over]] = colors[order][over]
            depth[y[over], x[over]] = near[order][over]
    return out


def _png(pixels: Bytes) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    small = Image.fromarray(pixels).convert("P", palette=Image.Palette.ADAPTIVE, colors=64)
    small.save(stream, "PNG", optimize=True)
    return stream.getvalue()
