"""Whether what a segment names can have the part in a change that its place in the segment gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.ontology.deeds import Seat, words_of
from commonground.grounding.memory.ontology.words import FROM, TO
from commonground.grounding.memory.readers.domain.described.said import (
    BESIDE,
    GOING,
    INTO,
    Understanding,
)
from commonground.grounding.memory.readers.domain.described.segment import Role, Segment
from commonground.grounding.memory.readers.domain.likely.candidates import Candidate

_ASIDE = BESIDE - {"by"} | {"past"}
_PART, _NEAR, _IDLE, _FOR = 0.5, 0.0, -0.5, -0.3
"""What it counts that a phrase means what takes part, where that is, who did it, or for whom."""


class Fitting(Understanding):
    """Holds the phrases of a segment against changes."""

    def fit(self, segment: Segment, agents: Sequence[str], candidate: Candidate) -> float | None:
        """Return how well all phrases fit a change; None where one names what has no part in it."""
        doer = candidate.doer
        if doer and agents and doer not in agents and not segment.passive:
            return None
        fits = [self._fit(at, segment, agents, candidate) for at in range(len(segment.roles))]
        whole = (
            self._is_placed(agents, candidate)
            and self._may_be_put(segment, agents, candidate)
            and self._has_theme(segment, agents, candidate)
        )
        known = [f for f in fits if f is not None]
        return sum(known) if whole and len(known) == len(fits) else None

    # ---- single phrases ---------------------------------------------------------------------------

    def _fit(
        self, at: int, segment: Segment, agents: Sequence[str], candidate: Candidate
    ) -> float | None:
        """Return how well a phrase fits a change; None where it names what has no part in it."""
        role = segment.roles[at]
        if at in candidate.meant and _is_aside(role, candidate):
            return None
        if at in candidate.meant:
            return self._part(candidate.meant[at], role, segment, candidate)
        things = self.referents.candidates(role.phrase, agents=agents)
        if self._is_open(role, things):
            return _NEAR
        if not role.preposition:
            return _IDLE if role.before_verb and {*things} & {*agents} else None
        if role.preposition == "with" and any(self._comes_along(t, agents) for t in things):
            return None  # who goes off with a thing has it then
        return self._beside(role, things, segment, candidate)

    def _beside(
        self, role: Role, things: Sequence[str], segment: Segment, candidate: Candidate
    ) -> float | None:
        """Return how well a phrase after a preposition fits a change beside what takes part in it."""
        if role.preposition == "for" and all(map(self.is_somebody, things)):
            others = any(self.is_somebody(t) for t in candidate.begun & self.kinds.keys())
            return None if others else _FOR  # what is reserved for Ann is not for who did that
        part = next((t for t in things if t in candidate.things), None)
        if part is not None:
            return self._part(part, role, segment, candidate)
        near = any(self._is_near(role, t, o) for t in things for o in candidate.things)
        return _NEAR if near and role.preposition not in GOING | {"through"} else None

    def _comes_along(self, thing: str, agents: Sequence[str]) -> bool:
        """Return whether a thing can be had that nobody has who acts."""
        seats, kind = self.roles.holding, self.kinds[thing]
        had = {e for f in self.changes.where(thing, seats) for e in (f.subject, f.object)}
        return any(self.roles.fits(kind, s.relation, s.at) for s in seats) and had.isdisjoint(
            agents
        )

    @staticmethod
    def _is_open(role: Role, things: Sequence[str]) -> bool:
        """Return whether a pronoun may mean somebody, or what was left, who was not named."""
        pronoun = role.phrase.pronoun
        unnamed = not things and (bool(role.preposition) or pronoun in ("he", "she"))
        return bool(pronoun) and (pronoun == "they" or unnamed)

    def _part(self, thing: str, role: Role, segment: Segment, candidate: Candidate) -> float | None:
        """Return how well what a phrase means fits where it has a part in a change."""
        if candidate.deed is not None and thing == candidate.doer:
            return _PART if _may_do(role, segment) else None
        # a stand that a bike comes out of begins to be free, and nothing comes to it
        begun = {e for f in candidate.made if not f.is_property for e in (f.subject, f.object)}
        over = candidate.over
        away = role.preposition in FROM and thing in begun and bool(over)
        there = role.preposition in GOING and thing in over - begun
        put = role.preposition in TO - {"with", "for"} and thing in over & begun
        return None if away or there or put else _PART

    def _is_near(self, role: Role, thing: str, other: str) -> bool:
        """Return whether a phrase only tells where something is that takes part."""
        if other not in self.kinds:
            return False
        zone_of = self.changes.zone_of
        beside = zone_of(thing) is not None and zone_of(thing) in (zone_of(other), other)
        along = role.preposition == "with" and self.is_somebody(thing)
        if role.preposition in BESIDE or (along and beside):
            return beside
        return self.referents.related(thing, other) or zone_of(other) == thing

    # ---- all of them ------------------------------------------------------------------------------

    def _is_placed(self, agents: Sequence[str], candidate: Candidate) -> bool:
        """Return whether it is said where all goes that a change moves, if not to where somebody acts."""
        if not candidate.news:
            return True
        named = {*candidate.meant.values(), *agents, candidate.doer}
        here = {self.changes.zone_of(t) for t in named if t in self.kinds}
        moving = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        ends = {e for f in candidate.made if f.relation in moving for e in (f.subject, f.object)}
        return ends <= named | here

    def _may_be_put(self, segment: Segment, agents: Sequence[str], candidate: Candidate) -> bool:
        """Return whether what no action brings about may be so: something stands where it is said to."""
        known = sorted(self.roles.positions | {*self.roles.whereabouts}, key=lambda s: s.at)
        seats = {s.relation: s for s in known}
        told = candidate.made if candidate.deed is None else ()
        away = any(r.preposition in FROM for r in segment.roles)
        moved = [(seats[f.relation], f) for f in told if f.relation in seats]
        roles = {thing: segment.roles[at] for at, thing in candidate.meant.items()}
        return not moved or (not away and all(self._stands(s, f, roles, agents) for s, f in moved))

    def _stands(
        self, seat: Seat, told: Fact, roles: Mapping[str, Role], agents: Sequence[str]
    ) -> bool:
        """Return whether it is said of one thing that it is at another one, where who acts can put it."""
        ends = (told.subject, told.object)
        mover, target = roles.get(ends[seat.at]), roles.get(ends[seat.other])
        if mover is None or target is None:
            return False
        if mover.preposition or target.before_verb:  # who steps into a suit has it on
            return mover.preposition in GOING and ends[seat.other] in agents
        if agents and ends[seat.at] not in agents and self.is_somebody(ends[seat.at]):
            return False  # "Ann followed him there"
        if not agents:  # somebody did it, and where he is tells where it is
            return mover.before_verb
        here = {self.changes.zone_of(a) for a in agents if a != ends[seat.at]}
        return not here or self._zone(ends[seat.other]) in here

    def _zone(self, thing: str) -> str | None:
        """Return the zone that a thing is, or is in."""
        is_zone = self.roles.is_a(self.kinds[thing], self.roles.zones)
        return thing if is_zone else self.changes.zone_of(thing)

    def _has_theme(self, segment: Segment, agents: Sequence[str], candidate: Candidate) -> bool:
        """Return whether it is named what an action is done with, besides who does it and where."""
        zones = {s.relation for s in self.roles.whereabouts}
        goes = any(f.relation in zones and candidate.doer in f for f in candidate.made)
        themes = (
            thing
            for at, thing in candidate.meant.items()
            if thing not in agents and segment.roles[at].preposition not in INTO | {"at"}
        )
        return candidate.deed is None or goes or any(True for _ in themes)


def _is_aside(role: Role, candidate: Candidate) -> bool:
    """Return whether something only happens near a thing, or goes past it: that is no change of it."""
    named = (words_of(f.relation) for f in (*candidate.made, *candidate.ended))
    return role.preposition in _ASIDE and not any(role.preposition in words for words in named)


def _may_do(role: Role, segment: Segment) -> bool:
    """Return whether a phrase stands where who does something is named."""
    subject = role.before_verb and not role.preposition and not segment.passive
    return subject or role.preposition == "by" or not segment.verbs
