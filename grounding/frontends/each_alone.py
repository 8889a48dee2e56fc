"""Sentences for different robots, read one by one: each that is sure alone is as sure beside the others.

A long text leaves more ways to read it than its sentences do, and what one robot is told may be taken for
what another is told as well. Where no sentence refers to another, each means what it means alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import chain

from commonground.grounding.answers import Grounding
from commonground.grounding.english.faithful import BACK
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.nouns import word_set

_SENTENCE = re.compile(r"(?<=[.!?;\n])\s+")
_REFERRING = BACK | word_set(
    "one ones both each either neither former latter same such another other others else rest remaining "
    "too also likewise then after afterwards before next first last once when while until till if unless "
    "instead rather actually sorry no not scratch strike scrap forget cancel disregard mean meant together"
)
"""With one of these a sentence may say something of what another says."""


def each_alone(
    text: str, robots: Collection[str], ground: Callable[[str], Grounding]
) -> Grounding | None:
    """Return what sentences come to together; None where one is unsure or not for a robot of its own."""
    said = [sentence for sentence in _SENTENCE.split(text.strip()) if sentence]
    calls = re.compile(rf"({any_of(robots)})\b[\s,:]", re.IGNORECASE)
    called = [call[1].casefold() for call in map(calls.match, said) if call]
    words = frozenset(re.findall(r"[^\W\d_]+", text.casefold()))
    if not 1 < len(said) == len({*called}) or not _REFERRING.isdisjoint(words):
        return None
    found = [ground(sentence) for sentence in said]
    alone = all(map(_is_for, found, called))
    return _together(found) if alone else None


def _is_for(found: Grounding, robot: str) -> bool:
    """Return whether a robot alone is told something, and nothing that is left open."""
    goals = found.goals or {}
    return [*map(str.casefold, goals)] == [robot] and not any("(or" in g for g in goals.values())


def _together(found: Sequence[Grounding]) -> Grounding:
    sure = [one.confidence for one in found if one.confidence is not None]
    return replace(
        found[0],
        goals={name: goal for one in found for name, goal in (one.goals or {}).items()},
        message="; ".join(filter(None, (one.message for one in found))),
        reasons=tuple(chain.from_iterable(one.reasons for one in found)),
        order=tuple(chain.from_iterable(one.order for one in found)),
        leeway={name: goal for one in found for name, goal in one.leeway.items()},
        confidence=min(sure, default=None),
    )
