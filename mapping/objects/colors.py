"""The colors of things, by the middle of their best pictures: a word only where most of it has that color."""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from commonground.arrays import Bytes, Ints
from commonground.crops import Crop
from commonground.errors import MappingError
from commonground.scene import Layer

MIDDLE = 0.25
"""Share of a picture left out at each side: there is more beside a thing than the thing."""
PIXELS = 16
"""Rows and columns of pixels that are looked at."""
MOSTLY, CLEARLY = 0.5, 2.0
"""Share of the pixels that have a color, and how many times the next one, for a thing to be called so."""
BLACK, DARK = 0.12, 0.18
"""Values: below is black; what lies between may be of any color in little light."""
DULL, VIVID, BRIGHT = 0.12, 0.3, 0.85
"""Saturations: gray below, a color above; and the value of white. Between, light may be to blame."""
GRAY = (0.3, 0.6)
"""Values of gray things in usual light; what is lighter may be a white thing in shade."""
HUES = ((8, "red"), (22, ""), (36, "orange"), (46, ""), (66, "yellow"), (78, ""), (160, "green"),
        (195, ""), (250, "blue"), (262, ""), (310, "purple"), (345, ""), (361, "red"))  # fmt: skip
"""Ends of hues in degrees, and their words; between two is none."""
BROWN = (0.6, 40)
"""Orange no brighter than this is brown; so is red this near to it, in degrees."""


def word_of(rgb: Sequence[int]) -> str:
    """Return the word for a color of 0 to 255, '' where light or shade may have made it another."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(c / 255 for c in rgb))
    if value < DARK:
        return "black" if value < BLACK else ""
    if saturation < DULL:
        gray = "gray" if GRAY[0] < value < GRAY[1] else ""
        return "white" if value > BRIGHT else gray
    if saturation < VIVID:
        return ""
    degrees = hue * 360
    if 15 < degrees < BROWN[1] and value < BROWN[0]:
        return "brown"
    return next(word for end, word in HUES if degrees < end)


def color_of(pictures: Sequence[Bytes]) -> tuple[tuple[int, int, int], str]:
    """Return the middle color of a thing in its pictures, and its word, '' where that is not sure."""
    pixels = np.concatenate([_middle(p) for p in pictures])
    r, g, b = np.median(pixels, axis=0).round().astype(int).tolist()
    counts = Counter(map(word_of, pixels.tolist()))
    unsure = counts.pop("", 0)
    (word, most), (_, next_) = (*counts.most_common(2), ("", 0), ("", 0))[:2]
    sure = most >= MOSTLY * (unsure + counts.total()) and most >= CLEARLY * next_
    return (r, g, b), word if sure else ""


def _middle(picture: Bytes) -> Bytes:
    h, w = picture.shape[:2]
    rows, columns = (
        np.linspace(MIDDLE * n, (1 - MIDDLE) * (n - 1), PIXELS).astype(int) for n in (h, w)
    )
    return np.asarray(picture[rows[:, None], columns].reshape(-1, 3))


def with_colors(layer: Layer, crops: Mapping[str, Sequence[Crop]]) -> Layer:
    """Return a layer of objects with the colors of those that there are pictures of."""
    from commonground.mapping.perception.picture import picture_of

    colors, extras = np.zeros((len(layer), 3), np.uint8), [dict[str, object]()] * len(layer)
    for row, symbol in enumerate(layer.symbols):
        try:
            pictures = [picture_of(crop.jpeg) for crop in crops.get(symbol, ())]
        except MappingError:
            continue
        if pictures:
            colors[row], word = color_of(pictures)
            extras[row] = {"metadata": {"color": word}} if word else {}
    return _with(layer, colors, extras)


def with_colors_of(layer: Layer, own: Sequence[Layer], into: Sequence[Ints]) -> Layer:
    """Return a layer of fused objects with the colors that they have in robots' layers.

    ``into`` (n_r,) tells of each robot's objects which fused one each is; a word stays where no other
    robot has another.
    """
    colors, extras = np.zeros((len(layer), 3), np.uint8), [dict[str, object]()] * len(layer)
    words: dict[int, set[str]] = {}
    for robot, rows in zip(own, into, strict=True):
        seen = robot.columns.get("color", np.zeros((len(robot), 3), np.uint8))
        for at, row in enumerate(rows.tolist()):
            colors[row] = seen[at] if seen[at].any() else colors[row]
            word = str(robot.metadata(at).get("color", ""))
            words.setdefault(row, set()).update([word] if word else [])
    for row, found in words.items():
        if len(found) == 1:
            extras[row] = {"metadata": {"color": found.pop()}}
    return _with(layer, colors, extras)


def _with(layer: Layer, colors: Bytes, extras: Sequence[Mapping[str, Any]]) -> Layer:
    if not colors.any() and not any(extras):
        return layer
    return replace(layer, columns={**layer.columns, "color": colors}, extras=tuple(extras))
