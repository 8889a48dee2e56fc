"""The true scene graph of a world: its objects, ground and regions as a perfect map would have them."""

from __future__ import annotations

import colorsys
from functools import lru_cache

import numpy as np

from commonground.arrays import Floats
from commonground.datasets.labels import OBJECT_WORDS, ROOM_WORDS, SURFACE_WORDS, labelspace
from commonground.datasets.world.model import World
from commonground.datasets.world.patches import Patches, patches_of
from commonground.datasets.world.shapes import Shape
from commonground.geometry import quat_wxyz
from commonground.scene import Boxes, Edges, Layer, Mesh, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, REGIONS, SURFACE_PLACES
from commonground.symbols import node_ids

HUES = (
    (15, "red"),
    (42, "orange"),
    (68, "yellow"),
    (165, "green"),
    (255, "blue"),
    (320, "purple"),
    (361, "red"),
)
"""Upper bound of the hue in degrees → word."""


def scene_of(world: World, *, with_mesh: bool = False) -> SceneGraph:
    """Return the true graph: objects O, surface places P, regions R, and the links upwards."""
    patches = patches_of(world)
    objects = _objects(world)
    nearest = _nearest_patch(objects.positions, patches)
    graph = SceneGraph(
        layers={
            "objects": objects,
            "surface_places": _surface_places(patches),
            "regions": _regions(world, patches),
        },
        labelspaces={
            "objects": labelspace(OBJECT_WORDS),
            "surface_places": labelspace(SURFACE_WORDS),
            "regions": labelspace((*SURFACE_WORDS, *ROOM_WORDS)),
        },
        mesh=_mesh(world) if with_mesh else None,
        metadata={"world": world.kind, "seed": world.seed, "session": world.session},
    )
    return graph.with_links(
        "objects", "surface_places", np.c_[np.arange(len(nearest)), nearest]
    ).with_links("surface_places", "regions", _rows_of_regions(world, patches))


def _objects(world: World) -> Layer:
    things = world.things
    T = np.array([t.T_world_thing for t in things]).reshape(-1, 4, 4)
    centers = np.array([t.box_center for t in things]).reshape(-1, 3)
    sizes = np.array([t.box_size for t in things]).reshape(-1, 3)
    words = {id(t.shape): color_word(t.shape) for t in things}
    colors = [np.asarray(t.shape.colors, float).mean(axis=0) for t in things]
    return Layer.of(
        OBJECTS,
        node_ids("O", [t.index for t in things]),
        centers,
        labels=[t.label for t in things],
        names=[t.kind for t in things],
        boxes=Boxes(centers, sizes, quat_wxyz(T)),
        columns={"color": np.array(colors).reshape(-1, 3).astype(np.uint8)},
        extras=tuple({"metadata": {"color": words[id(t.shape)]}} for t in things),
    )


def _surface_places(patches: Patches) -> Layer:
    return Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(1, len(patches.centers) + 1)),
        patches.centers,
        labels=patches.labels,
        edges=Edges.of(patches.edges),
        boundaries=Ragged.of(patches.outlines),
    )


def _present_regions(patches: Patches) -> Floats:
    return np.unique(patches.regions[patches.regions >= 0])


def _regions(world: World, patches: Patches) -> Layer:
    """Return the regions that have ground of their own; R<k> is the k-th region of the world's list."""
    rows = _present_regions(patches)
    centers = np.array(
        [
            np.average(
                patches.centers[patches.regions == r],
                axis=0,
                weights=patches.areas[patches.regions == r],
            )
            for r in rows
        ]
    ).reshape(-1, 3)
    new = np.full(len(world.regions) + 1, -1)
    new[rows] = np.arange(len(rows))
    pairs = new[patches.regions[patches.edges]]
    pairs = np.unique(
        np.sort(pairs[(pairs >= 0).all(1) & (pairs[:, 0] != pairs[:, 1])], axis=1), axis=0
    )
    return Layer.of(
        REGIONS,
        node_ids("R", rows + 1),
        centers,
        labels=[world.regions[r].label for r in rows],
        names=[world.regions[r].name for r in rows],
        extras=tuple({"metadata": {"name": world.regions[r].name}} for r in rows),
        edges=Edges.of(pairs),
    )


def _rows_of_regions(world: World, patches: Patches) -> Floats:
    rows = _present_regions(patches)
    new = np.full(len(world.regions) + 1, -1)
    new[rows] = np.arange(len(rows))
    inside = np.flatnonzero(patches.regions >= 0)
    return np.stack([inside, new[patches.regions[inside]]], axis=1)


def _nearest_patch(positions: Floats, patches: Patches) -> Floats:
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(patches.centers[:, :2]).query(positions[:, :2])[1], np.int64)


def _mesh(world: World) -> Mesh:
    soup = world.soup()
    corners = soup.vertices[soup.faces].reshape(-1, 3)
    labels = soup.labels.copy()
    ground = np.flatnonzero(labels < 0)
    middles = soup.vertices[soup.faces[ground]].mean(axis=1)
    labels[ground] = world.ground.surface_at(middles[:, :2])
    return Mesh(
        vertices=corners.astype(float),
        faces=np.arange(len(corners), dtype=np.int32).reshape(-1, 3),
        colors=np.repeat(soup.colors, 3, axis=0),
        labels=np.repeat(labels, 3).astype(np.int32),
    )


# ---- words for colors ----


def color_word(shape: Shape) -> str:
    """Return the word for the color that covers most of a shape's surface."""
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    found: dict[str, float] = {}
    for color, size in zip(shape.colors.tolist(), area.tolist(), strict=True):
        word = word_of(tuple(color))
        found[word] = found.get(word, 0.0) + size
    return max(sorted(found), key=lambda word: found[word])


@lru_cache(maxsize=4096)
def word_of(rgb: tuple[int, ...]) -> str:
    """Return the word for a color (r, g, b) of 0 to 255."""
    h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in rgb))
    if v < 0.22:
        return "black"
    if s < 0.16:
        return "white" if v > 0.82 else "gray"
    word = next(name for bound, name in HUES if h * 360 < bound)
    return "brown" if word in ("orange", "red", "yellow") and v < 0.72 and s < 0.68 else word
