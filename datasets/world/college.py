"""A building robots drive through: a long corridor, a lobby across, rooms between, doors on all sides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats
from commonground.datasets.labels import NUMBER
from commonground.datasets.world.blocks import RING_M, Block, tree_row, walk_around
from commonground.datasets.world.clearance import Rect
from commonground.datasets.world.houses import WALLS, house, spread, window
from commonground.datasets.world.kinds import pick
from commonground.datasets.world.rooms import (
    CORRIDOR_M,
    HEIGHT_M,
    PAINTS,
    build_rooms,
    corridor_things,
    row_of_rooms,
)
from commonground.datasets.world.shapes import SLABS, Color, Shape, box, joined
from commonground.datasets.world.site import Site

OUTER_M, TOP_M = 0.3, HEIGHT_M + 0.1
"""Thickness of outer walls, height of the ground floor with its ceiling."""
GATE_M, GATE_HEIGHT_M = 2.0, 2.4
LOBBY_M, DEPTH_M, LONGEST_M = 8.0, 18.0, 42.0
AROUND_M = 2.6
"""From the outer walls to the path around."""
INVITING = 4.0
"""Appeal of the lanes through the doors."""
ROOMS_APPEAL = 0.3
"""Most drives pass through; some look into a room."""
BY_DOORS = (
    "planter", "litter bin", "bench", "bicycle", "path light", "barrel", "information board",
    "bollard",
)  # fmt: skip
IN_LOBBIES = (
    "sofa", "sofa", "flower tub", "fig tree", "whiteboard", "water cooler", "waste bin",
    "bookshelf", "coat stand", "statue",
)  # fmt: skip
"""Each lobby has its own, as each door has: few buildings look the same after half a turn."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """An outer wall, with a doorway in its middle."""

    rect: Rect
    gate: Floats
    """(2,) the middle of the doorway, on the outer face."""
    out: Floats
    """(2,) the direction that leads out."""

    @property
    def along(self) -> int:
        return int(abs(self.out[0]) > 0.5)

    def pieces(self) -> list[tuple[Rect, float]]:
        """Return the wall left and right of the doorway and the lintel, each with the height it starts at."""
        k, middle = self.along, float(self.gate[self.along])
        cuts = (self.rect[k], middle - GATE_M / 2, middle + GATE_M / 2, self.rect[k + 2])
        out = []
        for i, bottom in ((0, 0.0), (2, 0.0), (1, GATE_HEIGHT_M)):
            part = list(self.rect)
            part[k], part[k + 2] = cuts[i], cuts[i + 1]
            out.append(((part[0], part[1], part[2], part[3]), bottom))
        return out


def college(site: Site, block: Block) -> None:
    """A long building with an office floor on the ground that is open on all four sides."""
    rect = _footprint(block)
    name, looks = f"{block.name} college", WALLS[int(site.rng.integers(len(WALLS)))]
    sides = _sides(rect)
    walk_around(site, block, rect, AROUND_M)
    for number, side in enumerate(sides):
        _way_in(site, block, side, number)
    site.interior(rect, HEIGHT_M)
    _passages(site, name, rect)
    paint = pick(site.rng, PAINTS)
    for side in sides:
        _facade(site, name, side, looks, paint)
    _upper_floors(site, name, rect, looks)
    _rooms(site, rect)
    _furnish(site, rect)
    x0, y0, x1, y1 = block.inner()
    tree_row(site, (x0 + 3, y0 + 4), (x1 - 3, y0 + 4), 8.0)
    tree_row(site, (x0 + 3, y1 - 4), (x1 - 3, y1 - 4), 8.0)


def _footprint(block: Block) -> Rect:
    """Return the rectangle of the building, in whole meters as the squares of the ground are."""
    x0, _, x1, _ = block.inner(AROUND_M + 1.0)
    cx, cy = block.middle
    half = np.floor(min(x1 - x0, LONGEST_M) / 2)
    left, low = np.rint(cx - half), np.rint(cy - DEPTH_M / 2)
    return float(left), float(low), float(left + 2 * half), float(low + DEPTH_M)


def _middle(rect: Rect) -> tuple[float, float]:
    return (rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2


def _sides(rect: Rect) -> list[Side]:
    """Return the outer walls: west, south, east, north."""
    x0, y0, x1, y1 = rect
    (cx, cy), t = _middle(rect), OUTER_M
    return [
        Side((x0, y0 + t, x0 + t, y1 - t), np.array([x0, cy]), np.array([-1.0, 0.0])),
        Side((x0, y0, x1, y0 + t), np.array([cx, y0]), np.array([0.0, -1.0])),
        Side((x1 - t, y0 + t, x1, y1 - t), np.array([x1, cy]), np.array([1.0, 0.0])),
        Side((x0, y1 - t, x1, y1), np.array([cx, y1]), np.array([0.0, 1.0])),
    ]


def _way_in(site: Site, block: Block, side: Side, number: int) -> None:
    """Lead a path to a door, from the sidewalk where there is one on that side, with things beside it."""
    x0, y0, x1, y1 = block.rect
    m, p, out = RING_M / 2, side.gate, side.out
    ring = p + AROUND_M * out
    target = ring.copy()
    if block.roads[number]:
        target[1 - side.along] = (x0 + m, y0 + m, x1 - m, y1 - m)[number]
        site.lane(ring, target, 2.0)
    site.canvas.strip(p, target, 2.2, "path", site.path_region(block.name))
    site.lane(p - 1.5 * out, ring, 1.4, INVITING)
    across, yaw = np.array([-out[1], out[0]]), float(np.arctan2(out[1], out[0]))
    places = ((0.8, 1.8), (0.8, 4.2), (0.8, -1.8), (0.8, -4.2), (4.4, 2.0), (4.4, -2.0))
    kinds = site.rng.choice(BY_DOORS, len(places), replace=False)
    for kind, (ahead, aside) in zip(kinds, places, strict=True):
        if site.rng.random() < 0.7:
            spot = p + ahead * out + (aside + float(site.rng.uniform(-0.4, 0.4))) * across
            site.put(str(kind), spot, yaw, room=0.05)


def _passages(site: Site, name: str, rect: Rect) -> None:
    """Lay the corridor and the lobby that crosses it, with a lane each."""
    x0, y0, x1, y1 = rect
    cx, cy = _middle(rect)
    corridor = (x0, cy - CORRIDOR_M / 2, x1, cy + CORRIDOR_M / 2)
    site.canvas.rectangle(corridor, "floor", site.region(f"{name} corridor", "corridor"))
    lobby = (cx - LOBBY_M / 2, y0, cx + LOBBY_M / 2, y1)
    site.canvas.rectangle(lobby, "floor", site.region(f"{name} lobby", "lounge"))
    site.lane((x0 + 1.5, cy), (x1 - 1.5, cy), 1.2)
    site.lane((cx, y0 + 1.5), (cx, y1 - 1.5), 1.2)


def _facade(site: Site, name: str, side: Side, looks: tuple[Color, int], paint: Color) -> None:
    """Put up an outer wall, and the leaf of its door, which stands open."""
    for rect, bottom in side.pieces():
        site.structure(name, _masonry(rect, bottom, side, looks, paint), _middle(rect))
        if bottom == 0.0:
            site.obstacle(rect, level=False)
    leaf = side.gate - (OUTER_M + 0.5) * side.out
    leaf[side.along] += GATE_M / 2 + 0.08
    site.put("door", leaf, np.pi / 2 * side.along, room=-0.2, force=True)


def _masonry(
    rect: Rect, bottom: float, side: Side, looks: tuple[Color, int], paint: Color
) -> Shape:
    """Return a piece of outer wall around the origin: masonry and windows outside, paint inside."""
    w, d, height = rect[2] - rect[0], rect[3] - rect[1], TOP_M - bottom
    dx, dy = side.out * OUTER_M / 2
    inner = (w, 0.04, height) if side.along == 0 else (0.04, d, height)
    parts = [
        box((w, d, height), *looks).at(0, 0, bottom).labeled(NUMBER["building"]),
        box(inner, paint).at(-dx, -dy, bottom).labeled(NUMBER["wall"]),
    ]
    for s in spread((w, d)[side.along]) if bottom == 0.0 else ():
        x, y = (dx + s, dy) if side.along == 0 else (dx, dy + s)
        parts.append(window(x, y, 0.9, 1.2, np.pi / 2 * side.along))
    return joined(parts)


def _upper_floors(site: Site, name: str, rect: Rect, looks: tuple[Color, int]) -> None:
    w, d = rect[2] - rect[0], rect[3] - rect[1]
    ceiling = box((w - OUTER_M, d - OUTER_M, 0.1), (235, 235, 232), SLABS).at(0, 0, HEIGHT_M)
    site.structure(name, ceiling.labeled(NUMBER["ceiling"]), _middle(rect))
    storeys = int(site.rng.integers(1, 3))
    site.structure(name, house(w, d, storeys, site.rng, looks).at(0, 0, TOP_M + 0.5), _middle(rect))


def _rooms(site: Site, rect: Rect) -> None:
    """Fill the four quarters between corridor, lobby and outer walls with rooms."""
    x0, y0, x1, y1 = rect
    cx, cy = _middle(rect)
    below = (y0 + OUTER_M, cy - CORRIDOR_M / 2)
    above = (cy + CORRIDOR_M / 2, y1 - OUTER_M)
    rooms = []
    for low, high in ((x0 + OUTER_M, cx - LOBBY_M / 2), (cx + LOBBY_M / 2, x1 - OUTER_M)):
        rooms += row_of_rooms(site, low, high, below, 1)
        rooms += row_of_rooms(site, low, high, above, -1)
    build_rooms(site, rooms, ROOMS_APPEAL)


def _furnish(site: Site, rect: Rect) -> None:
    """Put seats, plants and boards into the lobby, and odd things along the corridor."""
    cx, cy = _middle(rect)
    for side in (-1, 1):
        for dy in (-6.6, -4.4, -2.2, 2.2, 4.4, 6.6):
            if site.rng.random() < 0.7:
                spot = (cx + side * 3.3, cy + dy + float(site.rng.uniform(-0.4, 0.4)))
                yaw = 0.0 if side < 0 else np.pi
                site.put(str(site.rng.choice(IN_LOBBIES)), spot, yaw, room=0.02)
    y = cy - CORRIDOR_M / 2
    corridor_things(site, rect[0] + 2.0, cx - LOBBY_M / 2, y)
    corridor_things(site, cx + LOBBY_M / 2, rect[2] - 2.0, y)
