"""How alike a phrase and the names of things are, without any model: words and pieces of words."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_SIZE = 1 << 14
_PIECE = 3
_PIECE_WEIGHT = 0.35
"""Of a three-letter piece beside that of a word: pieces forgive endings and misspellings."""


class NameVectors:
    """Unit vectors of names: hashed words and their pieces, rare ones weighing more (tf-idf)."""

    def __init__(self, names: Mapping[str, Iterable[str]]) -> None:
        self.things = tuple(names)
        counts = [self._features(" ".join(names[thing])) for thing in self.things]
        seen = Counter(feature for features in counts for feature in features)
        total = max(1, len(self.things))
        self._rarity = {f: math.log((1 + total) / (1 + n)) + 1 for f, n in seen.items()}
        self._unseen = math.log(1 + total) + 1
        self._counts = counts

    @cached_property
    def matrix(self) -> csr_matrix:
        """One row a thing, each of length one."""
        from scipy.sparse import csr_matrix

        rows, columns, values = [], [], []
        for row, features in enumerate(self._counts):
            weights = self._weighted(features)
            rows += [row] * len(weights)
            columns += list(weights)
            values += list(weights.values())
        return csr_matrix((values, (rows, columns)), shape=(len(self.things), _SIZE))

    def similarities(self, phrase: str) -> Floats:
        """Return the cosine between a phrase and every thing's names, one value a thing."""
        weights = self._weighted(self._features(phrase))
        vector = np.zeros(_SIZE)
        vector[list(weights)] = list(weights.values())
        found: Floats = self.matrix @ vector
        return found

    def _weighted(self, features: Mapping[int, float]) -> dict[int, float]:
        weights = {f: n * self._rarity.get(f, self._unseen) for f, n in features.items()}
        norm = math.sqrt(sum(w * w for w in weights.values())) or 1.0
        return {f: w / norm for f, w in weights.items()}

    @staticmethod
    def _features(text: str) -> dict[int, float]:
        features: Counter[int] = Counter()
        weights: dict[int, float] = {}
        for word in text.lower().replace("_", " ").replace("'s", " ").split():
            weights[_slot(word)] = weights.get(_slot(word), 0.0) + 1.0
            padded = f"^{word}$"
            for at in range(len(padded) - _PIECE + 1):
                features[_slot(padded[at : at + _PIECE])] += 1
        for slot, count in features.items():
            weights[slot] = weights.get(slot, 0.0) + _PIECE_WEIGHT * math.sqrt(count)
        return weights


def _slot(text: str) -> int:
    return zlib.crc32(text.encode()) % _SIZE
