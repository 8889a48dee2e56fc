"""Examples as tensors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from examples import DOMAINS, START, Example, scopes_of
from network import SHAPE
from torch import Tensor

from commonground.grounding.english.names import HINTS, marks
from commonground.grounding.english.spans import tags_of
from commonground.grounding.english.tokens import MAX_PIECES, pieces, shape

IGNORED = -100


def rounded(length: int, to: int = 8) -> int:
    """Return the next multiple: kernels that are compiled for each shape are used again."""
    return max(to, -(-length // to) * to)


class Batcher:
    """Puts examples side by side; ``words`` gives a word its lexical numbers."""

    def __init__(self, words: dict[str, np.ndarray] | None = None, width: int = 0) -> None:
        self.words = words or {}
        self.width = width
        self.random = np.random.default_rng(0)
        self._scopes: dict[tuple[int, ...], list[int]] = {}

    def looks(self, word: str, domain: int) -> np.ndarray:
        """Return what is known of a word beside its letters."""
        found = np.zeros(self.width + SHAPE + len(DOMAINS) + HINTS, np.float32)
        if self.width:
            numbers = self.words.get(word.lower())
            if numbers is not None:
                found[: self.width] = numbers
        found[self.width : self.width + SHAPE] = shape(word)
        found[self.width + SHAPE + domain] = 1
        return found

    def __call__(self, examples: Sequence[Example], drop: float = 0.0) -> dict[str, Tensor]:
        """Return the batch; a share of the words is known by letters or lexicon alone."""
        n = len(examples)
        tokens = rounded(max(len(e.tokens) for e in examples))
        items = rounded(max(len(e.items) for e in examples))
        spans = rounded(max(len(e.segments) for e in examples), 4)
        b = {
            "pieces": np.zeros((n, tokens, MAX_PIECES), np.int64),
            "whole": np.zeros((n, tokens), np.int64),
            "looks": np.zeros((n, tokens, self.width + SHAPE + len(DOMAINS) + HINTS), np.float32),
            "mask": np.zeros((n, tokens), bool),
            "tags": np.full((n, tokens), IGNORED, np.int64),
            "members": np.zeros((n, spans, tokens), np.float32),
            "is_span": np.zeros((n, spans), bool),
            "in": np.full((n, items), START, np.int64),
            "in_span": np.zeros((n, items), np.int64),
            "scope": np.full((n, items), START, np.int64),
            "used": np.zeros((n, items, spans), np.float32),
            "out": np.full((n, items), IGNORED, np.int64),
        }
        for row, e in enumerate(examples):
            self._fill(b, row, e, drop)
        return {k: torch.from_numpy(a) for k, a in b.items()}

    def _fill(self, b: dict[str, np.ndarray], row: int, e: Example, drop: float) -> None:
        domain = DOMAINS.index(e.domain)
        gone = self.random.random(len(e.tokens)) < drop
        for at, word in enumerate(e.tokens):
            rows = pieces(word)
            b["whole"][row, at] = 0 if gone[at] else rows[0]
            b["pieces"][row, at, : len(rows) - 1] = rows[1:]
            b["looks"][row, at] = self.looks(word, domain)
        count = len(e.tokens)
        b["looks"][row, :count, -HINTS:] = marks(e.hints, count)
        b["mask"][row, :count] = True
        b["tags"][row, :count] = tags_of(e.segments, count)
        for k, (start, end, _) in enumerate(e.segments):
            b["members"][row, k, start:end] = 1 / (end - start)
            b["is_span"][row, k] = True
        key = tuple(min(i, -1) if i < 0 else i for i in e.items)
        if key not in self._scopes:
            self._scopes[key] = scopes_of(e.items)
        b["scope"][row, : len(e.items)] = self._scopes[key]
        used = np.zeros(b["used"].shape[2], np.float32)
        for at, item in enumerate(e.items):
            b["used"][row, at] = used
            b["out"][row, at] = item if item >= 0 else START - 1 - item  # spans stand after symbols
            if item < 0:
                used[-1 - item] = 1
            if at + 1 < len(e.items):
                b["in"][row, at + 1] = item if item >= 0 else 1
                b["in_span"][row, at + 1] = max(0, -1 - item)
