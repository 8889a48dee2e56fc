"""Who has a thing, gets it, brings it along, or lets go of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.deeds import Seat, words_of
from commonground.grounding.memory.ontology.words import FROM, alike
from commonground.grounding.memory.readers.domain.described.referents import OTHERS
from commonground.grounding.memory.readers.domain.described.said import (
    GETTING,
    GOING,
    OBTAINING,
    TAKING,
    Said,
    Understanding,
)
from commonground.grounding.memory.readers.domain.described.segment import Role, Segment
from commonground.grounding.memory.readers.domain.finding import fact


class Having(Understanding):
    """Finds who has what."""

    def _give(self, said: Said) -> bool:
        """Find who has a thing that was given."""
        segment = said.segment
        for seat, theme, receiver in product(
            self._holding(segment), self.themes(segment), self._receivers(said)
        ):
            other = Seat(seat.relation, seat.other)
            if (
                theme is not receiver
                and self._may(theme, seat, said)
                and self._is_person(receiver, other, said)
            ):
                self._join(said, seat, theme, receiver)
                self._heard(said)
                return True
        return False

    def _receivers(self, said: Said) -> list[Role]:
        """Return the phrases that may name who has something now."""
        segment = said.segment
        free = _unowning(segment)
        if not segment.verbs:  # "the key is with Ann", "key on her"
            return [r for r in free if r.preposition in ("with", "on") and not _is_his(said, r)]
        objects = segment.objects()
        given = objects[:1] if len(objects) > 1 and not objects[1].joined else []
        named = [r for r in free if not (r.before_verb or (said.agents and _is_along(r)))]
        if not self._is_passed(said):
            return [*self._brought(said, given), *self._taken_to(said, named)]
        return [*(r for r in named if r.preposition in ("to", "with")), *given]

    def _brought(self, said: Said, given: Sequence[Role]) -> list[Role]:
        """Return who is brought a thing by a verb that gives none: ``take Ann her key``."""
        brings = said.verbs & (TAKING | {"transport"})
        return [r for r in given if brings and self.is_named_somebody(r)]

    @staticmethod
    def _is_passed(said: Said) -> bool:
        """Return whether a verb tells that a thing comes to somebody: ``gave``, ``the key goes to Ann``."""
        goes = bool(said.verbs & {"go"}) and not said.agents
        return goes or bool(said.verbs & {"give", "place", "sell"})

    def _taken_to(self, said: Said, named: Sequence[Role]) -> list[Role]:
        """Return to whom a thing is to be taken, or was where people are in no place: ``took it to Ann``."""
        brings = said.verbs & {"take", "transport"}
        somebody = [r for r in named if r.preposition == "to" and self._names_somebody(r)]
        placed = not self.task and any(self._going(t) for r in somebody for t in r.phrase.things)
        return somebody if brings and not placed else []

    def _names_somebody(self, role: Role) -> bool:
        """Return whether a phrase, or what a pronoun means, is somebody."""
        return self.is_named_somebody(role) or role.phrase.pronoun in ("him", "her", "them")

    def _bring(self, said: Said) -> bool:
        """Find who goes somewhere with a thing, which he carries or moves along."""
        segment = said.segment
        along = self.wording.along(segment.verbs)
        carries = "transport" in said.verbs and not said.verbs & {"place", "give"}
        carries = carries or along or any(alike(v, "bring") for v in segment.verbs)
        if self.task or not carries or len(said.agents) != 1:
            return False
        for theme, target, go in product(
            self.themes(segment), self._targets(said), self._going(said.agents[0])
        ):
            if self._may(target, Seat(go.relation, go.other), said):
                seats = [*self._holding(segment), *(self.roles.whereabouts if along else ())]
                if any(self._bring_there(said, seat, theme, target, go) for seat in seats):
                    return True
        return False

    def _going(self, agent: str) -> list[Seat]:
        """Return the relations in which somebody is in a zone, where that is known of those like him."""
        return [
            s
            for s in self.roles.whereabouts
            if self.changes.may_stand(agent, s) and self._is_followed(agent, s)
        ]

    def _is_followed(self, agent: str, seat: Seat) -> bool:
        """Return whether it is known where people of one kind are, or where nothing is yet."""
        alike = [t for t, kind in self.kinds.items() if kind == self.kinds[agent]]
        placed = self.changes.standing(seat)
        return not placed or not placed.isdisjoint(alike)

    def _bring_there(self, said: Said, seat: Seat, theme: Role, target: Role, go: Seat) -> bool:
        """Find who has a thing, or moves one along, and is where he goes."""
        agent, held = said.agents[0], seat in self.roles.holding
        if not held and self._is_aboard(agent, theme):
            return False  # he goes with it
        fits = not held or self.roles.fits(self.kinds[agent], seat.relation, seat.other)
        if not (fits and self._may(theme, seat, said)):
            return False
        thing = self._pick(theme, seat, said)[0]
        zone = self._pick(target, Seat(go.relation, go.other), said)[0]
        there = any(thing in (f.subject, f.object) for f in self.changes.asserted)
        if not (
            there and self.changes.zone_of(thing) == zone
        ):  # "it hangs there now, Ann brought it"
            said.found.made.append(fact(seat, thing, agent if held else zone))
        said.found.made.append(fact(go, agent, zone))
        theme.used = target.used = True
        self._heard(said)
        return True

    def _is_aboard(self, agent: str, theme: Role) -> bool:
        """Return whether somebody is nowhere by himself but on what he moves: ``drove the van home``."""
        things = self.referents.candidates(theme.phrase, agents=[agent])
        on = any(True for t in things for _ in self.changes.between(agent, t))
        return on and not self.changes.places_of(agent)

    def _is_having(self, segment: Segment) -> bool:
        """Return whether a segment tells that somebody has something, without another verb."""
        words = GETTING if self.task else OBTAINING
        has = not segment.verbs and not segment.has_had
        return has and not words.isdisjoint(segment.words)

    def _takes(self, said: Said) -> bool:
        """Return whether the verb tells that somebody gets a thing, and nothing where he puts it."""
        segment = said.segment
        takes = "take" in said.verbs and bool(self._takers(said))
        return takes and not any(r.preposition in GOING for r in segment.roles)

    def _takers(self, said: Said) -> list[str]:
        """Return who takes something: in a task the one robot that there is, where nobody is named."""
        robots = (t for t, kind in self.kinds.items() if self.roles.is_a(kind, self.roles.robots))
        doing = [*robots] if self.task and not said.agents else []
        return doing if len(doing) == 1 else said.agents

    def _hold(self, said: Said) -> bool:
        """Find who has a thing now."""
        segment = said.segment
        having = self._is_having(segment)
        if not (said.verbs & TAKING or having) or "on" in segment.words:
            return False  # it is worn, or switched on
        for theme, agent, seat in product(
            self.themes(segment), self._takers(said), self._holding(segment)
        ):
            fits = self.roles.fits(self.kinds[agent], seat.relation, seat.other)
            fits = fits and _is_whole(theme, segment)
            if fits and self._may(theme, seat, said) and not self._is_person(theme, seat, said):
                if not theme.used:
                    said.found.made += [fact(seat, t, agent) for t in self._pick(theme, seat, said)]
                theme.used = True
        self._check_way(said, having=having)
        if said.found.made:
            self._heard(said)
        return bool(said.found.made)

    def _pass(self, said: Said, classes: frozenset[str]) -> bool:
        """Find who stands to a thing as somebody did who gave it up, or who got it otherwise than in hand.

        By the one relation between them: ``sold the boat to Ann``, ``adopted the dog``.
        """
        if self.task or len(said.agents) != 1 or said.verbs.isdisjoint(classes):
            return False
        for theme in self.themes(said.segment):
            things = self.referents.candidates(theme.phrase, agents=said.agents)
            person = self.referents.denoting.calling.is_person
            if not theme.preposition and len(things) == 1 and not person(things[0]):
                if "take" in classes:
                    self._obtain(said, theme, things[0])
                else:
                    self._part_with(said, theme, things[0])
        if said.found.made:
            self._heard(said)
            said.found.words |= {said.segment.verb}
        return bool(said.found.made)

    def _part_with(self, said: Said, theme: Role, thing: str) -> None:
        """Find to whom a thing passes with which who acts parts."""
        old = self._had(said.agents[0], thing)
        for receiver in self._receivers(said) if len(old) == 1 else ():
            seat = Seat(old[0].relation, 0 if old[0].subject == said.agents[0] else 1)
            if receiver is not theme and self._may(receiver, seat, said):
                said.found.ended += old
                self._join(said, Seat(seat.relation, seat.other), theme, receiver)

    def _obtain(self, said: Said, theme: Role, thing: str) -> None:
        """Find in what relation who acts has a thing that he got, where there is only one."""
        seats = self._obtained(said.agents[0], thing)
        if (
            len(seats) == 1
            and len([r for r in said.segment.roles if r.preposition not in FROM]) == 2
        ):
            said.found.made.append(fact(seats[0], thing, said.agents[0]))
            theme.used = True

    def _had(self, agent: str, thing: str) -> list[Fact]:
        """Return how a thing and somebody stand to each other, but for where it is and who holds it."""
        placing = {*self.roles.positions, *self.roles.whereabouts, *self.roles.holding}
        passing = {s.relation for s in placing}
        return [f for f in self.changes.between(agent, thing) if f.relation not in passing]

    def _obtained(self, agent: str, thing: str) -> list[Seat]:
        """Return the relations in which somebody may come to stand to a thing, but for being there."""
        placing = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        placing -= {s.relation for s in self.roles.holding}
        stand = self.changes.may_stand
        return [
            Seat(r, at)
            for r in self.roles.binary
            for at in (0, 1)
            if r not in placing and stand(thing, Seat(r, at)) and stand(agent, Seat(r, 1 - at))
        ]

    def _check_way(self, said: Said, *, having: bool) -> None:
        """Raise Unclear where a task leaves open in which way somebody is to have a thing: worn or held."""
        fits, holding = self.roles.fits, self._holding(said.segment)
        for made in said.found.made if having and self.task else ():
            ends = (made.subject, made.object)
            ways = {
                s.relation
                for s in holding
                if all(fits(self.kinds[t], s.relation, n) for n, t in enumerate(ends))
                and s.at == next(h.at for h in holding if h.relation == made.relation)
            }
            if len(ways) > 1:
                raise Unclear("in which way should it be had?")

    def _taken_off(self, said: Said) -> None:
        """Find that nobody has on any longer what he took off."""
        if self.task or "off" not in said.segment.particles or "take" not in said.verbs:
            return
        worn = {r for r in self.roles.binary if any(alike(w, "wear") for w in words_of(r))}
        pairs = {(f.subject, f.object) for f in said.found.made}
        joined = (f for a, b in sorted(pairs) for f in self.changes.between(a, b))
        said.found.ended += dict.fromkeys(f for f in joined if f.relation in worn)

    def _with(self, said: Said) -> None:
        """Find what people have with them: ``with the tray``, ``key on her``, ``went off with it``."""
        for role in said.segment.roles if said.found.made or self._goes_off(said) else ():
            if role.used or role.preposition != "with" or role.before_verb:
                continue
            if said.agents and role.phrase.pronoun in OTHERS:
                continue  # "took it with her"
            for seat, agent in product(self._holding(said.segment), self._having(said)):
                if self._keeps_company(said, role):
                    break
                if self.roles.fits(self.kinds[agent], seat.relation, seat.other) and self._may(
                    role, seat, said
                ):
                    said.found.made += [fact(seat, t, agent) for t in self._pick(role, seat, said)]
                    role.used = True
                    self._heard(said)
                    break

    def _keeps_company(self, said: Said, role: Role) -> bool:
        """Return whether somebody is only said to be where an animal is: ``staying there with the cat``."""
        things = self.referents.candidates(role.phrase, agents=said.agents)
        going = said.verbs & {"go", "take", "transport", "hold"}
        return not going and all(self.roles.is_animal(self.kinds[t]) for t in things)

    def _goes_off(self, said: Said) -> bool:
        """Return whether a report tells that somebody went away."""
        off = not {"off", "away"}.isdisjoint(said.segment.particles)
        goes = off and "go" in said.verbs and not self.task
        along = [t for r in said.segment.roles if r.preposition == "with" for t in r.phrase.things]
        had = (f for t in along for f in self.changes.where(t, self._holding(said.segment)))
        return goes and not any({f.subject, f.object} & {*said.agents} for f in had)

    def _having(self, said: Said) -> list[str]:
        """Return who has what is told to be with him: who acts, or who is to be somewhere."""
        going = {s.relation for s in self.roles.whereabouts}
        sent = (f for f in said.found.made if self.task and f.relation in going)
        people = [t for f in sent for t in (f.subject, f.object) if self.is_somebody(t)]
        return said.agents or people

    def _let_go(self, said: Said) -> bool:
        """Find where a thing is that somebody put down: where he is."""
        segment = said.segment
        if not said.verbs & {"release", "leave", "place"} or _is_put_away(said):
            return False
        for theme, seat in product(self.themes(segment), self._holding(segment)):
            if not self._may(theme, seat, said):
                continue
            things = self._held(theme, seat, said)
            if not things:
                continue
            holders = said.agents or [
                f.object if seat.at == 0 else f.subject
                for f in self.changes.where(things[0], [seat])
            ]
            for go, zone in self._dropped(things[0], holders):
                said.found.made += [fact(go, thing, zone) for thing in things]
                theme.used = True
                self._heard(said)
                return True
        return False

    def _held(self, theme: Role, seat: Seat, said: Said) -> list[str]:
        """Return what is meant of what somebody has who lets go of it; Unclear where he has none of it."""
        found = self.referents.candidates(theme.phrase, self._accepts(seat), said.agents)
        facts = {t: [*self.changes.where(t, [seat])] for t in found}
        had = [
            t
            for t in found
            if any(not said.agents or {f.subject, f.object} & {*said.agents} for f in facts[t])
        ]
        if len(had) > 1 and not theme.phrase.every:
            raise Unclear(f"which '{theme.phrase.text}' is meant?")
        if not had and said.agents:
            raise Unclear(f"who had '{theme.phrase.text}'?")
        return had

    def _dropped(self, thing: str, holders: Sequence[str]) -> Iterator[tuple[Seat, str]]:
        zone = self.changes.zone_of(holders[0]) if len(holders) == 1 else None
        for seat in sorted(self.roles.positions, key=lambda s: (s.relation, s.at)):
            if zone is None or seat in self.roles.holding:
                continue
            fits = self.roles.fits
            if fits(self.kinds[thing], seat.relation, seat.at) and fits(
                self.kinds[zone], seat.relation, seat.other
            ):
                yield seat, zone


def _is_put_away(said: Said) -> bool:
    """Return whether somebody puts a thing where such things belong, and not down where he is."""
    away = not {"up", "away"}.isdisjoint(said.segment.particles) or "in" in said.segment.words
    return away and "place" in said.verbs and "leave" not in said.verbs


def _is_whole(theme: Role, segment: Segment) -> bool:
    """Return whether a phrase names what is had: not ``the last of it``, nor its lid."""
    return not (theme.preposition or segment.is_possessive(theme))


def _unowning(segment: Segment) -> list[Role]:
    """Return the phrases of a segment that do not only tell whose something is: not ``Ann's tools``."""
    return [r for r in segment.roles if not r.phrase.owner]


def _is_along(role: Role) -> bool:
    """Return whether a phrase only says that somebody has a thing about himself: ``brought it with her``."""
    return role.preposition == "with" and role.phrase.pronoun in OTHERS


def _is_his(said: Said, role: Role) -> bool:
    """Return whether a phrase only says that somebody has a thing about himself: ``she has it with her``."""
    has = bool(said.agents) and not OBTAINING.isdisjoint(said.segment.words)
    return has and role.phrase.pronoun in OTHERS
