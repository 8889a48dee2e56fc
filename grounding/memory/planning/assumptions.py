"""What a plan takes for granted and had better look at first: faded, contradicted or perhaps overtaken."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.records import SECOND_NS, Claim, Record, faded
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.beliefs.unanswered import Unsettled, unsettled
from commonground.planning.pddl import Domain
from commonground.planning.pddl.formula import negated_atom

_UNITS = ((86400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))


@dataclass(frozen=True, slots=True)
class Assumption:
    """A fact that a plan rests on and that there is reason to doubt."""

    fact: Fact
    why: str
    step: int
    """How many steps can be taken before it has to hold."""

    def __str__(self) -> str:
        return f"{' '.join(self.fact)}: {self.why}"


@dataclass(slots=True)
class Doubts:
    """Tells which facts of a memory there is reason to doubt."""

    store: KnowledgeStore
    now_ns: int = field(default_factory=time.time_ns)
    _claims: list[Claim] = field(init=False)
    _reports: list[Unsettled] = field(init=False)
    _changing: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self._claims = self.store.claims()
        self._reports = unsettled(self.store)
        self._changing = changing(self.store.vocabulary.domain)

    def of(self, used: Mapping[Fact, int]) -> tuple[Assumption, ...]:
        """Return what is doubtful of the facts that a plan rests on, each with its first step."""
        found = []
        for fact, step in sorted(used.items(), key=lambda entry: (entry[1], entry[0])):
            why = next(self._why(fact), "")
            if why:
                found.append(Assumption(fact, why, step))
        return tuple(found)

    def overtaken(self, fact: Fact) -> bool:
        """Return whether a report that was not understood may have ended what is believed."""
        return fact.relation in self._changing and any(self._overtaken(fact.subject))

    def unsettled(self, thing: str, besides: str, concerns: Callable[[Fact], bool]) -> str:
        """Return a report about a thing, besides one, that was not understood and that nothing settles.

        Only one that may have changed a fact of the thing that this ``concerns``, however it was meant.
        """
        return next(self._overtaken(thing, besides, concerns), "")

    def _why(self, fact: Fact) -> Iterator[str]:
        record = self.store.record(fact)
        if record is not None:
            half_lives = self.store.settings.half_life_s
            sure = faded(record, self.now_ns, half_lives)
            if fact.relation in half_lives and sure < self.store.settings.doubt_below:
                yield f"last heard of {self._ago(record.confirmed_ns)}, {sure:.0%} sure"
        yield from self._contradicted(fact, record)
        if fact.relation in self._changing:
            yield from self._overtaken(fact.subject)

    def _contradicted(self, fact: Fact, record: Record | None) -> Iterator[str]:
        """Yield the claims against a fact that are newer than it and were not certain enough."""
        heard_ns = 0 if record is None else record.confirmed_ns
        for claim in reversed(self._claims):
            if claim.observed_ns >= heard_ns and self._against(claim, fact):
                change = self.store.change_record(claim.tx)
                words = change.source.words if change is not None else ""
                said = f"'{words}'" if words else f"{'' if claim.holds else 'not '}{claim.fact}"
                yield f"{said} speaks against it ({self._ago(claim.observed_ns)}, not certain)"

    def _against(self, claim: Claim, fact: Fact) -> bool:
        """Return whether a claim and a fact cannot both hold."""
        if not claim.holds:
            return claim.fact == fact
        return fact in self.store.groups.rivals(self.store.facts, claim.fact) or (
            claim.fact.is_property and claim.fact.opposite == fact
        )

    def _overtaken(
        self, thing: str, besides: str = "", concerns: Callable[[Fact], bool] | None = None
    ) -> Iterator[str]:
        """Yield the reports about a thing that were not understood and that nothing newer settles."""
        heard_ns = -1
        for report in reversed(self._reports):
            if thing not in report.things or report.text == besides:
                continue
            told = (thing in fact and concerns(fact) for fact in report.may if concerns)
            if concerns is not None and report.may and not any(told):
                continue
            if heard_ns < 0:
                heard_ns = self._heard_ns(thing)
            if report.at_ns > heard_ns:
                yield f"'{report.text}' was not understood ({self._ago(report.at_ns)})"

    def _heard_ns(self, thing: str) -> int:
        """Return when something that changes was last heard of a thing."""
        facts = (f for f in self.store.facts.about(thing) if f.relation in self._changing)
        records = (self.store.record(fact) for fact in facts)
        return max((r.confirmed_ns for r in records if r is not None), default=0)

    def _ago(self, at_ns: int) -> str:
        age_s = max(0, self.now_ns - at_ns) // SECOND_NS
        size, unit = next((row for row in _UNITS if age_s >= 2 * row[0]), _UNITS[-1])
        return f"{age_s // size} {unit} ago"


def changing(domain: Domain) -> frozenset[str]:
    """Return the predicates that some action changes; nothing else is overtaken by what people do."""
    return frozenset(
        getattr(negated_atom(effect.change) or effect.change, "predicate", "")
        for action in domain.actions
        for effect in getattr(action, "effects", ())
    )
