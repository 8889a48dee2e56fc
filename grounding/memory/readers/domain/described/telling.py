"""What one segment tells: facts that begin or end, by the types of what it names and by its words."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from itertools import product

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.interpretation.unclear import NOTHING, Unclear
from commonground.grounding.memory.ontology.deeds import Seat
from commonground.grounding.memory.ontology.predicate_names import tells_having
from commonground.grounding.memory.ontology.words import FROM, classes_by_likeness, classes_of
from commonground.grounding.memory.readers.domain.described.doing import Doing
from commonground.grounding.memory.readers.domain.described.having import Having
from commonground.grounding.memory.readers.domain.described.placing import Placing
from commonground.grounding.memory.readers.domain.described.referents import OTHERS
from commonground.grounding.memory.readers.domain.described.said import (
    BESIDE,
    GOING,
    OBTAINING,
    Said,
)
from commonground.grounding.memory.readers.domain.described.segment import PART_OF, Role, Segment
from commonground.grounding.memory.readers.domain.described.vanishing import Vanishing
from commonground.grounding.memory.readers.domain.finding import Found, fact

_GIVING, _TAKING = frozenset(["give", "sell"]), frozenset(["take"])


class Telling(Having, Placing, Doing, Vanishing):
    """Finds what segments tell of one world."""

    def tell(self, segment: Segment, agents: list[str]) -> Said:
        """Return what a segment tells; Unclear where not all of it is understood."""
        said = Said(segment, agents, self._verbs(segment, agents), Found())
        denied = self._denied if self.task else self._deny
        moved = self._vanish(said) or (denied(said) if segment.negated else self._moved(said))
        self._take_off(said)
        self._taken_off(said)
        self._with(said)
        self._act_there(said)
        self._state(said, exact=moved)
        if not (said.found.made or said.found.ended):
            raise Unclear(NOTHING)
        self._check_roles(said)
        self._check_pronoun(said)
        self.wording.check(segment, said.found, task=self.task)
        return said

    def _verbs(self, segment: Segment, agents: Sequence[str]) -> frozenset[str]:
        """Return the classes of the verbs of a segment; of one without any, what they are like."""
        verbs = frozenset(c for v in segment.verbs for c in classes_of(v, segment.particles))
        if segment.verbs and not (self.task or verbs - {"neutral"}):
            verbs |= classes_by_likeness(segment.verb)
        return verbs

    def _moved(self, said: Said) -> bool:
        """Find what is somewhere else now, or in other hands, in the surest way there is."""
        if self._changes_only_states(said):
            every = any(r.phrase.every for r in self.themes(said.segment))
            related = not every and self._relate(said)  # "parked it in the hall"
            return self._do(said, surely=False) or related
        return self._surely_had(said) or self._moved_somehow(said)

    def _surely_had(self, said: Said) -> bool:
        return (
            self._do(said, surely=True)
            or (not said.verbs & {"sell"} and self._give(said))
            or self._bring(said)
            or (self._takes(said) and self._hold(said))
        )

    def _take_off(self, said: Said) -> None:
        """Find what ends where something was taken off or out of a thing that it was joined with."""
        sources = [r for r in said.segment.roles if r.preposition in FROM and not r.phrase.pronoun]
        made = {t for f in said.found.made for t in (f.subject, f.object)}
        begun = {f.relation for f in said.found.made}
        for theme, source in product(self.themes(said.segment), sources):
            things = filter(made.__contains__, self.referents.candidates(theme.phrase))
            for one, other in product(things, self.referents.candidates(source.phrase)):
                joined = self._joined(one, other, begun)
                said.found.ended += joined
                source.used = source.used or bool(joined)

    def _joined(self, one: str, other: str, begun: Collection[str]) -> list[Fact]:
        """Return what joins two things and may end, or begins with others; nothing where one is put."""
        placing = {s.relation for s in self.roles.positions}
        facts = [*self.changes.between(one, other)]
        put = any(f.relation in placing for f in facts)
        ending = self.roles.vocabulary.changing.union(begun)
        return [f for f in facts if f.relation in ending and not put]

    def _moved_somehow(self, said: Said) -> bool:
        return (
            self._pass(said, _GIVING)
            or self._relate(said)
            or self._stand_by(said)
            or self._hold(said)
            or self._pass(said, _TAKING)
            or self._let_go(said)
            or self._do(said, surely=False)
            or self._end(said)
            or self._only(said)
        )

    def _denied(self, said: Said) -> bool:
        """Find what a task wants no longer to be somewhere, or in other hands."""
        if not self.task or not (self._relate(said) or self._hold(said) or self._only(said)):
            return False
        ended, said.found.made = [*said.found.made], []
        every = any(role.phrase.every for role in said.segment.roles)
        now = [f for f in ended if f in self.changes.draft] if every else []
        said.found.ended = now or ended  # "nobody in the hall": none of who is there
        return True

    def _act_there(self, said: Said) -> None:
        """Find that who acts is where it happens: ``handed it to Ann in room 1``."""
        self._go_along(said)
        around = {self.changes.zone_of(t) for t in said.agents}
        for theme in self.themes(said.segment):
            things = self.referents.candidates(theme.phrase, agents=said.agents)
            around |= {self.changes.zone_of(t) for t in things}
        acting = said.agents if said.found.made and not self.task else ()
        for role, agent in product(said.segment.roles, acting):
            if role.used or role.preposition not in ("in", "at") or role.before_verb:
                continue
            for seat in self._going(agent):
                zones = self._meant(role, Seat(seat.relation, seat.other), said)
                if len(zones) == 1 and zones[0] not in around:
                    said.found.made.append(fact(seat, agent, zones[0]))
                    role.used = True
        self._be_along(said, acting)

    def _be_along(self, said: Said, acting: Sequence[str]) -> None:
        """Find that what somebody is on, or with, is where that happens: ``is riding her in the yard``."""
        there = [r for r in said.segment.roles if r.preposition in ("in", "at")]
        for role, thing in product(
            (r for r in there if not r.before_verb), self._along(said, acting)
        ):
            for seat in self.roles.whereabouts:
                zones = self._meant(role, Seat(seat.relation, seat.other), said)
                moves = self.changes.may_stand(thing, seat) and len(zones) == 1
                if moves and self.changes.zone_of(thing) != zones[0]:
                    said.found.made.append(fact(seat, thing, zones[0]))
                    role.used = True

    def _along(self, said: Said, acting: Sequence[str]) -> list[str]:
        """Return what comes to stand in a relation to who acts and is somewhere: in nobody's hands."""
        placing = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        joined = (f for f in said.found.made if not f.is_property and f.relation not in placing)
        ends = {
            t for f in joined for t in (f.subject, f.object) if {f.subject, f.object} & {*acting}
        }
        return [t for t in sorted(ends - {*acting}) if self.changes.places_of(t)]

    def _go_along(self, said: Said) -> None:
        """Find that who had a thing, or ran somewhere with it, is where he put it."""
        (agent, *more) = said.agents or [""]
        if not agent or more or self.task or "leave" in said.verbs:
            return  # who left a thing there may be gone again
        zones = self._put_by(said, agent)
        for go in self._going(agent) if zones else ():
            there = [z for z in zones if self.roles.fits(self.kinds[z], go.relation, go.other)]
            if len(there) == 1 and self.changes.zone_of(agent) not in (None, *there):
                said.found.made.append(fact(go, agent, there[0]))

    def _put_by(self, said: Said, agent: str) -> set[str]:
        """Return where things are put that somebody had, ran with or drove; nothing where he is."""
        moving = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        put = [f for f in said.found.made if f.relation in moving]
        riding = {s.relation for s in self.roles.boarded}
        if any(f.relation in riding for f in self.changes.draft.about(agent)):
            return set()  # he is where what he drives is
        if any(agent in (f.subject, f.object) for f in put):
            return set()
        ends = [(f.subject, f.object) for f in put] + [(f.object, f.subject) for f in put]
        had = {z for t, z in ends if self._has(agent, t)}
        return had | self._driven_to(put) | self._moved_to(said, put)

    def _moved_to(self, said: Said, put: Sequence[Fact]) -> set[str]:
        """Return the rooms to which somebody moves things himself: ``dragged it through to the hall``."""
        moves = "transport" in said.verbs and "give" not in said.verbs
        rooms = {f.object for f in put if self.roles.is_a(self.kinds[f.object], self.roles.zones)}
        to = (
            r for r in said.segment.roles if r.preposition == "to"
        )  # one may push it "into" a room
        led = {t for r in to for t in r.phrase.things}
        return rooms & led if moves else set()

    def _driven_to(self, put: Sequence[Fact]) -> set[str]:
        """Return where things were moved that are only moved by going there with them."""
        return {f.object for f in put if self.roles.takes_doer(f.relation)}

    def _has(self, agent: str, thing: str) -> bool:
        """Return whether it is believed that somebody has a thing."""
        return any(tells_having(f.relation) for f in self.changes.between(thing, agent))

    def _state(self, said: Said, *, exact: bool) -> None:
        """Find states of what a segment is about."""
        segment = said.segment
        for role in (*self.themes(segment), *self._around(said)):
            if (role.used and not exact) or (role.preposition and said.found.made):
                continue
            states = self.wording.states(
                segment, role.phrase.words, partial(self._may_be, role, said), exact=exact
            )
            for relation, holds, words in states:
                for thing in self._new(role, said, relation, holds=holds):
                    said.found.made.append(self._state_of(thing, relation, holds=holds))
                said.found.words |= words
                role.used = True

    def _around(self, said: Said) -> list[Role]:
        """Return what has the part of which a segment tells, or the place: not what somebody works on."""
        roles = [r for r in said.segment.roles if r.preposition in PART_OF]
        if not said.agents or said.segment.parts_of:
            return roles
        return [r for r in roles if r.phrase.pronoun == "there" or self.is_where(r)]

    def is_where(self, role: Role) -> bool:
        """Return whether a phrase names where others are put, or where somebody goes."""
        return all(map(self.referents.denoting.is_where, role.phrase.things))

    def _new(self, role: Role, said: Said, relation: str, *, holds: bool) -> list[str]:
        """Return what a phrase means whose state is told: of several, the one of which it is news."""
        seat = Seat(relation, 0)
        found = self.referents.candidates(role.phrase, self._accepts(seat), said.agents)
        just = [
            t for t in found if self._state_of(t, relation, holds=holds) in self.changes.asserted
        ]
        if len(just) == 1:
            return just  # it was told in other words before
        news = [t for t in found if (Fact(t, relation, TRUE) in self.changes.draft) != holds]
        one = len(news) == 1 and not role.phrase.every
        return news if one else self._pick(role, seat, said)

    @staticmethod
    def _state_of(thing: str, relation: str, *, holds: bool) -> Fact:
        return Fact(thing, relation, TRUE if holds else FALSE)

    @staticmethod
    def is_robots(said: Said) -> bool:
        """Return whether it is told of the one that has no name here: what it has, or was given."""
        return (
            any(r.phrase.pronoun == "you" for r in said.segment.roles)
            or "you" in said.segment.words
        )

    def _may_be(self, role: Role, said: Said, relation: str) -> bool:
        """Return whether a phrase may mean something that a property is about."""
        if relation in self.roles.in_hand | self.roles.nameless and not (
            self.task or self.is_robots(said)
        ):
            return False  # what people take is in no hand of the robot
        return self._may(role, Seat(relation, 0), said)

    def _check_roles(self, said: Said) -> None:
        """Raise Unclear where a phrase is left that nothing was made of."""
        found = said.found
        about = [
            t for f in (*found.made, *found.ended) for t in (f.subject, f.object) if t in self.kinds
        ]
        for role in said.segment.roles:
            if not (self._is_free(said, role) or self._is_told(said, role, about)):
                raise Unclear(f"what about '{role.phrase.text}'?")
            if role.preposition in FROM and self._is_theme(said, role):
                raise Unclear(f"what is off '{role.phrase.text or role.phrase.pronoun}'?")

    def _is_theme(self, said: Said, source: Role) -> bool:
        """Return whether what something comes off is that thing itself: the cover of it has no name here."""
        off = self.referents.candidates(source.phrase, agents=said.agents)
        themes = (r for r in said.segment.objects() if len(r.phrase.things) == 1)
        return any(self.referents.candidates(r.phrase) == off for r in themes)

    def _check_pronoun(self, said: Said) -> None:
        """Raise Unclear where ``it`` would mean different things in what one segment tells."""
        roles = said.segment.roles
        if [r.phrase.pronoun for r in roles if r.phrase.pronoun] != ["it"]:
            return
        it_acts = any(r.phrase.pronoun and r.before_verb for r in roles)
        named = set[str]() if it_acts else {*said.agents}
        for role in roles:
            if not role.phrase.pronoun:
                named |= {*self.referents.candidates(role.phrase, agents=said.agents)}
        told = {t for f in said.found.made for t in (f.subject, f.object)} & self.kinds.keys()
        if len(told - named) > 1:
            raise Unclear("what does 'it' mean there?")

    def _is_free(self, said: Said, role: Role) -> bool:
        """Return whether nothing has to be made of a phrase, or something was."""
        pronoun = role.phrase.pronoun
        free = role.used or role.preposition == "by" or pronoun == "they"
        left = pronoun in ("it", "there", "you") and role.preposition in FROM  # where it was
        free = free or left or self._says_whose(said, role) or self._is_along(said, role)
        return free or (self.task and self._is_for_somebody(role))

    def _says_whose(self, said: Said, role: Role) -> bool:
        """Return whether a pronoun of a report only says whose that is which words tell."""
        return not self.task and said.segment.is_possessive(role)

    @staticmethod
    def _is_along(said: Said, role: Role) -> bool:
        """Return whether a phrase only says that who brings something has it with him: ``with her``."""
        has = not said.segment.verbs and not OBTAINING.isdisjoint(said.segment.words)
        moves = bool(said.verbs & {"transport", "take"}) or has
        brings = said.agents and said.segment.objects() and moves
        return bool(brings) and role.preposition in ("with", "on") and role.phrase.pronoun in OTHERS

    def _is_for_somebody(self, role: Role) -> bool:
        """Return whether a phrase only says for whom something is done, or is to be: ``for her``."""
        known = role.phrase.pronoun in ("him", "her", "them", "me", "us")
        return role.preposition == "for" and (known or self.is_named_somebody(role))

    def _is_told(self, said: Said, role: Role, about: list[str]) -> bool:
        """Return whether a phrase speaks of who acts, of what was found, or of where that is."""
        things = self.referents.candidates(role.phrase, agents=said.agents)
        if not {*things}.isdisjoint(about):
            return not role.phrase.every or {*things} <= {*about}
        if not role.preposition:
            return self._acts_too(said, role, things, about)
        every = any(r.phrase.every for r in said.segment.roles)
        near = [any(self._near(role, t, a) for t in things) for a in about]
        told = all(near) if every else any(near)  # it narrows what "all" means
        return told and role.preposition not in GOING

    def _acts_too(
        self, said: Said, role: Role, things: Sequence[str], about: Sequence[str]
    ) -> bool:
        """Return whether a phrase speaks of who acts: not of who should have a thing."""
        has = self.task and said.verbs & {"hold"}
        does = not {*things}.isdisjoint(said.agents)
        return not has and role.before_verb and does

    def _are_together(self, thing: str, other: str) -> bool:
        """Return whether two things are in one place."""
        places = {*self.changes.places_of(thing)}
        return not places.isdisjoint(self.changes.places_of(other))

    def _near(self, role: Role, thing: str, other: str) -> bool:
        """Return whether a phrase only tells more closely where what was found is, or was."""
        zone_of = self.changes.zone_of
        beside = zone_of(thing) is not None and zone_of(thing) in (zone_of(other), other)
        beside = beside or self._are_together(thing, other)
        along = role.preposition == "with" and self.is_somebody(thing)
        if role.preposition in BESIDE or (along and beside):
            return beside
        if role.preposition in FROM and self.referents.had(thing, other):
            return True
        return self.referents.related(thing, other) or zone_of(other) == thing
