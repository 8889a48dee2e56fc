"""What is made of a report that was understood: it is checked, believed, or kept aside."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import Draft, FactIndex
from commonground.grounding.knowledge.records import Outcome, Source
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.english.clock import shown
from commonground.grounding.memory.english.timing import DayPlan
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.interpretation.reading import Reading, Status
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.settings import MemorySettings
from commonground.grounding.words.nouns import word_set

ClashIn: TypeAlias = Callable[[str, Sequence[Fact]], str]
"""The words of a text that tell two things of which some facts have one, and both cannot be so."""


class Believing:
    """Writes what is believed into a store."""

    def __init__(
        self,
        store: KnowledgeStore,
        settings: MemorySettings,
        days: DayPlan,
        clash_in: ClashIn,
        said: Callable[[Fact], str],
    ) -> None:
        """``said`` tells a fact in words."""
        self.store, self.settings, self.days = store, settings, days
        self.clash_in, self.said = clash_in, said

    def believe(self, reading: Reading, source: Source, now: int, *, vouched: bool = False) -> Told:
        """Commit what a report was understood to say; ``vouched``: as an answer to a question has it."""
        if reading.aside:
            self._keep_aside(reading.aside, source, now)
        if reading.status != "ok":
            return Told.but(reading)
        at = self.days.observed_ns(reading.times, now) if self.settings.dated else now
        if self.settings.verify:
            try:
                self.verify(reading.facts)
                if not vouched:
                    self.check_at_once(reading, source.words)
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
                both = f"{self.said(rivals[0])}; {self.said(fact)}"
                raise GroundingError(f"these cannot both hold: {both}")
            draft.add(fact)

    def check_at_once(self, reading: Reading, text: str) -> None:
        """Raise GroundingError where a report tells of one instant what excludes each other."""
        if not tells_order(text):
            self.verify(reading.at_once)
        clash = self.clash_in(text, reading.facts)
        if clash:
            raise GroundingError(f"'{clash}': which of the two is it? Both cannot be so")

    def _keep_aside(self, claims: Iterable[Fact], source: Source, now: int) -> None:
        """Hearsay is kept as open claims, which may be confirmed later."""
        unknown = [fact for fact in claims if fact not in self.store.facts]
        if unknown:
            with self.store.change(source, at_ns=now) as change:
                for fact in unknown:
                    change.hold(fact, self.settings.hearsay_confidence, "said without certainty")


_ORDER = word_set(
    "then now later after afterwards afterward before next again back until till since meanwhile finally "
    "eventually first last once when earlier soon previously thereafter subsequently was were had "
    "became turned instead rather actually sorry wait correction mean meant no"
)


def tells_order(text: str) -> bool:
    """Return whether words tell one thing after the other, or put right what they told first."""
    return not _ORDER.isdisjoint(words_of(text))
