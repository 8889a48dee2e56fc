"""How much alike verbs, states and happenings are in what they mean, or how opposite: by WordNet's relations.

To mend is as good as to repair, to soak is a way to wet, what is filthy is like dirty, and so not clean.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from commonground.grounding.words.concepts import word_file
from commonground.grounding.words.nouns import singulars

RARER = 0.95
"""What each rarer sense of a word counts less."""
STEPS: Mapping[str, float] = {"<": 0.8, ">": 0.8, "=": 0.9, "*": 0.85, "+": 0.95, "!": 0.95}
"""What a step counts: up to what a meaning is a kind of, down from it, to its like, to what it brings about,
to what comes of it or it comes of, to its opposite."""
_COMMON = 2
"""Rarer senses of a word are not what it is said for."""
_BACK = {"<": ">", "*": "*", "=": "=", "+": "+", "!": "!"}
_PART = re.compile(r"([<=*+!])|(\d+)|([a-z_]+)(\d+)")

Senses = tuple[tuple[int, int], ...]
"""Meanings, and which of the senses of a word each of them is."""


@dataclass(frozen=True, slots=True)
class _Relations:
    senses: Mapping[str, Senses]
    steps: tuple[tuple[tuple[str, int], ...], ...]
    """Of each meaning the kinds of its relations, and what they lead to."""
    verbs: frozenset[int]
    """Which meanings are what somebody or something does."""


@lru_cache(maxsize=1 << 14)
def likeness(one: str, other: str) -> float:
    """Return how much alike two words in their base forms are: 1 the same, -1 opposite, 0 nothing known.

    Ways lead over what lies one step from each. Two kinds of one thing are not alike: to boil and to fry.
    """
    if one == other:
        return 1.0
    best = 0.0
    left, right = _around(one), _around(other)
    for at in left.keys() & right.keys():
        for kind, strength in left[at]:
            for other_kind, other_strength in right[at]:
                if kind == other_kind != "" and kind in "<>!":
                    continue
                found = strength * other_strength
                if abs(found) > abs(best):
                    best = found
    return best


def has_meaning(word: str) -> bool:
    """Return whether the relations know a word in its base form."""
    return word in _relations().senses


def may_be_verb(word: str) -> bool:
    """Return whether a word in its base form may be a verb."""
    known = _relations()
    return any(at in known.verbs for at, _ in known.senses.get(word, ()))


def may_be_noun(word: str) -> bool:
    """Return whether a word may be a noun, in the singular or not."""
    known = _relations()
    senses = (known.senses.get(form, ()) for form in singulars(word))
    return any(at not in known.verbs for found in senses for at, _ in found)


def is_first_of_all(word: str, others: Collection[str]) -> bool:
    """Return whether what a word means first is what one of others means, is like it or is a way to do it."""
    known = _relations()
    first = {at for at, rank in known.senses.get(word, ()) if rank == 1}
    up = {end for at in first for kind, end in known.steps[at] if kind in "<="}
    return any(
        at in first | up and rank <= _COMMON
        for other in others
        for at, rank in known.senses.get(other, ())
    )


@lru_cache(maxsize=1 << 12)
def _around(word: str) -> Mapping[int, list[tuple[str, float]]]:
    """Return the meanings of a word and those a step from them, each with the step and how much it counts."""
    known = _relations()
    found: dict[int, dict[str, float]] = {}

    def note(at: int, kind: str, counts: float) -> None:
        ways = found.setdefault(at, {})
        ways[kind] = max(ways.get(kind, 0.0), counts, key=abs)

    for at, rank in known.senses.get(word, ()):
        counts = RARER ** (rank - 1)
        note(at, "", counts)
        for kind, end in known.steps[at]:
            note(end, kind, counts * STEPS[kind] * (-1.0 if kind == "!" else 1.0))
    return {at: [*ways.items()] for at, ways in found.items()}


@cache
def _relations() -> _Relations:
    lines = [line for line in word_file("relations.txt").splitlines() if not line.startswith("#")]
    senses: dict[str, list[tuple[int, int]]] = {}
    steps: list[list[tuple[str, int]]] = [[] for _ in lines]
    for at, line in enumerate(lines):
        kind = ""
        for step, end, word, rank in _PART.findall(line[1:]):
            if word:
                senses.setdefault(word.replace("_", " "), []).append((at, int(rank)))
            elif step:
                kind = step
            else:
                steps[at].append((kind, int(end)))
                steps[int(end)].append((_BACK[kind], at))
    verbs = frozenset(at for at, line in enumerate(lines) if line.startswith("v"))
    return _Relations({w: tuple(s) for w, s in senses.items()}, tuple(map(tuple, steps)), verbs)
