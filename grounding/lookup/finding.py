"""Words in, ranked nodes of a map out."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Floats32
from commonground.errors import GroundingError, did_you_mean
from commonground.grounding.linking import EXACT, HEAD, MENDED, Linker, Pool
from commonground.grounding.lookup.colored import of_color
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
from commonground.grounding.lookup.meaning import plain
from commonground.grounding.lookup.sizes import Extreme, extreme_in
from commonground.grounding.lookup.where import BY_LOOKS, LAYERS, nodes_at, told_where
from commonground.grounding.nodes import Nodes, nodes_of
from commonground.grounding.words.concepts import ClassIndex, artifacts
from commonground.grounding.words.functions import named_by_function, serving
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.scene.gone import gone_and_said, without_gone
from commonground.scene.layer import NO_LABEL

NAMED = 0.5
"""How likely what is called so is meant at least, where looks say less."""
CLASSED = 0.95
"""And where that is its very class."""
PICTURE = "the picture"
"""What is asked for where a picture is shown."""
NAMED_SO = "the map calls it so"
FOREIGN = "the words are in a script or spelling that the word lists do not have"
WORDLESS = (
    "the classes of this map are numbers without words; 'labelspaces' in its metadata gives words to them, "
    "and --call a name to one thing"
)
"""What is said of a map that cannot be asked for kinds of things."""
SHOWN = 3
"""How many that are elsewhere are named."""
MOST_WORDS = 40
"""Of what is looked for; each end of the phrase is tried as a noun."""


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
    """Finds things of one map by words; what many questions share is worked out once.

    Words are linked to classes and names as instructions are.
    """

    def __init__(self, graph: SceneGraph, encoder: TextEncoder | None = None) -> None:
        self.graph = graph
        self.looks = None if encoder is None else Looks(graph, encoder)
        self._seen = [n for n in LAYERS if self.looks is not None and self.looks.has(n)]
        team = Team({})
        self._layers = (
            nodes_of(graph, "objects", "object", team),
            nodes_of(graph, "regions", "region", team),
        )
        self._linker = Linker(self._layers)
        self._wide = [ClassIndex(filter(None, n.by_class), artifacts()) for n in self._layers]

    def find(self, words: str, *, top: int = 5, where: str = "") -> Findings:
        """Return the objects and regions that words may mean, the likeliest first."""
        _asked(words, top)  # what is too much for one thing is so with its place
        words, place = self._placed(words) if not where.strip() else (words, self._place(where))
        asked = _asked(words, top)
        marks, unread = self._by_any(asked.names)
        if asked.by_purpose:
            marks = {layer: _nearest(own) for layer, own in marks.items()}
        for nodes in self._layers:  # of a name that begins as questions do ("my tree") all counts
            own = {r: (self._rank_of_name(nodes, r), NAMED_SO) for r in self._called(nodes, words)}
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
        if not where or any(any(self._called(nodes, words)) for nodes in self._layers):
            return words, _Place()
        if not self._seen and not any(self._by_any(_asked(what, 1).names)[0].values()):
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
        asked = _asked(words, 1)
        marks, _ = self._by_any(asked.names)
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

    # ---- by words ----

    def _by_any(self, names: Sequence[str]) -> tuple[Marks, str]:
        """Return the nodes that some name means, each as near as the nearest; and words that none has."""
        out: dict[str, dict[int, Mark]] = {layer: {} for layer in LAYERS}
        unread = ""
        for name in names:
            marks, unread = self._by_words(name)
            for layer, own in marks.items():
                for row, mark in own.items():
                    out[layer][row] = min(mark, out[layer].get(row, mark))
        return out, unread

    def _by_words(self, asked: str) -> tuple[Marks, str]:
        """Return the nodes the words name, and the words in front that no class and no name has.

        The longest end of the phrase that names something counts: a noun's attributes stand before it.
        """
        said = asked.split()
        for start in range(len(said)):
            noun = " ".join(said[start:])
            marks = {LAYERS[at]: dict(self._named(at, noun)) for at in range(len(LAYERS))}
            if any(marks.values()):
                return of_color(marks, said[:start], self._layers)
        return {}, ""

    def _named(self, at: int, noun: str) -> Iterator[tuple[int, Mark]]:
        """Yield the nodes of a layer that a noun names, by the linker that instructions go through.

        What WordNet knows is asked where that finds nothing: it is wide and counts as "may be" only.
        """
        nodes = self._layers[at]
        named = set(self._called(nodes, noun))
        yield from ((r, (self._rank_of_name(nodes, r), NAMED_SO)) for r in named)
        pool = self._linker.pool(noun, nodes) if nodes.by_class else None
        if pool is not None and pool.grade != HEAD:
            yield from _linked(pool.of(pool.rows[~np.isin(pool.rows, sorted(named))]), noun)
        elif not named:
            wide, _ = self._wide[at].matches(noun.lower())
            for word in sorted(wide):
                why = f"a {word} may be meant by '{noun}'"
                yield from ((row, (MAYBE, why)) for row in nodes.by_class[word].tolist())

    def _called(self, nodes: Nodes, noun: str) -> Iterator[int]:
        """Yield the nodes that bear the very words as their name."""
        if nodes.layer in self.graph.layers:
            names = self.graph.layer(nodes.layer).names
            said = noun.lower().strip()
            yield from (row for row, name in enumerate(names) if name and name.lower() == said)

    def _rank_of_name(self, nodes: Nodes, row: int) -> int:
        """A node that is called like its class has no name of its own."""
        layer = self.graph.layer(nodes.layer)
        same = nodes.words[row].lower() == layer.names[row].lower()
        return CLASS if same and layer.labels[row] != NO_LABEL else NAME


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


def _linked(pool: Pool, noun: str) -> Iterator[tuple[int, Mark]]:
    rank = CLASS if pool.grade == EXACT else KIND
    spelled = f"; {pool.note}" if pool.grade == MENDED else ""
    for row in pool.rows.tolist():
        why = "its class" if rank == CLASS else f"a {pool.nodes.words[row]} goes with '{noun}'"
        yield row, (rank, why + spelled)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is looked for."""

    said: str
    names: tuple[str, ...]
    """Any of these is meant: kinds of things where what they are for was said."""
    notes: tuple[str, ...] = ()
    extreme: Extreme | None = None
    """The largest, say, of those is meant."""
    by_purpose: bool = False
    """Whether it was said by what it is for."""


def _asked(words: str, top: int) -> _Asked:
    """Return what is looked for, without articles; GroundingError where nothing is asked for."""
    said = plain(words)
    if not any(c.isalnum() for c in said):
        raise GroundingError(f"'{words}' holds no word to look for")
    if said.count(" ") >= MOST_WORDS:
        raise GroundingError(f"more than {MOST_WORDS} words are too many for one thing")
    if top < 1:
        raise GroundingError(f"{top} answers were asked for; at least one is needed")
    kinds = serving(said)
    if kinds:
        taken = f"'{said}' was taken for any of: {', '.join(kinds)}"
        return _Asked(said, kinds, (taken,), by_purpose=True)
    if kinds is not None:
        return _Asked(said, (said,), (f"nothing is known of what '{said}' could be",))
    extreme, rest = extreme_in(said)
    named = plain(named_by_function(rest).text)
    return _Asked(said if extreme else named, (named,), extreme=extreme)
