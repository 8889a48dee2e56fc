"""Makers of what stands along streets and by doors; each stands on z = 0 and faces +x."""

from __future__ import annotations

import numpy as np

from commonground.datasets.world.kinds import BRIGHT, DARK, STEEL, WOOD, pick
from commonground.datasets.world.shapes import (
    PLANKS,
    SPECKLED,
    STONE,
    STRIPES,
    Color,
    Shape,
    ball,
    bar,
    box,
    crumpled,
    drum,
    joined,
)


def _on_post(plate: Shape, height: float, radius: float = 0.04) -> Shape:
    return joined([drum(radius, height, STEEL, sides=8), plate.at(0.05, 0, height)])


def stop_sign(rng: np.random.Generator) -> Shape:
    """Return an eight-sided red plate on a post."""
    plate = (
        drum(0.38, 0.04, (190, 25, 30), STRIPES, sides=8).turned(np.pi / 8).turned(np.pi / 2, "y")
    )
    return _on_post(plate, rng.uniform(2.0, 2.3))


def board_sign(rng: np.random.Generator) -> Shape:
    """Return a rectangular information board on two posts."""
    width = rng.uniform(0.9, 1.5)
    board = box((0.05, width, 0.7), pick(rng, BRIGHT), STRIPES).at(0, 0, 0.9)
    posts = [drum(0.04, 1.6, STEEL, sides=6).at(0, s * 0.4 * width, 0) for s in (-1, 1)]
    return joined([board, *posts])


def speed_sign(rng: np.random.Generator) -> Shape:
    """Return a small upright plate on a post."""
    return _on_post(box((0.03, 0.5, 0.65), (235, 235, 235), STRIPES), rng.uniform(1.8, 2.0))


def utility_pole(rng: np.random.Generator) -> Shape:
    """Return a wooden pole with a cross-arm."""
    height = rng.uniform(4.2, 4.8)
    return joined(
        [
            drum(0.15, height, (105, 82, 60), PLANKS, sides=9),
            box((0.12, 1.8, 0.12), WOOD).at(0, 0, height - 0.7),
        ]
    )


def lamp_post(rng: np.random.Generator) -> Shape:
    """Return a street light with an arm towards +x."""
    height = rng.uniform(3.4, 4.2)
    parts = [
        drum(0.16, 0.5, DARK),
        drum(0.07, height, DARK, sides=8),
        bar((0, 0, height), (1.0, 0, height + 0.1), 0.04, DARK),
    ]
    parts.append(box((0.55, 0.25, 0.1), (240, 235, 215)).at(1.1, 0, height + 0.02))
    return joined(parts)


def fence_panel(rng: np.random.Generator) -> Shape:
    """Return two meters of fence along y."""
    wood = bool(rng.integers(2))
    if wood:
        slats = [
            box((0.03, 0.16, 1.2), WOOD, PLANKS).at(0, y, 0.05) for y in np.linspace(-0.9, 0.9, 9)
        ]
        rails = [box((0.05, 2.0, 0.08), WOOD).at(-0.03, 0, z) for z in (0.3, 1.0)]
    else:
        slats = [box((0.025, 0.025, 1.2), STEEL).at(0, y, 0) for y in np.linspace(-0.95, 0.95, 14)]
        rails = [box((0.04, 2.0, 0.05), STEEL).at(0, 0, z) for z in (0.15, 1.1)]
    return joined(slats + rails)


def crate(rng: np.random.Generator) -> Shape:
    """Return a wooden or cardboard box."""
    size = rng.uniform((0.45, 0.45, 0.4), (0.95, 0.85, 0.8)).tolist()
    color: Color = (176, 136, 88) if rng.random() < 0.6 else (120, 130, 110)
    return joined(
        [box(size, color, PLANKS), box((size[0] * 1.02, 0.08, size[2] * 1.01), (205, 185, 140))]
    )


def barrel(rng: np.random.Generator) -> Shape:
    """Return a drum with two hoops."""
    color, radius, height = pick(rng, BRIGHT), rng.uniform(0.28, 0.33), rng.uniform(0.8, 0.95)
    hoops = [drum(radius * 1.04, 0.04, STEEL, sides=14).at(0, 0, f * height) for f in (0.3, 0.65)]
    return joined([drum(radius, height, color, sides=14), *hoops])


def sack(rng: np.random.Generator) -> Shape:
    """Return a bag lying on the ground."""
    color: Color = (60, 60, 66) if rng.random() < 0.5 else (165, 150, 120)
    body = crumpled(ball((0.36, 0.27, 0.3), color, SPECKLED), 0.05, rng)
    shape = joined([body, crumpled(ball((0.09, 0.09, 0.12), color), 0.05, rng).at(0.05, 0, 0.32)])
    return shape.at(0, 0, -float(shape.bounds()[0][2]))


def litter_bin(rng: np.random.Generator) -> Shape:
    """Return a public bin with a lid."""
    color: Color = (45, 85, 60) if rng.random() < 0.5 else (70, 72, 78)
    return joined(
        [
            drum(0.29, 0.85, color, PLANKS, sides=12, taper=1.08),
            drum(0.34, 0.1, DARK, sides=12).at(0, 0, 0.86),
        ]
    )


def flagpole(rng: np.random.Generator) -> Shape:
    """Return a pole with a flag."""
    height = rng.uniform(4.2, 4.8)
    cloth = crumpled(box((1.3, 0.03, 0.85), pick(rng, BRIGHT), STRIPES), 0.0, rng).at(
        0.68, 0, height - 1.0
    )
    return joined(
        [
            drum(0.3, 0.25, (150, 150, 148), STONE),
            drum(0.05, height, (215, 215, 215), sides=8),
            cloth,
        ]
    )


def traffic_light(rng: np.random.Generator) -> Shape:
    """Return a signal head on a post."""
    lamps: tuple[Color, ...] = ((200, 40, 30), (220, 170, 40), (50, 170, 80))
    head = [box((0.2, 0.3, 0.85), DARK).at(0.08, 0, 2.5)]
    head += [
        drum(0.1, 0.05, c, sides=8).turned(np.pi / 2, "y").at(0.17, 0, 3.2 - 0.27 * k)
        for k, c in enumerate(lamps)
    ]
    return joined([drum(0.08, 3.3, STEEL, sides=8), *head])
