"""Colors said of what is looked for: ``the red box``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonground.grounding.lookup.hits import MAYBE, Mark, Marks
from commonground.grounding.nodes import Nodes
from commonground.grounding.words.colors import is_color, names_color


def of_color(marks: Marks, before: Sequence[str], layers: Sequence[Nodes]) -> tuple[Marks, str]:
    """Return the nodes that have the colors said before a noun, and what else was said there.

    Where the map holds the color of none of them, it cannot be told; of others it does not, it may be.
    """
    said = [word for word in before if names_color(word)]
    of = {nodes.layer: nodes.colors for nodes in layers}
    known = any(of[layer][row] for layer, own in marks.items() for row in own)
    if not said or not known:
        return marks, " ".join(before)
    color = " ".join(said)
    right = {
        layer: {row: mark for row, mark in own.items() if is_color(of[layer][row], color)}
        for layer, own in marks.items()
    }
    if not any(right.values()):
        right = {layer: _uncolored(own, of[layer]) for layer, own in marks.items()}
    return right, " ".join(word for word in before if not names_color(word))


def _uncolored(own: Mapping[int, Mark], colors: Sequence[str]) -> dict[int, Mark]:
    """Return those of no known color, of a layer that has colors at all, as what only may be meant."""
    unsure = {row: f"{why}; its color is not known" for row, (_, why) in own.items()}
    return {row: (MAYBE, why) for row, why in unsure.items() if any(colors) and not colors[row]}
