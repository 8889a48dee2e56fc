"""All that a segment may tell of: actions that can be done, states that turn, relations that begin or end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.ontology.deeds import Deed, Seat
from commonground.grounding.memory.readers.domain.described.doable import Binding, Doable
from commonground.grounding.memory.readers.domain.described.said import GOING
from commonground.grounding.memory.readers.domain.described.segment import Role, Segment
from commonground.grounding.memory.readers.domain.finding import fact

_MOST = 400
"""So many ways to fill in one action are looked at."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One change that a segment may tell of."""

    made: tuple[Fact, ...]
    ended: tuple[Fact, ...]
    meant: Mapping[int, str]
    """What each of the phrases means that it takes part in, by its place."""
    deed: Deed | None = None
    doer: str = ""
    unnamed: int = 0
    """How many of those who take part the state tells and no phrase."""
    news: bool = True
    """Whether it is not so already."""

    @property
    def change(self) -> tuple[frozenset[Fact], frozenset[Fact]]:
        """Return what becomes so and what ends."""
        return frozenset(self.made), frozenset(self.ended)

    @property
    def denied(self) -> Candidate | None:
        """Return what is denied where this is told by that: what ends; None for what somebody does."""
        begins = any(f.object != FALSE for f in self.made)
        if self.deed is not None or begins or (self.made and self.ended):
            return None
        return replace(self, made=(*(f.opposite for f in self.made), *self.ended), ended=())

    @property
    def begun(self) -> set[str]:
        """Return what stands in a relation or a state that begins."""
        return {e for f in self.made for e in (f.subject, f.object)}

    @property
    def over(self) -> set[str]:
        """Return what stands in a relation that ends."""
        return {e for f in self.ended for e in (f.subject, f.object)}

    @property
    def things(self) -> set[str]:
        """Return all that takes part."""
        return self.begun | self.over | {*self.meant.values()}


class Candidates(Doable):
    """Lists what may have become so of what a segment names."""

    def of(self, segment: Segment, agents: Sequence[str]) -> Iterator[Candidate]:
        """Yield all changes in which something takes part that a segment names."""
        seen = set()
        for candidate in self._all(segment, agents):
            key = (candidate.change, tuple(sorted(candidate.meant.items())), candidate.deed is None)
            news = bool(candidate.ended) or not all(map(self._is_so, candidate.made))
            if key not in seen and news == candidate.news:
                seen.add(key)
                yield candidate

    def _is_so(self, fact: Fact) -> bool:
        so = fact.opposite if fact.object == FALSE else fact
        return (so in self.changes.draft) != (fact.object == FALSE)

    def _all(self, segment: Segment, agents: Sequence[str]) -> Iterator[Candidate]:
        # of what an action does, a task wants only a part
        for deed in () if self.task else self.roles.deeds:
            yield from self._deeds(deed, segment, agents)
        for at, role in enumerate(segment.roles):
            yield from self._states(at, role, agents)
            yield from self._endings(at, role, segment, agents)
        yield from self._beginnings(segment, agents)

    # ---- actions --------------------------------------------------------------------------------

    def _deeds(self, deed: Deed, segment: Segment, agents: Sequence[str]) -> Iterator[Candidate]:
        """Yield what an action brings about that is done with what is named."""
        for count, (binding, meant) in enumerate(self._filled(deed, segment, agents, 0)):
            if count > _MOST:
                return
            for whole in self._solve(deed, [*deed.needs], binding, linked=True):
                if all(a in whole for atom in (*deed.adds, *deed.deletes) for a in atom.args):
                    done = self._done(deed, whole, meant, agents)
                    if {*done.made}.isdisjoint(done.ended):  # nobody hands a thing to himself
                        yield done

    def _filled(
        self, deed: Deed, segment: Segment, agents: Sequence[str], at: int
    ) -> Iterator[tuple[Binding, dict[int, str]]]:
        """Yield the ways in which the phrases from a place on may name parameters of an action."""
        if at == len(segment.roles):
            acting = self._acting(deed)
            for agent in [*agents] if acting else []:
                if self.roles.is_a(self.kinds[agent], deed.kinds[acting]):
                    yield {acting: agent}, {}
            yield {}, {}
            return
        role = segment.roles[at]
        for binding, meant in self._filled(deed, segment, agents, at + 1):
            free = [p for p in deed.kinds if p not in binding]
            for parameter in free:
                for thing in self._fitting_things(role, deed.kinds[parameter], agents):
                    if thing not in binding.values():
                        yield {**binding, parameter: thing}, {**meant, at: thing}
            yield binding, meant

    def _fitting_things(self, role: Role, kinds: Sequence[str], agents: Sequence[str]) -> list[str]:
        others = {*agents} if role.phrase.pronoun == "it" and not role.before_verb else set()
        found = self.referents.candidates(
            role.phrase, lambda t: t not in others and self.roles.is_a(self.kinds[t], kinds), agents
        )
        spoken = {*self.referents.meant.themes, *self.referents.meant.people}
        if (
            spoken and role.phrase.pronoun
        ):  # of what the text before this one spoke nothing is guessed
            found = [t for t in found if t in spoken]
        return found if len(found) < _FEW else []

    def _acting(self, deed: Deed) -> str:
        """Return the parameter of who does an action; '' for none."""
        someone = self.roles.robots | self.roles.people
        return next(
            (
                p
                for p, kinds in deed.kinds.items()
                if all(self.roles.is_a(k, someone) for k in kinds)
            ),
            "",
        )

    def _done(
        self, deed: Deed, binding: Binding, meant: dict[int, str], agents: Sequence[str]
    ) -> Candidate:
        doer = binding.get(self._acting(deed), "")
        here = {self.changes.zone_of(t) for t in (doer, *agents) if t}
        known = {*meant.values(), *agents, doer} | here
        unnamed = sum(t not in known for t in binding.values())
        made, ended = self._changes(deed, binding), self._ended(deed, binding)
        return Candidate((*made,), (*ended,), meant, deed, doer, unnamed)

    # ---- states and relations -------------------------------------------------------------------

    def _states(self, at: int, role: Role, agents: Sequence[str]) -> Iterator[Candidate]:
        """Yield the states of what a phrase means, turned."""
        for relation, signature in self.roles.signatures.items():
            if signature.is_property:
                for thing in self._fitting_things(role, signature.arguments[0], agents):
                    so = Fact(thing, relation, TRUE)
                    holds = so in self.changes.draft
                    yield Candidate((so.opposite if holds else so,), (), {at: thing})
                    yield Candidate((so if holds else so.opposite,), (), {at: thing}, news=False)

    def _endings(
        self, at: int, role: Role, segment: Segment, agents: Sequence[str]
    ) -> Iterator[Candidate]:
        """Yield the relations that end in which something stands that a phrase means."""
        placing = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        for relation in self.roles.binary:
            for side in (0, 1):
                kinds = self.roles.signatures[relation].arguments[side]
                for thing in self._fitting_things(role, kinds, agents):
                    for old in self.changes.where(thing, [Seat(relation, side)]):
                        meant = self._ends(old, at, thing, segment, agents)
                        yield Candidate((old,), (), meant, news=False)
                        if relation not in placing:
                            yield Candidate((), (old,), meant)

    def _ends(
        self, old: Fact, at: int, thing: str, segment: Segment, agents: Sequence[str]
    ) -> dict[int, str]:
        """Return which phrases mean the ends of a fact."""
        meant = {at: thing}
        (other,) = {old.subject, old.object} - {thing} or {thing}
        for n, role in enumerate(segment.roles):
            if n != at and other in self._fitting_things(role, (self.kinds[other],), agents):
                meant[n] = other
        return meant

    def _beginnings(self, segment: Segment, agents: Sequence[str]) -> Iterator[Candidate]:
        """Yield the relations in which two things may come to stand that are named."""
        for relation in self._that_begin(segment):
            ends = self.roles.signatures[relation].arguments
            for n, one in enumerate(segment.roles):
                for m, other in enumerate(segment.roles):
                    if n == m:
                        continue
                    for a in self._fitting_things(one, ends[0], agents):
                        if self.stays(one.phrase, a, Seat(relation, 0)):
                            continue
                        for b in self._fitting_things(other, ends[1], agents):
                            if a != b and self.changes.may_stand(a, Seat(relation, 0)):
                                made = fact(Seat(relation, 0), a, b)
                                yield Candidate((made,), (), {n: a, m: b})

    def _that_begin(self, segment: Segment) -> list[str]:
        """Return the relations that named things may come to stand in; in hand is what goes there."""
        led = any(role.preposition in GOING for role in segment.roles)
        held = set[str]() if led else {s.relation for s in self.roles.holding}
        return [r for r in self.roles.binary if r not in held | self._untold(segment)]


_FEW = 6
"""A phrase that may mean so many things names none of them."""
