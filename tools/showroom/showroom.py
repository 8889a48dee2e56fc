"""A showroom: a thing of each kind, to be looked at from all sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from commonground.datasets.labels import NUMBER
from commonground.datasets.world.ground import Canvas, Ground
from commonground.datasets.world.indoor import INDOOR
from commonground.datasets.world.model import Thing, World
from commonground.datasets.world.outdoor import OUTDOOR
from commonground.datasets.world.roads import lanes_of
from commonground.datasets.world.shapes import Shape
from commonground.geometry import from_xyz_yaw
from tools.showroom.catalog import catalog, make

SPACE_M = 6.0
SURFACES = ("floor", "grass", "sidewalk", "road", "ground", "path")
NO_CLASS = NUMBER["unknown"]


def all_kinds() -> tuple[str, ...]:
    """Return the names of the kinds, of the catalog and of the other worlds."""
    return tuple(sorted({*catalog(), *OUTDOOR, *INDOOR}))


def showroom(names: Sequence[str], seed: int, space_m: float = SPACE_M) -> World:
    """Return a world with a thing of each name, in rows on ground of all kinds; ``kind`` is its name.

    ``space_m`` is from middle to middle; with little of it they stand in front of each other.
    """
    rng = np.random.default_rng([seed, 0x5A])
    side = int(np.ceil(np.sqrt(len(names))))
    size = space_m * (side + 1)
    canvas = Canvas((size, size), "floor", 0.5)
    for row in range(side + 1):
        surface = SURFACES[int(rng.integers(len(SURFACES)))]
        canvas.rectangle((0, space_m * (row + 0.5), size, space_m * (row + 1.5)), surface)
    ground = Ground(
        np.zeros(2), space_m, np.zeros((side + 2,) * 2), canvas.cell_m,
        canvas.surface, canvas.paint, canvas.region,
    )  # fmt: skip
    things = tuple(_things(names, side, space_m, rng))
    lanes = lanes_of([((1.0, 1.0), (size - 1.0, 1.0), 1.0, 1.0)])
    return World("showroom", seed, ground, things, (), (), lanes)


def _things(
    names: Sequence[str], side: int, space_m: float, rng: np.random.Generator
) -> Iterator[Thing]:
    for index, name in enumerate(names):
        shape = _made(name, rng)
        low, high = shape.bounds()
        shape = shape.scaled(np.full(3, min(1.0, 3.0 / float((high - low).max()))))
        row, column = divmod(index, side)
        x, y = space_m * (column + 1), space_m * (row + 1)
        pose = from_xyz_yaw([x, y, 0.0, rng.uniform(-np.pi, np.pi)])
        yield Thing(index + 1, name, NO_CLASS, shape, pose, False)


def _made(name: str, rng: np.random.Generator) -> Shape:
    if name in catalog():
        return make(name, rng)
    kind = OUTDOOR.get(name) or INDOOR[name]
    return kind.make(rng)
