"""A world: its ground, buildings and things, as rendered, driven on and described."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from commonground.arrays import Bools, Bytes, Floats, Floats32, Ints32
from commonground.datasets.world.ground import Ground
from commonground.datasets.world.roads import Lanes
from commonground.datasets.world.shapes import Shape, joined
from commonground.geometry import apply

GROUND = -1
"""Class of ground triangles in a Soup: the class under the point is looked up in the raster."""


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """One object: a model, and where it stands."""

    index: int
    """Its number in every session and image: ``O<index>`` in the graph. Starts at 1."""
    kind: str
    label: int
    shape: Shape
    """In its own frame; look-alikes share it."""
    T_world_thing: Floats
    """(4, 4)"""
    movable: bool

    @property
    def box_center(self) -> Floats:
        """The center (3,) of its box, in the world."""
        low, high = self.shape.bounds()
        return np.asarray(apply(self.T_world_thing, [(low + high) / 2])[0])

    @property
    def box_size(self) -> Floats:
        """The edge lengths (3,) of its tight box along its own axes."""
        low, high = self.shape.bounds()
        return high - low


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A named piece of ground of one kind."""

    name: str
    label: int


@dataclass(frozen=True, slots=True, eq=False)
class Building:
    """A building or another structure, in world coordinates, with a class per triangle."""

    name: str
    shape: Shape


@dataclass(frozen=True, slots=True, eq=False)
class Interior:
    """The room under a roof of a building that can be entered, with its outer walls."""

    low: Floats
    """(3,)"""
    high: Floats
    """(3,) up to the ceiling."""

    def holds(self, points: Floats, margin_m: float = 0.0) -> Bools:
        """Tell which points (n, 2 or 3) lie inside, so far from the outside of the walls."""
        d = points.shape[1]
        low, high = self.low.copy(), self.high.copy()
        low[:2] += margin_m
        high[:2] -= margin_m
        slack = np.array([0.0, 0.0, 0.05])[:d]  # floors and ceilings belong to it
        return np.asarray(((points >= low[:d] - slack) & (points <= high[:d] + slack)).all(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class Soup:
    """Every triangle of a world, in columns, as the renderer wants it."""

    vertices: Floats32
    """(n, 3)"""
    local: Floats32
    """(n, 3) in the frame of the thing, so that a moved thing keeps its texture."""
    faces: Ints32
    """(m, 3)"""
    colors: Bytes
    """(m, 3)"""
    textures: Bytes
    """(m,)"""
    instances: Ints32
    """(m,) 0 for what is no object."""
    labels: Ints32
    """(m,) GROUND where the ground's raster tells."""


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Everything there is at one time; ``seed`` and settings determine it wholly."""

    kind: str
    seed: int
    ground: Ground
    things: tuple[Thing, ...]
    buildings: tuple[Building, ...]
    regions: tuple[Region, ...]
    lanes: Lanes
    interiors: tuple[Interior, ...] = ()
    """Of the buildings robots drive through."""
    session: int = 0
    """0 before any change."""
    changes: tuple[str, ...] = field(default=())
    """A line for each difference to session 0, such as ``moved O12 box``."""

    def is_inside(self, points: Floats, margin_m: float = 0.0) -> Bools:
        """Tell which points (n, 2 or 3) lie in a building that can be entered."""
        inside = [interior.holds(points, margin_m) for interior in self.interiors]
        return np.asarray(np.any([np.zeros(len(points), bool), *inside], axis=0))

    def soup(self) -> Soup:
        """Return all triangles; the ground comes first."""
        ground = self.ground.shape()
        parts: list[tuple[Shape, Floats, int, int]] = [(ground, np.eye(4), 0, GROUND)]
        parts += [(b.shape, np.eye(4), 0, 0) for b in self.buildings]
        parts += [(t.shape, t.T_world_thing, t.index, t.label) for t in self.things]
        counts = [len(shape.faces) for shape, *_ in parts]
        whole = joined([shape.moved(T) for shape, T, *_ in parts])
        labels = np.repeat(np.array([label for *_, label in parts], np.int32), counts)
        if whole.labels is not None:
            labels = np.where(whole.labels > 0, whole.labels, labels).astype(np.int32)
        return Soup(
            vertices=whole.vertices.astype(np.float32),
            local=np.concatenate([shape.vertices for shape, *_ in parts]).astype(np.float32),
            faces=whole.faces.astype(np.int32),
            colors=whole.colors,
            textures=whole.textures,
            instances=np.repeat(np.array([i for *_, i, _ in parts], np.int32), counts),
            labels=labels,
        )
