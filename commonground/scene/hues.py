"""Colors of regions: ground in the colors that people expect, other regions by the palette."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from zlib import crc32

from commonground.scene.graph import SceneGraph

PALETTE = (
    "#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#edc948", "#76b7b2", "#e15759", "#9c755f",
    "#ff9da7", "#3b3b98", "#d37295", "#8cd17d",
)  # fmt: skip
"""Colors of regions and classes, told apart also in grayscale by their order."""
DARKER = 0.6
"""Share of its light that a color keeps when it is used again."""
GROUND = {
    "grass lawn meadow garden field park vegetation terrain": ("#59a14f", "#8cd17d", "#3f7d3a", "#a6c96a"),
    "road street avenue lane driveway asphalt crosswalk": ("#7f858c", "#a0a6ad", "#5f656c", "#b7bcc2"),
    "sidewalk path walkway footpath trail pavement": ("#d4b483", "#c79a5b", "#e3cda4", "#b08850"),
    "parking lot yard": ("#7c93b2", "#5f7a9d", "#9db0c9", "#4e6785"),
    "plaza square courtyard patio terrace": ("#e0a077", "#c9825a", "#edbf9f", "#b56f49"),
    "water pond lake basin pool river": ("#3d85c6", "#6fa8dc", "#2a6399", "#9fc5e8"),
    "sand gravel dirt soil mud": ("#9c755f", "#b8937e", "#7d5b48", "#cdb09f"),
}  # fmt: skip
"""Kinds of ground, and shades that tell several regions of a kind apart."""
LEAVES, _PLANTS = "#2f6b2a", frozenset(["tree", "bush", "shrub", "hedge", "plant", "palm"])
_SHADES = {word: shades for words, shades in GROUND.items() for word in words.split()}


def color_of(index: int) -> str:
    """Return the palette's color number ``index``; behind its end the same ones, darker each time."""
    times, at = divmod(index, len(PALETTE))
    parts = (int(PALETTE[at][k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(part * DARKER**times):02x}" for part in parts)


def paler(color: str, share: float = 0.35) -> str:
    """Return a color with so much of it left over white, as paint that does not shine through."""
    parts = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)


def class_colors(words: Iterable[str]) -> dict[str, str]:
    """Return a color for each class, by its name: in all pictures the same, but where two would share it."""
    found, taken = dict[str, str](), set[int]()
    for word in sorted(set(words)):
        if _PLANTS & set(re.findall(r"[a-z]+", word.lower())):
            found[word] = LEAVES
            continue
        first, size = crc32(word.encode()) % len(PALETTE), len(PALETTE)
        tried = (r * size + (first + k) % size for r in range(len(taken) + 1) for k in range(size))
        at = next(k for k in tried if k not in taken)
        taken.add(at)
        found[word] = color_of(at)
    return found


def region_colors(graph: SceneGraph) -> list[str]:
    """Return a color for each region: of its ground where a name or class tells it."""
    if not graph.has("regions"):
        return []
    words, names = graph.label_words("regions"), graph.proper_names("regions")
    return _colored([f"{name} {word}" for name, word in zip(names, words, strict=True)])


def _colored(texts: Sequence[str]) -> list[str]:
    """Return a color for each name; where several words tell a ground, the last of them: *park road*."""
    used: dict[tuple[str, ...], int] = {}
    found = []
    for row, text in enumerate(texts):
        shades = [_SHADES[w] for w in re.findall(r"[a-z]+", text.lower()) if w in _SHADES]
        if not shades:
            found.append(color_of(row))
            continue
        nth = used.get(shades[-1], 0)
        used[shades[-1]] = nth + 1
        found.append(shades[-1][nth % len(shades[-1])])
    return found
