"""Where things are and what they are connected with, by the one relation that their types allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.deeds import Seat
from commonground.grounding.memory.ontology.predicate_names import is_standing, is_usual
from commonground.grounding.memory.ontology.words import FROM, classes_of, lemmas
from commonground.grounding.memory.readers.domain.described.said import (
    BESIDE,
    GOING,
    INTO,
    OBTAINING,
    PLACING,
    Said,
)
from commonground.grounding.memory.readers.domain.described.seating import Seating
from commonground.grounding.memory.readers.domain.described.segment import Role, Segment
from commonground.grounding.memory.readers.domain.finding import fact

_GETTING = frozenset(["climb", "step", "jump", "hop"])


class Placing(Seating):
    """Finds where things are."""

    def _relate(self, said: Said) -> bool:
        """Find the one relation that what a segment is about can have to where it is said to be."""
        segment = said.segment
        hit = False
        for theme in self.themes(segment):
            if theme.used or theme.preposition:
                continue
            seats = self._nearer(
                self._seats(said, theme, self._changing()), self._lasting(said, theme)
            )
            if not seats:
                continue
            seats = self._nearest(seats)
            best = min(seats.values(), key=lambda p: p[0])[0]
            chosen = {seat: targets for seat, (score, targets) in seats.items() if score == best}
            chosen = self._wholly_named(self._narrowest(chosen))
            chosen = self._of_displaced(chosen, theme, said)
            if not self._go_together({s.relation for s in chosen}):
                raise Unclear("in which relation are they?")
            ((seat, targets), *_) = chosen.items()
            self._put(said, seat, theme, targets)
            self._put_too(said, seat, theme, seats)
            hit = True
        if hit:
            self._heard(said)
        return hit

    def _of_displaced(
        self, chosen: dict[Seat, list[Role]], theme: Role, said: Said
    ) -> dict[Seat, list[Role]]:
        """Return the relations of what is in no place any more, where a pronoun may mean that."""
        lost = {*self.changes.displaced()} if len(chosen) > 1 and theme.phrase.pronoun else set()
        of_lost = {s: t for s, t in chosen.items() if lost.issuperset(self._meant(theme, s, said))}
        return of_lost or chosen

    def _stand_by(self, said: Said) -> bool:
        """Find who is where a thing is that he is said to be at: ``Ann is back at the bench``."""
        going, beside = self.roles.going, self._standing_at(said)
        if going is None or beside is None:
            return False
        things = self.referents.candidates(beside.phrase, self.is_fixed, said.agents)
        zones = sorted({self.changes.zone_of(t) or "" for t in things})
        themes = [t for t in self.themes(said.segment) if self._is_person(t, going, said)]
        for theme in themes if len(zones) == 1 else ():
            said.found.made += [fact(going, t, zones[0]) for t in self._pick(theme, going, said)]
            theme.used = beside.used = True
            self._heard(said)
        return bool(said.found.made)

    @staticmethod
    def _standing_at(said: Said) -> Role | None:
        """Return the one phrase beside which somebody is said to be, where nothing else is told."""
        segment, near = said.segment, BESIDE | {"at"}
        beside = [r for r in segment.roles if r.preposition in near and not r.before_verb]
        moves = not segment.verbs or said.verbs & {"go", "located", "neutral"}
        return beside[0] if moves and len(beside) == 1 and not segment.objects() else None

    def is_fixed(self, thing: str) -> bool:
        """Return whether no action moves a thing, and it is in a zone."""
        moved = (*self.roles.positions, *self.roles.whereabouts)
        return self.changes.zone_of(thing) is not None and not any(
            self.roles.puts(self.kinds[thing], s) for s in moved
        )

    def _put_too(
        self, said: Said, chosen: Seat, theme: Role, seats: dict[Seat, tuple[int, list[Role]]]
    ) -> None:
        """Find the relation that actions begin together with one found: on its level, at the shelf."""
        for seat, (_, targets) in seats.items():
            left = [t for t in targets if not t.used]
            kept = self.task and seat.relation in self.roles.kept_with(chosen.relation)
            if left and (
                kept or frozenset((seat.relation, chosen.relation)) in self.roles.together
            ):
                self._put(said, seat, theme, left)

    def _put(self, said: Said, seat: Seat, theme: Role, targets: list[Role]) -> None:
        other = Seat(seat.relation, seat.other)
        kinds = self.roles.signatures[seat.relation].arguments[seat.other]
        spots = [t for t in self.referents.denoting.spots if self.roles.is_a(self.kinds[t], kinds)]
        if spots:
            spot = self._spot(said, spots, targets)
            said.found.made += [fact(seat, t, spot) for t in self._pick(theme, seat, said)]
            theme.used = True
            return
        if len(targets) > 1 and not any(t.joined for t in targets[1:]):
            meant = {tuple(self._pick(t, other, said)) for t in targets}
            if len(meant) > 1:
                either = "' or '".join(t.phrase.text for t in targets)
                raise Unclear(f"where exactly: '{either}'?")
        for target in targets[:1]:
            self._join(said, seat, theme, target)
            self._end_before(said, seat, target)
        for target in targets[1:]:
            target.used = True

    def _end_before(self, said: Said, seat: Seat, target: Role) -> None:
        """Find where things are no longer that were brought into what is in no place by actions."""
        positions = self.roles.positions
        placing = {s.relation for s in (*positions, *self.roles.whereabouts)}
        if self.task or seat.relation in placing or target.preposition not in INTO:
            return
        if seat.relation in self.roles.standing:
            return  # who is on somebody's list stays where he is
        meant = self._meant(target, Seat(seat.relation, seat.other), said)
        if not (self._takes_along(seat, placing) and any(map(self.changes.zone_of, meant))):
            return  # what is nowhere is no place
        kept = self.roles.kept_with(seat.relation)
        for made in [f for f in said.found.made if f.relation == seat.relation]:
            before = self.changes.where(made.subject, positions)
            said.found.ended += [f for f in before if f.relation not in kept]

    def _takes_along(self, seat: Seat, placing: set[str]) -> bool:
        """Return whether actions that begin a relation move things: not so where something is to go later."""
        deeds = [d for d in self.roles.deeds if any(a.predicate == seat.relation for a in d.adds)]
        moving = placing | self.roles.in_hand
        return not deeds or any(a.predicate in moving for d in deeds for a in d.deletes)

    def _spot(self, said: Said, spots: Sequence[str], targets: list[Role]) -> str:
        """Return the one spot that phrases name the parts of."""
        found = [*spots]
        for role in targets:
            parts = {t: {f.object for f in self.changes.base.about(t)} for t in found}
            every = {p for known in parts.values() for p in known}
            meant = {*self.referents.candidates(role.phrase, every.__contains__, said.agents)}
            found = [t for t in found if parts[t] & meant] or found
            role.used = True
        if len(found) > 1:
            found = [t for t in found if self._is_here(t, said)] or found
        if len(found) != 1:
            raise Unclear("which place there is meant?")
        return found[0]

    def _is_here(self, spot: str, said: Said) -> bool:
        """Return whether a spot is where somebody acts."""
        zones = {self.changes.zone_of(a) for a in said.agents} - {None}
        return any(self.changes.zone_of(f.object) in zones for f in self.changes.base.about(spot))

    def _only(self, said: Said) -> bool:
        """Find the one relation that the two things can have that a task names: ``the pot gets basil``."""
        segment = said.segment
        roles = [r for r in segment.roles if not r.used and r.preposition not in FROM | GOING]
        roles = [r for r in roles if not (r.before_verb and len(roles) > 2 and said.agents)]
        verbs = (v for v in segment.verbs if classes_of(v, frozenset()) & PLACING - {"take"})
        if not self.task or len(roles) != 2 or any(verbs):
            return False
        theme, target = roles
        ways = self._between(said, theme, target)
        if len(ways) != 1:
            return False
        self._join(said, ways[0], theme, target)
        self._heard(said)
        return True

    def _between(self, said: Said, theme: Role, target: Role) -> list[Seat]:
        """Return the relations that actions change in which what two phrases mean may stand."""
        zones = {s.relation for s in self.roles.whereabouts}
        return [
            seat
            for seat in sorted(self._seats_of(changing=True), key=lambda s: (s.relation, s.at))
            if seat.relation not in zones and self._may(theme, seat, said)
            if self._may(target, Seat(seat.relation, seat.other), said)
        ]

    def _deny(self, said: Said) -> bool:
        """Find the relation that is denied of two things between which it is believed."""
        segment = said.segment
        there = "there" in segment.words  # "Ann, there is not a spot on it" calls Ann
        for theme, other in product(self.themes(segment), segment.roles):
            if theme is other or theme.used or self.task or (theme.before_verb and there):
                continue
            ended = {
                fact
                for one in self.referents.candidates(theme.phrase, agents=said.agents)
                for two in self.referents.candidates(other.phrase, agents=said.agents)
                for fact in self._joining(one, two)
                if self._may_be_over(fact.relation, other, segment)
            }
            if len(ended) == 1:
                stays = "leave" in said.verbs and other.preposition in ("", *FROM)
                (said.found.made if stays else said.found.ended).extend(ended)
                theme.used = other.used = True
                self._heard(said)
                return True
        return False

    def _may_be_over(self, relation: str, other: Role, segment: Segment) -> bool:
        """Return whether a segment may deny a relation: one that can end, or is told, or is so no more."""
        if not (segment.verbs or segment.copula) and not OBTAINING.isdisjoint(segment.words):
            return relation in {s.relation for s in self.roles.holding}  # nobody has the hall
        over = not {"more", "longer"}.isdisjoint(segment.words) and other.phrase.pronoun != "there"
        return over or self._may_end(relation) or self.wording.told(relation, segment)

    def _may_end(self, relation: str) -> bool:
        """Return whether actions end a relation, or it tells where something or somebody is."""
        placing = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        lasting = relation in self.roles.usual or self._only_places(Seat(relation, 0))
        return relation in self.roles.vocabulary.changing or relation in placing or lasting

    def _may_come_off(self, fact: Fact) -> bool:
        """Return whether actions end a fact, or it only tells where something is: who is aboard gets out.

        Who rides or wears something gets off it, or out of it, whether actions end that or not.
        """
        changing = fact.relation in self.roles.vocabulary.changing
        moves = self.is_somebody(fact.subject) or self.roles.is_animal(self.kinds[fact.subject])
        named = is_standing(fact.relation) or is_usual(fact.relation)
        return changing or self._only_places(Seat(fact.relation, 0)) or (moves and not named)

    def _joining(self, one: str, other: str) -> list[Fact]:
        """Return what joins two things, or did before what was told just now."""
        gone = (f for f in self.changes.draft.removed if {one, other} == {f.subject, f.object})
        return [*self.changes.between(one, other)] or [*gone]

    def _over(self, one: str, other: str, but: set[str]) -> list[Fact]:
        """Return what ends where one thing comes off another, but for some relations."""
        facts = [f for f in self.changes.between(one, other) if self._may_come_off(f)]
        facts = [f for f in facts if f.relation not in but]
        return [
            f for f in facts if self.roles.ends(f.relation)
        ] or facts  # who gets out stays trained

    def _coming_off(
        self, things: Sequence[str], source: Role, said: Said
    ) -> Iterator[tuple[str, str]]:
        """Yield things with what they may come off; a pronoun means what has such a thing."""
        named = {*self.kinds} if not source.phrase.pronoun else set()
        for one in things:
            joined = {t for f in self.changes.draft.about(one) for t in (f.subject, f.object)}
            has = (named | joined).__contains__
            for other in self.referents.candidates(source.phrase, has, said.agents):
                yield one, other

    def _end(self, said: Said) -> bool:
        """Find the relation that ends where something comes off or out of what it is believed to be at."""
        segment = said.segment
        taken = bool(said.agents and segment.objects())
        if taken and "take" not in said.verbs:
            return False
        # what is in no hand then is not put anywhere; who took something over from somebody has it now
        kept = {s.relation for s in self.roles.positions} if taken else set[str]()
        sources = [r for r in segment.roles if not (taken and self.is_named_somebody(r))]
        pairs = product(self.themes(segment), sources)
        hits = [self._comes_off(theme, source, said, kept) for theme, source in pairs]
        led_away = any(r.preposition in FROM for r in segment.roles)
        hit = any(hits) or (not led_away and self._get_off(said))
        if hit:
            self._heard(said)
        return hit

    def _get_off(self, said: Said) -> bool:
        """Find what somebody is on no more who got off, where that was spoken of."""
        segment = said.segment
        gets = {*segment.words} & {"got", "get", "gets"} or any(
            lemmas(v) & _GETTING for v in segment.verbs
        )
        if not gets or {*segment.words}.isdisjoint(("off", "out")) or len(said.agents) != 1:
            return False
        spoken = {*self.referents.meant.themes}
        on = [
            f
            for f in self.changes.draft.about(said.agents[0])
            if f.object in spoken and self.roles.ends(f.relation)
        ]
        said.found.ended += on if len(on) == 1 else []
        said.found.words |= {*segment.words} if len(on) == 1 else set()
        return len(on) == 1

    def _comes_off(self, theme: Role, source: Role, said: Said, kept: set[str]) -> bool:
        """Find what ends where a thing comes off another one, but for some relations."""
        if source.preposition not in FROM or theme.used or theme is source:
            return False
        things = self.referents.candidates(theme.phrase, agents=said.agents)
        for one, other in self._coming_off(things, source, said):
            facts = self._over(one, other, kept)
            if facts:
                said.found.ended += facts
                theme.used = source.used = True
                return True
        return False
