"""Phrases that may tell which thing the phrase before them means: ``the keg in the yard``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    DETERMINERS,
    OF_IT,
    Word,
    is_participle,
    is_verb,
)
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.said import GOING
from commonground.grounding.memory.readers.domain.described.segment import PREPOSITIONS
from commonground.grounding.memory.readers.domain.described.text import Text

_MOST = 3
"""So many phrases of one segment are tried as telling which thing another one means."""


class Variants(Text):
    """Finds the ways in which the phrases of a segment may belong together."""

    def _variants(self, parts: Sequence[Part]) -> Iterator[list[Part]]:
        """Yield a segment as it is, and with phrases that tell which thing the one before them means."""
        going = [p for p in self._places(parts) if self.task and _is_going(parts, p)]
        places = [p for p in self._places(parts) if p not in going][:_MOST]
        sure = [p for p in places if self.task and _is_before_verb(parts, p)]
        ways = [c for size in range(len(places) + 1) for c in combinations(places, size)]
        for chosen in sorted(ways, key=lambda way: not {*sure} <= {*way}):
            made = self._merged(parts, chosen)
            if made is not None:
                yield made

    @staticmethod
    def _places(parts: Sequence[Part]) -> Iterator[tuple[int, int]]:
        """Yield where a phrase is followed by another one after prepositions."""
        for at, part in enumerate(parts):
            after = at + 1
            while after < len(parts) and text_of(parts[after]) in PREPOSITIONS:
                after += 1
            if (
                isinstance(part, Phrase)
                and at + 1 < after < len(parts)
                and isinstance(parts[after], Phrase)
            ):
                yield at, after

    def _narrowed_to_any(self, one: Phrase, listed: Sequence[Part | None]) -> dict[str, int]:
        """Return what a phrase may mean that is related to any of those listed, if each has such."""
        others = [p for p in listed if isinstance(p, Phrase)]
        found = [self.referents.narrowed(one, p, self.agents) for p in others]
        return {t: rank for of in found for t, rank in of.items()} if all(found) else {}

    def _merged(
        self, parts: Sequence[Part], chosen: Sequence[tuple[int, int]]
    ) -> list[Part] | None:
        made: list[Part | None] = [*parts]
        for at, after in reversed(chosen):
            one, other = made[at], made[after]
            if not (isinstance(one, Phrase) and isinstance(other, Phrase)):
                return None
            end = _list_end(made, after)
            things = self._narrowed_to_any(one, made[after:end])
            if not things:
                return None
            every = one.every or other.every  # "the keys to all the cars", "the lid of every pot"
            rank = None if not one.things else one.rank
            made[at] = replace(one, things=things, rank=rank, every=every)
            leads = [*map(text_of, parts[at + 1 : after])]
            off = "off" in leads or leads[:2] == ["out", "of"]
            if not off or _is_before_verb(
                parts, (at, after)
            ):  # what is taken off the shelf is no longer on it
                made[at + 1 : end] = [None] * (end - at - 1)
        return [part for part in made if part is not None]


def _list_end(parts: Sequence[Part | None], at: int) -> int:
    """Return where a list ends that begins with a phrase: ``pen 1, pen 2 and pen 3``."""
    at += 1
    while text_of(parts[at] if at < len(parts) else None) == "and" and at + 1 < len(parts):
        if not isinstance(parts[at + 1], Phrase):
            break
        at += 2
    return at


def needed(parts: Sequence[Part]) -> list[Part]:
    """Return parts with what a thing is to have as what it is to be: ``needs fuel``, ``a good wash``."""
    at = next((n for n, p in enumerate(parts) if text_of(p) == "have"), len(parts))
    texts = [t for p in parts[at + 1 :] for t in (p.source if isinstance(p, Phrase) else (p.text,))]
    return [*parts[:at], Word("be"), *(Word(t) for t in texts if t not in DETERMINERS | OF_IT)]


def _is_before_verb(parts: Sequence[Part], place: tuple[int, int]) -> bool:
    """Return whether a phrase and what is after its preposition are before a verb: ``nets in the loft``."""
    at, after = place
    began = any(text_of(p) in AUXILIARIES or is_verb(text_of(p)) for p in parts[:at] if text_of(p))
    return not began and any(
        text_of(p) in AUXILIARIES or is_participle(text_of(p)) for p in parts[after:]
    )


def _is_going(parts: Sequence[Part], place: tuple[int, int]) -> bool:
    """Return whether what stands between two phrases only says where something is to go: ``onto``."""
    return not GOING.isdisjoint(map(text_of, parts[place[0] + 1 : place[1]]))
