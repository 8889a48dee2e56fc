"""The catalog: two hundred kinds of things that no label list has, each drawn from a line of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from commonground.datasets.world.kinds import STEEL, pick
from commonground.datasets.world.shapes import (
    BRICK,
    GLASS,
    PLAIN,
    PLANKS,
    STONE,
    STRIPES,
    Color,
    Shape,
    ball,
    box,
    drum,
    joined,
    prism,
    ring,
)
from commonground.datasets.world.truth import color_word, word_of
from commonground.reading import read_text

MATERIALS = {
    PLANKS: "wooden",
    BRICK: "brick",
    STONE: "stone",
    STRIPES: "striped",
    GLASS: "glass",
}
"""Textures that people have a word for."""
PAINTS: dict[int, tuple[Color, ...]] = {
    PLAIN: (
        (200, 35, 35), (225, 120, 25), (235, 205, 45), (45, 145, 65), (35, 85, 180), (125, 55, 150),
        (120, 80, 48), (228, 228, 224), (130, 133, 136), (50, 51, 53),
    ),
    PLANKS: ((140, 100, 62), (112, 76, 46), (165, 122, 80)),
    STONE: ((140, 138, 132), (112, 112, 112)),
    STRIPES: ((200, 40, 40), (40, 80, 170), (40, 140, 70), (225, 190, 50)),
}  # fmt: skip
"""What a thing is painted with, by texture."""
FIXED: dict[str, tuple[Color, int]] = {
    "steel": (STEEL, PLAIN),
    "dark": ((35, 36, 38), PLAIN),
    "white": ((232, 232, 228), PLAIN),
    "red": ((195, 35, 35), PLAIN),
    "yellow": ((228, 195, 50), PLAIN),
    "green": ((52, 130, 60), PLAIN),
    "blue": ((50, 80, 150), PLAIN),
    "wood": ((140, 100, 62), PLANKS),
    "stone": ((140, 138, 132), STONE),
    "brick": ((150, 78, 60), BRICK),
    "glass": ((150, 185, 200), GLASS),
    "earth": ((170, 95, 60), PLAIN),
}
"""Paints that are the same for all things of a kind."""

CONTRAST = 70
"""By how much some channel of a part's color differs from the thing's paint at least."""

Paint = tuple[Color, int]
Parts = tuple[tuple[str, tuple[float, ...], str], ...]


@cache
def catalog() -> Mapping[str, Parts]:
    """Return the parts of each kind by its name."""
    text = read_text(Path(__file__).with_name("catalog.txt"))
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    kinds = (line.split(" = ") for line in lines)
    return {name: tuple(_part(part) for part in parts.split(", ")) for name, parts in kinds}


def draw_paint(rng: np.random.Generator) -> Paint:
    """Return a color and a texture; most things are plain."""
    textures = tuple(PAINTS)
    texture = textures[int(rng.choice(len(textures), p=(0.7, 0.1, 0.1, 0.1)))]
    return pick(rng, PAINTS[texture]), texture


def make(name: str, rng: np.random.Generator, paint: Paint | None = None) -> Shape:
    """Return a thing of a kind of the catalog: its paint and its proportions differ from thing to thing."""
    own = paint or draw_paint(rng)
    shape = joined(
        [
            _shape(letter, numbers, *(own if role == "paint" else _beside(own, FIXED[role])))
            for letter, numbers, role in catalog()[name]
        ]
    )
    return shape.scaled(rng.uniform(0.88, 1.12) * rng.uniform(0.92, 1.08, 3))


def attributes(shape: Shape) -> tuple[str, str]:
    """Return the words for a shape's color and material, as seen on most of it; '' for no material."""
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    texture = int(np.argmax(np.bincount(shape.textures, area)))
    return color_word(shape), MATERIALS.get(texture, "")


def paint_words() -> tuple[str, ...]:
    """Return the words for colors that paints have."""
    return tuple(sorted({word_of(color) for colors in PAINTS.values() for color in colors}))


def _part(text: str) -> tuple[str, tuple[float, ...], str]:
    letter, *numbers, role = text.split()
    return letter, tuple(map(float, numbers)), role


def _beside(own: Paint, fixed: Paint) -> Paint:
    """Return a fixed paint that is told from a thing's own: dark handles of a black chest are light ones."""
    (color, texture), other = fixed, own[0]
    if max(abs(a - b) for a, b in zip(color, other, strict=True)) >= CONTRAST:
        return fixed
    step = CONTRAST if sum(other) < 3 * 128 else -CONTRAST
    r, g, b = (min(255, max(0, part + step)) for part in other)
    return (r, g, b), texture


def _shape(letter: str, numbers: tuple[float, ...], color: Color, texture: int) -> Shape:
    if letter.isupper():
        near = _shape(letter.lower(), numbers, color, texture)
        return joined([near, near.turned(np.pi)])
    if letter == "q":
        return _legs(numbers, color, texture)
    x, y, z, *size = numbers
    if letter == "b":
        part = box(size, color, texture)
    elif letter == "d":
        part = drum(size[0], size[1], color, texture, taper=size[2])
    elif letter == "o":
        part = ball(size, color, texture)
    elif letter == "w":
        part = _gable(size, color, texture)
    elif letter == "t":
        part = drum(size[0], size[1], color, texture).at(0, 0, -size[1] / 2).turned(np.pi / 2, "y")
    else:
        part = ring(size[0], size[1], color)
    return part.at(x, y, z)


def _gable(size: Sequence[float], color: Color, texture: int) -> Shape:
    """Return a roof of full edge lengths on z = 0, its ridge along x."""
    lying = prism([(-0.5, -0.5), (0.5, -0.5), (0.0, 0.5)], 1.0, color, texture)
    return lying.turned(np.pi / 2, "x").turned(np.pi / 2).at(-0.5, 0, 0.5).scaled(size)


def _legs(numbers: tuple[float, ...], color: Color, texture: int) -> Shape:
    z, wide, deep, height, thick = numbers
    leg = box((thick, thick, height), color, texture)
    corners = [(x, y) for x in (-wide / 2, wide / 2) for y in (-deep / 2, deep / 2)]
    return joined([leg.at(x, y, z) for x, y in corners])
