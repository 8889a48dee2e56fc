"""Phrases of wordings that may stand for one another: the words from their first span to their last."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from examples import Example
from pieces import opens

from commonground.grounding.english.spans import KINDS, Segment
from commonground.grounding.english.symbols import CLOSE, all_symbols

NAMES = all_symbols()
OWN = {"noun", "count", "color", "attribute"}
SILENT = {
    "speaker", "everybody", "same_noun", "again", "best", "everything", "from_above", "but", "beside",
    "corrected", "total", "words", "rank", "only", "person", "name", "symbol",
}  # fmt: skip
"""Of a phrase with these, some words may stand outside of its spans, or it is no noun phrase."""
NOUN = KINDS.index("noun")


@dataclass(frozen=True, slots=True)
class Piece:
    """One phrase of one example that can be exchanged."""

    key: tuple[str, str, bool]
    """Determiner, class and number: what has to be alike."""
    tokens: tuple[str, ...]
    segments: tuple[Segment, ...]
    classes: tuple[str, ...]
    items: tuple[int, ...]
    start: int
    first: int
    at: int
    """Where it stands in its example: first token, first segment, first item."""


def pieces_of(e: Example, class_of, plural) -> list[Piece]:
    """Return the phrases of an example whose words stand together, their noun first."""
    found = []
    open_: list[int] = []
    for at, item in enumerate(e.items):
        if item < 0:
            continue
        name = NAMES[item]
        if name == CLOSE:
            if open_:
                begin = open_.pop()
                piece = _piece(e, begin, at, class_of, plural) if begin >= 0 else None
                found += [piece] if piece is not None else []
        elif opens(name):
            open_.append(at if _is_phrase(name) else -1)
    return found


PHRASES = {
    "to:Phrase", "theme:Phrase", "goal:Phrase", "source:Phrase", "location:Phrase", "phrases",
    "located", "near", "introduced", "partner",
}  # fmt: skip


def _is_phrase(name: str) -> bool:
    return name in PHRASES


def _piece(e: Example, begin: int, end: int, class_of, plural) -> Piece | None:
    items = e.items[begin + 1 : end + 1]
    own, depth, det = [], 0, "det=the"
    for at, item in enumerate(items[:-1]):
        if item < 0:
            if depth == 0 and NAMES[items[at - 1]] in OWN:
                own.append((NAMES[items[at - 1]], -1 - item))
            continue
        name = NAMES[item]
        if depth == 0 and (name.partition(":")[0] in SILENT):
            return None
        if depth == 0 and name.startswith("det="):
            det = name
        depth += (1 if opens(name) else 0) - (1 if name == CLOSE else 0)
    nouns = [k for name, k in own if name == "noun"]
    used = sorted({-1 - i for i in items if i < 0})
    if not nouns or not used or used != list(range(used[0], used[-1] + 1)):
        return None
    head = nouns[0]
    if any(k < head and k not in [o for _, o in own] for k in used):
        return None
    if any(e.items.count(-1 - k) > items.count(-1 - k) for k in used):
        return None  # what is taken up elsewhere would point at words that are gone
    start, stop = e.segments[used[0]][0], e.segments[used[-1]][1]
    s, t, _ = e.segments[head]
    words = e.tokens[s:t]
    return Piece(
        (det, class_of(NOUN, e.classes[head]), plural(words)),
        tuple(e.tokens[start:stop]),
        tuple((a - start, b - start, k) for a, b, k in e.segments[used[0] : used[-1] + 1]),
        tuple(e.classes[used[0] : used[-1] + 1]),
        tuple(i if i >= 0 else i + used[0] for i in items),
        start,
        used[0],
        begin + 1,
    )


class Exchange:
    """Puts phrases of other wordings in the place of an example's own."""

    def __init__(
        self, examples: Sequence[Example], class_of, plural, chance: random.Random
    ) -> None:
        self.random = chance
        self.pool: dict[tuple[str, str, str, bool], list[Piece]] = defaultdict(list)
        self.own: dict[int, list[Piece]] = {}
        for e in examples:
            found = pieces_of(e, class_of, plural)
            self.own[id(e)] = found
            for piece in found:
                self.pool[(e.domain, *piece.key)].append(piece)

    def __call__(self, e: Example) -> Example:
        """Return the example with one phrase exchanged, where it has one that can be."""
        mine = self.own.get(id(e))
        if not mine:
            return e
        old = self.random.choice(mine)
        pool = self.pool[(e.domain, *old.key)]
        new = min((self.random.choice(pool) for _ in range(2)), key=lambda piece: len(piece.tokens))
        if len(e.segments) - len(old.segments) + len(new.segments) > 12:
            return e
        grown, more = len(new.tokens) - len(old.tokens), len(new.segments) - len(old.segments)
        last = old.first + len(old.segments)
        segments = [
            *e.segments[: old.first],
            *((s + old.start, t + old.start, k) for s, t, k in new.segments),
            *((s + grown, t + grown, k) for s, t, k in e.segments[last:]),
        ]
        tokens = [*e.tokens[: old.start], *new.tokens, *e.tokens[old.start + len(old.tokens) :]]

        def moved(i: int) -> int:
            return i if i >= 0 or -1 - i < old.first else i - more

        items = [
            *map(moved, e.items[: old.at]),
            *(i if i >= 0 else i - old.first for i in new.items),
            *map(moved, e.items[old.at + len(old.items) :]),
        ]
        classes = [*e.classes[: old.first], *new.classes, *e.classes[last:]]
        return Example(e.domain, tokens, segments, items, classes, e.author, e.id)
