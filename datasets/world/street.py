"""Makers of what stands along streets and by doors; each stands on z = 0 and faces +x."""

from __future__ import annotations

import numpy as np

from commonground.datasets.world.kinds import BRIGHT, DARK, STEEL, WOOD, pick
from commonground.datasets.world.shapes import (
    PLAIN,
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


def bollard(rng: np.random.Generator) -> Shape:
    """Return a short post with a bright band."""
    return joined(
        [
            drum(0.11, 0.95, (60, 62, 64), sides=10),
            drum(0.12, 0.14, (235, 190, 30), sides=10).at(0, 0, 0.7),
        ]
    )


def hydrant(rng: np.random.Generator) -> Shape:
    """Return a fire hydrant."""
    red = (185, 35, 30)
    parts = [
        drum(0.14, 0.6, red),
        ball((0.15, 0.15, 0.12), red).at(0, 0, 0.62),
        drum(0.18, 0.07, (130, 130, 130)),
    ]
    parts.append(bar((0, -0.24, 0.42), (0, 0.24, 0.42), 0.07, red, 8))
    return joined(parts)


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


def path_light(rng: np.random.Generator) -> Shape:
    """Return a garden light, waist high."""
    return joined(
        [
            drum(0.08, 0.85, STEEL, sides=8),
            drum(0.14, 0.22, (245, 238, 205), sides=10).at(0, 0, 0.85),
        ]
    )


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


def dumpster(rng: np.random.Generator) -> Shape:
    """Return a large rubbish container."""
    color = pick(rng, ((40, 90, 60), (50, 70, 120)))
    lid = box((1.2, 1.9, 0.08), DARK).turned(-0.12, "y").at(0, 0, 1.2)
    return joined(
        [
            drum(0.707, 1.15, color, STRIPES, sides=4, taper=1.1)
            .turned(np.pi / 4)
            .scaled((1.1, 1.8, 1))
            .at(0, 0, 0.1),
            lid,
        ]
    )


def bench(rng: np.random.Generator) -> Shape:
    """Return a park bench."""
    slats = [box((0.12, 1.6, 0.04), WOOD, PLANKS).at(x, 0, 0.44) for x in (-0.15, 0.0, 0.15)]
    back = [box((0.04, 1.6, 0.12), WOOD, PLANKS).at(-0.26, 0, z) for z in (0.58, 0.76)]
    legs = [box((0.45, 0.07, 0.44), DARK).at(-0.03, y, 0) for y in (-0.65, 0.65)]
    return joined(
        [
            *slats,
            *back,
            *legs,
            *(box((0.05, 0.06, 0.5), DARK).at(-0.28, y, 0.4) for y in (-0.65, 0.65)),
        ]
    )


def picnic_table(rng: np.random.Generator) -> Shape:
    """Return a table with two fixed benches."""
    parts = [box((0.85, 1.8, 0.05), WOOD, PLANKS).at(0, 0, 0.72)]
    parts += [box((0.28, 1.8, 0.05), WOOD, PLANKS).at(s * 0.72, 0, 0.43) for s in (-1, 1)]
    parts += [
        bar((s * 0.75, y, 0), (-s * 0.3, y, 0.72), 0.045, WOOD)
        for s in (-1, 1)
        for y in (-0.65, 0.65)
    ]
    return joined(parts)


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


def container(rng: np.random.Generator) -> Shape:
    """Return a storage container."""
    return box((2.4, 3.6, 2.4), pick(rng, ((160, 60, 40), (50, 80, 120), (90, 95, 80))), STRIPES)


def transformer(rng: np.random.Generator) -> Shape:
    """Return an electrical cabinet."""
    return joined(
        [box((0.6, 1.1, 1.3), (110, 125, 112)), box((0.7, 1.2, 0.12), (150, 150, 146), STONE)]
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


def basket(rng: np.random.Generator) -> Shape:
    """Return a shopping basket somebody left."""
    color = pick(rng, BRIGHT)
    walls = [box((0.5, 0.03, 0.28), color, STRIPES).at(0, y, 0.02) for y in (-0.17, 0.17)]
    walls += [box((0.03, 0.34, 0.28), color, STRIPES).at(x, 0, 0.02) for x in (-0.24, 0.24)]
    return joined(
        [
            *walls,
            box((0.5, 0.36, 0.02), color),
            bar((0, -0.17, 0.42), (0, 0.17, 0.42), 0.02, DARK),
            *(bar((0, y, 0.2), (0, y, 0.43), 0.015, DARK) for y in (-0.17, 0.17)),
        ]
    )


def statue(rng: np.random.Generator) -> Shape:
    """Return a figure on a plinth."""
    bronze: Color = (95, 88, 62)
    parts = [
        box((0.9, 0.9, 0.9), (165, 160, 150), STONE),
        drum(0.26, 1.0, bronze, PLAIN, taper=0.7).at(0, 0, 0.9),
    ]
    return joined(
        [
            *parts,
            ball((0.17, 0.17, 0.2), bronze).at(0, 0, 2.08),
            bar((0, 0.15, 1.7), (0.5, 0.35, 1.9), 0.06, bronze),
        ]
    )


def house_door(rng: np.random.Generator) -> Shape:
    """Return a closed door in its frame, to stand against a wall."""
    leaf = box((0.14, 1.1, 2.15), pick(rng, ((120, 60, 40), (45, 70, 60), (60, 70, 105))), PLANKS)
    frame = box((0.1, 1.35, 2.3), (215, 210, 200))
    return joined([frame, leaf, ball((0.05, 0.05, 0.05), STEEL, rings=3).at(0.1, 0.42, 1.05)])
