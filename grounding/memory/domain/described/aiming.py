"""What the segments of a task may want, by themselves or of what was named before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.memory.domain.described.aims import Aims
from commonground.grounding.memory.domain.described.asking import Asking
from commonground.grounding.memory.domain.described.needing import needed
from commonground.grounding.memory.domain.described.phrase import Part, Phrase
from commonground.grounding.memory.domain.described.segments import Role, segment
from commonground.grounding.memory.domain.described.wishes import (
    free_parts,
    is_topic,
    is_wanted_too,
    wished,
)
from commonground.grounding.memory.domain.finding import Found
from commonground.grounding.memory.domain.words import Word
from commonground.grounding.memory.unclear import Unclear


class Aiming(Asking):
    """Takes in the segments of a task by all that actions can change."""

    def aim(self, told: Sequence[Part]) -> None:
        """Take in what one segment may want, whatever form it is asked in."""
        asked = wished(told, self.telling.is_somebody) or told
        made = segment(asked, self.reader.sayings.is_deed)
        if self.reader.wording.is_remark(made) and not is_wanted_too(made):
            return
        found = self._aimed([*free_parts(asked)])
        self._speak_of([*told])
        if found is None:
            return
        self.found.append(found)
        for fact in found.ended:
            self.changes.retract(fact)
        self.changes.assert_all(found.made)
        for part in told:
            if isinstance(part, Phrase):
                self.referents.note(Role(part))

    def _aimed(self, parts: list[Part]) -> Found | None:
        """Return what a segment asks for, by itself or of what was named before it."""
        before = self.lead
        self.lead = next((p for p in parts if isinstance(p, Phrase)), before)
        if is_topic(parts):
            return None
        aims = Aims(self.referents, self.reader.wording)
        first: Unclear | None = None
        for way in _ways(parts, aims.with_bearer(parts), before):
            try:
                return aims.asked(way, context=before if before in way else None)
            except Unclear as unclear:
                first = first or unclear
        raise first or Unclear("nothing in that was understood to be a change")


def _ways(parts: list[Part], bearing: list[Part], before: Phrase | None) -> Iterator[list[Part]]:
    """Yield a segment as it is, with what bears what it tells, and with what was named before it."""
    named = any(isinstance(p, Phrase) for p in parts)
    if named or bearing:
        yield parts if named else bearing
    if len(parts) == 3 and parts[1] == Word("have") and len(parts[2].text.split()) == 1:
        yield [parts[0], Word("be"), *map(Word, parts[2].text.split())]  # "needs fuel"
    if needs := needed(parts):
        yield needs
    if before is not None:
        if isinstance(parts[0], Word):
            yield [before, *parts]
        if named:
            yield [*parts, before]
