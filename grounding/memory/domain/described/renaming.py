"""Names that stand after what they name: ``She has left, Ann.``"""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.domain.described.text import Text
from commonground.grounding.memory.domain.words import (
    AUXILIARIES,
)


class Renaming(Text):
    """Puts names in place of the pronouns and descriptions before them."""

    def _named_after(self, segments: list[list[Part]]) -> list[list[Part]]:
        """Return segments with what is named after them in place of its pronoun: ``She has left, Ann.``"""
        found: list[list[Part]] = []
        renamed = False
        for segment_ in segments:
            if renamed and not isinstance(segment_[0], Phrase):
                found[-1] += segment_
                renamed = False
                continue
            renamed = bool(found) and self._renamed(found[-1]) and self._is_name(segment_)
            if renamed:
                found[-1] = [*segment_]  # "the lady by the door, Ann, ..."
                continue
            name, rest = segment_[0], [text_of(p) for p in segment_[1:]]
            lone = isinstance(name, Phrase) and not name.pronoun and {*rest} <= AUXILIARIES
            at = self._pronoun(found[-1], name) if found and lone else None
            if at is None:
                found.append(segment_)
            else:
                found[-1][at] = name
        return found

    def _renamed(self, parts: Sequence[Part]) -> bool:
        """Return whether a segment only describes somebody: ``the quiet lady by the door``."""
        first = next((p for p in parts if isinstance(p, Phrase)), None)
        verbs = any(text_of(p) in AUXILIARIES for p in parts)
        people = first is not None and len(first.things) > 1 and not first.pronoun
        return (
            people
            and not verbs
            and all(map(self.telling.is_somebody, first.things if first else ()))
        )

    def _is_name(self, parts: Sequence[Part]) -> bool:
        """Return whether a segment is the name of one person and nothing else."""
        name = parts[0]
        return (
            len(parts) == 1
            and isinstance(name, Phrase)
            and len(name.things) == 1
            and self._calls(parts)
        )

    def _pronoun(self, parts: list[Part], name: Part) -> int | None:
        """Return where the pronoun stands that a name may stand for."""
        things = name.things if isinstance(name, Phrase) else ()
        person = any(map(self.telling.is_somebody, things))
        wanted = {"he", "she"} if person else {"it"}
        return next(
            (n for n, p in enumerate(parts) if isinstance(p, Phrase) and p.pronoun in wanted), None
        )
