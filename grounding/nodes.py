"""The nodes of one layer of a map as language sees them: class words, proper names, colors and regions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.grounding.outlines import Outlines
from commonground.grounding.spelled import has_signs, read_as
from commonground.grounding.words.concepts import ClassIndex, everyday
from commonground.grounding.words.nouns import spoken, word_set
from commonground.grounding.words.numbers import NUMBER_WORDS
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.scene.graph import is_symbol

NodeKind = Literal["object", "region", "place"]
MAX_NAME_WORDS = 4
_NO_NAMES = word_set(
    "a an and all any both each either every former here him her it its latter me most my no none "
    "not of on one or other others our same she that the their them there these they this those us we "
    "you your yourself"
)
"""Words that only ever refer to something else: nothing is called so."""

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
"""Said alone in a robot's name these are no words that would name it."""
_NUMBERED = re.compile(
    rf"(.*[^\W\d_]{{2}})(?:[\W_]*(\d+)|[\W_]+({'|'.join(NUMBER_WORDS)}))", re.IGNORECASE
)


class NumberedName(NamedTuple):
    """A name that ends in a number: ``room 12``."""

    row: int
    head: str
    number: int

    def __str__(self) -> str:
        return f"{self.head} {self.number}"


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """The nodes of one layer in columns."""

    kind: NodeKind
    layer: str
    symbols: tuple[str, ...]
    positions: Floats
    """(n, 3)"""
    low: Floats
    """(n, 3) lower corner of the axis-aligned bounds; the position itself without a box."""
    high: Floats
    outlines: Outlines
    """On the ground: what distances are measured between."""
    words: tuple[str, ...]
    """Class word of each node."""
    names: tuple[str, ...]
    """Proper name of each node, in lower case; '' for none."""
    colors: tuple[str, ...]
    region: Ints
    """(n,) row of the region a node is in, −1 for none."""
    by_class: Mapping[str, Ints]
    by_name: Mapping[str, Ints]
    """Proper name → rows."""
    index: ClassIndex
    """Nouns → class words of this layer."""
    given: Mapping[str, Ints] = field(default_factory=dict)
    """The same of names that people gave: they are meant first, also where a class is called so."""

    def __len__(self) -> int:
        return len(self.symbols)


def nodes_of(graph: SceneGraph, layer: str, kind: NodeKind, team: Team) -> Nodes:
    """Return the nodes of a layer, none where the map has no such layer; names of the team mean robots."""
    found = graph.layers.get(layer)
    if found is None or len(found) == 0:
        return _no_nodes(kind, layer)
    words = tuple(
        "unknown" if is_symbol(w, symbol) else read_as(w) if has_signs(w) else w
        for w, symbol in zip(graph.label_words(layer), found.symbols, strict=True)
    )
    low, high = _bounds(graph, layer)
    metadata = [found.metadata(row) for row in range(len(found))]
    robots = frozenset(spoken(" ".join(team.robots)).split()) - _LETTERS
    index = ClassIndex(w for w in dict.fromkeys(words) if w)
    given, names = _names(graph, layer, kind, robots)
    labels = np.array(words)
    return Nodes(
        kind=kind,
        layer=layer,
        symbols=tuple(found.symbols),
        positions=found.positions,
        low=low,
        high=high,
        outlines=Outlines.of(found.positions, found.boxes),
        words=words,
        names=names,
        colors=tuple(str(m.get("color") or m.get("colour") or "").lower() for m in metadata),
        region=_region_rows(graph, layer, len(found)),
        by_class={w: np.flatnonzero(labels == w) for w in dict.fromkeys(words)},
        by_name=_by_name(names),
        index=index,
        given=_by_name(given),
    )


def _no_nodes(kind: NodeKind, layer: str) -> Nodes:
    """Return the nodes of a layer that has none."""
    none = np.empty((0, 3))
    outlines, rows = Outlines.of(none), np.empty(0, np.int64)
    return Nodes(
        kind, layer, (), none, none, none, outlines, (), (), (), rows, {}, {}, ClassIndex(())
    )


def _names(
    graph: SceneGraph, layer: str, kind: NodeKind, robots: frozenset[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names that people gave, and all proper names, theirs first."""
    found = graph.layer(layer)
    called = (str(found.metadata(row).get("called") or "") for row in range(len(found)))
    given = tuple(_plain_name(name, robots) for name in called)
    every = zip(given, graph.proper_names(layer), graph.label_words(layer), strict=True)
    return given, tuple(own or _proper_name(name, word, kind, robots) for own, name, word in every)


def _by_name(names: Sequence[str]) -> dict[str, Ints]:
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        if name:
            rows.setdefault(name, []).append(row)
    return {name: np.array(found, np.int64) for name, found in rows.items()}


def rows_of(nodes: Nodes, names: Sequence[str]) -> Ints:
    """Return the sorted rows of nodes with these names."""
    if not names:
        return np.empty(0, np.int64)
    return np.sort(np.concatenate([nodes.by_name[name] for name in names]))


def _region_rows(graph: SceneGraph, layer: str, n: int) -> Ints:
    if layer == "regions":
        return np.arange(n)
    if not graph.has("regions"):
        return np.full(n, -1, np.int64)
    return np.asarray(graph.ancestors(layer, "regions"))


def _bounds(graph: SceneGraph, layer: str) -> tuple[Floats, Floats]:
    """Return the axis-aligned bounds (n, 3) of a layer's nodes; a region without a box spans its places."""
    found = graph.layers[layer]
    low, high = found.positions.copy(), found.positions.copy()
    boxes = found.boxes
    valid = np.zeros(len(found), bool) if boxes is None else boxes.valid
    if boxes is not None and valid.any():
        low[valid], high[valid] = boxes.take(valid).bounds()
    if layer == "regions":
        _span_places(graph, low, high, ~valid)
    return low, high


def _span_places(graph: SceneGraph, low: Floats, high: Floats, rows: Bools) -> None:
    places = "surface_places" if graph.has("surface_places") else "places"
    if not (rows.any() and graph.has(places)):
        return
    up, at = graph.ancestors(places, "regions"), graph.layers[places].positions
    for row in np.flatnonzero(rows):
        inside = at[up == row]
        if len(inside):
            low[row], high[row] = inside.min(axis=0), inside.max(axis=0)


def _proper_name(name: str, word: str, kind: NodeKind, robots: frozenset[str]) -> str:
    """Return a node's name if it is one that can only be a name, else ''.

    An object is not renamed into an everyday thing: a bag that is called "window" stays a bag.
    """
    plain = _plain_name(name, robots)
    if plain == spoken(read_as(word)):
        return ""
    return "" if kind == "object" and everyday().senses(plain) else plain


def _plain_name(name: str, robots: frozenset[str]) -> str:
    """Return a name as it is spoken, '' for what can be none: orders, robots, words that only refer."""
    plain = spoken(read_as(name)).removeprefix("the ")
    words = plain.split()
    if not words or len(words) > MAX_NAME_WORDS or robots & set(words):
        return ""
    known = all(w.replace(".", "").isalnum() for w in words)
    return "" if not known or _NO_NAMES.issuperset(words) else plain


def first_part(name: str, word: str, index: ClassIndex) -> str:
    """Return ``north`` for the parking area ``north parking lot``: what its class word is not."""
    words = name.split()
    for cut in range(1, len(words)):
        classes, _ = index.matches(" ".join(words[cut:]))
        if word in classes:
            return " ".join(words[:cut])
    return ""


@lru_cache(maxsize=16)
def numbered(nodes: Nodes) -> tuple[NumberedName, ...]:
    """Return the names and classes of a layer that end in numbers."""
    names = (name or spoken(word) for name, word in zip(nodes.names, nodes.words, strict=True))
    found = ((row, _NUMBERED.fullmatch(name)) for row, name in enumerate(names))
    return tuple(
        NumberedName(row, m[1], int(m[2]) if m[2] else NUMBER_WORDS[m[3].lower()])
        for row, m in found
        if m
    )
