"""Makers of trees, rocks and flowers; each stands on z = 0."""

from __future__ import annotations

import numpy as np

from commonground.datasets.world.kinds import BRIGHT, pick
from commonground.datasets.world.shapes import LEAFY, STONE, Shape, ball, crumpled, drum, joined


def broadleaf(rng: np.random.Generator) -> Shape:
    """Return a tree with a trunk and a crown of several leafy masses."""
    height, trunk = rng.uniform(3.2, 4.6), rng.uniform(0.09, 0.18)
    green = (int(rng.integers(45, 85)), int(rng.integers(95, 135)), int(rng.integers(35, 60)))
    parts = [drum(trunk, 0.55 * height, (92, 70, 50), STONE, sides=8, taper=0.7)]
    for _ in range(4):
        r = rng.uniform(0.16, 0.24) * height
        x, y = rng.normal(0, 0.12 * height, 2)
        mass = crumpled(ball((r, r, 0.8 * r), green, LEAFY, rings=5), 0.04, rng)
        parts.append(mass.at(x, y, rng.uniform(0.6, 0.85) * height))
    return joined(parts)


def conifer(rng: np.random.Generator) -> Shape:
    """Return a tree of stacked cones."""
    height, radius = rng.uniform(2.8, 4.4), rng.uniform(0.8, 1.2)
    parts = [drum(0.14, 0.25 * height, (85, 62, 45), STONE, sides=7)]
    for k in range(3):
        cone = drum(
            radius * (1 - 0.25 * k), 0.42 * height, (38, 82, 52), LEAFY, sides=9, taper=0.05
        )
        parts.append(crumpled(cone, 0.02, rng).at(0, 0, (0.14 + 0.22 * k) * height))
    return joined(parts)


def boulder(rng: np.random.Generator) -> Shape:
    """Return a rock, partly in the ground."""
    r = rng.uniform(0.3, 0.75)
    gray = int(rng.integers(105, 150))
    stone = crumpled(
        ball((r, r * rng.uniform(0.7, 1.0), 0.75 * r), (gray, gray - 4, gray - 12), STONE),
        0.06,
        rng,
    )
    return stone.at(0, 0, 0.35 * r)


def planter(rng: np.random.Generator) -> Shape:
    """Return a tub of flowers."""
    tub = drum(0.38, 0.45, (150, 85, 60), STONE, sides=10, taper=1.2)
    heads = [
        ball((0.13, 0.13, 0.13), pick(rng, BRIGHT), LEAFY, rings=3).at(float(x), float(y), 0.68)
        for x, y in rng.normal(0, 0.15, (5, 2))
    ]
    return joined(
        [tub, ball((0.4, 0.4, 0.22), (60, 110, 50), LEAFY, rings=4).at(0, 0, 0.5), *heads]
    )
