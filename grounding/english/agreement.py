"""What a text most likely means to a listener: readings that come to the same count together.

A text can be read as several utterances that ask for the same thing (``all the bags``, ``each of the
bags``). How sure the reader is of each says little; how sure it is of what they mean says whether to act.
People mostly speak of what there is, so readings that have no answer in this world count for less, as does
whatever else the text may say that the reader did not list.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

from commonground.grounding.english.reader import SURE, Reading

A = TypeVar("A")
ELSEWHERE = 0.3
"""How likely people are to say what has no answer in this world, beside what has one."""
DOUBTED = 0.1
"""How likely it is that what does not fit the words of a text is meant, beside what does."""
BESIDE = 0.8
"""How likely it is that what another reader, which reads every word or nothing, makes of a text is meant."""
SETTLED = 0.95
"""How sure a meaning must be to stand against what another reader makes of the text."""


class Agreed(NamedTuple, Generic[A]):
    """The answer to the likeliest meaning of a text, the likeliest reading of it, and how sure that is."""

    answer: A
    reading: Reading
    share: float
    among: float = 0.0
    """How sure it is among what was listed; 0 where that is one reading alone."""

    @property
    def sure(self) -> bool:
        """Whether to act on it."""
        return self.share >= SURE


def agreed(
    reading: Reading,
    answer: Callable[[Reading], A],
    meaning: Callable[[A], Hashable],
    answered: Callable[[A], bool],
    doubted: Callable[[A], bool] = lambda _: False,
    beside: A | None = None,
) -> Agreed[A]:
    """Return the answer to the likeliest meaning of a text, and how sure that is.

    What is doubted does not fit the words of the text. ``beside`` is what another reader makes of it.
    """
    first = answer(reading)
    same = beside is None or meaning(beside) == meaning(first)
    if reading.confidence >= SURE and not doubted(first) and same:
        return Agreed(first, reading, reading.confidence)
    found = {meaning(first): (first, reading)}
    weights: dict[Hashable, float] = {}
    if beside is not None:
        found.setdefault(meaning(beside), (beside, reading))
        weights[meaning(beside)] = BESIDE
    for read in (reading, *reading.others):
        made = first if read is reading else answer(read)
        key = meaning(made)
        found.setdefault(key, (made, read))
        fits = DOUBTED if doubted(made) else 1.0 if answered(made) else ELSEWHERE
        weights[key] = weights.get(key, 0.0) + fits * read.confidence
    unlisted = max(0.0, 1.0 - sum(r.confidence for r in (reading, *reading.others)))
    best = max(weights, key=lambda key: weights[key])
    listed = sum(weights.values())
    share = weights[best] / (listed + ELSEWHERE * unlisted)
    among = weights[best] / listed if reading.others else 0.0
    return Agreed(*found[best], share, among)
