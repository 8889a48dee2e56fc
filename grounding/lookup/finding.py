"""Words in, ranked nodes of a map out."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from commonground.arrays import Bools
from commonground.errors import GroundingError
from commonground.grounding.lookup.looks import TextEncoder, check, probabilities
from commonground.grounding.words.concepts import ClassIndex, artifacts
from commonground.scene import SceneGraph
from commonground.scene.layer import NO_LABEL
from commonground.symbols import symbol_of

LAYERS = ("objects", "regions")
NEAR_M = 5.0
"""How far a thing may be from what it is said to be near."""
LIKELY = 0.5
"""Probability from which looks alone say that a thing is what was asked for."""
_ARTICLES = re.compile(r"^(?:an?|the|any|some|all)\s+", re.IGNORECASE)
_WHERE = re.compile(r"^(near|in)\s+(\S.*)$", re.IGNORECASE)
_SYMBOL = re.compile(r"^[A-Za-z]\(?\d+\)?$")


@dataclass(frozen=True, slots=True)
class Hit:
    """A node that may be what was asked for."""

    symbol: str
    layer: str
    word: str
    """What the map calls it."""
    position: tuple[float, float, float]
    probability: float | None
    """That it is what was asked for, by its looks; None where only words were compared."""
    why: str
    rank: int
    """0 for the name itself, 1 for its class, 2 for a kind of it, 3 for what may be one, 4 for looks."""


@dataclass(frozen=True, slots=True)
class Findings:
    """What a map answers to words."""

    asked: str
    hits: tuple[Hit, ...]
    by_looks: bool
    """Whether embeddings were compared, not words alone."""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def find(
    graph: SceneGraph,
    words: str,
    *,
    encoder: TextEncoder | None = None,
    top: int = 5,
    where: str = "",
) -> Findings:
    """Return the objects and regions that words may mean, the likeliest first.

    With an encoder of the model that made the map's embeddings they are ranked by looks, else by names,
    classes and what words have in common. ``where`` is "near X" or "in X", X a symbol or words.
    """
    asked = _ARTICLES.sub("", " ".join(words.split()))
    if not any(c.isalnum() for c in asked):
        raise GroundingError(f"'{words}' holds no word to look for")
    if top < 1:
        raise GroundingError(f"{top} answers were asked for; at least one is needed")
    allowed = _allowed(graph, where, encoder)
    by_word, unread = _by_words(graph, asked)
    by_looks = encoder is not None and any(_has_looks(graph, layer) for layer in LAYERS)
    hits = _by_looks(graph, asked, encoder, by_word) if encoder and by_looks else by_word
    notes = list(_notes(asked, unread if not by_looks else "", by_looks))
    if encoder is not None and not by_looks:
        notes.insert(0, "this map keeps no embeddings of what was seen")
    kept = [h for symbol, h in hits.items() if allowed is None or symbol in allowed]
    notes.extend(_unlikely(asked, kept))
    return Findings(asked, tuple(sorted(kept, key=_order)[:top]), by_looks, tuple(notes))


def _unlikely(asked: str, hits: list[Hit]) -> Iterator[str]:
    if hits and not any(map(_likely, hits)):
        yield f"nothing here looks like '{asked}'; what comes nearest is listed"


def _likely(hit: Hit) -> bool:
    return hit.probability is None or hit.probability >= LIKELY


def _order(hit: Hit) -> tuple[bool, float, int, str, int]:
    letter, number = hit.symbol[0], int(re.sub(r"\D", "", hit.symbol) or 0)
    return hit.rank > 0, -(hit.probability or 0.0), hit.rank, letter, number


def _notes(asked: str, unread: str, by_looks: bool) -> Iterator[str]:
    if not by_looks:
        yield "no embeddings were compared: by names, classes and kinds of things only"
    if unread:
        yield f"'{unread}' could not be checked by words alone"
    if not by_looks and not asked.isascii():
        yield "the words are in a script or spelling that the word lists do not have"


# ---- by words ----


def _by_words(graph: SceneGraph, asked: str) -> tuple[dict[str, Hit], str]:
    """Return the nodes the words name, and the words in front that no class and no name has.

    The longest end of the phrase that names something counts: a noun's attributes stand before it.
    """
    said = asked.split()
    for start in range(len(said)):
        noun = " ".join(said[start:])
        hits = {h.symbol: h for layer in LAYERS for h in _named(graph, layer, noun)}
        if hits:
            return hits, " ".join(said[:start])
    return {}, ""


def _named(graph: SceneGraph, layer: str, noun: str) -> Iterator[Hit]:
    if not graph.has(layer):
        return
    words = graph.label_words(layer)
    classes, rank, why = _classes({w for w in words if w}, noun)
    for row, (word, name) in enumerate(zip(words, graph.layer(layer).names, strict=True)):
        if name and name.lower() == noun.lower():
            same = word.lower() == name.lower() and graph.layer(layer).labels[row] != NO_LABEL
            yield _hit(graph, layer, row, word, 1 if same else 0, "the map calls it so")
        elif word in classes:
            yield _hit(graph, layer, row, word, rank, why.format(word))


def _classes(there: set[str], noun: str) -> tuple[frozenset[str], int, str]:
    """Return the class words a noun may mean, how near they are, and why.

    The everyday taxonomy is asked first; what WordNet knows is wide and counts as "may be" only.
    """
    found, exact = ClassIndex(there).matches(noun.lower())
    if found:
        return found, 1 if exact else 2, "its class" if exact else f"a {{}} goes with '{noun}'"
    wide, _ = ClassIndex(there, artifacts()).matches(noun.lower())
    return wide, 3, f"a {{}} may be meant by '{noun}'"


def _hit(graph: SceneGraph, layer: str, row: int, word: str, rank: int, why: str) -> Hit:
    nodes = graph.layer(layer)
    x, y, z = (round(float(v), 3) for v in nodes.positions[row])
    return Hit(symbol_of(int(nodes.ids[row])), layer, word, (x, y, z), None, why, rank)


# ---- by looks ----


def _has_looks(graph: SceneGraph, layer: str) -> bool:
    if not graph.has(layer):
        return False
    features = graph.layer(layer).features
    return features is not None and bool(np.isfinite(features).all(axis=1).any())


def _by_looks(
    graph: SceneGraph, asked: str, encoder: TextEncoder, by_word: dict[str, Hit]
) -> dict[str, Hit]:
    """Return every node that has looks with its probability; names people gave stay as they are."""
    dimension = int(encoder.words([asked], ("{}",)).shape[1])
    hits = {s: replace(h, probability=1.0) if h.rank == 0 else h for s, h in by_word.items()}
    for layer in filter(lambda name: _has_looks(graph, name), LAYERS):
        check(graph, layer, encoder, dimension)
        features, words = graph.layer(layer).features, graph.label_words(layer)
        if features is None:
            continue
        seen = np.flatnonzero(np.isfinite(features).all(axis=1))
        likely = probabilities(features[seen], encoder, asked, {w for w in words if w})
        for row, probability in zip(seen.tolist(), likely.tolist(), strict=True):
            hit = _hit(graph, layer, row, words[row], 4, "by its looks")
            known = by_word.get(hit.symbol)
            if known is not None and known.rank == 0:
                continue
            why = f"by its looks; {known.why}" if known else hit.why
            rank = known.rank if known else hit.rank
            hits[hit.symbol] = replace(hit, probability=probability, why=why, rank=rank)
    return hits


# ---- where ----


def _allowed(graph: SceneGraph, where: str, encoder: TextEncoder | None) -> set[str] | None:
    """Return the symbols of the nodes at a place, None for all."""
    if not where.strip():
        return None
    parts = _WHERE.match(where.strip())
    if parts is None:
        raise GroundingError(f"where '{where}': say 'near X' or 'in X', X a symbol or words")
    relation, what = parts[1].lower(), parts[2]
    layer, row = _anchor(graph, what, encoder)
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
    distance = np.linalg.norm(nodes.positions - graph.layer(layer).positions[row], axis=1)
    return np.asarray(distance <= NEAR_M)


def _anchor(graph: SceneGraph, what: str, encoder: TextEncoder | None) -> tuple[str, int]:
    if _SYMBOL.match(what):
        name, row = graph.find(re.sub(r"[()]", "", what))
        return name, row
    hits = [h for h in find(graph, what, encoder=encoder, top=sys.maxsize).hits if _likely(h)]
    if not hits:
        raise GroundingError(f"where: the map has no '{what}'")
    if len(hits) > 1 and _rivals(hits[0], hits[1]):
        raise GroundingError(
            f"where: '{what}' may be {hits[0].symbol} or {hits[1].symbol}: say which by its symbol"
        )
    name, row = graph.find(hits[0].symbol)
    return name, row


def _rivals(first: Hit, second: Hit) -> bool:
    """Return whether neither of two likely hits outdoes the other: a name does, so does a nearer word."""
    if first.probability is None or second.probability is None:
        return first.rank == second.rank
    return (first.rank == 0) == (second.rank == 0)
