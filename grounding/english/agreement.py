"""What a text most likely means to a listener: readings that come to the same count together.

A text can be read as several utterances that ask for the same thing (``all the bags``, ``each of the bags``).
How sure the reader is of each says little; how sure it is of what they mean says whether to act.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from commonground.grounding.english.reader import SURE, Reading

A = TypeVar("A")


def agreed(
    reading: Reading, answer: Callable[[Reading], A], meaning: Callable[[A], Hashable]
) -> tuple[A, bool]:
    """Return the answer to the likeliest meaning of a text, and whether that is sure."""
    first = answer(reading)
    if reading.confidence >= SURE:
        return first, True
    found = {meaning(first): first}
    sure = {meaning(first): reading.confidence}
    for other in reading.others:
        made = answer(other)
        key = meaning(made)
        found.setdefault(key, made)
        sure[key] = sure.get(key, 0.0) + other.confidence
    best = max(sure, key=lambda key: sure[key])
    return (found[best], True) if sure[best] >= SURE else (first, False)
