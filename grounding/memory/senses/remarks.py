"""Remarks on the report before: which part of it was wrong, and what was meant instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.grounding.english.utterance import Clause, Reference, Utterance
from commonground.grounding.memory.events import Event
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.senses.clauses import clauses_of
from commonground.grounding.memory.senses.resolver import Resolver, Setting, in_words
from commonground.grounding.memory.senses.roles import agent_of, exchanged, filling
from commonground.grounding.memory.unclear import Unclear

CORRECTIONS = frozenset(["wrong thing", "wrong person", "wrong place", "wrong number"])
RETRACTION = "wrong altogether"


class Remarks:
    """Puts right what was told before."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver = resolver
        self.names: Names = resolver.names

    def corrected(self, clause: Clause) -> list[Event]:
        """Return the events of the report before as a correction says they were."""
        told = self.resolver.told
        meant = clause.theme or clause.goal or clause.location or clause.agent
        if clause.sense == "wrong person":
            meant = clause.agent or meant
        elif clause.sense == "wrong place":
            meant = clause.goal or clause.location or meant
        if clause.sense == "wrong number" or meant is None:
            raise Unclear("which ones were meant?", "ambiguous")
        for accepts in self._kinds(clause.sense):
            olds = filling(told, accepts)
            if olds and self.resolver.may_be(meant, self._may_become(accepts)):
                new = self._meant(meant, accepts, told)
                old = self._old(olds, new, clause, told)
                return exchanged(told, {old: new}, self.names)
        raise Unclear(f"what was meant by '{in_words(meant)}'?", "ambiguous")

    def _kinds(self, sense: str) -> list[Callable[[str], bool]]:
        names = self.names
        furniture = [names.is_place, names.is_room, names.is_fixture]
        places = [(lambda t, a=a: a(t) and not names.is_item(t)) for a in furniture]
        values: list[Callable[[str], bool]] = [names.is_liquid, names.is_channel]
        if sense == "wrong person":
            return [self.resolver.is_someone]
        if sense == "wrong place":
            return [*places, self.resolver.is_someone]
        return [names.is_item, *places, *values, self.resolver.is_someone]

    def _may_become(self, accepts: Callable[[str], bool]) -> Callable[[str], bool]:
        """A shelf stands for its levels: which one is said with it."""
        return lambda t: accepts(t) or any(map(accepts, self.names.levels.get(t, ())))

    def _meant(
        self, meant: Reference, accepts: Callable[[str], bool], told: Sequence[Event]
    ) -> str:
        actors = (agent_of(event) for event in reversed(told))
        rooms = tuple(filling(told, self.names.is_room))
        setting = Setting(rooms, next((who for who in actors if who is not None), None))
        return self.resolver.one(meant, accepts, setting)

    def _old(self, olds: Sequence[str], new: str, clause: Clause, told: Sequence[Event]) -> str:
        """Return what the new thing takes the place of: who acted, a thing of the same kind, the only one."""
        if clause.sense == "wrong person":
            acted = [who for event in told if (who := agent_of(event)) in olds and who is not None]
            return acted[0] if acted else olds[0]
        head, kind = self.names.names[new].head, self.names.kind(new)
        for alike in (
            [t for t in olds if self.names.names[t].head == head],
            [t for t in olds if self.names.kind(t) == kind],
            [*olds],
        ):
            if len(alike) == 1:
                return alike[0]
        raise Unclear(f"instead of which of these: {', '.join(olds)}?", "ambiguous")


def correction_in(utterance: Utterance) -> Clause | None:
    """Return the clause that puts the report before right, if there is one."""
    told = (clause for part in utterance.parts for clause in clauses_of(part.step))
    return next((c for c in told if c.sense in CORRECTIONS or c.sense == RETRACTION), None)
