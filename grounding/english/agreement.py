"""What a text most likely means to a listener: readings that come to the same count together.

A text can be read as several utterances that ask for the same thing (``all the bags``, ``each of the
bags``). How sure the reader is of each says little; how sure it is of what they mean says whether to act.
People mostly speak of what there is, so readings that have no answer in this world count for less, as does
whatever else the text may say that the reader did not list.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

from commonground.grounding.english.reader import SURE, Reading

A = TypeVar("A")
ELSEWHERE = 0.3
"""How likely people are to say what has no answer in this world, beside what has one."""
DOUBTED = 0.1
"""How likely it is that what does not fit the words of a text is meant, beside what does."""
BESIDE = 0.8
"""How likely it is that what another reader, which reads every word or nothing, makes of a text is meant."""
FITTING, HEARD = 0.85, 0.2
"""How sure what fits a text must be among what its versions come to, and how much must speak for it."""
JOINT, LISTED = 0.65, 0.5
"""How sure it must be where both readers come to it, and how much must be listed for it then."""
ELSEWHERE_TOO, MISREAD = 0.1, 0.02
"""What it counts then that a version has no answer in this world, or does not fit the words."""


class Agreed(NamedTuple, Generic[A]):
    """The answer to the likeliest meaning of a text, the likeliest reading of it, and how sure that is."""

    answer: A
    reading: Reading
    share: float
    among: float = 0.0
    """How sure it is among what was listed; 0 where that is one reading alone."""

    @property
    def sure(self) -> bool:
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


def fitting(
    readings: Sequence[Reading],
    answer: Callable[[Reading], A],
    meaning: Callable[[A], Hashable],
    answered: Callable[[A], bool],
    doubted: Callable[[A], bool],
    beside: A | None = None,
) -> Agreed[A] | None:
    """Return the answer in which versions of a text agree that fits its words; None where that is unsure.

    Each version speaks for itself: what only one of them misreads in a way that does not fit counts little.
    """
    found: dict[Hashable, tuple[A, Reading]] = {}
    weights: dict[Hashable, float] = {}
    against = 0.0
    for read in (one for reading in readings for one in (reading, *reading.others)):
        made = answer(read)
        if doubted(made) or not answered(made):
            against += read.confidence * (MISREAD if doubted(made) else ELSEWHERE_TOO)
        else:
            found.setdefault(meaning(made), (made, read))
            weights[meaning(made)] = weights.get(meaning(made), 0.0) + read.confidence
    if beside is not None:
        found.setdefault(meaning(beside), (beside, readings[0]))
        weights[meaning(beside)] = weights.get(meaning(beside), 0.0) + BESIDE
    if not weights:
        return None
    best = max(weights, key=lambda key: weights[key])
    total = sum(weights.values()) + against
    share = weights[best] / total
    joint = beside is not None and best == meaning(beside) and weights[best] >= BESIDE + LISTED
    fits = share >= (JOINT if joint else FITTING) and weights[best] >= HEARD
    return Agreed(*found[best], share) if fits else None
