"""Words for colors, as people use them of things."""

from __future__ import annotations

import colorsys
from functools import lru_cache

import numpy as np

from commonground.datasets.world.shapes import Shape

HUES = (
    (15, "red"),
    (42, "orange"),
    (68, "yellow"),
    (165, "green"),
    (255, "blue"),
    (320, "purple"),
    (361, "red"),
)
"""Upper bound of the hue in degrees → word."""


def color_word(shape: Shape) -> str:
    """Return the word for the color that covers most of a shape's surface."""
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    found: dict[str, float] = {}
    for color, size in zip(shape.colors.tolist(), area.tolist(), strict=True):
        word = word_of(tuple(color))
        found[word] = found.get(word, 0.0) + size
    return max(sorted(found), key=lambda word: found[word])


@lru_cache(maxsize=4096)
def word_of(rgb: tuple[int, ...]) -> str:
    """Return the word for a color (r, g, b) of 0 to 255."""
    h, s, v = colorsys.rgb_to_hsv(*(c / 255 for c in rgb))
    if v < 0.22:
        return "black"
    if s < 0.16:
        return "white" if v > 0.82 else "gray"
    word = next(name for bound, name in HUES if h * 360 < bound)
    return "brown" if word in ("orange", "red", "yellow") and v < 0.72 and s < 0.68 else word
