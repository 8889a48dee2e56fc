"""A scene graph as language sees it: things with class words, proper names, colors and regions.

Words found in the graph only ever name things. A proper name that could be read as anything else (a
command, a robot, another class) is not used as a name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.errors import CommongroundError, did_you_mean
from commonground.grounding.english.names import Names as SpokenNames
from commonground.grounding.linking import ALIKE, SEEN, Linker, Pool, meant
from commonground.grounding.lookup.looks import Looks
from commonground.grounding.lookup.witness import Witness
from commonground.grounding.nodes import NodeKind, Nodes, nodes_of, rows_of
from commonground.grounding.spelled import SpelledNames, names_of
from commonground.grounding.tagged import Tagged
from commonground.grounding.words.layers import layer_of
from commonground.grounding.words.nouns import plainly, spoken
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

POSSIBLE = 0.05
"""What looks less likely than this to be what a noun means is no candidate."""


class World:
    """What can be talked about: the nodes of a scene graph and a team of robots."""

    def __init__(
        self,
        graph: SceneGraph,
        team: Team,
        answers: Sequence[str] = (),
        looks: Looks | None = None,
        witness: Witness | None = None,
    ) -> None:
        self.witness = witness
        """Looks at pictures of what may be meant, where looks leave that in doubt."""
        self.graph, self.team, self.looks = graph, team, looks
        self.blind = ""
        """Why looks could not be compared, where that was tried in vain."""
        self.answers = tuple(answers)
        """What the speaker chose where the instruction was asked back about."""
        self.spelled = SpelledNames(names_of(graph))
        """What is said of the map's names with signs in them."""
        places = "surface_places" if graph.has("surface_places") else "places"
        self.regions = nodes_of(graph, "regions", "region", team)
        self.objects = self._without_area_names(nodes_of(graph, "objects", "object", team))
        self.places = nodes_of(graph, places, "place", team)
        self.linker = Linker((self.objects, self.regions, self.places))
        self._where = {
            symbol: (nodes, row)
            for nodes in (self.objects, self.regions, self.places)
            for row, symbol in enumerate(nodes.symbols)
        }
        self.tagged = Tagged(graph, (self.objects, self.regions), self._where)
        """What is said of the map's names that no reader of English takes for one word."""

    def _without_area_names(self, objects: Nodes) -> Nodes:
        """Take from objects the names that mean an area: nobody is sent to a rock called "north pier"."""
        kept = {
            n: r for n, r in objects.by_name.items()
            if n in objects.given or meant(n, self.regions) is None
        }  # fmt: skip
        names = tuple(name if name in kept else "" for name in objects.names)
        return replace(objects, names=names, by_name=kept)

    @cached_property
    def spoken_names(self) -> SpokenNames:
        """The names of this map and team that may occur in a text."""
        layers = (self.objects, self.regions)
        return SpokenNames(
            {
                "robot": list(self.team.robots),
                "area": [name for nodes in layers for name in nodes.names if name],
                "noun": [spoken(w) for nodes in layers for w in nodes.by_class if w != "unknown"],
            }
        )

    @cached_property
    def nouns(self) -> frozenset[str]:
        """The single words by which things and areas of this map are called."""
        layers = (self.objects, self.regions)
        spoken = (name for nodes in layers for name in (*nodes.names, *nodes.by_class) if name)
        words = {word for name in spoken for word in name.split()}
        return frozenset(form for w in words for form in (w.casefold(), *plainly(w)))

    def has_area(self, words: str) -> bool:
        """Return whether an area of the map may be meant by words."""
        return bool(self.pools(words, ["region"]))

    def has_any(self, words: str) -> bool:
        """Return whether a thing, an area or a robot is called so."""
        said = words.split()
        pools = (self.pools(noun, ["object", "region"])[:1] for noun in (words, said[0], said[-1]))
        known = any(pool.grade <= ALIKE for found in pools for pool in found)
        return known or bool(self.spoken_names.hints(said))

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
        away = nodes.outlines.take([row]).to_points(self.places.positions[:, :2])[0]
        near = np.flatnonzero(away <= meters)
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
        """Return what a noun may mean in the layers asked for, the surest first."""
        found = (self.linker.pool(noun, self.layer(kind)) for kind in kinds)
        return sorted(filter(None, found), key=lambda pool: pool.grade)

    def candidates(self, noun: str, kinds: Sequence[NodeKind]) -> list[Pool]:
        """Return what a noun may mean, by its looks where no class and no name covers it."""
        return self.pools(noun, kinds) or ([] if layer_of(noun) else self._seen(noun, kinds))

    def _seen(self, noun: str, kinds: Sequence[NodeKind]) -> list[Pool]:
        """Return what looks as if a noun meant it, in the layers asked for, the likeliest first."""
        pools: list[tuple[float, Pool]] = []
        for nodes in map(self.layer, kinds):
            likely = self._compared(nodes, lambda looks, layer: looks.likely(layer, noun))
            rows = np.flatnonzero([] if likely is None else likely >= POSSIBLE)
            if likely is not None and len(rows):
                note = f"no class is called '{noun}', compared by looks"
                pool = Pool(nodes, rows, SEEN, rows[:0], note, likely)
                pools.append((-float(likely[rows].max()), pool))
        return [pool for _, pool in sorted(pools, key=lambda found: found[0])]

    def likeliest(self, nouns: Sequence[str]) -> str:
        """Return which of several nouns for things this map has most surely; the first where it has none."""
        best, chosen = (SEEN + 1, 0.0), nouns[0]
        for noun in nouns:
            for pool in self.candidates(noun, ["object"])[:1]:
                likely = 1.0 if pool.likely is None else float(pool.likely[pool.rows].max())
                sure = (max(pool.grade, ALIKE), -likely)
                if sure < best:
                    best, chosen = sure, noun
        return chosen

    def share(self, nodes: Nodes, attribute: str, noun: str) -> Floats | None:
        """Return how likely an attribute is true of each node (n,) by its looks; None if they cannot tell."""
        return self._compared(nodes, lambda looks, layer: looks.share(layer, attribute, noun))

    def _compared(
        self, nodes: Nodes, compare: Callable[[Looks, str], Floats | None]
    ) -> Floats | None:
        """Return what looks say; where they cannot be compared it is remembered why."""
        if self.looks is None or self.blind or not self.looks.has(nodes.layer):
            return None
        try:
            return compare(self.looks, nodes.layer)
        except CommongroundError as error:
            self.blind = str(error)
            return None

    def similar(self, noun: str) -> str:
        """Return a hint at what the map has, for a noun it has not."""
        layers = (self.objects, self.regions)
        known = [w for nodes in layers for w in nodes.by_class if w not in ("", "unknown")]
        near = did_you_mean(noun, [*known, *(n for n in self.regions.names if n)])
        return near or (
            f" It has: {', '.join(sorted(k for k in known if k)[:20])}." if known else ""
        )

    def with_first_part(self, pool: Pool, part: str) -> Ints:
        """Return the rows of a pool whose proper name begins with a word (``north``)."""
        named = [name for name in pool.nodes.by_name if name.split(" ")[0] == part]
        rows = rows_of(pool.nodes, named)
        return rows[np.isin(rows, pool.rows)]
