"""Corrections: which parts of the last report a later one puts right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import Event
from commonground.grounding.memory.house import Setting
from commonground.grounding.memory.linking import Linker
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.report import ReportReader
from commonground.grounding.memory.senses.remarks import exchanged, filling, kinds


class Corrector:
    """Reads corrections of a world's reports."""

    def __init__(self, reader: ReportReader) -> None:
        self.reader = reader
        self.names: Names = reader.names

    def read(self, text: str, events: Sequence[Event], linker: Linker) -> list[Event]:
        """Return events as a text says they were; none where it puts nothing right."""
        right, wrong = self._mentions(text)
        if self._is_of_others(right, events, linker):
            return []
        if not wrong and self._is_of_one(right, events, linker):
            return []
        rooms, new = filling(events, self.names.is_room), dict[str, str]()
        for mention in right:
            for accepts in kinds(linker.house):
                meant = linker.some(mention, accepts, Setting(tuple(rooms)))
                old = self._old(filling(events, accepts), wrong, accepts, linker)
                if len(meant) == 1 and old is not None and old not in new:
                    if meant[0] != old:
                        new[old] = meant[0]
                    break
        return exchanged(events, new, self.names) if new else []

    def _is_of_others(
        self, right: Sequence[Mention], events: Sequence[Event], linker: Linker
    ) -> bool:
        """Return whether a text speaks of two things that the last report did not: ``she mixed up …``."""
        is_item = self.names.is_item
        named = (m for m in right if m.kind == "thing" and m.ordinal is None)
        things = [m for m in named if linker.may_be(m, is_item)]
        found = (linker.some(mention, is_item) for mention in things)
        told = filling(events, is_item)
        return len(things) > 1 and all(set(some).isdisjoint(told) for some in found)

    def _is_of_one(self, right: Sequence[Mention], events: Sequence[Event], linker: Linker) -> bool:
        """Return whether a text tells of one of several things of the last report: that is a new report."""
        told, is_item = filling(events, self.names.is_item), self.names.is_item
        found = (linker.some(mention, is_item) for mention in right)
        return len(told) > 1 and any(len(some) == 1 and some[0] in told for some in found)

    def _old(
        self,
        old_ones: list[str],
        wrong: list[Mention],
        accepts: Callable[[str], bool],
        linker: Linker,
    ) -> str | None:
        """Return which part is wrong: the one called so, else the first of its kind."""
        for mention in wrong:
            found = linker.some(mention, accepts)
            if len(found) == 1 and found[0] in old_ones:
                return found[0]
        return old_ones[0] if old_ones else None

    def _mentions(self, text: str) -> tuple[list[Mention], list[Mention]]:
        """Return the phrases that are meant and those that were wrong."""
        right: list[Mention] = []
        wrong: list[Mention] = []
        for tokens in self.reader.tokens(text):
            for clause in self.reader.clauses(self.reader.cleaner.clean(tokens)):
                negated = clause.negated or (clause.verb is not None and clause.verb.negated)
                (wrong if negated else right).extend(_flat(clause))
                wrong += clause.excluding
                wrong += [m for p, m in clause.places if p == "instead of"]
        return [
            m for m in right if m not in wrong and m.kind not in ("pronoun", "place word")
        ], wrong


def _flat(clause: Clause) -> list[Mention]:
    return [part for mention in clause.mentions for part in (mention.parts or [mention])]
