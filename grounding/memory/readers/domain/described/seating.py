"""In which relations things may come to stand, and to what, by their types and the words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from commonground.grounding.memory.ontology.deeds import Seat, words_of
from commonground.grounding.memory.ontology.words import FROM, classes_of, states_of
from commonground.grounding.memory.readers.domain.described.said import (
    AT,
    GOING,
    INTO,
    OBTAINING,
    PLACING,
    Said,
    Understanding,
)
from commonground.grounding.memory.readers.domain.described.segment import (
    PREPOSITIONS,
    Role,
    Segment,
)

_PLACING = 2
"""How far a relation of where things are is from what is said without a word of its name."""


class Seating(Understanding):
    """Finds the relations in which what a segment is about may come to stand."""

    def _lasting(self, said: Said, theme: Role) -> dict[Seat, tuple[int, list[Role]]]:
        """Return the relations a theme may stand in that no action changes, as far as that is told."""
        free = not (self.is_named_somebody(theme) or said.agents)
        moved = self.roles.whereabouts if said.verbs & {"transport", "place"} else ()
        seats = self._seats(said, theme, self._seats_of(changing=False))
        over = {f.relation for f in self.changes.retracted}
        return {
            s: way
            for s, way in seats.items()
            if free or way[0] < _PLACING or s in moved or s.relation in over or self._only_places(s)
        }

    def _only_places(self, seat: Seat) -> bool:
        """Return whether a relation is called as no more than being somewhere."""
        owns = any("neutral" in classes_of(w, frozenset()) for w in words_of(seat.relation))
        return seat.relation not in self.roles.usual and not (owns or _says_more(seat))

    @staticmethod
    def _nearer(
        changing: dict[Seat, tuple[int, list[Role]]], lasting: dict[Seat, tuple[int, list[Role]]]
    ) -> dict[Seat, tuple[int, list[Role]]]:
        """Return the relations that actions change, unless others are called more like what is said."""
        nearest = [min((way[0] for way in of.values()), default=9) for of in (changing, lasting)]
        return lasting if nearest[1] < nearest[0] else changing

    def _wholly_named(self, seats: dict[Seat, list[Role]]) -> dict[Seat, list[Role]]:
        """Return the relations to what is named as a whole, rather than to a spot of which a part is."""
        sizes = {s: len(targets) for s, targets in seats.items()}
        whole = {s: t for s, t in seats.items() if sizes[s] >= self.roles.parts_at(s)}
        return whole or seats

    def _go_together(self, relations: set[str]) -> bool:
        """Return whether actions begin all of some relations at once, or it is only one."""
        return all(frozenset(two) in self.roles.together for two in combinations(relations, 2))

    def _narrowest(self, seats: dict[Seat, list[Role]]) -> dict[Seat, list[Role]]:
        """Return the relations that are only of things for which others of several are too."""
        return {s: t for s, t in seats.items() if not any(self._is_narrower(o, s) for o in seats)}

    def _is_narrower(self, one: Seat, other: Seat) -> bool:
        """Return whether a relation takes only some of the types that another one takes."""
        kinds = [
            [self.roles.signatures[s.relation].arguments[at] for at in (s.at, s.other)]
            for s in (one, other)
        ]
        below = [all(self.roles.is_a(k, b) for k in a) for a, b in zip(*kinds, strict=True)]
        above = [all(self.roles.is_a(k, a) for k in b) for a, b in zip(*kinds, strict=True)]
        return all(below) and not all(above)

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

    def _seats(
        self, said: Said, theme: Role, seats: frozenset[Seat]
    ) -> dict[Seat, tuple[int, list[Role]]]:
        """Return the relations a theme may come to stand in, how likely, and to what."""
        found: dict[Seat, tuple[int, list[Role]]] = {}
        had = self._had_otherwise(said.segment)
        for seat in sorted(seats, key=lambda s: (s.relation, s.at)):
            if seat.relation in had or not self._may(theme, seat, said):
                continue
            told = self.wording.told(seat.relation, said.segment)
            targets = self._targets_of(said, seat, theme, told=told)
            targets = self._surest(targets, seat, said)
            aimed = "for" in words_of(seat.relation) and all(
                r.preposition != "for" for r in targets
            )
            if aimed and not told:
                continue  # a room that somebody is in is not booked for him
            if targets and (told or self._is_placed(said, seat in self.roles.whereabouts)):
                found[seat] = (0 if told else self._distance(seat, targets), targets)
        return {seat: self._among(found, seat) for seat in found}

    def _had_otherwise(self, segment: Segment) -> set[str]:
        """Return the relations that are told by words of having, or by their own alone."""
        to_whom = segment.goes_to_whom(self.is_named_somebody)
        had = set[str]() if to_whom else {s.relation for s in self.roles.holding}
        return had | self._untold(segment)

    def _among(
        self, found: dict[Seat, tuple[int, list[Role]]], seat: Seat
    ) -> tuple[int, list[Role]]:
        """Return how far a relation is, and to what: one of fewer types is never further."""
        distance, targets = found[seat]
        outdone = distance == 1 and any(self._is_narrower(other, seat) for other in found)
        return (_PLACING, targets) if outdone else (distance, targets)

    def _distance(self, seat: Seat, targets: Sequence[Role]) -> int:
        """Return how far the name of a relation is from what is said, but for its verbs and nouns."""
        if _is_called(seat, targets):
            return 1
        placing = seat in self.roles.positions or seat in self.roles.whereabouts
        return (_PLACING if placing else 2 * _PLACING) + _says_more(seat)

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
        barred = self._barred(seat, said, told=told)
        return self._plain([r for r in found if r.preposition not in barred], other, said)

    def _barred(self, seat: Seat, said: Said, *, told: bool) -> frozenset[str]:
        """Return the prepositions of what is no place of a relation."""
        known = {*self.roles.positions, *self.roles.whereabouts}
        placing = seat in known
        if Seat(seat.relation, seat.other) in known and not placing:
            return INTO | {"at", "to"}  # a hall is in nothing that is in it, nor a van on a crate
        going, aimed = bool(said.verbs & {"go", "leave"}), told or "for" in words_of(seat.relation)
        return frozenset(
            ["for"] if placing != going and not aimed else []
        )  # "put her down for the trip"

    def _plain(self, roles: list[Role], seat: Seat, said: Said) -> list[Role]:
        """Return the phrases that most plainly name what fits: not the shelf in ``level 2 of the shelf``."""
        return [r for r in roles if self._surely(r, seat, said)] or roles

    def _surely(self, role: Role, seat: Seat, said: Said) -> bool:
        """Return whether what a phrase names most directly fits a place of a relation."""
        found = self.referents.candidates(role.phrase, agents=said.agents)
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
        whom = ("him", "her", "them", "me", "us")  # for whom it is done is no place
        return [
            r
            for r in segment.roles
            if r.preposition in also and (told or r.phrase.pronoun not in whom)
        ]

    def _is_placed(self, said: Said, zone: bool) -> bool:
        """Return whether the verb of a segment lets something come into a relation."""
        segment = said.segment
        if not segment.verbs:
            has = {*segment.words} & OBTAINING
            return segment.copula or not has or ("got" in has and not zone)  # "got the lid on it"
        if self.task and all(map(states_of, segment.verbs)) and not segment.objects():
            return True  # "made hot on the stove"
        classes = classes_of(segment.verb, segment.particles)
        if said.verbs & PLACING and ("neutral" not in classes or "located" in classes):
            return True  # "is waiting in the hall"
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
        led = AT | {""} | (FROM if self.wording.told(seat.relation, said.segment) else frozenset())
        return [
            r
            for r in said.segment.roles
            if not r.used
            and r.preposition in led
            and not r.phrase.pronoun
            and self.referents.candidates(r.phrase, parts.__contains__, said.agents)
        ]


def _says_more(seat: Seat) -> bool:
    """Return whether a relation is called as more than being somewhere: ``dresses_in``, not ``lies_in``."""
    words = {w for w in words_of(seat.relation) if w not in PREPOSITIONS}
    return any("located" not in classes_of(w, frozenset()) for w in words)


def _is_called(seat: Seat, targets: Sequence[Role]) -> bool:
    """Return whether a relation is called as the preposition says where something is: ``in`` the pot."""
    led = {r.preposition for r in targets}
    return words_of(seat.relation) in ([p] for p in led | {p.removesuffix("to") for p in led})
