"""Triangle shapes: boxes, drums, balls and prisms, put together into the things of a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Bytes, Floats, Ints32
from commonground.geometry import apply

PLAIN, SPECKLED, GRASSY, BRICK, SLABS, PLANKS, LEAFY, GLASS, STRIPES, STONE = range(10)
"""Procedural textures, as the shading kernel knows them."""

Color = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Triangles with a color and a texture each."""

    vertices: Floats
    """(n, 3)"""
    faces: Ints32
    """(m, 3), counter-clockwise from outside."""
    colors: Bytes
    """(m, 3)"""
    textures: Bytes
    """(m,) one of the texture numbers."""
    labels: Ints32 | None = None
    """(m,) class of each triangle where it is not that of the whole."""

    def moved(self, T: Floats) -> Shape:
        """Return the shape moved by T (4, 4)."""
        return replace(self, vertices=apply(T, self.vertices))

    def at(self, x: float, y: float, z: float) -> Shape:
        return replace(self, vertices=self.vertices + [x, y, z])

    def turned(self, angle: float, axis: str = "z") -> Shape:
        """Return the shape turned about an axis by radians."""
        i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
        v = self.vertices.copy()
        c, s = np.cos(angle), np.sin(angle)
        v[:, i], v[:, j] = (
            c * self.vertices[:, i] - s * self.vertices[:, j],
            s * self.vertices[:, i] + c * self.vertices[:, j],
        )
        return replace(self, vertices=v)

    def scaled(self, factors: ArrayLike) -> Shape:
        """Return the shape stretched along its axes by positive factors."""
        return replace(self, vertices=self.vertices * np.asarray(factors, float))

    def labeled(self, label: int) -> Shape:
        """Return the shape with every triangle of one class."""
        return replace(self, labels=np.full(len(self.faces), label, np.int32))

    def bounds(self) -> tuple[Floats, Floats]:
        """Return the lowest and the highest corner (3,) of the box around the shape."""
        return self.vertices.min(axis=0), self.vertices.max(axis=0)


def joined(shapes: Sequence[Shape]) -> Shape:
    """Return one shape of several; unlabeled ones get the class 0 if any has one."""
    starts = np.cumsum([0, *(len(s.vertices) for s in shapes)])
    labels = None
    if any(s.labels is not None for s in shapes):
        labels = np.concatenate(
            [np.zeros(len(s.faces), np.int32) if s.labels is None else s.labels for s in shapes]
        )
    return Shape(
        np.concatenate([s.vertices for s in shapes]),
        np.concatenate([s.faces + n for s, n in zip(shapes, starts, strict=False)]),
        np.concatenate([s.colors for s in shapes]),
        np.concatenate([s.textures for s in shapes]),
        labels,
    )


def mesh(vertices: ArrayLike, faces: ArrayLike, color: Color, texture: int = PLAIN) -> Shape:
    f = np.asarray(faces, np.int32).reshape(-1, 3)
    return Shape(
        np.asarray(vertices, float).reshape(-1, 3),
        f,
        np.tile(np.asarray(color, np.uint8), (len(f), 1)),
        np.full(len(f), texture, np.uint8),
    )


def box(size: Sequence[float], color: Color, texture: int = PLAIN) -> Shape:
    """Return a box standing on z = 0, centered over the origin, with full edge lengths."""
    return prism([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], 1.0, color, texture).scaled(
        size
    )


def prism(
    outline: ArrayLike, height: float, color: Color, texture: int = PLAIN, taper: float = 1.0
) -> Shape:
    """Return an upright prism over a convex outline (n, 2), counter-clockwise; the top is scaled by taper."""
    base = np.asarray(outline, float)
    n = len(base)
    middle = base.mean(axis=0)
    vertices = np.zeros((2 * n, 3))
    vertices[:n, :2] = base
    vertices[n:, :2] = middle + (base - middle) * taper
    vertices[n:, 2] = height
    return mesh(vertices, _faces_of_prism(n).copy(), color, texture)


@cache
def _faces_of_prism(n: int) -> Ints32:
    """Return the faces of every prism over n corners."""
    i, j = np.arange(n), (np.arange(n) + 1) % n
    sides = np.concatenate([np.c_[i, j, j + n], np.c_[i, j + n, i + n]])
    k = np.arange(1, n - 1)
    bottom = np.c_[np.zeros_like(k), k + 1, k]
    lid = np.c_[np.full_like(k, n), k + n, k + n + 1]
    return np.concatenate([sides, bottom, lid]).astype(np.int32)


def drum(
    radius: float,
    height: float,
    color: Color,
    texture: int = PLAIN,
    *,
    sides: int = 10,
    taper: float = 1.0,
) -> Shape:
    """Return an upright cylinder on z = 0, or a cone frustum with a taper below one."""
    a = 2 * np.pi * np.arange(sides) / sides
    return prism(radius * np.c_[np.cos(a), np.sin(a)], height, color, texture, max(taper, 1e-3))


def ball(radii: Sequence[float], color: Color, texture: int = PLAIN, *, rings: int = 5) -> Shape:
    """Return an ellipsoid centered on the origin."""
    sides = 2 * rings
    theta = np.pi * np.arange(1, rings) / rings
    phi = 2 * np.pi * np.arange(sides) / sides
    z, r = np.cos(theta)[:, None], np.sin(theta)[:, None]
    ring = np.stack([r * np.cos(phi), r * np.sin(phi), z + 0 * phi], axis=-1).reshape(-1, 3)
    vertices = np.concatenate([[[0, 0, 1.0]], ring, [[0, 0, -1.0]]])
    i, j = np.arange(sides), (np.arange(sides) + 1) % sides
    faces = [np.c_[np.zeros(sides, int), 1 + i, 1 + j]]
    for k in range(rings - 2):
        a, b = 1 + k * sides, 1 + (k + 1) * sides
        faces += [np.c_[a + i, b + i, b + j], np.c_[a + i, b + j, a + j]]
    last = 1 + (rings - 2) * sides
    faces.append(np.c_[np.full(sides, len(vertices) - 1), last + j, last + i])
    return mesh(vertices, np.concatenate(faces), color, texture).scaled(radii)


def bar(
    start: Sequence[float], end: Sequence[float], radius: float, color: Color, sides: int = 6
) -> Shape:
    """Return a round bar between two points."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(b - a))
    z = (b - a) / length
    x = np.cross([0, 1, 0] if abs(z[1]) < 0.9 else [1, 0, 0], z)
    x /= np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    T[:3, 3] = a
    return drum(radius, length, color, sides=sides).moved(T)


def ring(radius: float, thickness: float, color: Color, *, sides: int = 14) -> Shape:
    """Return a wheel rim in the x-z plane around the origin, square in section."""
    a = 2 * np.pi * np.arange(sides) / sides
    h = thickness / 2
    corners = [(radius - h, -h), (radius + h, -h), (radius + h, h), (radius - h, h)]
    vertices = np.concatenate(
        [np.stack([r * np.cos(a), np.full(sides, y), r * np.sin(a)], axis=1) for r, y in corners]
    )
    i, j = np.arange(sides), (np.arange(sides) + 1) % sides
    faces = []
    for k in range(4):
        p, q = k * sides, (k + 1) % 4 * sides
        faces += [np.c_[p + i, q + i, q + j], np.c_[p + i, q + j, p + j]]
    return mesh(vertices, np.concatenate(faces), color)


def crumpled(shape: Shape, amount: float, rng: np.random.Generator) -> Shape:
    """Return the shape with its vertices pushed about by up to ``amount`` of its extent."""
    low, high = shape.bounds()
    push = rng.uniform(-amount, amount, shape.vertices.shape) * (high - low)
    return replace(shape, vertices=shape.vertices + push)
