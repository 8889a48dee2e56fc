"""A scene graph as language sees it: things with class words, proper names, colors and regions.

Words found in the graph only ever name things. A proper name that could be read as anything else (a
command, a robot, another class) is not used as a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.errors import did_you_mean
from commonground.grounding.language.lexicon import Names
from commonground.grounding.language.vocabulary import is_name
from commonground.grounding.words.concepts import ClassIndex, everyday
from commonground.grounding.words.nouns import singulars, spoken
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

NodeKind = Literal["object", "region", "place"]
MAX_NAME_WORDS = 4


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

    def __len__(self) -> int:
        return len(self.symbols)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Rows of one layer that a noun may mean."""

    nodes: Nodes
    rows: Ints
    exact: bool
    """The map uses this very word."""
    favorites: Ints
    """Those whose proper name has the noun in it (``the meadow``: the west meadow)."""
    note: str = ""

    def take(self, mask: Bools) -> Pool:
        """Return the pool of the masked rows."""
        return self.of(self.rows[mask])

    def of(self, rows: Ints) -> Pool:
        """Return the pool with these rows instead."""
        kept = self.favorites[np.isin(self.favorites, rows)]
        return Pool(self.nodes, rows, self.exact, kept, self.note)

    def symbols(self, rows: Iterable[int] | None = None) -> list[str]:
        """Return the symbols of the pool's rows, or of the given rows."""
        return [self.nodes.symbols[int(r)] for r in (self.rows if rows is None else rows)]


class World:
    """What can be talked about: the nodes of a scene graph and a team of robots."""

    def __init__(self, graph: SceneGraph, team: Team) -> None:
        self.graph, self.team = graph, team
        places = "surface_places" if graph.has("surface_places") else "places"
        self.regions = _nodes(graph, "regions", "region", team)
        self.objects = self._without_area_names(_nodes(graph, "objects", "object", team))
        self.places = _nodes(graph, places, "place", team)
        self._where = {
            symbol: (nodes, row)
            for nodes in (self.objects, self.regions, self.places)
            for row, symbol in enumerate(nodes.symbols)
        }

    def _without_area_names(self, objects: Nodes) -> Nodes:
        """Take from objects the names that mean an area: nobody is sent to a rock called "north pier"."""
        kept = {n: r for n, r in objects.by_name.items() if self._pool(n, self.regions) is None}
        names = tuple(name if name in kept else "" for name in objects.names)
        return replace(objects, names=names, by_name=kept)

    @cached_property
    def names(self) -> Names:
        """Everything the lexicon has to know of this map and team."""
        layers = (self.objects, self.regions, self.places)
        classes = dict.fromkeys(w for nodes in layers for w in nodes.by_class if w != "unknown")
        proper = dict.fromkeys(n for nodes in layers for n in nodes.names if n)
        parts = dict.fromkeys(
            part for nodes in layers for name, word in zip(nodes.names, nodes.words, strict=True)
            if (part := _first_part(name, word, nodes.index))
        )  # fmt: skip
        return Names(tuple(classes), tuple(proper), tuple(parts), tuple(self.team.robots))

    def layer(self, kind: str) -> Nodes:
        """Return the nodes of a kind."""
        return {"object": self.objects, "region": self.regions, "place": self.places}[kind]

    def find(self, symbol: str) -> tuple[Nodes, int] | None:
        """Return where a symbol is: its layer's nodes and its row."""
        return self._where.get(symbol)

    def robot(self, name: str) -> Robot | None:
        """Return a robot by its name, whatever the case."""
        return next((r for r in self.team if r.name.lower() == name.lower()), None)

    def region_of(self, symbol: str) -> str | None:
        """Return the region a node is in."""
        found = self.find(symbol)
        if found is None:
            return None
        nodes, row = found
        if nodes.kind == "region":
            return symbol
        up = int(nodes.region[row])
        return self.regions.symbols[up] if up >= 0 else None

    def places_in(self, region: str) -> list[str]:
        """Return the places of a region."""
        row = self.regions.symbols.index(region)
        return [self.places.symbols[int(i)] for i in np.flatnonzero(self.places.region == row)]

    def place_at(self, symbol: str) -> str | None:
        """Return the place an object stands on: its parent, else the nearest place."""
        found = self.find(symbol)
        if found is None or len(self.places) == 0:
            return None
        nodes, row = found
        if nodes.kind == "place":
            return symbol
        if nodes.kind == "object" and self.graph.has(self.places.layer):
            up = int(self.graph.parents("objects", self.places.layer)[row])
            if up >= 0:
                return self.places.symbols[up]
        return self.nearest_place(nodes.positions[row])

    def places_around(self, symbol: str, meters: float) -> list[str]:
        """Return the place a node stands on and those within a distance of it; of a region, all its own."""
        found = self.find(symbol)
        if found is None or len(self.places) == 0:
            return []
        nodes, row = found
        if nodes.kind == "region":
            return self.places_in(symbol)
        offset = self.places.positions[:, :2] - nodes.positions[row, :2]
        near = np.flatnonzero(np.hypot(offset[:, 0], offset[:, 1]) <= meters)
        own = self.place_at(symbol)
        return [*([own] if own else []), *(self.places.symbols[int(i)] for i in near)]

    def nearest_place(self, position: Floats) -> str | None:
        """Return the place nearest to a position (3,)."""
        if len(self.places) == 0:
            return None
        _, rows = self.graph.nearest(self.places.layer, position)
        return self.places.symbols[int(rows[0, 0])]

    # ---- nouns ----------------------------------------------------------------------------------

    def pools(self, noun: str, kinds: Sequence[NodeKind]) -> list[Pool]:
        """Return what a noun may mean in the layers asked for: the map's own words before synonyms."""
        pools = [p for kind in kinds if (p := self._pool(noun, self.layer(kind))) is not None]
        return sorted(pools, key=lambda pool: not pool.exact)

    def _pool(self, noun: str, nodes: Nodes) -> Pool | None:
        noun = spoken(noun)
        if not noun:
            every = np.arange(len(nodes))
            return Pool(nodes, every, True, every[:0]) if len(nodes) else None
        classes, exact = nodes.index.matches(noun)
        named = None if exact else self._named(noun, nodes)
        if named is not None:
            return named
        endings = tuple(f" {form}" for form in singulars(noun))
        ends = _rows(nodes, [name for name in nodes.by_name if name.endswith(endings)])
        if classes:
            words = sorted(classes)
            rows = np.sort(np.concatenate([nodes.by_class[c] for c in words]))
            note = "" if exact else f"the map calls '{noun}' {' or '.join(words)}"
            return Pool(nodes, rows, exact, ends[np.isin(ends, rows)], note)
        return Pool(nodes, ends, False, ends, f"'{noun}' is part of a name") if len(ends) else None

    def _named(self, noun: str, nodes: Nodes) -> Pool | None:
        """Return the nodes whose proper name a noun is, in full or by its parts."""
        forms = singulars(noun)
        named = _rows(nodes, [name for name in nodes.by_name if name in forms])
        return Pool(nodes, named, True, named) if len(named) else self._by_parts(noun, nodes)

    def _by_parts(self, noun: str, nodes: Nodes) -> Pool | None:
        """Match ``north lot`` with the parking area named ``north parking lot``."""
        words = noun.split()
        for cut in range(1, len(words)):
            first, head = " ".join(words[:cut]), " ".join(words[cut:])
            classes, _ = nodes.index.matches(head)
            rows = [
                int(r)
                for name, named in nodes.by_name.items()
                for r in named
                if nodes.words[int(r)] in classes
                and _first_part(name, nodes.words[int(r)], nodes.index) == first
            ]
            if rows:
                found = np.array(rows, np.int64)
                names = " or ".join(f"'{nodes.names[r]}'" for r in rows)
                return Pool(nodes, found, False, found, f"'{noun}' is {names}")
        return None

    def similar(self, noun: str) -> str:
        """Return a hint at what the map has, for a noun it has not."""
        known = [
            w for nodes in (self.objects, self.regions) for w in nodes.by_class if w != "unknown"
        ]
        near = did_you_mean(noun, [*known, *(n for n in self.regions.names if n)])
        return near or (
            f" It has: {', '.join(sorted(k for k in known if k)[:20])}." if known else ""
        )

    def with_first_part(self, pool: Pool, part: str) -> Ints:
        """Return the rows of a pool whose proper name begins with a word (``north``)."""
        named = [name for name in pool.nodes.by_name if name.split(" ")[0] == part]
        rows = _rows(pool.nodes, named)
        return rows[np.isin(rows, pool.rows)]


def _nodes(graph: SceneGraph, layer: str, kind: NodeKind, team: Team) -> Nodes:
    found = graph.layers.get(layer)
    if found is None or len(found) == 0:
        none = np.empty((0, 3))
        return Nodes(
            kind,
            layer,
            (),
            none,
            none,
            none,
            (),
            (),
            (),
            np.empty(0, np.int64),
            {},
            {},
            ClassIndex(()),
        )
    words = tuple(graph.label_words(layer))
    low, high = _bounds(graph, layer)
    metadata = [found.metadata(row) for row in range(len(found))]
    robots = frozenset(w for name in team.robots for w in spoken(name).split())
    index = ClassIndex(w for w in dict.fromkeys(words) if w)
    names = tuple(
        _proper_name(str(m.get("name") or node_name), word, kind, robots)
        for m, node_name, word in zip(metadata, found.names, words, strict=True)
    )
    labels = np.array(words)
    return Nodes(
        kind=kind,
        layer=layer,
        symbols=tuple(found.symbols),
        positions=found.positions,
        low=low,
        high=high,
        words=words,
        names=names,
        colors=tuple(str(m.get("color") or m.get("colour") or "").lower() for m in metadata),
        region=_region_rows(graph, layer, len(found)),
        by_class={w: np.flatnonzero(labels == w) for w in dict.fromkeys(words)},
        by_name=_by_name(names),
        index=index,
    )


def _by_name(names: Sequence[str]) -> dict[str, Ints]:
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        if name:
            rows.setdefault(name, []).append(row)
    return {name: np.array(found, np.int64) for name, found in rows.items()}


def _rows(nodes: Nodes, names: Sequence[str]) -> Ints:
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
        corners = boxes.take(valid).corners()
        low[valid], high[valid] = corners.min(axis=1), corners.max(axis=1)
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
    plain = spoken(name)
    words = plain.split()
    if not words or plain == spoken(word) or len(words) > MAX_NAME_WORDS or robots & set(words):
        return ""
    if not all(w.replace("'", "").isalpha() or w.isdigit() for w in words) or not is_name(words):
        return ""
    return "" if kind == "object" and everyday().senses(plain) else plain


def _first_part(name: str, word: str, index: ClassIndex) -> str:
    """Return ``north`` for the parking area ``north parking lot``: what its class word is not."""
    words = name.split()
    for cut in range(1, len(words)):
        classes, _ = index.matches(" ".join(words[cut:]))
        if word in classes:
            return " ".join(words[:cut])
    return ""
