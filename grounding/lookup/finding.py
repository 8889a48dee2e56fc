"""Words in, ranked nodes of a map out."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Floats32
from commonground.errors import GroundingError, did_you_mean
from commonground.grounding.lookup.asked import asked_for
from commonground.grounding.lookup.encoder import TextEncoder, model_of
from commonground.grounding.lookup.hits import (
    CLASS,
    KIND,
    LIKELY,
    LOOKS,
    MAYBE,
    NAME,
    Findings,
    Hit,
    Mark,
    Marks,
    hit_of,
    order_of,
)
from commonground.grounding.lookup.looks import Looks
from commonground.grounding.lookup.named import Named
from commonground.grounding.lookup.sizes import Extreme
from commonground.grounding.lookup.where import BY_LOOKS, LAYERS, nodes_at, told_where
from commonground.grounding.nodes import nodes_of
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.scene.gone import gone_and_said, without_gone

NAMED = 0.5
"""How likely what is called so is meant at least, where looks say less."""
CLASSED = 0.95
"""And where that is its very class."""
PICTURE = "the picture"
"""What is asked for where a picture is shown."""
FOREIGN = "the words are in a script or spelling that the word lists do not have"
WORDLESS = (
    "the classes of this map are numbers without words; 'labelspaces' in its metadata gives words to them, "
    "and --call a name to one thing"
)
"""What is said of a map that cannot be asked for kinds of things."""
SHOWN = 3
"""How many that are elsewhere are named."""


def find(
    graph: SceneGraph,
    words: str = "",
    *,
    encoder: TextEncoder | None = None,
    picture: Floats32 | None = None,
    top: int = 5,
    where: str = "",
) -> Findings:
    """Return the objects and regions that words may mean, or that a picture shows, the likeliest first.

    With an encoder of the model that made the map's embeddings they are ranked by looks, else by names,
    classes and what words have in common. ``where`` is "near X", "in X" or
    "visible from X", X a symbol or words. A ``picture`` is the encoder's vector of one. Who asks often keeps
    a ``Finder``.
    """
    finder = Finder(without_gone(graph), encoder)
    if picture is not None:
        return finder.find_like(picture, top=top, where=where)
    found = finder.find(words, top=top, where=where)
    return replace(found, notes=(*found.notes, *gone_and_said(words, graph)))


class _Place(NamedTuple):
    """Where something is looked for: anywhere, or at what is how likely there."""

    where: str = ""
    allowed: Mapping[str, float] | None = None
    taken: str = ""
    """What was taken for the place, where that is in doubt."""


class Finder:
    """Finds things of one map by words; what many questions share is worked out once."""

    def __init__(self, graph: SceneGraph, encoder: TextEncoder | None = None) -> None:
        self.graph = graph
        self.looks = None if encoder is None else Looks(graph, encoder)
        self._seen = [n for n in LAYERS if self.looks is not None and self.looks.has(n)]
        team = Team({})
        self._layers = (
            nodes_of(graph, "objects", "object", team),
            nodes_of(graph, "regions", "region", team),
        )
        self._named = Named(graph, self._layers)

    def find(self, words: str, *, top: int = 5, where: str = "") -> Findings:
        """Return the objects and regions that words may mean, the likeliest first."""
        asked_for(words, top)  # what is too much for one thing is so with its place
        words, place = self._placed(words) if not where.strip() else (words, self._place(where))
        asked = asked_for(words, top)
        marks, unread = self._named.marks(asked.names)
        if asked.by_purpose:
            marks = {layer: _nearest(own) for layer, own in marks.items()}
        for nodes in self._layers:  # of a name that begins as questions do ("my tree") all counts
            own = self._named.called(nodes, words)
            marks = {**marks, nodes.layer: {**marks.get(nodes.layer, {}), **own}}
        likely = {layer: self._likely(layer, asked.names) for layer in self._seen}
        if not unread:
            far = CLASS if asked.by_purpose else KIND
            likely = {r: _at_least(p, marks.get(r, {}), far) for r, p in likely.items()}
        if asked.extreme is not None:
            marks, likely = self._extreme(asked.extreme, marks, likely)
        found = self._findings(asked.said, marks, likely, top, place, unread)
        return replace(found, notes=(*asked.notes, *found.notes))

    def _placed(self, words: str) -> tuple[str, _Place]:
        """Return what words look for and where, if it is a thing and a place that they tell of."""
        what, where = told_where(words)
        if not where or any(self._named.called(nodes, words) for nodes in self._layers):
            return words, _Place()
        if not self._seen and not any(self._named.marks(asked_for(what, 1).names)[0].values()):
            return what, _Place()  # it is nowhere, so not there either
        try:
            return what, self._place(where)
        except GroundingError:
            if not self._seen:
                raise
            return words, _Place()  # looks tell of whole phrases

    def _place(self, where: str) -> _Place:
        return _Place(where, *nodes_at(self.graph, where, self._all))

    def chances(self, layer: str, words: str) -> Floats:
        """Return how likely each node (n,) of a layer is what words mean, by its looks and names."""
        asked = asked_for(words, 1)
        marks, _ = self._named.marks(asked.names)
        out = np.zeros(len(self.graph.layer(layer)))
        if layer in self._seen:
            out = np.nan_to_num(self._likely(layer, asked.names))
        named = [row for row, (rank, _) in marks.get(layer, {}).items() if rank < MAYBE]
        out[named] = np.maximum(out[named], NAMED if self._seen else 1.0)
        return out

    def _extreme(
        self, extreme: Extreme, marks: Marks, likely: Mapping[str, Floats]
    ) -> tuple[Marks, dict[str, Floats]]:
        """Return which nodes may be the extreme one of those that are meant, and how likely each is."""
        left: dict[str, dict[int, Mark]] = {}
        chances: dict[str, Floats] = {}
        for nodes in (n for n in self._layers if len(n)):
            own = {row: m for row, m in marks.get(nodes.layer, {}).items() if m[0] < MAYBE}
            p = np.nan_to_num(likely.get(nodes.layer, np.zeros(len(nodes))))
            if not self._seen:
                p[list(own)] = 1.0
            found = extreme.chances(nodes, p)
            chances[nodes.layer] = np.where(found > 0.0, found, np.nan)
            alike = np.count_nonzero(found >= found.max()) > 1
            told = f"{'one of ' if alike else ''}the {extreme.word} of those"
            # a name that several bear says no more than a class
            left[nodes.layer] = {
                row: (max(CLASS, rank), f"{told}; {why}")
                for row, (rank, why) in own.items()
                if found[row] > 0.0
            }
        return left, chances

    def find_like(self, picture: Floats32, *, top: int = 5, where: str = "") -> Findings:
        """Return the objects and regions that are what a picture (d,) shows, the likeliest first."""
        if self.looks is None or not self._seen:
            raise GroundingError("this map keeps no embeddings of what was seen: ask it by words")
        likely = {layer: self.looks.like(layer, picture) for layer in self._seen}
        place = self._place(where) if where.strip() else _Place()
        return self._findings(PICTURE, {}, likely, top, place, "")

    def _findings(
        self,
        asked: str,
        marks: Marks,
        likely: Mapping[str, Floats],
        top: int,
        place: _Place,
        unread: str,
    ) -> Findings:
        hits, count = self._ranked(marks, likely, top, place.allowed)
        none = ""
        if not hits:
            none = self._none(asked, place, *self._ranked(marks, likely, SHOWN, None))
        notes = (*filter(None, [place.taken]), *self._notes(asked, unread, hits))
        model = model_of(self.graph) if self._seen else ""
        return Findings(asked, hits, bool(self._seen), notes, model, none, count)

    def _none(self, asked: str, place: _Place, elsewhere: Sequence[Hit], count: int) -> str:
        """Say why nothing was found: nothing is there at all, it is elsewhere, or the map has none."""
        where = place.where.strip()
        if place.allowed is not None and not place.allowed:
            return f"nothing at all in this map is {where}"
        if elsewhere:
            others = ", ".join(hit.symbol for hit in elsewhere[:SHOWN])
            more = f" and {count - SHOWN} more" if count > SHOWN else ""
            return f"nothing {where} is called '{asked}' or a kind of it; elsewhere: {others}{more}"
        words = (w for nodes in self._layers for w in (*nodes.by_name, *nodes.by_class))
        known = {word.lower(): word for word in words}
        if not any(map(_is_told, known)) and any(map(len, self._layers)):
            return f"nothing is called '{asked}': {WORDLESS}"
        near = did_you_mean(asked, known.values()).replace(" Did", "; did", 1)
        return f"nothing in this map is called '{asked}' or a kind of it{near}"

    def _ranked(
        self,
        marks: Marks,
        likely: Mapping[str, Floats],
        top: int,
        allowed: Mapping[str, float] | None,
    ) -> tuple[tuple[Hit, ...], int]:
        """Return the nodes that were named or seen, the likeliest first, and how many are likely.

        Names people gave outdo looks.
        """
        hits: list[Hit] = []
        count = 0
        for nodes in (n for n in self._layers if len(n)):
            own = marks.get(nodes.layer, {})
            ranks = np.full(len(nodes), LOOKS)
            ranks[list(own)] = [rank for rank, _ in own.values()]
            p = likely.get(nodes.layer, np.full(len(nodes), np.nan))
            p = np.where(ranks == NAME, 1.0, p) if likely else p
            seen = np.isfinite(p) & (ranks > NAME) & ~np.isin(p, (CLASSED, NAMED))
            there = np.isfinite(p) | (ranks < LOOKS)
            if allowed is not None:
                share = np.array([allowed.get(symbol, 0.0) for symbol in nodes.symbols])
                there &= share > 0
                p = p * share
            count += int((there & ~(p < LIKELY)).sum())
            rows = np.flatnonzero(there)
            ids = self.graph.layer(nodes.layer).ids[rows]
            order = np.lexsort((ids, ranks[rows], -np.nan_to_num(p[rows]), ranks[rows] > NAME))
            for row in rows[order[:top]].tolist():
                why = own.get(row, (LOOKS, ""))[1]
                said = "; ".join(filter(None, [BY_LOOKS if self._seen and seen[row] else "", why]))
                hits.append(hit_of(nodes, row, int(ranks[row]), p[row], said))
        return tuple(sorted(hits, key=order_of)[:top]), count

    def _notes(self, asked: str, unread: str, hits: Sequence[Hit]) -> Iterator[str]:
        if self._seen:
            if hits and not any(h.is_likely for h in hits):
                yield from self._unlike(asked)
            return
        if self.looks is not None:
            yield "this map keeps no embeddings of what was seen"
        yield "no embeddings were compared: by names, classes and kinds of things only"
        named = any(h.rank < MAYBE for h in hits)
        if hits and not named:
            yield f"nothing in this map is called '{asked}'; what may be one is listed"
        if unread:
            yield f"'{unread}' could not be checked by words alone"
        if not named and not asked.isascii():
            yield FOREIGN

    def _unlike(self, asked: str) -> Iterator[str]:
        yield f"nothing here looks like '{asked}'; what comes nearest is listed"
        if self.looks is not None and self.looks.encoder.taught and not asked.isascii():
            yield FOREIGN

    def _all(self, words: str) -> Findings:
        return self.find(words, top=sys.maxsize)

    def _likely(self, layer: str, names: Sequence[str]) -> Floats:
        """Return how likely each node (n,) of a layer is what some name means, by its looks."""
        if self.looks is None:
            return np.full(len(self.graph.layer(layer)), np.nan)
        return np.asarray(np.max([self.looks.likely(layer, name) for name in names], axis=0))


def _is_told(word: str) -> bool:
    """Return whether a class or name is more than a number or a symbol."""
    return word != "unknown" and any(len(part) > 1 for part in re.findall(r"[^\W\d_]+", word))


def _nearest(own: Mapping[int, Mark]) -> Mapping[int, Mark]:
    """Return the marks without those that only may be, where others are nearer."""
    near = {row: mark for row, mark in own.items() if mark[0] < MAYBE}
    return near or own


def _at_least(likely: Floats, own: Mapping[int, Mark], far: int) -> Floats:
    """Return how likely nodes (n,) are what they are called, up to a rank: looks may say more, not less."""
    named = {row: rank for row, (rank, _) in own.items() if rank <= far}
    out, rows = likely.copy(), list(named)
    out[rows] = np.fmax(out[rows], [CLASSED if rank <= CLASS else NAMED for rank in named.values()])
    return out
