"""Colors said of what is looked for: ``the red box``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import filterfalse

from commonground.grounding.lookup.hits import MAYBE, Mark, Marks
from commonground.grounding.nodes import Nodes
from commonground.grounding.words.colors import is_color, names_color


def of_color(marks: Marks, before: Sequence[str], layers: Sequence[Nodes]) -> tuple[Marks, str]:
    """Return the nodes that have the colors said before a noun, and what else was said there.

    Where the map holds the color of none of them, it cannot be told; of others it does not, it may be.
    """
    color, rest = " ".join(filter(names_color, before)), " ".join(filterfalse(names_color, before))
    of = {nodes.layer: nodes.colors for nodes in layers}
    if not color or not any(of[layer][row] for layer, own in marks.items() for row in own):
        return marks, " ".join(before)
    right = {layer: _colored(own, of[layer], color) for layer, own in marks.items()}
    if not any(right.values()):
        right = {layer: _uncolored(own, of[layer]) for layer, own in marks.items()}
    return right, rest


def _colored(own: Mapping[int, Mark], colors: Sequence[str], color: str) -> dict[int, Mark]:
    return {row: mark for row, mark in own.items() if is_color(colors[row], color)}


def _uncolored(own: Mapping[int, Mark], colors: Sequence[str]) -> dict[int, Mark]:
    """Return those of no known color, of a layer that has colors at all, as what only may be meant."""
    unsure = {row: f"{why}; its color is not known" for row, (_, why) in own.items()}
    return {row: (MAYBE, why) for row, why in unsure.items() if any(colors) and not colors[row]}
