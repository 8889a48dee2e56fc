"""The one list of class words that simulated images and ground-truth graphs share."""

from __future__ import annotations

OBJECT_WORDS = (
    "tree", "vehicle", "sign", "pole", "fence", "box", "barrel", "bag", "trash", "seating",
    "bicycle", "flag", "light", "rock", "door", "table", "storage", "appliance", "decor", "flower",
    "basket", "signal",
)  # fmt: skip
"""Classes that are objects of the graph; the words are those of outdoor label spaces in use."""
SURFACE_WORDS = ("road", "parking", "sidewalk", "grass", "path", "ground", "floor")
"""Classes of navigable ground; the surface places carry them."""
STRUCTURE_WORDS = ("building", "wall", "window", "roof", "ceiling")
"""Classes that are neither: what stands and is no object."""
ROOM_WORDS = ("shelter", "corridor", "office", "meeting", "kitchen", "lab", "lounge")
"""Further classes of regions; outdoors a region has the word of its surface."""

WORDS = ("unknown", *OBJECT_WORDS, *SURFACE_WORDS, *STRUCTURE_WORDS, *ROOM_WORDS)
LABELS: dict[int, str] = dict(enumerate(WORDS))
"""Class number → word, as the label images and the graphs of simulated data use them."""
NUMBER: dict[str, int] = {word: number for number, word in LABELS.items()}
"""Word → class number."""


def labelspace(words: tuple[str, ...]) -> dict[int, str]:
    """Return the part of the label list that one layer of a graph uses, with ``unknown``."""
    return {NUMBER[word]: word for word in ("unknown", *words)}
