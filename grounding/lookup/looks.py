"""Words against what was seen: probabilities from embeddings that a map keeps of its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints
from commonground.errors import GroundingError
from commonground.grounding.lookup.encoder import PROMPTS, TextEncoder, model_of
from commonground.grounding.lookup.meaning import bank, known_as, parts, relation
from commonground.grounding.words.attributes import attribute_of, rivals
from commonground.grounding.words.nouns import singular
from commonground.looks import WEIGHT
from commonground.scene import SceneGraph

ANYTHING = "thing"
USUAL_WEIGHT = 2.7
"""How much was seen of a thing of which the map does not say it: nearly three views, large and whole."""
LEAST_WEIGHT, MOST_WEIGHT = 0.05, 20.0
"""What calibrations were fitted on: beyond it nothing more is told."""


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """The nodes of a layer that have looks, and how much they look like everyday things."""

    rows: Ints
    features: Floats32
    """(k, d)"""
    weight: Floats
    """(k,) how much was seen of each."""
    bank: tuple[str, ...]
    top: Floats32
    """(k, 1) the largest logit, of the bank or of no word being true."""
    weights: Floats32
    """(k, b) exponentials of the bank's logits above it."""
    none: Floats32
    """(k,) that of no word being true; 0 for a model that chooses among words."""


class Looks:
    """The looks of a map's nodes; words are compared with them by the encoder that made them."""

    def __init__(self, graph: SceneGraph, encoder: TextEncoder) -> None:
        self.graph, self.encoder = graph, encoder
        self._seen: dict[str, _Seen] = {}
        self._vectors: dict[str, Floats32] = {}

    @property
    def _taught(self) -> frozenset[str]:
        """The nouns that a model of a small world was taught."""
        return frozenset(word for word in self.encoder.taught if not attribute_of(word))

    def _rivals(self, attribute: str) -> list[str]:
        """Return what a thing may be instead, in words that the model was taught where it was taught some."""
        taught = {word for word in self.encoder.taught if attribute_of(word)}
        every = rivals(attribute)
        return [w for w in every if w in taught] if attribute in taught else list(every)

    def has(self, layer: str) -> bool:
        """Return whether anything of a layer was seen."""
        return has_looks(self.graph, layer)

    def likely(self, layer: str, asked: str) -> Floats:
        """Return how likely each node (n,) of a layer is what was asked for, NaN where it was not seen.

        It is how likely the noun is meant, times how likely each attribute in front of it is true then: red,
        not blue. A cosine alone says nothing, as most pictures lie near most words.
        """
        self._check(layer, asked)
        attributes, noun = parts(asked)
        seen = self._layer(layer)
        chance = self._kind(seen, noun) if noun else np.ones(len(seen.rows))
        for attribute in attributes:
            chance = chance * self._shares(seen, attribute, noun)
        found = np.full(len(self.graph.layer(layer)), np.nan)
        found[seen.rows] = chance
        return found

    def _kind(self, seen: _Seen, noun: str) -> Floats:
        """Return how likely a noun is meant by each node that was seen (k,)."""
        return self.encoder.calibration.chances(self._odds(seen, noun), seen.weight)

    def odds(self, layer: str, noun: str) -> tuple[Floats, Floats]:
        """Return the log odds (n,) of a noun by the model alone, and how much was seen of each node (n,).

        NaN where a node was not seen.
        """
        seen = self._layer(layer)
        odds, weight = np.full((2, len(self.graph.layer(layer))), np.nan)
        odds[seen.rows], weight[seen.rows] = self._odds(seen, noun), seen.weight
        return odds, weight

    def _odds(self, seen: _Seen, noun: str) -> Floats:
        """Return the log odds (k,) of a noun against all words that exclude it.

        They are those of the map and everyday ones, or all that a model of a small world was taught. A model
        that chooses among words may choose a kind of what was asked for as well. One that judges each word by
        itself may find none of them true, whose logit is minus its bias: a bus looks a little like a kiosk,
        but it is a bus.
        """
        names = known_as(noun, self._taught) if self._taught else (noun,)
        fits = np.array([max(relation(name, word) for name in names) for word in seen.bank])
        own = self._logits(seen, names).max(axis=1)
        with np.errstate(divide="ignore"):
            against = seen.top[:, 0] + np.log(_sums(seen.weights, fits < 0) + seen.none)
            kinds = seen.top[:, 0] + np.log(_sums(seen.weights, fits > 0))
        own = np.logaddexp(own, kinds) if self.encoder.bias is None else own
        return np.asarray(own - against, float)

    def _shares(self, seen: _Seen, attribute: str, noun: str) -> Floats:
        """Return how likely an attribute is true of each node that was seen (k,), if a noun is.

        People seldom say what is not so: one that is said is as likely beforehand as all its rivals together.
        Where the model was taught none of these, it is held against the noun alone.
        """
        names = known_as(noun, self._taught) if self._taught and noun else (noun,)
        words = (attribute, *(self._rivals(attribute) or [""]))
        if not words[-1]:
            names = tuple(name or ANYTHING for name in names)
        logits = self._logits(seen, [f"{w} {name}".strip() for name in names for w in words])
        by_name = logits.reshape(len(logits), len(names), len(words))
        own = by_name[np.arange(len(logits)), by_name.max(axis=2).argmax(axis=1)]
        if self.encoder.bias is not None:
            own = np.c_[own, np.full(len(own), -self.encoder.bias)]
        own[:, 0] += np.log(max(1, own.shape[1] - 1))
        return _softmax(own)[:, 0]

    def share(self, layer: str, attribute: str, noun: str) -> Floats | None:
        """Return how likely an attribute is true of each node (n,) if a noun is, NaN where it was not seen.

        None for words that are no attributes one can see.
        """
        attribute = attribute_of(attribute)
        if not attribute:
            return None
        noun = singular(noun) or ANYTHING
        self._check(layer, noun)
        seen = self._layer(layer)
        found = np.full(len(self.graph.layer(layer)), np.nan)
        found[seen.rows] = self._shares(seen, attribute, noun)
        return found

    def like(self, layer: str, picture: Floats32) -> Floats:
        """Return how likely each node (n,) is of the kind that a picture (d,) shows, NaN where not seen.

        Both are named, by the words of the map and everyday ones, and the names compared: pictures of unlike
        things lie near each other too.
        """
        self._check(layer, ANYTHING)
        seen = self._layer(layer)
        words = self._encoded(
            sorted({w for w in self.graph.label_words(layer) if w} | {*self._others})
        )
        shown, asked = (
            _softmax(self.encoder.scale * (vectors @ words.T))
            for vectors in (seen.features, picture[None])
        )
        found = np.full(len(self.graph.layer(layer)), np.nan)
        found[seen.rows] = shown @ asked[0]
        return found

    def _logits(self, seen: _Seen, words: Sequence[str]) -> Floats32:
        vectors = self._encoded(words)
        return np.asarray(self.encoder.scale * (seen.features @ vectors.T), np.float32)

    def _encoded(self, words: Sequence[str]) -> Floats32:
        missing = [w for w in dict.fromkeys(words) if w not in self._vectors]
        if missing:
            made = self.encoder.words(missing, PROMPTS)
            self._vectors.update(zip(missing, made, strict=True))
        return np.array([self._vectors[w] for w in words], np.float32)

    @property
    def _others(self) -> tuple[str, ...]:
        """Words that a thing may be called instead: everyday ones, or all that the model was taught."""
        return tuple(self._taught) or bank()

    def _layer(self, layer: str) -> _Seen:
        if layer not in self._seen:
            self._seen[layer] = self._read(layer)
        return self._seen[layer]

    def _read(self, layer: str) -> _Seen:
        mask = _mask(self.graph, layer)
        features = self.graph.layer(layer).features
        rows = np.flatnonzero(mask)
        kept = np.empty((0, 1), np.float32) if features is None else directions(features[rows])
        known = {w for w in self.graph.label_words(layer) if w and not self._taught}
        words = tuple(sorted(known | set(self._others)))
        logits = np.asarray(self.encoder.scale * (kept @ self._encoded(words).T), np.float32)
        bias = self.encoder.bias
        null = np.full(len(rows), -np.inf if bias is None else -bias, np.float32)
        top = np.c_[logits, null].max(axis=1, keepdims=True)
        weights, none = np.exp(logits - top), np.exp(null - top[:, 0])
        return _Seen(rows, kept, self._weight(layer)[rows], words, top, weights, none)

    def _weight(self, layer: str) -> Floats:
        """Return how much was seen of each node (n,), what is usual where the map does not say it."""
        told: Floats = np.full(len(self.graph.layer(layer)), USUAL_WEIGHT)
        column = self.graph.layer(layer).columns.get(WEIGHT)
        if column is not None and column.shape == told.shape and column.dtype.kind in "fiu":
            told = np.where(np.isfinite(column), column, told).astype(float)
        return np.clip(told, LEAST_WEIGHT, MOST_WEIGHT)

    def _check(self, layer: str, asked: str) -> None:
        """Raise GroundingError if a map's embeddings are not of the encoder's space."""
        made_by, name = model_of(self.graph), self.encoder.name
        if made_by and made_by != name:
            raise GroundingError(
                f"the map's embeddings were made with '{made_by}' and the model loaded is '{name}': "
                "their vectors cannot be compared"
            )
        features = self.graph.layer(layer).features
        own = self._encoded([asked]).shape[1]
        if features is not None and features.shape[1] != own:
            raise GroundingError(
                f"the map's embeddings have {features.shape[1]} numbers and those of '{name}' "
                f"{own}: they are of different models"
            )


def _sums(weights: Floats32, chosen: Bools) -> Floats:
    """Return the sum over chosen columns of each row (n, m), alike for rows that are alike."""
    return np.asarray((weights * chosen).sum(axis=1), float)


def _softmax(logits: Floats32) -> Floats:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True)) if logits.size else logits
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), float)


def directions(features: Floats32) -> Floats32:
    """Return vectors (n, d) with length 1: maps keep them of any length."""
    length = np.linalg.norm(features, axis=1, keepdims=True)
    return np.asarray(features / np.maximum(length, 1e-9), np.float32)


def has_looks(graph: SceneGraph, layer: str) -> bool:
    """Return whether a map keeps looks of any node of a layer."""
    return graph.has(layer) and bool(_mask(graph, layer).any())


def _mask(graph: SceneGraph, layer: str) -> Bools:
    features = graph.layer(layer).features
    if features is None:
        return np.zeros(len(graph.layer(layer)), bool)
    return np.asarray(np.isfinite(features).all(axis=1))
