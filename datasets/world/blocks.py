"""The blocks of a campus between its roads, and what many of them have: houses, doors, paths, trees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.datasets.world.clearance import Rect
from commonground.datasets.world.houses import house
from commonground.datasets.world.site import Site

Point = tuple[float, float]
RING_M = 2.4
"""Width of the sidewalk around a block."""


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle between roads; ``roads`` tells which of its west, south, east, north sides face one."""

    name: str
    """Where it is: ``northwest``, ``central``, …"""
    rect: Rect
    roads: tuple[bool, bool, bool, bool]

    def inner(self, gap: float = 0.0) -> Rect:
        """Return the rectangle inside the walk around the block."""
        x0, y0, x1, y1 = self.rect
        g = RING_M + gap
        return x0 + g, y0 + g, x1 - g, y1 - g

    @property
    def sides(self) -> tuple[float, float]:
        return self.rect[2] - self.rect[0], self.rect[3] - self.rect[1]

    @property
    def middle(self) -> tuple[float, float]:
        x0, y0, x1, y1 = self.rect
        return (x0 + x1) / 2, (y0 + y1) / 2

    def reached_corners(self) -> list[Point]:
        """Return the corners of the sidewalk that lie on a road."""
        x0, y0, x1, y1 = self.rect
        m = RING_M / 2
        west, south, east, north = self.roads
        corners = (
            ((x0 + m, y0 + m), west or south),
            ((x1 - m, y1 - m), east or north),
            ((x0 + m, y1 - m), west or north),
            ((x1 - m, y0 + m), east or south),
        )
        return [corner for corner, reached in corners if reached]


def put_house(site: Site, name: str, rect: Rect, storeys: int) -> None:
    w, d = rect[2] - rect[0], rect[3] - rect[1]
    shape = house(w, d, storeys, site.rng)
    site.structure(name, shape, ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2))
    site.obstacle(rect)


def put_door(
    site: Site, block: Block, xy: tuple[float, float], facing: int, model: int | None = None
) -> None:
    """Put a door into a wall facing south (−1) or north (1), a lamp, a bin and a plant beside.

    A walk leads to it from the sidewalk where there is one on that side.
    """
    out, yaw = np.array([0.0, facing]), facing * np.pi / 2
    side = np.array([-out[1], out[0]])
    p = np.array(xy)
    site.put("house door", p + 0.02 * out, yaw, model=model, force=True)
    target = p + 2.6 * out
    if block.roads[1 if facing < 0 else 3]:
        y0, y1 = block.rect[1] + RING_M / 2, block.rect[3] - RING_M / 2
        target = np.array([p[0], y0 if facing < 0 else y1])
    site.canvas.strip(p + 0.8 * out, target, 2.0, "path", site.path_region(block.name))
    site.lane(p + 1.5 * out, target, 2.0)
    for offset, kind in (
        (1.9, "litter bin"),
        (-1.9, "planter"),
        (3.2, "path light"),
        (-3.4, "barrel"),
    ):
        site.put(kind, p + 1.0 * out + offset * side, yaw, model=model)


def walk_around(site: Site, block: Block, rect: Rect, gap: float = 2.6) -> None:
    """Lay a path around a building; the entrance paths cross it."""
    x0, y0, x1, y1 = rect[0] - gap, rect[1] - gap, rect[2] + gap, rect[3] + gap
    region = site.path_region(block.name)
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    for k in range(4):
        site.canvas.strip(corners[k], corners[(k + 1) % 4], 2.0, "path", region)
        site.lane(corners[k], corners[(k + 1) % 4], 2.0)
    site.put("bench", ((x0 + x1) / 2 + 3.0, y1 + 1.8), -np.pi / 2)


def furnish_path(site: Site, a: Point, b: Point, kinds: tuple[str, ...], gap: float = 4.5) -> None:
    """Put things on alternate sides of a path, facing it."""
    p, q = np.array(a), np.array(b)
    length = float(np.linalg.norm(q - p))
    along = (q - p) / length
    for k, d in enumerate(np.arange(4.0, length - 3.0, gap)):
        side = (1 if k % 2 else -1) * np.array([-along[1], along[0]])
        kind = str(site.rng.choice(kinds))
        off = 2.6 if "tree" in kind else 1.9
        yaw = float(np.arctan2(-side[1], -side[0]))
        site.put(
            kind, p + (d + float(site.rng.uniform(-1, 1))) * along + off * side, yaw, room=0.05
        )


def tree_row(site: Site, a: Point, b: Point, gap: float) -> None:
    """Plant equal trees in a row between two points."""
    p, q = np.array(a), np.array(b)
    length = float(np.linalg.norm(q - p))
    for d in np.arange(gap / 2, length, gap):
        site.put("broadleaf tree", p + (q - p) * d / length, float(site.rng.uniform(0, 6)), model=0)
