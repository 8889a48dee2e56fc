"""What a clause was found to say, and what all that find something share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import product

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.domain.calling import Calling, Mention
from commonground.grounding.memory.domain.changes import Changes
from commonground.grounding.memory.domain.clauses import Clause, Role
from commonground.grounding.memory.domain.roles import Roles, Seat
from commonground.grounding.memory.domain.states import Sayings
from commonground.grounding.memory.unclear import Unclear

Accepts = Callable[[str], bool]
Resolve = Callable[[Mention, Accepts, Clause], list[str]]


@dataclass(slots=True)
class Found:
    """What a clause was found to say."""

    made: list[Fact] = field(default_factory=list)
    ended: list[Fact] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    """The words that it was found by."""

    def things(self) -> list[str]:
        """Return what it is about."""
        return [t for f in (*self.made, *self.ended) for t in (f.subject, f.object)]


@dataclass(frozen=True, slots=True)
class Scene:
    """What clauses are read with: the domain's roles and words, the world's names, and what is so now."""

    roles: Roles
    sayings: Sayings
    calling: Calling
    changes: Changes
    resolve: Resolve
    latest: Callable[[str, Accepts], str | None]
    """What was spoken of last that a pronoun may mean."""
    task: bool = False

    @property
    def kinds(self) -> dict[str, str]:
        """Return the types of all things."""
        return self.calling.kinds

    def is_somebody(self, thing: str) -> bool:
        """Return whether a thing is a person or a robot."""
        return self.roles.is_a(self.kinds[thing], self.roles.people | self.roles.robots)

    def accepts(self, relation: str, at: int) -> Accepts:
        """Return what tells which things may stand at an argument of a predicate."""
        return lambda thing: self.roles.fits(self.kinds[thing], relation, at)

    def may(self, role: Role, relation: str, at: int) -> bool:
        """Return whether what a phrase means may stand at an argument of a predicate."""
        accepts = self.accepts(relation, at)
        if role.mention.pronoun and not role.mention.owner:
            try:
                return bool(self.resolve(role.mention, accepts, Clause()))
            except Unclear:
                return False
        return any(map(accepts, role.mention.things))

    def meant(self, role: Role, seat: Seat, clause: Clause) -> list[str]:
        """Return the things that a phrase means at an argument of a predicate."""
        return self.resolve(role.mention, self.accepts(seat.relation, seat.at), clause)

    def relate(
        self, clause: Clause, seat: Seat, thing: Role, other: Role, holds: bool, found: Found
    ) -> None:
        """Find that the things of two phrases stand in a relation, or no longer do."""
        things = self.meant(thing, seat, clause)
        others = self.meant(other, Seat(seat.relation, seat.other), clause)
        facts = [fact(seat, one, two) for one, two in product(things, others)]
        (found.made if holds else found.ended).extend(facts)
        thing.used = other.used = True


def fact(seat: Seat, thing: str, other: str) -> Fact:
    """Return the fact that a thing at an argument of a relation stands in it to another one."""
    return Fact(*((thing, seat.relation, other) if seat.at == 0 else (other, seat.relation, thing)))


def pairs_of(roles: Sequence[Role]) -> list[tuple[Role, Role]]:
    """Return all ordered pairs of two phrases."""
    return [(one, other) for one, other in product(roles, roles) if one is not other]
