"""What became of a report."""

from __future__ import annotations

from dataclasses import dataclass, replace

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import View
from commonground.grounding.knowledge.records import Outcome
from commonground.grounding.memory.interpretation.reading import Status, Taken


@dataclass(frozen=True, slots=True)
class Told(Taken):
    """What became of a report."""

    asserted: tuple[Fact, ...] = ()
    """What it says and is believed now, whether it was before or not."""
    removed: tuple[Fact, ...] = ()
    added: tuple[Fact, ...] = ()
    tx: int | None = None
    """The change, where there was one."""
    may: tuple[Fact, ...] = ()
    """What all likely ways to read it tell or end, where it is asked about."""

    @classmethod
    def but(cls, taken: Taken, status: Status | None = None, question: str | None = None) -> Told:
        """Return that nothing came of a report that was taken so, or why."""
        asked = taken.question if question is None else question
        return cls(
            status or taken.status,
            question=asked,
            tokens=taken.tokens,
            estimated=taken.estimated,
            why=taken.why,
            offers=taken.offers,
            candidates=taken.candidates,
        )

    def after(self, undone: Outcome | Told, view: View) -> Told:
        """Return the same together with what was taken back before it."""
        both = dict.fromkeys((*undone.added, *self.asserted))
        return replace(
            self,
            status="ok",
            asserted=tuple(fact for fact in both if fact in view),
            removed=(*undone.removed, *self.removed),
            added=(*undone.added, *self.added),
        )
