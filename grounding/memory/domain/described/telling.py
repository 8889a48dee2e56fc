"""What one segment tells: facts that begin or end, by the types of what it names and by its words."""

from __future__ import annotations

from functools import partial

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.domain.described.doing import Doing
from commonground.grounding.memory.domain.described.having import Having
from commonground.grounding.memory.domain.described.placing import Placing
from commonground.grounding.memory.domain.described.said import AT, BESIDE, GOING, PLACING, Said
from commonground.grounding.memory.domain.described.segments import Role, Segment
from commonground.grounding.memory.domain.finding import Found
from commonground.grounding.memory.domain.roles import Seat
from commonground.grounding.memory.domain.words import FROM, classes_of
from commonground.grounding.memory.unclear import Unclear

_BY_HAND = {"up": "take", "down": "release"}
"""What somebody does with a thing of whom notes say no more than a particle."""


class Telling(Having, Placing, Doing):
    """Finds what segments tell of one world."""

    def tell(self, segment: Segment, agents: list[str]) -> Said:
        """Return what a segment tells; Unclear where not all of it is understood."""
        verbs = frozenset(c for v in segment.verbs for c in classes_of(v, segment.particles))
        if agents and not segment.verbs and not segment.copula:  # "Ann: keys down, tray up"
            verbs |= {_BY_HAND[w] for w in segment.words if w in _BY_HAND}
        said = Said(segment, agents, verbs, Found())
        moved = self._denied(said) if segment.negated else self._moved(said)
        self._with(said)
        self._state(said, exact=moved)
        if not (said.found.made or said.found.ended):
            raise Unclear("nothing in that was understood to be a change")
        self._check_roles(said)
        self.wording.check(segment, said.found, task=self.task)
        return said

    def _moved(self, said: Said) -> bool:
        """Find what is somewhere else now, or in other hands, in the surest way there is."""
        if self._changes_only_states(said):
            return self._do(said, surely=False)
        return (
            self._do(said, surely=True)
            or self._give(said)
            or self._bring(said)
            or (self._takes(said) and self._hold(said))
            or self._relate(said)
            or self._hold(said)
            or self._accompany(said)
            or self._let_go(said)
            or self._end(said)
            or self._do(said, surely=False)
            or self._only(said)
        )

    def _denied(self, said: Said) -> bool:
        """Find what a task wants no longer to be somewhere, or in other hands."""
        if not self.task or not (self._relate(said) or self._hold(said) or self._only(said)):
            return False
        said.found.ended, said.found.made = [*said.found.made], []
        return True

    def is_beside(self, segment: Segment) -> bool:
        """Return whether a segment only tells where what was spoken of is: ``next to the sink``."""
        if (
            segment.verbs
            or segment.words
            or any(r.preposition not in BESIDE for r in segment.roles)
        ):
            return False
        zones = {
            self.changes.zone_of(t)
            for t in (*self.referents.meant.themes[:1], *self.referents.meant.people[:1])
        }
        things = (
            t for r in segment.roles for t in self.referents.candidates(r.phrase, lambda _: True)
        )
        return any(self.changes.zone_of(t) in zones - {None} for t in things)

    def _state(self, said: Said, *, exact: bool) -> None:
        """Find states of what a segment is about."""
        segment = said.segment
        parts = [r for r in segment.roles if r.preposition in ("of", "on", "in")]
        for role in (*self.themes(segment), *parts):
            if (role.used and not exact) or (role.preposition and said.found.made):
                continue
            states = self.wording.states(
                segment,
                role.phrase.words,
                partial(self._may_be, role, said),
                exact=exact,
            )
            for relation, holds, words in states:
                for thing in self._new(role, said, relation, holds=holds):
                    said.found.made.append(Fact(thing, relation, TRUE if holds else FALSE))
                said.found.words |= words
                role.used = True

    def _new(self, role: Role, said: Said, relation: str, *, holds: bool) -> list[str]:
        """Return what a phrase means whose state is told: of several, the one of which it is news."""
        seat = Seat(relation, 0)
        found = self.referents.candidates(role.phrase, self._accepts(seat), said.agents)
        news = [t for t in found if (Fact(t, relation, TRUE) in self.changes.draft) != holds]
        one = len(news) == 1 and not role.phrase.every
        return news if one else self._pick(role, seat, said)

    def _may_be(self, role: Role, said: Said, relation: str) -> bool:
        """Return whether a phrase may mean something that a property is about."""
        return self._may(role, Seat(relation, 0), said)

    def _check_roles(self, said: Said) -> None:
        """Raise Unclear where a phrase is left that nothing was made of."""
        found = said.found
        about = [
            t for f in (*found.made, *found.ended) for t in (f.subject, f.object) if t in self.kinds
        ]
        for role in said.segment.roles:
            pronoun = role.phrase.pronoun
            free = role.used or role.preposition == "by" or pronoun == "they"
            left = pronoun in ("it", "there") and role.preposition in FROM  # where it was
            free = free or (self.task and self._is_for_somebody(role))
            if not (free or left or self._is_told(said, role, about)):
                raise Unclear(f"what about '{role.phrase.text}'?")

    def _is_for_somebody(self, role: Role) -> bool:
        """Return whether a phrase only says for whom something is to be done: ``for her``."""
        known = role.phrase.pronoun in ("him", "her", "them", "me", "us")
        return role.preposition == "for" and (known or self.is_named_somebody(role))

    def _is_told(self, said: Said, role: Role, about: list[str]) -> bool:
        """Return whether a phrase speaks of who acts, of what was found, or of where that is."""
        things = self.referents.candidates(role.phrase, lambda _: True, said.agents)
        if not {*things}.isdisjoint(about):
            return True
        if not role.preposition:
            has = self.task and said.verbs & {"hold"}  # then it is he who should have it
            return not has and role.before_verb and not {*things}.isdisjoint(said.agents)
        near = any(self._near(role, t, a) for t in things for a in about)
        done = role.preposition in AT and not said.verbs & PLACING  # "washed it in the sink"
        zones = {self.changes.zone_of(t) for t in about} - {None}
        near = near or (done and any(self.changes.zone_of(t) in zones for t in things))
        return near and role.preposition not in GOING

    def _near(self, role: Role, thing: str, other: str) -> bool:
        """Return whether a phrase only tells more closely where what was found is, or was."""
        zone_of = self.changes.zone_of
        if role.preposition in BESIDE:
            return zone_of(thing) is not None and zone_of(thing) in (zone_of(other), other)
        if role.preposition in FROM and self.referents.had(thing, other):
            return True
        return self.referents.related(thing, other) or zone_of(other) == thing
