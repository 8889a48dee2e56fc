"""Campuses and offices that are furnished with things of the catalog, which no label list has."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from commonground.datasets.settings import WorldSettings
from commonground.datasets.world.making import world_of
from commonground.datasets.world.model import World
from commonground.datasets.world.shapes import Shape
from tools.showroom.catalog import catalog, make
from tools.showroom.showroom import NO_CLASS

LEAST_M = 0.25
"""Smaller things are left out, as wide as that."""
ON_GROUND_M = 0.1


def furnished(settings: WorldSettings) -> World:
    """Return a world whose things are of the catalog; what hangs or stands on others is left out.

    In each thing's place stands one of the kinds that are about as large.
    """
    world = world_of(settings)
    rng = np.random.default_rng([settings.seed, 0xF2])
    made = {name: make(name, rng) for name in sorted(catalog())}
    wide = {name: _width(shape) for name, shape in made.items()}
    things = []
    for thing in world.things:
        x, y, z = thing.T_world_thing[:3, 3]
        if z - float(world.ground.height([[x, y]])[0]) > ON_GROUND_M:
            continue
        room = max(LEAST_M, float(thing.box_size[:2].max()))
        fitting = [n for n, w in wide.items() if room / 3 <= w <= room and w >= LEAST_M]
        name = str(rng.choice(fitting or sorted(catalog())))
        shape = make(name, rng)
        shape = shape.scaled(np.full(3, min(1.0, room / _width(shape))))
        things.append(replace(thing, kind=name, label=NO_CLASS, shape=shape))
    return replace(world, things=tuple(things))


def _width(shape: Shape) -> float:
    low, high = shape.bounds()
    return float((high - low)[:2].max())
