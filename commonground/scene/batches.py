"""A map as few large arrays: what is drawn at once, however many nodes there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Bytes, Floats, Ints
from commonground.geometry import from_quat_wxyz
from commonground.scene import Mesh, SceneGraph
from commonground.scene.hues import class_colors, region_colors

MOST_TRIANGLES = 500_000
"""Of the mesh that a browser gets; a larger one is made coarser."""
FIRST_TRIANGLES, AREA_TRIANGLES = 20_000, 10_000
"""Of the mesh, and of all regions, that a browser gets first; without a graphics card triangles cost time."""
LIFT_M = 0.05
"""Places are drawn so far above the ground, so that both can be seen."""
UNNAMED = "#9aa5b1"
DIM = 0.55
"""Ground is drawn darker than what stands on it."""


CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
CUBE_FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
     [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]], np.int64
)  # fmt: skip
"""Corners and triangles of a cube of one meter."""


class Surface(NamedTuple):
    """Colored triangles."""

    vertices: Floats
    faces: Ints
    colors: Bytes


class Crates(NamedTuple):
    """Boxes: centers (n, 3), sizes (n, 3), attitudes (n, 4), colors (n, 3)."""

    centers: Floats
    sizes: Floats
    quat_wxyz: Floats
    colors: Bytes


class Region(NamedTuple):
    """Ground that is shown under one name."""

    symbol: str
    words: str
    middle: Floats
    color: str
    places: Ints
    """Rows of surface places, those of slivers among them."""


LIGHT = np.array([0.35, -0.5, 0.8]) / np.linalg.norm([0.35, -0.5, 0.8])
"""Where the light comes from that is painted into colors."""


def rgb(color: str) -> tuple[int, int, int]:
    """Return red, green and blue of ``#rrggbb``."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


# ---- the ground ----


def ground_of(mesh: Mesh, most: int = MOST_TRIANGLES) -> Surface:
    """Return a mesh with no more than so many triangles, as fine as they allow."""
    colors = mesh.colors
    if colors is None:
        colors = np.full((len(mesh.vertices), 3), 160, np.uint8)
    return at_most(
        Surface(np.asarray(mesh.vertices), np.asarray(mesh.faces, np.int64), colors), most
    )


def at_most(surface: Surface, most: int) -> Surface:
    """Return a surface with no more than so many triangles, as fine as they allow."""
    found = surface
    cell_m = 0.7 * np.sqrt(2 * _area_m2(found) / most) if len(found.faces) > most else 0.0
    while len(found.faces) > most:
        found = coarser(found, max(cell_m, 1e-6))
        cell_m *= 1.2
    return found


def _area_m2(surface: Surface) -> float:
    a, b, c = (surface.vertices[surface.faces[:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def coarser(surface: Surface, cell_m: float) -> Surface:
    """Return triangles between the middles of the cells that their corners lie in."""
    cells = np.floor(surface.vertices / cell_m).astype(np.int64)
    cells -= cells.min(axis=0)
    spans = cells.max(axis=0) + 1
    keys = (cells[:, 0] * spans[1] + cells[:, 1]) * spans[2] + cells[:, 2]
    _, member, counts = np.unique(keys, return_inverse=True, return_counts=True)
    vertices = np.stack(
        [np.bincount(member, surface.vertices[:, k]) / counts for k in range(3)], axis=1
    )
    colors = np.stack([np.bincount(member, surface.colors[:, k]) / counts for k in range(3)], 1)
    faces = member[surface.faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (a != c)]
    once = np.unique((faces[:, 0] * len(vertices) + faces[:, 1]) * len(vertices) + faces[:, 2])
    pairs, c = np.divmod(once, max(len(vertices), 1))
    a, b = np.divmod(pairs, max(len(vertices), 1))
    return Surface(vertices, np.stack([a, b, c], axis=1), np.round(colors).astype(np.uint8))


def shaded(surface: Surface) -> Surface:
    """Return a surface with its light painted into its colors, so that it is drawn as it is."""
    a, b, c = (surface.vertices[surface.faces[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)  # the larger a triangle, the more it counts
    normals = np.zeros_like(surface.vertices)
    for k in range(3):
        for axis in range(3):
            normals[:, axis] += np.bincount(
                surface.faces[:, k], across[:, axis], len(surface.vertices)
            )
    length = np.linalg.norm(normals, axis=1)
    light = 0.6 + 0.4 * np.abs(normals @ LIGHT) / np.where(length > 0, length, 1.0)
    colors = np.round(surface.colors * light[:, None]).clip(0, 255).astype(np.uint8)
    return Surface(surface.vertices, surface.faces, colors)


# ---- regions and places ----


def regions_of(graph: SceneGraph, share: float = 0.1) -> list[Region]:
    """Return the regions worth a name; slivers go to the neighbor they share most borders with.

    A sliver has less than ``share`` of the places of the region that a place lies in on average: many slivers
    beside a few regions are folded, and as many regions of one size are not.
    """
    if not graph.has("surface_places") or not graph.has("regions"):
        return []
    layer = graph.surface_places
    member = graph.ancestors("surface_places", "regions")
    count = len(graph.regions)
    sizes = np.bincount(member[member >= 0], minlength=count)
    typical = float(np.sum(sizes**2) / max(sizes.sum(), 1))
    member = _folded(member, layer.edges.rows, count, share * typical)
    names = graph.titles("regions")
    colors, found = region_colors(graph), []
    for row in range(count):
        places = np.flatnonzero(member == row)
        if len(places) == 0:
            continue
        name = names[row] or "region"
        symbol = graph.regions.symbols[row]
        middle = _inmost(layer.positions[places])
        found.append(Region(symbol, name, middle, colors[row], places))
    return found


def _folded(member: Ints, edges: Ints, count: int, least: float) -> Ints:
    """Return the region (n,) of each place once those with fewer places than ``least`` are folded."""
    member = member.copy()
    borders = np.zeros((count, count), np.int64)
    a, b = member[edges[:, 0]], member[edges[:, 1]]
    both = (a >= 0) & (b >= 0) & (a != b)
    np.add.at(borders, (a[both], b[both]), 1)
    borders += borders.T
    sizes = np.bincount(member[member >= 0], minlength=count)
    for small in np.argsort(sizes, kind="stable").tolist():
        if sizes[small] == 0 or sizes[small] >= least or not borders[small].any():
            continue
        into = int(borders[small].argmax())
        member[member == small] = into
        sizes[into] += sizes[small]
        borders[into] += borders[small]
        borders[:, into] += borders[:, small]
        borders[small] = borders[:, small] = 0
        borders[into, into] = 0
    return member


def _inmost(points: Floats) -> Floats:
    """Return the point nearest to the middle of all."""
    gap = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    return np.asarray(points[int(gap.argmin())])


def areas_of(graph: SceneGraph, regions: Sequence[Region]) -> Surface | None:
    """Return all surface places as one surface in the colors of their regions; None without outlines."""
    outlines = graph.surface_places.boundaries
    if outlines is None or not len(graph.surface_places):
        return None
    shades = np.tile(np.array(rgb(UNNAMED), float), (len(graph.surface_places), 1))
    for region in regions:
        shades[region.places] = rgb(region.color)
    shades = (DIM * shades).astype(np.uint8)
    starts, points = np.asarray(outlines.starts), outlines.points
    sizes = np.diff(starts)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    corner = np.arange(len(points))
    after = corner + 1
    last = starts[1:][sizes > 0] - 1
    after[last] = starts[:-1][sizes > 0]
    middles = np.stack(
        [np.bincount(owner, points[:, k], len(sizes)) / np.maximum(sizes, 1) for k in range(3)], 1
    )
    faces = np.stack([len(points) + owner, corner, after], axis=1)
    faces = faces[sizes[owner] > 2]
    vertices = np.concatenate([points, middles]) + (0.0, 0.0, LIFT_M)
    whole = Surface(vertices, faces, np.concatenate([shades[owner], shades]))
    return at_most(whole, AREA_TRIANGLES)


def links_of(graph: SceneGraph, name: str) -> Floats:
    """Return the edges of a layer as segments (m, 2, 3)."""
    layer = graph.layer(name)
    return np.asarray(layer.positions[layer.edges.rows])


# ---- objects ----


def crates_of(graph: SceneGraph) -> Crates:
    """Return the boxes of all objects in the colors of their classes."""
    layer, words = graph.objects, graph.label_words("objects") if graph.has("objects") else []
    kinds = class_colors(words)
    colors = np.array([rgb(kinds[word]) for word in words], np.uint8).reshape(-1, 3)
    centers, sizes = layer.positions.copy(), np.full((len(layer), 3), 0.5)
    quats = np.tile([1.0, 0.0, 0.0, 0.0], (len(layer), 1))
    if layer.boxes is not None:
        valid = layer.boxes.valid
        centers[valid] = layer.boxes.centers[valid]
        sizes[valid] = np.maximum(layer.boxes.sizes[valid], 0.05)
        quats[valid] = layer.boxes.quat_wxyz[valid]
    return Crates(centers, sizes, quats, colors)


def boxes_apart(crates: Crates) -> Surface:
    """Return boxes as triangles with corners of their own, so that edges stay sharp when shaded."""
    found = boxes_surface(crates)
    corner = found.faces.reshape(-1)
    faces = np.arange(len(corner)).reshape(-1, 3)
    return Surface(found.vertices[corner], faces, found.colors[corner])


def boxes_surface(crates: Crates) -> Surface:
    """Return boxes as triangles: 8 corners and 12 triangles each."""
    count = len(crates.centers)
    local = CUBE[None] * crates.sizes[:, None]
    R = from_quat_wxyz(crates.quat_wxyz)
    corners = np.einsum("nij,nkj->nki", R, local) + crates.centers[:, None]
    faces = CUBE_FACES[None] + 8 * np.arange(count)[:, None, None]
    return Surface(
        corners.reshape(-1, 3), faces.reshape(-1, 3), np.repeat(crates.colors, 8, axis=0)
    )


def picked(crates: Crates, origin: Floats, direction: Floats) -> int:
    """Return the box that a ray meets first, or −1: slabs in each box's own frame."""
    if not len(crates.centers):
        return -1
    R = from_quat_wxyz(crates.quat_wxyz)
    start = np.einsum("nji,nj->ni", R, origin - crates.centers)
    along = np.einsum("nji,j->ni", R, direction)
    along = np.where(np.abs(along) < 1e-12, 1e-12, along)
    half = crates.sizes / 2
    a, b = (-half - start) / along, (half - start) / along
    enter, leave = np.minimum(a, b).max(axis=1), np.maximum(a, b).min(axis=1)
    hit = (leave >= np.maximum(enter, 0.0)) & np.isfinite(enter)
    return int(np.where(hit, enter, np.inf).argmin()) if hit.any() else -1


def trodden(graph: SceneGraph, origin: Floats, direction: Floats) -> int:
    """Return the surface place that a ray meets the ground at, or −1."""
    layer = graph.surface_places
    if not len(layer) or direction[2] > -1e-6:
        return -1
    here = origin + direction * ((np.median(layer.positions[:, 2]) - origin[2]) / direction[2])
    gap_m, row = graph.nearest("surface_places", here[None])
    return int(row[0, 0]) if gap_m[0, 0] < 6.0 else -1


def apart_labels(
    points: Floats, weights: Floats, gap_m: float, most: int, taken: Floats | None = None
) -> Ints:
    """Return rows of points (n, 3) to be labeled: the weightiest, none within a gap of others or ``taken``.

    Names are wide and low, so that toward the north a third of the gap is enough.
    """
    kept: list[int] = []
    room = gap_m * np.array([1.0, 1 / 3])
    others = np.empty((0, 2)) if taken is None else np.asarray(taken).reshape(-1, 3)[:, :2]
    for row in np.argsort(-weights, kind="stable").tolist():
        if len(kept) >= most:
            break
        gaps = np.abs(np.concatenate([others, points[kept, :2]]) - points[row, :2])
        if not (gaps < room).all(axis=1).any():
            kept.append(row)
    return np.asarray(sorted(kept), np.int64)


def bounds_of(graph: SceneGraph) -> tuple[Floats, float]:
    """Return the middle (3,) and the width in meters of what there is."""
    points = [layer.positions for layer in graph.layers.values() if len(layer)]
    if not points:
        return np.zeros(3), 20.0
    everything = np.concatenate(points)
    good: Bools = np.all(np.isfinite(everything), axis=1)
    low, high = np.percentile(everything[good], [1, 99], axis=0)
    width = float(max(high - low))
    return (low + high) / 2, width + min(max(width / 4, 1.0), 5.0)
