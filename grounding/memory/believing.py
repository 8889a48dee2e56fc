"""What is made of a report that was understood: it is checked, believed, or kept aside."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import Draft, FactIndex
from commonground.grounding.knowledge.records import Outcome, Source
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.clock import shown
from commonground.grounding.memory.reading import Reading, Status
from commonground.grounding.memory.settings import MemorySettings
from commonground.grounding.memory.timing import DayPlan
from commonground.grounding.memory.told import Told


class Believing:
    """Writes what is believed into a store."""

    def __init__(self, store: KnowledgeStore, settings: MemorySettings, days: DayPlan) -> None:
        self.store, self.settings, self.days = store, settings, days

    def believe(self, reading: Reading, source: Source, now: int) -> Told:
        """Commit what a report was understood to say."""
        if reading.aside:
            self._keep_aside(reading.aside, source, now)
        if reading.status != "ok":
            return Told.but(reading)
        at = self.days.observed_ns(reading.times, now) if self.settings.dated else now
        if self.settings.verify:
            try:
                self.verify(reading.facts)
            except GroundingError as error:
                return Told.but(reading, "ask", str(error))
        outcome = self.store.assert_facts(
            reading.facts, source, at_ns=at, retracted=reading.retracted, until_then=reading.before
        )
        return self.told(outcome, reading)

    def told(self, outcome: Outcome, reading: Reading) -> Told:
        """Return what became of a report that was understood so."""
        facts, question = reading.facts, reading.question
        asserted = tuple(fact for fact in facts if fact in self.store.facts)
        asserted += tuple(fact for fact in outcome.added if fact not in asserted)
        status: Status = "ok" if outcome.changes_belief or outcome.confirmed else "none"
        late = [fact for fact in outcome.late if fact in facts]
        if late:
            newer = "; ".join(self._late(fact, outcome.tx) for fact in late)
            question = "; ".join(filter(None, (newer, question)))
        elif status == "none":
            question = question or "nothing changes by that"
        return replace(
            Told.but(reading, status, question),
            asserted=asserted,
            removed=outcome.removed,
            added=outcome.added,
            tx=outcome.tx,
        )

    def _late(self, fact: Fact, tx: int) -> str:
        """Return in words what became of a fact since which something newer is known."""
        newer = ", ".join(map(str, self.store.groups.rivals(self.store.facts, fact)))
        told = f"something newer is known{newer and ': ' + newer}"
        change = self.store.change_record(tx)
        at = change.observed_ns if change is not None else 0
        if fact in self.store.as_of(at, thing=fact.subject):
            return f"{told}; {fact} is kept as what was so at {shown(at)}"
        return f"{told}, since before {shown(at)}; {fact} is not believed"

    def verify(self, facts: Iterable[Fact]) -> None:
        """Raise GroundingError for facts that are ill-typed or cannot hold at the same time."""
        store, draft = self.store, Draft(FactIndex())
        for fact in facts:
            problem = store.vocabulary.problem(fact, store.kinds)
            if problem is not None:
                raise GroundingError(f"fact {fact}: {problem}")
            rivals = [f for f in store.groups.rivals(draft, fact) if f.subject == fact.subject]
            if rivals:
                raise GroundingError(f"{fact} and {rivals[0]} cannot both hold")
            draft.add(fact)

    def _keep_aside(self, claims: Iterable[Fact], source: Source, now: int) -> None:
        """Hearsay is kept as open claims, which may be confirmed later."""
        unknown = [fact for fact in claims if fact not in self.store.facts]
        if unknown:
            with self.store.change(source, at_ns=now) as change:
                for fact in unknown:
                    change.hold(fact, self.settings.hearsay_confidence, "said without certainty")
