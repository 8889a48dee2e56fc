"""Makers of cars, vans and bicycles; each stands on z = 0 and faces +x."""

from __future__ import annotations

import numpy as np

from commonground.datasets.world.kinds import BRIGHT, CAR_PAINTS, DARK, pick
from commonground.datasets.world.shapes import GLASS, Shape, box, drum, joined


def car(rng: np.random.Generator) -> Shape:
    """Return a saloon or hatchback: body, cabin of glass, wheels, lamps."""
    length, paint = rng.uniform(3.9, 4.7), pick(rng, CAR_PAINTS)
    width, roof = 1.8, rng.uniform(1.4, 1.55)
    body = box((length, width, 0.55), paint).at(0, 0, 0.3)
    cabin = drum(0.707, roof - 0.85, DARK, GLASS, sides=4, taper=0.72).turned(np.pi / 4)
    parts = [body, cabin.scaled((0.6 * length, 0.92 * width, 1)).at(-0.1 * length, 0, 0.85)]
    parts.append(box((0.36 * length, 0.66 * width, 0.05), paint).at(-0.1 * length, 0, roof - 0.02))
    for x in (-0.32 * length, 0.32 * length):
        for y in (-0.82, 0.82):
            parts.append(
                drum(0.31, 0.2, DARK, sides=12).turned(np.pi / 2, "x").at(x, y + 0.1, 0.31)
            )
    for y in (-0.65, 0.65):
        parts.append(box((0.06, 0.3, 0.14), (245, 240, 210)).at(length / 2, y, 0.58))
        parts.append(box((0.06, 0.26, 0.14), (170, 20, 20)).at(-length / 2, y, 0.6))
    return joined(parts)


def van(rng: np.random.Generator) -> Shape:
    paint = pick(rng, CAR_PAINTS[:1] + CAR_PAINTS[5:6])
    parts = [
        box((4.0, 1.95, 1.75), paint).at(-0.6, 0, 0.35),
        box((1.2, 1.9, 0.85), paint).at(2.0, 0, 0.35),
    ]
    parts.append(
        drum(0.707, 0.85, DARK, GLASS, sides=4, taper=0.8)
        .turned(np.pi / 4)
        .scaled((1.1, 1.85, 1))
        .at(1.9, 0, 1.2)
    )
    parts.append(box((2.0, 2.0, 0.5), pick(rng, BRIGHT)).at(-0.9, 0, 1.1))
    for x in (-1.7, 1.7):
        for y in (-0.9, 0.9):
            parts.append(
                drum(0.35, 0.22, DARK, sides=12).turned(np.pi / 2, "x").at(x, y + 0.11, 0.35)
            )
    return joined(parts)
