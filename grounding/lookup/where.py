"""Where something is said to be: near, in or visible from what, and which nodes are there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.errors import GroundingError
from commonground.grounding.lookup.hits import LIKELY, NAME
from commonground.grounding.lookup.sight import EYE_M, in_sight
from commonground.grounding.nodes import nodes_of
from commonground.grounding.outlines import Outlines
from commonground.grounding.words.attributes import attribute_of
from commonground.robots import Team
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
"""How far a thing may be from what it is said to be near, on the ground and between outlines."""
POSSIBLE = 0.1
"""What looks less likely than this to be what others are said to be near is not."""
MOST_ANCHORS = 5
_SAME = {
    "near": "near", "near to": "near", "close to": "near", "next to": "near", "beside": "near",
    "by": "near", "alongside": "near", "against": "near", "around": "near",
    "in": "in", "inside": "in", "within": "in", "visible from": "visible from",
    "on": "on", "on top of": "on", "upon": "on", "atop": "on",
    "under": "under", "underneath": "under", "below": "under", "beneath": "under",
    "above": "above", "over": "above", "between": "between",
    "in front of": "in front of", "behind": "behind",
    "left of": "left of", "to the left of": "left of", "on the left of": "left of",
    "right of": "right of", "to the right of": "right of", "on the right of": "right of",
}  # fmt: skip
"""What people say of where a thing is, and what is looked for."""
SIDES = ("in front of", "behind", "left of", "right of")
"""Where somebody stands tells these: a thing in a map has no front."""
RELATIONS = "|".join(
    re.escape(w).replace(r"\ ", r"\s+") for w in sorted(_SAME, key=len, reverse=True)
)
SAY = (
    "say 'near X', 'in X' or 'visible from X', 'on X', 'under X', 'above X' or 'between X and Y', "
    "X a symbol or words"
)
_WHERE = re.compile(rf"^(?P<how>{RELATIONS})\s+(?P<place>\S.*)$", re.IGNORECASE)
_BEHIND = re.compile(
    rf"^(?P<what>\S.*?),?\s+(?:(?:that|which)(?: is| are|'s)\s+|(?:is|are)\s+)?"
    rf"(?:(?:standing|lying|hanging|sitting|placed|right|just)\s+)?(?P<how>{RELATIONS})\s+"
    rf"(?!(?:{RELATIONS})\s)(?P<place>\S.*)$",  # what one sits on near it
    re.IGNORECASE,
)
_BOTH = re.compile(r"\s+and\s+", re.IGNORECASE)
_ITSELF = re.compile(r"^(?:it|them|itself|themselves)$", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(not|no|nowhere|never|all but|except|without|far|(is|are|was|were)n['’]?t)\b", re.I
)
_SYMBOL = re.compile(r"^[A-Za-z]\(?\d+\)?$")


def told_where(words: str) -> tuple[str, str]:
    """Return what words look for and where they say that it is ("near X"), '' where they do not.

    What is in a color is no place, and where something is not is another question.
    """
    said = _BEHIND.match(" ".join(words.split()).rstrip(" ?!."))
    if said is None or attribute_of(said["place"].split()[-1]) or _DENIED.search(said["what"]):
        return words, ""
    if _ITSELF.match(said["place"]):  # a sign with a bird on it
        return words, ""
    how = " ".join(said["how"].lower().split())
    return said["what"], f"{_SAME[how]} {said['place']}"


class _Anchor(NamedTuple):
    """A node that others are said to be near, in or visible from, and how likely it is the one meant."""

    layer: str
    row: int
    chance: float


def nodes_at(
    graph: SceneGraph, where: str, find: Callable[[str], Findings]
) -> tuple[dict[str, float], str]:
    """Return how likely each node is near X, in X or visible from X, and what was taken for X if in doubt.

    ``find`` says what X may mean. Who says X knows that there is one: the likeliest is taken for sure, and
    others by how likely they are besides it.
    """
    said = _WHERE.match(where.strip())
    if said is None:
        raise GroundingError(f"where '{where}': {SAY}")
    relation, what = _SAME[" ".join(said["how"].lower().split())], said["place"]
    if relation in SIDES:
        raise GroundingError(f"where '{where}': no map tells who looks from where; {SAY}")
    if relation == "between":
        return _between(graph, where, what, find), ""
    anchors = _anchors(graph, what, find)
    if relation == "on" and anchors[0].layer == "regions":
        relation = "in"
    if relation == "in":
        anchors = [a for a in anchors if a.layer == "regions"]
        if not anchors:
            raise GroundingError(f"where '{where}': {what} is no region; say 'near {what}'")
    out = _chances(graph, relation, anchors)
    best = anchors[0]
    symbol = symbol_of(int(graph.layer(best.layer).ids[best.row]))
    doubt = "" if best.chance >= LIKELY else f"took {symbol} ({best.chance:.0%}) for '{what}'"
    return out, doubt


def _chances(graph: SceneGraph, relation: str, anchors: Sequence[_Anchor]) -> dict[str, float]:
    """Return how likely each node is where one of the anchors is said to be from it."""
    out: dict[str, float] = {}
    for name in (n for n in LAYERS if graph.has(n)):
        nodes = graph.layer(name)
        none = np.ones(len(nodes))
        for a in anchors:
            here = _inside(graph, name, a.layer, a.row, relation)
            if name == a.layer:
                here[a.row] = False
            none *= 1 - here * a.chance / anchors[0].chance
        rows = np.flatnonzero(none < 1)
        out |= {symbol_of(int(nodes.ids[r])): float(1 - none[r]) for r in rows}
    return out


def _inside(graph: SceneGraph, name: str, layer: str, row: int, relation: str) -> Bools:
    nodes = graph.layer(name)
    if relation == "in":
        if name == "regions":
            return np.zeros(len(nodes), bool)
        return np.asarray(graph.ancestors(name, "regions") == row)
    if relation == "visible from":
        return in_sight(graph, name, _eye(graph, layer, row), row if layer == "objects" else -1)
    if relation in ("on", "under", "above"):
        return _stacked(graph, name, layer, row, relation)
    there = graph.layer(layer)
    anchor = Outlines.of(there.positions, there.boxes).take([row])
    apart = Outlines.of(nodes.positions, nodes.boxes).to_one(anchor)
    return np.asarray(apart <= NEAR_M)


def _stacked(graph: SceneGraph, name: str, layer: str, row: int, relation: str) -> Bools:
    """Return which nodes (n,) of a layer are on, under or above one, by the bounds of both."""
    from commonground.grounding.resolver.geometry import stacked

    if name != "objects" or layer != "objects":
        return np.zeros(len(graph.layer(name)), bool)
    nodes = nodes_of(graph, name, "object", Team({}))
    rows = np.arange(len(nodes))
    there = stacked(nodes, rows, relation, nodes, row)
    if relation == "under":  # a table is under the cup on it, though most of it lies beside
        there |= [bool(stacked(nodes, np.array([row]), "on", nodes, int(r))[0]) for r in rows]
    return there


def _between(
    graph: SceneGraph, where: str, what: str, find: Callable[[str], Findings]
) -> dict[str, float]:
    """Return the objects between two things: one each, or the two of a kind."""
    from commonground.grounding.resolver.geometry import Anchor, between

    ends = [end for end in _BOTH.split(what) if end.strip()]
    if len(ends) != 2:
        raise GroundingError(f"where '{where}': say between which two, such as 'between X and Y'")
    nodes = nodes_of(graph, "objects", "object", Team({}))
    found = []
    for layer, row, _ in (_anchors(graph, end, find)[0] for end in ends):
        there = graph.layer(layer)
        outline = Outlines.of(there.positions, there.boxes).take([row])
        found.append(Anchor(there.symbols[row], there.positions[row], outline=outline))
    if not len(nodes):
        return {}
    inside = between(nodes, np.arange(len(nodes)), *found)
    own = {anchor.name for anchor in found}
    return {nodes.symbols[r]: 1.0 for r in np.flatnonzero(inside) if nodes.symbols[r] not in own}


def _eye(graph: SceneGraph, layer: str, row: int) -> Floats:
    """Return the point from which one looks: a thing's middle, else above where one stands."""
    return np.asarray(graph.layer(layer).positions[row] + [0, 0, EYE_M * (layer in GROUND)])


def _anchors(graph: SceneGraph, what: str, find: Callable[[str], Findings]) -> list[_Anchor]:
    """Return the nodes that X may be, the likeliest first."""
    if _SYMBOL.match(what):
        name, row = graph.find(re.sub(r"[()]", "", what))
        return [_Anchor(name, row, 1.0)]
    found = find(what)
    hits = [hit for hit in found.hits if hit.probability is None or hit.probability >= POSSIBLE]
    if not hits:
        raise GroundingError(f"where: {_missing(what, found)}")
    if hits[0].layer == "objects":  # a region looks like what is in it
        hits = [h for h in hits if h.layer == "objects" or h.why != BY_LOOKS]
    taken = _named(what, hits) if _is_named(hits[0]) else hits[:MOST_ANCHORS]
    chances = [1.0 if h.probability is None else h.probability for h in taken]
    return [
        _Anchor(*graph.find(h.symbol), chance) for h, chance in zip(taken, chances, strict=True)
    ]


def _is_named(hit: Hit) -> bool:
    """Return whether words alone speak for a hit, or its very name."""
    return hit.probability is None or hit.rank == NAME


def _named(what: str, hits: list[Hit]) -> list[Hit]:
    """Return the one that words name; GroundingError where they name another one as well."""
    alike = [hit.symbol for hit in hits if hit.rank == hits[0].rank]
    if len(alike) > 1:
        which = " or ".join(alike[:MOST_ANCHORS]) + " or another" * (len(alike) > MOST_ANCHORS)
        raise GroundingError(f"where: '{what}' may be {which}: say which by its symbol")
    return hits[:1]


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
