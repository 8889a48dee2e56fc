"""What became of a report."""

from __future__ import annotations

from dataclasses import dataclass, replace

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import View
from commonground.grounding.knowledge.records import Outcome
from commonground.grounding.memory.reading import Status


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a report."""

    status: Status
    asserted: tuple[Fact, ...] = ()
    """What it says and is believed now, whether it was before or not."""
    removed: tuple[Fact, ...] = ()
    added: tuple[Fact, ...] = ()
    question: str = ""
    """What to ask back, what was left aside, or why nothing changed."""
    tx: int | None = None
    """The change, where there was one."""
    tokens: int = 0
    """What a language model took for it."""
    may: tuple[Fact, ...] = ()
    """What all likely ways to read it tell or end, where it is asked about."""
    why: str = ""
    """Which reader answered and why it was this one, where there was a choice."""

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
