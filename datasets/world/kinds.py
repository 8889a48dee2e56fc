"""Kinds of things, and the colors they come in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.datasets.world.shapes import Color, Shape, joined

Maker = Callable[[np.random.Generator], Shape]

CAR_PAINTS: tuple[Color, ...] = (
    (200, 200, 205), (40, 42, 48), (150, 25, 30), (30, 60, 140), (95, 100, 105), (225, 225, 220),
    (35, 80, 55),
)  # fmt: skip
BRIGHT: tuple[Color, ...] = (
    (190, 40, 35), (35, 90, 170), (225, 170, 30), (40, 130, 70), (210, 110, 30), (120, 60, 140),
)  # fmt: skip
STEEL: Color = (120, 125, 130)
DARK: Color = (35, 36, 38)
WOOD: Color = (140, 100, 62)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a maker makes: its class word, and whether people move it between visits."""

    label: str
    make: Maker
    movable: bool = False
    models: int = 2
    """How many different ones a world has; more placed ones than this are look-alikes."""


def still(*parts: Shape) -> Maker:
    """Return the maker of things that are all alike."""
    return lambda _: joined(parts)


def painted(colors: tuple[Color, ...], parts: Callable[[Color], Sequence[Shape]]) -> Maker:
    """Return the maker of things that differ in a color."""
    return lambda rng: joined(parts(pick(rng, colors)))


def pick(rng: np.random.Generator, colors: tuple[Color, ...]) -> Color:
    return colors[int(rng.integers(len(colors)))]
