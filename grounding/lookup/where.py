"""Where something is said to be: near, in or visible from what, and which nodes are there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.errors import GroundingError
from commonground.grounding.lookup.sight import EYE_M, in_sight
from commonground.scene import SceneGraph
from commonground.symbols import symbol_of

if TYPE_CHECKING:
    from commonground.grounding.lookup.hits import Findings, Hit

LAYERS = ("objects", "regions")
BY_LOOKS = "by its looks"
"""Why a hit is one that nothing but looks speaks for."""
GROUND = ("surface_places", "regions")
"""Layers whose nodes lie on what one stands on."""
NEAR_M = 5.0
"""How far a thing may be from what it is said to be near."""
_WHERE = re.compile(r"^(near|in|visible from)\s+(\S.*)$", re.IGNORECASE)
_SYMBOL = re.compile(r"^[A-Za-z]\(?\d+\)?$")


def nodes_at(graph: SceneGraph, where: str, find: Callable[[str], Findings]) -> set[str]:
    """Return the symbols of the nodes near X, in X or visible from X; ``find`` says what X may mean."""
    parts = _WHERE.match(where.strip())
    if parts is None:
        raise GroundingError(
            f"where '{where}': say 'near X', 'in X' or 'visible from X', X a symbol or words"
        )
    relation, what = parts[1].lower(), parts[2]
    layer, row = _anchor(graph, what, find)
    if relation == "in" and layer != "regions":
        raise GroundingError(f"where '{where}': {what} is no region; say 'near {what}'")
    out: set[str] = set()
    for name in (n for n in LAYERS if graph.has(n)):
        nodes = graph.layer(name)
        inside = _inside(graph, name, layer, row, relation)
        out |= {symbol_of(int(nodes.ids[r])) for r in np.flatnonzero(inside)}
    return out - {symbol_of(int(graph.layer(layer).ids[row]))}


def _inside(graph: SceneGraph, name: str, layer: str, row: int, relation: str) -> Bools:
    nodes = graph.layer(name)
    if relation == "in":
        if name == "regions":
            return np.zeros(len(nodes), bool)
        return np.asarray(graph.ancestors(name, "regions") == row)
    if relation == "visible from":
        return in_sight(graph, name, _eye(graph, layer, row), row if layer == "objects" else -1)
    distance = np.linalg.norm(nodes.positions - graph.layer(layer).positions[row], axis=1)
    return np.asarray(distance <= NEAR_M)


def _eye(graph: SceneGraph, layer: str, row: int) -> Floats:
    """Return the point from which one looks: a thing's middle, else above where one stands."""
    return np.asarray(graph.layer(layer).positions[row] + [0, 0, EYE_M * (layer in GROUND)])


def _anchor(graph: SceneGraph, what: str, find: Callable[[str], Findings]) -> tuple[str, int]:
    if _SYMBOL.match(what):
        name, row = graph.find(re.sub(r"[()]", "", what))
        return name, row
    found = find(what)
    hits = [hit for hit in found.hits if hit.is_likely]
    if not hits:
        raise GroundingError(f"where: {_missing(what, found)}")
    if hits[0].layer == "objects":  # a region looks like what is in it
        hits = [h for h in hits if h.layer == "objects" or h.why != BY_LOOKS]
    if len(hits) > 1 and _rivals(hits):
        raise GroundingError(
            f"where: '{what}' may be {hits[0].symbol} or {hits[1].symbol}: say which by its symbol"
        )
    name, row = graph.find(hits[0].symbol)
    return name, row


def _missing(what: str, found: Findings) -> str:
    """Say why nothing is taken for what words mean: nothing looks like it, or words alone were compared."""
    if found.hits and found.hits[0].probability is not None:
        best = found.hits[0]
        return (
            f"nothing in this map looks like '{what}'; {best.symbol} comes nearest "
            f"({best.probability:.0%}) and can be named by its symbol"
        )
    if found.by_looks:
        return f"the map has no '{what}' by name, class or looks"
    return f"the map calls nothing '{what}', nor a kind of it, and looks were not compared"


def _rivals(hits: Sequence[Hit]) -> bool:
    """Return whether neither of two likely hits outdoes the other: a name does, so does a nearer word."""
    first, second = hits[:2]
    if first.probability is None or second.probability is None:
        return first.rank == second.rank
    return (first.rank == 0) == (second.rank == 0)
