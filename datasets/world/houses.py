"""Buildings: walls with windows, roofs, open shelters."""

from __future__ import annotations

import numpy as np

from commonground.datasets.labels import NUMBER
from commonground.datasets.world.shapes import (
    BRICK,
    GLASS,
    PLANKS,
    SLABS,
    STONE,
    Color,
    Shape,
    box,
    drum,
    joined,
)

STOREY_M = 3.2
WALLS: tuple[tuple[Color, int], ...] = (
    ((150, 82, 62), BRICK),
    ((178, 140, 104), BRICK),
    ((185, 182, 172), SLABS),
    ((196, 186, 160), STONE),
)


def house(
    width: float,
    depth: float,
    storeys: int,
    rng: np.random.Generator,
    looks: tuple[Color, int] | None = None,
) -> Shape:
    """Return a building centered on the origin, sunk half a meter, with windows all around."""
    color, texture = looks or WALLS[int(rng.integers(len(WALLS)))]
    height = STOREY_M * storeys
    walls = box((width, depth, height + 0.5), color, texture).at(0, 0, -0.5)
    plinth = box((width + 0.1, depth + 0.1, 0.9), (120, 118, 112), STONE).at(0, 0, -0.5)
    roof = box((width + 0.5, depth + 0.5, 0.4), (95, 92, 90), SLABS).at(0, 0, height)
    parts = [walls.labeled(NUMBER["building"]), plinth.labeled(NUMBER["building"])]
    parts.append(roof.labeled(NUMBER["roof"]))
    pane = float(rng.uniform(1.0, 1.5))
    for storey in range(storeys):
        z = storey * STOREY_M + 1.0
        for sign in (-1, 1):
            parts += [window(x, sign * depth / 2, z, pane, 0.0) for x in spread(width)]
            parts += [window(sign * width / 2, y, z, pane, np.pi / 2) for y in spread(depth)]
    return joined(parts)


def spread(length: float) -> list[float]:
    """Return where along a wall its windows sit, from its middle."""
    count = max(1, int(length / 3.4))
    return [(k + 0.5) * length / count - length / 2 for k in range(count)]


def window(x: float, y: float, z: float, pane: float, turn: float) -> Shape:
    """Return a window in a wall, its sill at a height."""
    frame = box((pane + 0.16, 0.1, 1.56), (225, 222, 214)).at(0, 0, -0.08)
    glass = box((pane, 0.16, 1.4), (62, 82, 98), GLASS)
    return joined([frame, glass]).turned(turn).at(x, y, z).labeled(NUMBER["window"])


def pavilion(width: float, depth: float, height: float) -> Shape:
    """Return an open shelter: four posts and a roof, centered on the origin."""
    wood: Color = (120, 88, 58)
    posts = [
        drum(0.14, height + 0.5, wood, PLANKS, sides=8).at(
            x * (width / 2 - 0.4), y * (depth / 2 - 0.4), -0.5
        )
        for x in (-1, 1)
        for y in (-1, 1)
    ]
    deck = box((width, depth, 0.2), wood, PLANKS).at(0, 0, height)
    top = (
        drum(0.707, 1.0, (110, 60, 50), SLABS, sides=4, taper=0.3)
        .turned(np.pi / 4)
        .scaled((width, depth, 1))
    )
    return joined(
        [s.labeled(NUMBER["building"]) for s in posts]
        + [s.labeled(NUMBER["roof"]) for s in (deck, top.at(0, 0, height + 0.2))]
    )
