"""Makers of furniture and other things of an office; each stands on z = 0 and faces +x."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from commonground.datasets.world.kinds import BRIGHT, DARK, STEEL, WOOD, Kind, painted, pick, still
from commonground.datasets.world.nature import planter
from commonground.datasets.world.shapes import (
    LEAFY,
    PLAIN,
    PLANKS,
    SPECKLED,
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
from commonground.datasets.world.street import crate, litter_bin, sack

WHITE: Color = (225, 225, 222)


def office_chair(rng: np.random.Generator) -> Shape:
    color = pick(rng, (DARK, BRIGHT[1], BRIGHT[0]))
    feet = [
        bar((0, 0, 0.06), (0.28 * np.cos(a), 0.28 * np.sin(a), 0.06), 0.03, DARK)
        for a in np.arange(5) * 1.2566
    ]
    seat = box((0.46, 0.46, 0.09), color, SPECKLED).at(0, 0, 0.42)
    back = box((0.07, 0.42, 0.5), color, SPECKLED).at(-0.22, 0, 0.55)
    return joined([*feet, drum(0.04, 0.38, STEEL, sides=8).at(0, 0, 0.05), seat, back])


def bookshelf(rng: np.random.Generator) -> Shape:
    """Return a shelf filled with colored backs of books."""
    parts = [box((0.02, 0.9, 1.9), WOOD, PLANKS).at(-0.15, 0, 0)]
    parts += [box((0.32, 0.03, 1.9), WOOD).at(0, y, 0) for y in (-0.45, 0.45)]
    for z in (0.02, 0.48, 0.94, 1.4):
        parts.append(box((0.32, 0.9, 0.03), WOOD).at(0, 0, z))
        y = -0.4
        while y < 0.3:
            width = float(rng.uniform(0.08, 0.2))
            parts.append(
                box((0.24, width, float(rng.uniform(0.24, 0.36))), pick(rng, BRIGHT)).at(
                    0, y + width / 2, z + 0.03
                )
            )
            y += width + float(rng.uniform(0, 0.08))
    return joined([*parts, box((0.32, 0.93, 0.03), WOOD).at(0, 0, 1.88)])


def fig_tree(rng: np.random.Generator) -> Shape:
    """Return a large plant in a pot."""
    leaves = crumpled(ball((0.35, 0.35, 0.5), (50, 105, 55), LEAFY), 0.06, rng)
    return joined(
        [
            drum(0.2, 0.35, (180, 175, 168), taper=1.2),
            drum(0.03, 0.7, WOOD, sides=6).at(0, 0, 0.3),
            leaves.at(0, 0, 1.15),
        ]
    )


def coat_stand(rng: np.random.Generator) -> Shape:
    arms = [
        bar((0, 0, 1.6), (0.22 * np.cos(a), 0.22 * np.sin(a), 1.72), 0.02, WOOD)
        for a in np.arange(4) * np.pi / 2
    ]
    coat = crumpled(drum(0.17, 0.9, pick(rng, BRIGHT), sides=8, taper=0.5), 0.05, rng).at(
        0.12, 0, 0.75
    )
    return joined([drum(0.2, 0.04, WOOD), drum(0.03, 1.75, WOOD, sides=8), *arms, coat])


def picture(rng: np.random.Generator) -> Shape:
    """Return a framed picture, to hang on a wall."""
    width, height = float(rng.uniform(0.5, 1.1)), float(rng.uniform(0.5, 0.8))
    canvas = box((0.05, width, height), pick(rng, BRIGHT), LEAFY).at(0.01, 0, 0.05)
    return joined([box((0.04, width + 0.1, height + 0.1), DARK), canvas])


INDOOR: Mapping[str, Kind] = {
    "desk": Kind("table", still(
        box((0.7, 1.4, 0.04), WOOD, PLANKS).at(0, 0, 0.7),
        *(box((0.05, 0.05, 0.7), STEEL).at(x, -0.64, 0) for x in (-0.3, 0.3)),
        box((0.6, 0.4, 0.6), WHITE).at(0, 0.45, 0.06),
    ), models=1),
    "office chair": Kind("seating", office_chair, movable=True, models=3),
    "monitor": Kind("appliance", still(
        box((0.04, 0.6, 0.36), DARK).at(0, 0, 0.12),
        box((0.045, 0.56, 0.32), (60, 90, 120), STRIPES).at(0.005, 0, 0.14),
        box((0.2, 0.24, 0.02), DARK),
        drum(0.03, 0.15, DARK, sides=6),
    ), models=1),
    "bookshelf": Kind("storage", bookshelf, models=3),
    "filing cabinet": Kind("storage", painted(((140, 145, 150), (95, 105, 120)), lambda color: [
        box((0.55, 0.46, 1.2), color),
        *(box((0.03, 0.4, 0.32), WHITE).at(0.28, 0, z) for z in (0.05, 0.42, 0.79)),
    ]), movable=True, models=2),
    "sofa": Kind("seating", painted(((70, 90, 120), (120, 70, 60), (85, 100, 75)), lambda color: [
        box((0.8, 1.5, 0.42), color, SPECKLED),
        box((0.22, 1.5, 0.8), color, SPECKLED).at(-0.29, 0, 0),
        *(box((0.8, 0.18, 0.6), color, SPECKLED).at(0, y, 0) for y in (-0.75, 0.75)),
    ]), models=3),
    "meeting table": Kind("table", still(
        box((1.0, 2.0, 0.05), (170, 135, 95), PLANKS).at(0, 0, 0.72),
        *(drum(0.05, 0.72, STEEL, sides=8).at(x, y, 0) for x in (-0.35, 0.35) for y in (-0.85, 0.85)),
    ), models=1),
    "whiteboard": Kind("sign", still(
        *(box((0.5, 0.05, 0.06), STEEL).at(0, y, 0) for y in (-0.7, 0.7)),
        *(box((0.04, 0.04, 1.8), STEEL).at(0, y, 0) for y in (-0.7, 0.7)),
        box((0.04, 1.4, 0.9), (240, 240, 238)).at(0, 0, 0.85),
        box((0.045, 0.8, 0.25), BRIGHT[1], STRIPES).at(0.004, -0.1, 1.2),
    ), movable=True, models=1),
    "fridge": Kind("appliance", still(
        box((0.65, 0.65, 1.75), WHITE),
        box((0.03, 0.04, 0.5), STEEL).at(0.33, 0.25, 1.0),
        box((0.02, 0.63, 0.02), DARK).at(0.325, 0, 0.65),
    ), models=1),
    "printer": Kind("appliance", still(
        box((0.6, 0.65, 0.75), (190, 190, 188)),
        box((0.55, 0.6, 0.2), DARK).at(0, 0, 0.75),
        box((0.2, 0.5, 0.04), WHITE).at(0.25, 0, 0.6),
    ), models=1),
    "floor lamp": Kind("light", still(
        drum(0.16, 0.03, DARK),
        drum(0.02, 1.45, DARK, sides=6),
        drum(0.22, 0.3, (240, 225, 180), sides=12, taper=0.7).at(0, 0, 1.35),
    ), movable=True, models=1),
    "counter": Kind("table", still(
        box((0.6, 2.0, 0.88), (175, 170, 160)),
        box((0.62, 2.04, 0.04), DARK, SPECKLED).at(0, 0, 0.88),
        *(box((0.02, 0.45, 0.7), (205, 200, 190)).at(0.3, y, 0.1) for y in (-0.72, -0.24, 0.24, 0.72)),
    ), models=1),
    "fig tree": Kind("flower", fig_tree, movable=True, models=2),
    "flower tub": Kind("flower", planter, movable=True, models=2),
    "coat stand": Kind("pole", coat_stand, movable=True, models=3),
    "water cooler": Kind("appliance", still(
        box((0.34, 0.34, 0.95), WHITE), drum(0.14, 0.4, (120, 170, 210), sides=10).at(0, 0, 0.95)
    ), models=1),
    "door": Kind("door", painted(((150, 110, 70), (120, 130, 140)), lambda color: [
        box((0.05, 0.9, 2.05), color, PLAIN),
        ball((0.07, 0.04, 0.04), STEEL, rings=3).at(0, 0.38, 1.0),
    ]), models=2),
    "picture": Kind("decor", picture, models=6),
    "box": Kind("box", crate, movable=True, models=4),
    "bag": Kind("bag", sack, movable=True, models=3),
    "waste bin": Kind("trash", litter_bin, movable=True, models=1),
}  # fmt: skip
"""Kind of thing → how it is made."""
