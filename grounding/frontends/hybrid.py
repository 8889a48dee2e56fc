"""The learned reader and the grammar together: what either understands, weighed by its fit to the text.

The reader reads nearly everybody and errs now and then; the grammar reads few and seldom errs. What the
grammar makes of a text is one more way to read it: it decides where what the reader has is in doubt, and
where both are likely and differ, it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from commonground.grounding.answers import Grounding
from commonground.grounding.english.faithful import BACK
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.nouns import word_set

if TYPE_CHECKING:
    from commonground.grounding.frontends.offline import OfflineBackend
    from commonground.grounding.frontends.reading import ReadBackend

HowSure = Callable[[str, Grounding], float]
"""How probable it is that a text means what was made of it."""


def sureness(text: str, found: Grounding, how_sure: HowSure) -> float:
    """Return how sure an answer is: the number that it shows, else what a judge of it says."""
    return how_sure(text, found) if found.confidence is None else found.confidence


class HybridBackend:
    """Reads with both."""

    def __init__(
        self, grammar: OfflineBackend, reading: ReadBackend, robots: Collection[str] = ()
    ) -> None:
        self.grammar, self.reading, self.robots = grammar, reading, robots

    def ground(self, text: str) -> Grounding:
        """Return what both make of a text, or of its sentences where the whole is not sure."""
        found = self._whole(text)
        unsure = not (found.goals or found.understood)
        return (each_alone(text, self.robots, self._whole) if unsure else None) or found

    def _whole(self, text: str) -> Grounding:
        return self.reading.ground(text, self.grammar.way(text))


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
    """Return what sentences come to together; None where one is unsure or not for a robot of its own.

    A long text leaves more ways to read it than its sentences do, and what one robot is told may be taken for
    what another is told as well. Where no sentence refers to another, each means what it means alone.
    """
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
