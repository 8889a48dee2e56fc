"""Where things are and what they are connected with, by the one relation that their types allow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.domain.described.said import (
    AT,
    GOING,
    INTO,
    OBTAINING,
    PLACING,
    Said,
    Understanding,
)
from commonground.grounding.memory.domain.described.segments import Role, Segment
from commonground.grounding.memory.domain.finding import fact
from commonground.grounding.memory.domain.roles import Seat
from commonground.grounding.memory.domain.words import FROM, classes_of, states_of
from commonground.grounding.memory.unclear import Unclear


class Placing(Understanding):
    """Finds where things are."""

    def _relate(self, said: Said) -> bool:
        """Find the one relation that what a segment is about can have to where it is said to be."""
        segment = said.segment
        hit = False
        for theme in self.themes(segment):
            if theme.used or theme.preposition:
                continue
            seats = self._seats(said, theme, self._changing()) or self._lasting(said, theme)
            if not seats:
                continue
            seats = self._of_latest(self._nearest(seats), theme, said)
            best = min(seats.values(), key=lambda p: p[0])[0]
            self._check_single(seats, said)
            chosen = {seat: targets for seat, (score, targets) in seats.items() if score == best}
            chosen = self._narrowest(chosen)
            if not self._go_together({s.relation for s in chosen}):
                raise Unclear("in which relation are they?")
            ((seat, targets), *_) = chosen.items()
            self._check_spoken(seat, targets, said)
            self._put(said, seat, theme, targets)
            self._put_too(said, seat, theme, seats)
            hit = True
        if hit:
            self._heard(said)
        return hit

    def _lasting(self, said: Said, theme: Role) -> dict[Seat, tuple[int, list[Role]]]:
        """Return the relations a theme may stand in that no action changes, as far as that is told."""
        free = not (self.is_named_somebody(theme) or said.agents)
        moved = self.roles.whereabouts if said.verbs & {"transport", "place"} else ()
        seats = self._seats(said, theme, self._seats_of(changing=False))
        return {s: way for s, way in seats.items() if free or way[0] == 0 or s in moved}

    def _go_together(self, relations: set[str]) -> bool:
        """Return whether actions begin all of some relations at once, or it is only one."""
        return all(frozenset(two) in self.roles.together for two in combinations(relations, 2))

    def _narrowest(self, seats: dict[Seat, list[Role]]) -> dict[Seat, list[Role]]:
        """Return the relations that are only of things for which others of several are too."""

        def narrower(one: Seat, other: Seat) -> bool:
            kinds = [
                [self.roles.signatures[s.relation].arguments[at] for at in (s.at, s.other)]
                for s in (one, other)
            ]
            below = [all(self.roles.is_a(k, b) for k in a) for a, b in zip(*kinds, strict=True)]
            above = [all(self.roles.is_a(k, a) for k in b) for a, b in zip(*kinds, strict=True)]
            return all(below) and not all(above)

        return {s: t for s, t in seats.items() if not any(narrower(o, s) for o in seats)}

    def _seats_of(self, *, changing: bool) -> frozenset[Seat]:
        known = self.roles.vocabulary.changing
        return frozenset(
            Seat(r, at) for r in self.roles.binary if (r in known) == changing for at in (0, 1)
        )

    def _changing(self) -> frozenset[Seat]:
        placing, known = (
            {*self.roles.positions, *self.roles.whereabouts},
            self._seats_of(changing=True),
        )
        acting = self.roles.people | self.roles.robots
        moved = {s for s in placing if self.roles.fits_some(s, acting)}
        moved = {
            s
            for s in moved
            if s in known
            or not any(
                self.roles.fits_some(o, self.roles.signatures[s.relation].arguments[s.at])
                for o in moved & known
            )
        }
        return known | frozenset(self.roles.positions) | frozenset(moved)

    def _nearest(
        self, seats: dict[Seat, tuple[int, list[Role]]]
    ) -> dict[Seat, tuple[int, list[Role]]]:
        """Return the relations to things, where there are any, rather than to the zone they are in."""
        zones = {*self.roles.whereabouts}
        near = {s: way for s, way in seats.items() if s not in zones}
        return near if near and len({s.relation for s in seats}) > 1 else seats

    def _of_latest(
        self, seats: dict[Seat, tuple[int, list[Role]]], theme: Role, said: Said
    ) -> dict[Seat, tuple[int, list[Role]]]:
        """Return the relations of what a pronoun means: what was spoken of last that fits any of them."""
        meant = {seat: self._meant(theme, seat, said) for seat in seats}
        every = {t for things in meant.values() for t in things}
        if not theme.phrase.pronoun or len(every) < 2 or theme.phrase.is_group:
            return seats
        latest = self.referents.candidates(theme.phrase, every.__contains__, said.agents)
        return {seat: way for seat, way in seats.items() if meant[seat] == latest} or seats

    def _check_spoken(self, seat: Seat, targets: Sequence[Role], said: Said) -> None:
        """Raise Unclear for a place that ``it`` would mean though a text speaks of something else."""
        spoken = self.referents.meant.themes
        for role in targets:
            meant = self._meant(role, Seat(seat.relation, seat.other), said)
            if role.phrase.pronoun == "it" and spoken and not {*meant} & {*spoken}:
                raise Unclear("what about 'it'?")

    def _check_single(self, seats: dict[Seat, tuple[int, list[Role]]], said: Said) -> None:
        """Raise Unclear where one phrase would mean different things in different relations."""
        meant: dict[int, set[str]] = {}
        for seat, (_, targets) in seats.items():
            for role in targets:
                found = self.referents.candidates(
                    role.phrase, self._accepts(Seat(seat.relation, seat.other)), said.agents
                )
                before = meant.setdefault(id(role), {*found})
                if found and before and not (role.phrase.pronoun or before & {*found}):
                    raise Unclear(f"what does '{role.phrase.text}' mean there?")

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

    def _seats(
        self, said: Said, theme: Role, seats: frozenset[Seat]
    ) -> dict[Seat, tuple[int, list[Role]]]:
        """Return the relations a theme may come to stand in, how likely, and to what."""
        found: dict[Seat, tuple[int, list[Role]]] = {}
        placing = {*self.roles.positions, *self.roles.whereabouts}
        held = {s.relation for s in self.roles.holding}
        for seat in sorted(seats, key=lambda s: (s.relation, s.at)):
            if seat.relation in held or not self._may(theme, seat, said):
                continue
            told = self.wording.told(seat.relation, said.segment)
            targets = self._targets_of(said, seat, theme, told=told)
            targets = self._surest(targets, seat, said)
            if targets and (told or self._is_placed(said, seat in self.roles.whereabouts)):
                found[seat] = (0 if told else 1 if seat in placing else 2, targets)
        return found

    def _surest(self, targets: list[Role], seat: Seat, said: Said) -> list[Role]:
        """Return the phrases that mean one thing each: of ``level 2 of the shelf`` the first is a level."""
        other = Seat(seat.relation, seat.other)
        sure = [t for t in targets if len(self._meant(t, other, said)) == 1]
        return sure if sure and not any(t.joined for t in targets) else targets

    def _targets_of(self, said: Said, seat: Seat, theme: Role, *, told: bool) -> list[Role]:
        """Return the phrases that may name what a theme comes to stand in a relation to."""
        found = [r for r in self._spots(said, seat) if r is not theme]
        other = Seat(seat.relation, seat.other)
        for roles in self._ways(said, told=told) if not found else ():
            found = found or [r for r in roles if r is not theme and self._may(r, other, said)]
        if other in self.roles.whereabouts:  # a hall is in nothing that is in it
            found = [r for r in found if r.preposition not in INTO]
        return self._plain(found, other, said)

    def _plain(self, roles: list[Role], seat: Seat, said: Said) -> list[Role]:
        """Return the phrases that most plainly name what fits: not the shelf in ``level 2 of the shelf``."""
        return [r for r in roles if self._surely(r, seat, said)] or roles

    def _surely(self, role: Role, seat: Seat, said: Said) -> bool:
        """Return whether what a phrase names most directly fits a place of a relation."""
        found = self.referents.candidates(role.phrase, lambda _: True, said.agents)
        return any(map(self._accepts(seat), found))

    def _ways(self, said: Said, *, told: bool) -> Iterator[list[Role]]:
        """Yield the phrases that may name what a theme comes to stand in a relation to, surest first."""
        segment = said.segment
        yield self._targets(said)
        if told or self.wording.is_unknown(segment.verb):
            yield self._beside(segment, told=told)
        if told:
            yield [r for r in segment.roles if not r.preposition]
        if told and segment.passive:  # "minded by Ann"
            yield [r for r in segment.roles if r.preposition == "by"]
        if segment.passive:  # "labelled KL902"
            yield segment.objects()

    @staticmethod
    def _beside(segment: Segment, *, told: bool) -> list[Role]:
        """Return the phrases that tell with or for what: ``she is for tram 3`` says not that she is in it."""
        also = ("with", "for") if told or segment.verbs else ("with",)
        return [r for r in segment.roles if r.preposition in also]

    def _is_placed(self, said: Said, zone: bool) -> bool:
        """Return whether the verb of a segment lets something come into a relation."""
        segment = said.segment
        if not segment.verbs:
            has = {*segment.words} & OBTAINING
            return segment.copula or not has or ("got" in has and not zone)  # "got the lid on it"
        if self.task and all(map(states_of, segment.verbs)) and not segment.objects():
            return True  # "made hot on the stove"
        if said.verbs & PLACING and "neutral" not in classes_of(segment.verb, segment.particles):
            return True
        return (not zone or self._moves_somewhere(said)) and self.wording.is_unknown(segment.verb)

    @staticmethod
    def _moves_somewhere(said: Said) -> bool:
        """Return whether a segment says that something goes somewhere, however: ``navigated to the dock``."""
        return any(r.preposition in GOING and not r.before_verb for r in said.segment.roles)

    def _spots(self, said: Said, seat: Seat) -> list[Role]:
        """Return the phrases that together name a spot."""
        kinds = self.roles.signatures[seat.relation].arguments[seat.other]
        spots = [t for t in self.referents.denoting.spots if self.roles.is_a(self.kinds[t], kinds)]
        if not spots:
            return []
        parts = {f.object for t in spots for f in self.changes.base.about(t)}
        return [
            r
            for r in said.segment.roles
            if not r.used
            and (r.preposition in AT or r.preposition == "")
            and not r.phrase.pronoun
            and self.referents.candidates(r.phrase, parts.__contains__, said.agents)
        ]

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
                raise Unclear("where exactly?")
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
        if not any(
            self.changes.zone_of(t)
            for t in self._meant(target, Seat(seat.relation, seat.other), said)
        ):
            return  # what is nowhere is no place
        kept = self.roles.kept_with(seat.relation)
        for made in [f for f in said.found.made if f.relation == seat.relation]:
            before = self.changes.where(made.subject, positions)
            said.found.ended += [f for f in before if f.relation not in kept]

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

    def _tells_other(self, said: Said, seat: Seat) -> bool:
        """Return whether a verb tells another relation than one: ``drawings of those in the box``."""
        is_word_of = self.wording.is_word_of
        return said.segment.roles[0].preposition == "of" and any(
            is_word_of(v, r) and not is_word_of(v, seat.relation)
            for v in said.segment.verbs
            for r in self.roles.signatures
        )

    def _between(self, said: Said, theme: Role, target: Role) -> list[Seat]:
        """Return the relations that actions change in which what two phrases mean may stand."""
        zones = {s.relation for s in self.roles.whereabouts}
        return [
            seat
            for seat in sorted(self._seats_of(changing=True), key=lambda s: (s.relation, s.at))
            if seat.relation not in zones and self._may(theme, seat, said)
            if not self._tells_other(said, seat)
            if self._may(target, Seat(seat.relation, seat.other), said)
        ]

    def _deny(self, said: Said) -> bool:
        """Find the relation that is denied of two things between which it is believed."""
        segment = said.segment
        places = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        for theme, other in product(self.themes(segment), segment.roles):
            if theme is other or theme.used or self.task:
                continue
            ended = {
                fact
                for one in self.referents.candidates(theme.phrase, lambda _: True, said.agents)
                for two in self.referents.candidates(other.phrase, lambda _: True, said.agents)
                for fact in self.changes.between(one, two)
                if fact.relation in {*self.roles.vocabulary.changing, *places}
                or self.wording.told(fact.relation, segment)
            }
            if len(ended) == 1:
                said.found.ended += ended
                theme.used = other.used = True
                self._heard(said)
                return True
        return False

    def _end(self, said: Said) -> bool:
        """Find the relation that ends where something comes off or out of what it is believed to be at."""
        segment = said.segment
        if said.agents and segment.objects():
            return False
        for theme, source in product(self.themes(segment), segment.roles):
            if source.preposition not in FROM or theme.used or theme is source:
                continue
            for one, other in product(
                self.referents.candidates(theme.phrase, lambda _: True, said.agents),
                self.referents.candidates(source.phrase, lambda _: True, said.agents),
            ):
                changing = self.roles.vocabulary.changing
                facts = [f for f in self.changes.between(one, other) if f.relation in changing]
                if facts:
                    said.found.ended += facts
                    said.found.made += [there for f in facts for there in self._stepped_off(f)]
                    theme.used = source.used = True
                    self._heard(said)
                    return True
        return False

    def _stepped_off(self, gone: Fact) -> Iterator[Fact]:
        """Yield where somebody is who is no longer in or on something: where that is."""
        for seat in self.roles.boarded:
            if seat.relation == gone.relation:
                ends = (gone.subject, gone.object)
                zone = self.changes.zone_of(ends[seat.other])
                for go in self.roles.whereabouts if zone is not None else ():
                    if zone is not None and self.roles.fits(
                        self.kinds[ends[seat.at]], go.relation, go.at
                    ):
                        yield fact(go, ends[seat.at], zone)
