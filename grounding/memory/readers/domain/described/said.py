"""A segment being understood, and what all that understand one share."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise, product

from commonground.grounding.memory.ontology.deeds import Seat, words_of
from commonground.grounding.memory.ontology.words import TO, classes_of, is_verb, states_of
from commonground.grounding.memory.readers.domain.described.named import EXACT
from commonground.grounding.memory.readers.domain.described.phrase import Phrase
from commonground.grounding.memory.readers.domain.described.referents import Accepts, Referents
from commonground.grounding.memory.readers.domain.described.segment import PART_OF, Role, Segment
from commonground.grounding.memory.readers.domain.described.wording import Wording
from commonground.grounding.memory.readers.domain.finding import Found, fact

TAKING = frozenset(["take", "receive", "hold"])
PLACING = frozenset(["place", "transport", "give", "go", "located", "leave", "release", "take"])
MOVING = PLACING | TAKING | {"doing", "ending"}
AT = (TO - {"for", "with", "against", "over", "around"}) | {"of"}
BESIDE = frozenset(["by", "near", "beside", "next", "behind"])
GOING = frozenset(["to", "into", "onto"])
"""Prepositions of where something goes, which never only tell where it is."""
INTO = frozenset(["in", "into", "inside", "on", "onto"])
OBTAINING = frozenset(["has", "have", "had", "got", "having", "holding"])
GETTING = OBTAINING | {"get", "gets", "getting"}


@dataclass(slots=True)
class Said:
    """A segment being understood."""

    segment: Segment
    agents: list[str]
    verbs: frozenset[str]
    """The classes of its verbs."""
    found: Found


class Understanding:
    """Holds what a segment says against one world."""

    def __init__(self, referents: Referents, wording: Wording, *, task: bool = False) -> None:
        self.referents, self.wording, self.task = referents, wording, task
        self.roles, self.kinds, self.changes = referents.roles, referents.kinds, referents.changes

    def is_somebody(self, thing: str) -> bool:
        """Return whether a thing is a person or a robot."""
        return self.roles.is_a(self.kinds[thing], self.roles.people | self.roles.robots)

    def _untold(self, segment: Segment) -> set[str]:
        """Return the relations of where people have a place that no word of a segment tells.

        One that ended just before is told by that: ``Ann is not on the cart any more, she is on the van``.
        """
        people = self.roles.people | self.roles.robots
        return {
            relation
            for relation in self.roles.standing
            if all(self.roles.is_a(k, people) for k in self.roles.signatures[relation].arguments[0])
            if not any(f.relation == relation for f in self.changes.retracted)
            if not self.wording.told(relation, segment)
        }

    def themes(self, segment: Segment) -> list[Role]:
        """Return what a segment is about: the objects, or the subjects of what has none."""
        objects = [r for r in segment.objects() if not self._is_whose(segment, r)]
        active = bool(segment.verbs) and not segment.passive
        if active and segment.parts_of and not objects:
            return self._with_parts(segment)
        if not objects or not active:
            has = bool(objects) and not OBTAINING.isdisjoint(segment.words)
            return objects if has else segment.subjects() or objects
        gives = len(objects) > 1 and not objects[1].joined
        return objects[1:] if gives else objects

    @staticmethod
    def _is_whose(segment: Segment, role: Role) -> bool:
        """Return whether a pronoun only says whose something is: not what a thing has that is told of."""
        return segment.is_possessive(role) and role.phrase.pronoun != "its"

    @staticmethod
    def _with_parts(segment: Segment) -> list[Role]:
        """Return what has the part that a segment names: ``opened the lid of it``."""
        around = [r for r in segment.roles if r.preposition in PART_OF]
        return around or segment.subjects()

    def _accepts(self, seat: Seat) -> Accepts:
        return lambda thing: self.changes.may_stand(thing, seat)

    def _fitting(self, role: Role, seat: Seat, said: Said) -> Accepts:
        """Return what tells which things a phrase may mean at a seat: what is done to is not who does it."""
        fits, done_to = self._accepts(seat), bool(said.segment.verbs) and not role.before_verb
        others = {*said.agents} if role.phrase.pronoun == "it" and done_to else set()
        changing = seat.relation in self.roles.vocabulary.changing
        moved = role.phrase.pronoun != "" and done_to and bool(said.agents) and changing

        back_in = (
            role.phrase.pronoun == "it" and role.preposition == "in" and not said.segment.verbs
        )
        if back_in and seat.relation in {s.relation for s in self.roles.whereabouts}:
            return lambda _thing: False  # "kettle back in": no room is left out there

        def may(thing: str) -> bool:
            stays = moved and not self.roles.puts(
                self.kinds[thing], seat
            )  # nobody drives the shelf away
            stays = stays or (fits(thing) and self.stays(role.phrase, thing, seat))
            return fits(thing) and thing not in others and not stays

        return may

    def stays(self, phrase: Phrase, thing: str, seat: Seat) -> bool:
        """Return whether a thing stays where it is, as no action moves it and nobody named it as moved."""
        moving = {*self.roles.positions, *self.roles.whereabouts}
        fixed = seat in moving and not self.is_somebody(thing) and not self._is_named(phrase, thing)
        return fixed and not any(self.roles.puts(self.kinds[thing], s) for s in moving)

    def _is_named(self, phrase: Phrase, thing: str) -> bool:
        """Return whether a phrase calls a thing by its noun, or is a pronoun for what this text named."""
        if phrase.pronoun:
            return thing in {*self.referents.meant.themes, *self.referents.meant.people}
        own = self.referents.denoting.calling.own_words[thing]
        called = {*own[-1:], *words_of(self.kinds[thing])}
        return not called.isdisjoint(phrase.words) or phrase.things.get(thing) == EXACT

    def _may(self, role: Role, seat: Seat, said: Said) -> bool:
        return bool(self._meant(role, seat, said))

    def _meant(self, role: Role, seat: Seat, said: Said) -> list[str]:
        return self.referents.candidates(role.phrase, self._fitting(role, seat, said), said.agents)

    def _pick(self, role: Role, seat: Seat, said: Said) -> list[str]:
        return self.referents.pick(role.phrase, self._fitting(role, seat, said), said.agents)

    def _join(
        self, said: Said, seat: Seat, theme: Role, target: Role, *, holds: bool = True
    ) -> None:
        """Find that what two phrases mean stands in a relation."""
        things = self._pick(theme, seat, said)
        others = self._pick(target, Seat(seat.relation, seat.other), said)
        facts = [fact(seat, one, two) for one, two in product(things, others) if one != two]
        (said.found.made if holds else said.found.ended).extend(facts)
        theme.used = target.used = True

    def _moving(self, said: Said, classes: Mapping[str, Collection[str]]) -> Iterator[str]:
        """Yield verbs of moving and being: what works is not broken; who works in the hall is there."""
        somebody = all(map(self.is_somebody, (f.subject for f in said.found.made)))
        for verb, of in classes.items():
            state = states_of(verb) and not somebody
            if (MOVING - ({"located"} if state else set())).intersection(of):
                yield verb

    def _heard(self, said: Said) -> None:
        segment = said.segment
        classes = {v: classes_of(v, segment.particles) for v in segment.verbs}
        said.found.words |= {*self._moving(said, classes), *segment.particles}
        relations = {f.relation for f in (*said.found.made, *said.found.ended)}
        tells = any(self.wording.told(relation, segment) for relation in relations)
        stands = classes.get(segment.verb) and not states_of(segment.verb)  # "works" is a state too
        others = {*self.roles.binary} - relations
        unknown = not is_verb(segment.verb) and not any(
            self.wording.is_word_of(segment.verb, r) for r in others
        )  # what is fitted is not only out of its box
        if tells or stands or (unknown and len(segment.verbs) == 1):
            said.found.words |= {segment.verb} - {""}

    def _targets(self, said: Said) -> list[Role]:
        segment = said.segment
        for one, other in pairwise(segment.roles):
            kinds = [{self.kinds[t] for t in r.phrase.things} for r in (one, other)]
            if not one.preposition and other.preposition == "to" and kinds[0] & kinds[1]:
                one.preposition = "from"
        going = bool(said.verbs & {"go", "leave"})
        return [
            r for r in segment.roles if r.preposition in AT or (going and r.preposition == "for")
        ]

    def _is_person(self, role: Role, seat: Seat, said: Said) -> bool:
        found = self._meant(role, seat, said)
        return bool(found) and all(map(self.is_somebody, found))

    def _holding(self, segment: Segment) -> list[Seat]:
        """Return the relations in which somebody has something, those that the verbs begin first."""
        return self.wording.holding(segment.verbs)

    def is_named_somebody(self, role: Role) -> bool:
        """Return whether a phrase speaks of people."""
        return any(map(self.is_somebody, role.phrase.things))
