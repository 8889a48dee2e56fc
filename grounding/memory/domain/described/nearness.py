"""What words tell of a property by meaning much the same as its own, or the opposite: to iron is to press."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from commonground.grounding.memory.domain.described.said import PLACING, TAKING
from commonground.grounding.memory.domain.described.wording import turns
from commonground.grounding.memory.domain.states import Saying
from commonground.grounding.memory.domain.words import (
    FILLING,
    PARTICLES,
    classes_of,
    is_going_on,
    is_participle,
    is_verb,
    near,
)

LEAST = 0.65
"""Words that are less alike than this, of 1, tell nothing of each other."""
_MOVING = PLACING | TAKING | frozenset(["go", "give"])


def nearness(saying: Saying, word: str) -> float:
    """Return how much a word tells that a property is so: below 0 where it tells that it is not."""
    return max((sign * near(word, label) for label, sign in _own(saying)), key=abs, default=0.0)


def telling(words: Iterable[str]) -> list[str]:
    """Return the words that may tell a state: none of those for moving things, and no small ones."""
    return [
        w
        for w in words
        if w.isalpha()
        and len(w) > 2
        and w not in FILLING | PARTICLES
        and not turns(w)
        and not classes_of(w, frozenset()) & _MOVING
        and (is_verb(w) or is_participle(w) or is_going_on(w))
    ]


def _own(saying: Saying) -> Iterator[tuple[str, float]]:
    yield from ((w, 1.0) for w in (saying.word, *saying.also) if w and w not in PARTICLES)
    yield from ((n[0], 1.0) for n in saying.begins if n)
    yield from ((n[0], -1.0) for n in saying.ends if n)
