"""An office floor: corridors in a loop, rooms of a few kinds on both sides, furniture along the walls."""

from __future__ import annotations

import numpy as np

from commonground.datasets.labels import NUMBER
from commonground.datasets.world.indoor import INDOOR
from commonground.datasets.world.model import World
from commonground.datasets.world.rooms import (
    CORRIDOR_M,
    DEPTH_M,
    HEIGHT_M,
    WALL_M,
    Room,
    build_rooms,
    corridor_things,
    row_of_rooms,
    wall,
)
from commonground.datasets.world.shapes import SLABS, box
from commonground.datasets.world.site import Site


def make_office(seed: int, size_m: float, objects: int) -> World:
    """Return an office floor ``size_m`` long with at most about ``objects`` things."""
    rng = np.random.default_rng([seed, 0x0F])
    rows = max(
        1, round(size_m / 40)
    )  # each pair of room rows back to back lies between two corridors
    depth = 2 * WALL_M + CORRIDOR_M + rows * (2 * DEPTH_M + CORRIDOR_M) + 2 * DEPTH_M
    site = Site((size_m, depth), "floor", INDOOR, rng)
    site.interior((0.0, 0.0, size_m, depth), HEIGHT_M)
    corridors = [DEPTH_M + WALL_M + k * (2 * DEPTH_M + CORRIDOR_M) for k in range(rows + 1)]
    _corridors(site, corridors)
    rooms = _rooms(site, corridors)
    build_rooms(site, rooms)
    _shell(site)
    for y in corridors:
        corridor_things(site, 2.0, size_m - 2.0, y)
    site.thin_out(objects, keep=("desk",))  # screens stand on them
    return site.finished("office", seed, 0.0, step_m=0.5)


def _corridors(site: Site, corridors: list[float]) -> None:
    width = site.size[0]
    ends = (CORRIDOR_M / 2 + WALL_M, width - CORRIDOR_M / 2 - WALL_M)
    for k, y in enumerate(corridors):
        name = "south" if k == 0 else "north" if k == len(corridors) - 1 else "middle"
        region = site.region(f"{name} corridor", "corridor")
        site.canvas.rectangle((WALL_M, y, width - WALL_M, y + CORRIDOR_M), "floor", region)
        site.lane((ends[0], y + CORRIDOR_M / 2), (ends[1], y + CORRIDOR_M / 2), 1.2)
    low, high = corridors[0] + CORRIDOR_M / 2, corridors[-1] + CORRIDOR_M / 2
    for name, x in zip(("west", "east"), ends, strict=True):
        region = site.region(f"{name} corridor", "corridor")
        half = CORRIDOR_M / 2
        site.canvas.rectangle((x - half, low - half, x + half, high + half), "floor", region)
        site.lane((x, low), (x, high), 1.2)


def _rooms(site: Site, corridors: list[float]) -> list[Room]:
    """Return the rooms: outer rows over the whole length, inner rows between the end corridors."""
    outer = (WALL_M, site.size[0] - WALL_M)
    inner = (CORRIDOR_M + 2 * WALL_M, site.size[0] - CORRIDOR_M - 2 * WALL_M)
    rooms = []
    for k, y in enumerate(corridors):
        below = outer if k == 0 else inner
        above = outer if k == len(corridors) - 1 else inner
        rooms += row_of_rooms(site, *below, (y - DEPTH_M, y), 1)
        rooms += row_of_rooms(site, *above, (y + CORRIDOR_M, y + CORRIDOR_M + DEPTH_M), -1)
    return rooms


def _shell(site: Site) -> None:
    """Put up the outer walls and the ceiling."""
    w, d = site.size
    h = WALL_M / 2
    for a in (
        (h, h, w - h, h),
        (h, d - h, w - h, d - h),
        (h, h, h, d - h),
        (w - h, h, w - h, d - h),
    ):
        wall(site, *a)
    ceiling = box((w, d, 0.1), (235, 235, 232), SLABS).at(0, 0, HEIGHT_M)
    site.structure("ceiling", ceiling.labeled(NUMBER["ceiling"]), (w / 2, d / 2))
