"""What a team believes about a household: typed facts in three views, some of them only supposed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Literal

from commonground.grounding.knowledge.facts import TRUE, Fact
from commonground.grounding.knowledge.groups import Group, Groups
from commonground.grounding.knowledge.index import FactIndex, objects, only
from commonground.grounding.knowledge.invariants import Part

ViewName = Literal["relation", "property", "reach"]
RELATIONS = frozenset(["in", "holds", "serves", "controls", "stands-for"])
"""Between things: what is in what, who holds what, which fixture works on which."""
REACH = frozenset(["at", "reached-at"])
"""Who stands where, and where one stands to reach a thing."""
STATES = frozenset(
    ["open", "on", "sliced", "broken", "filled", "cooked", "toasted", "clean", "moved"]
)
BARRED = frozenset(
    ["barred-open", "barred-close", "barred-on", "barred-off", "barred-slice", "barred-break", "barred-carry"]
)  # fmt: skip
"""What robots leave to others."""
PROPERTIES = STATES | {
    "is-a", "can", "skill", "lifts-kg", "mass-kg", "slots", "temperature", "spared"
} | BARRED  # fmt: skip
GROUPS = Groups(
    Group((Part(relation, (0,), 2),), "given", exhaustive=False)
    for relation in (
        "in", "at", "reached-at", "stands-for", "serves", "controls", "is-a", "lifts-kg", "mass-kg",
        "slots", "temperature",
    )
)  # fmt: skip
"""The relations that have one value at a time, as states do: a new one replaces the old."""
VIEWS: dict[ViewName, frozenset[str]] = {
    "relation": RELATIONS,
    "property": frozenset(PROPERTIES),
    "reach": REACH,
}
ROBOT = "robot"
GROUND = "Floor"


class HouseGraph:
    """Facts ``(subject, relation, object)`` with a standing: known, or supposed until confirmed."""

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self.facts = FactIndex()
        self.supposed: dict[Fact, Fact | None] = {}
        """Supposed fact → the known fact it stands in for."""
        self.doubted: set[Fact] = set()
        """Facts that were known and are supposed not to hold."""
        self._types: dict[str, str] | None = None
        """What is what, once somebody asked; everybody does, and it hardly changes."""
        for fact in facts:
            self.tell(fact)

    @classmethod
    def of_facts(cls, facts: Iterable[Fact]) -> HouseGraph:
        """Return a graph of facts that do not contradict each other."""
        graph = cls()
        graph.facts = FactIndex(facts)
        return graph

    def copy(self) -> HouseGraph:
        """Return an independent graph with the same facts."""
        twin = HouseGraph()
        twin.facts = FactIndex(self.facts)
        twin.supposed = dict(self.supposed)
        twin.doubted = set(self.doubted)
        return twin

    # ---- telling ----------------------------------------------------------------------------------

    def tell(self, fact: Fact) -> None:
        """Take a fact for known; it replaces what contradicts it, and settles what was supposed of it."""
        for old in GROUPS.rivals(self.facts, fact):
            self.retract(old)
        self.supposed.pop(fact, None)
        self.doubted.discard(fact)
        self._add(fact)

    def retract(self, fact: Fact) -> None:
        """Stop believing a fact."""
        self._discard(fact)
        self.supposed.pop(fact, None)

    def suppose(self, fact: Fact) -> None:
        """Take a fact for a hypothesis; it stands in for what contradicts it until it is settled."""
        rivals = GROUPS.rivals(self.facts, fact)
        for old in rivals:
            self.retract(old)
        if self._add(fact):
            self.supposed[fact] = rivals[0] if rivals else None

    def doubt(self, fact: Fact) -> None:
        """Suppose that a known fact does not hold; telling it again settles that."""
        if fact in self.facts:
            self.retract(fact)
            self.doubted.add(fact)

    def confirm(self, fact: Fact) -> None:
        """Take a hypothesis for known: it was observed."""
        self.supposed.pop(fact, None)

    def withdraw(self, fact: Fact) -> None:
        """Take a hypothesis back, and believe again what it stood in for."""
        before = self.supposed.pop(fact, None)
        self._discard(fact)
        if before is not None:
            self._add(before)

    def _add(self, fact: Fact) -> bool:
        self._types = None if fact.relation == "is-a" else self._types
        return self.facts.add(fact)

    def _discard(self, fact: Fact) -> None:
        self._types = None if fact.relation == "is-a" else self._types
        self.facts.discard(fact)

    def observe(
        self, facts: Iterable[Fact], complete: Collection[str] = (), things: Collection[str] = ()
    ) -> bool:
        """Take in what is seen: it settles hypotheses; return whether anything was new.

        ``complete`` are receptacles whose whole contents are in view, ``things`` everything in view: what is
        believed to be in them and is not seen is not there.
        """
        changed = False
        for fact in facts:
            changed = changed or fact not in self.facts
            self.tell(fact)
        for fact in list(self.facts):
            gone = fact.relation == "in" and fact.object in complete
            if gone and fact.subject not in things:
                changed = True
                self.lose(fact)
        return changed

    def lose(self, fact: Fact) -> None:
        """Stop believing where a thing is; one that was only supposed to be there is forgotten."""
        if fact in self.supposed:
            self.withdraw(fact)
        else:
            self.retract(fact)
        reached = self.value(fact.subject, "reached-at")
        if reached is not None:
            self.retract(Fact(fact.subject, "reached-at", reached))

    # ---- asking -----------------------------------------------------------------------------------

    def view(self, name: ViewName) -> list[Fact]:
        """Return the facts of a view, in order."""
        return sorted(fact for fact in self.facts if fact.relation in VIEWS[name])

    def about(self, thing: str) -> Collection[Fact]:
        """Return the facts of a thing."""
        return self.facts.about(thing)

    def value(self, thing: str, relation: str) -> str | None:
        """Return the one value of a relation."""
        return only(self.facts, thing, relation)

    def values(self, thing: str, relation: str) -> list[str]:
        """Return all values of a relation, in order."""
        return objects(self.facts, thing, relation)

    def subjects(self, relation: str, value: str) -> list[str]:
        """Return what has a value, in order."""
        return sorted(self.facts.subjects(relation, value))

    def is_true(self, thing: str, state: str) -> bool:
        """Return whether a state is known to hold."""
        return Fact(thing, state, TRUE) in self.facts

    def can(self, thing: str, affordance: str) -> bool:
        """Return whether a thing has an affordance."""
        return Fact(thing, "can", affordance) in self.facts

    def type_of(self, thing: str) -> str:
        """Return what a thing is, or an empty string."""
        return self.value(thing, "is-a") or ""

    def types(self) -> dict[str, str]:
        """Return the type of every thing that is no robot, in order."""
        if self._types is None:
            found = ((f.subject, f.object) for f in self.facts if f.relation == "is-a")
            self._types = {name: kind for name, kind in sorted(found) if kind != ROBOT}
        return dict(self._types)

    def robots(self) -> list[str]:
        """Return the robots."""
        return self.subjects("is-a", ROBOT)

    def contents(self, receptacle: str) -> list[str]:
        """Return what is directly in or on a thing."""
        return self.subjects("in", receptacle)

    def around(self, thing: str) -> Iterator[str]:
        """Yield what a thing is in, from the inside out."""
        seen = {thing}
        at = self.value(thing, "in")
        while at is not None and at not in seen:
            seen.add(at)
            yield at
            at = self.value(at, "in")
