"""Facts in memory: the fast path of every question, and drafts that change nothing yet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Protocol, TypeVar

from commonground.grounding.knowledge.facts import Fact

T = TypeVar("T")


class View(Protocol):
    """A set of facts that can be looked up from either end."""

    def __contains__(self, fact: object) -> bool:
        """Return whether a fact holds."""
        ...

    def about(self, subject: str) -> Collection[Fact]:
        """Return the facts of a subject."""
        ...

    def subjects(self, relation: str, value: str) -> Collection[str]:
        """Return what stands in a relation to an object, or has a property that is ``value``."""
        ...

    def facts_of(self, relation: str) -> Collection[Fact]:
        """Return all facts of a relation."""
        ...


class Graph(View, Protocol):
    """A view that knows what is said of a thing from either end."""

    def one_hop(self, thing: str) -> list[Fact]:
        """Return the facts that mention a thing."""
        ...


def objects(view: View, subject: str, relation: str) -> list[str]:
    """Return what a subject stands in a relation to, in order of name."""
    return sorted(fact.object for fact in view.about(subject) if fact.relation == relation)


def only(view: View, subject: str, relation: str) -> str | None:
    """Return the object of a subject's relation where there is exactly one."""
    found = [fact.object for fact in view.about(subject) if fact.relation == relation]
    return found[0] if len(found) == 1 else None


class FactIndex:
    """All facts, by subject and by relation with object."""

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self._by_subject: dict[str, set[Fact]] = {}
        self._by_object: dict[tuple[str, str], set[str]] = {}
        self._relations: dict[str, int] = {}
        for fact in facts:
            self.add(fact)

    def __len__(self) -> int:
        return sum(self._relations.values())

    def __iter__(self) -> Iterator[Fact]:
        for facts in self._by_subject.values():
            yield from facts

    def __contains__(self, fact: object) -> bool:
        return isinstance(fact, tuple) and fact in self._by_subject.get(fact[0], ())

    def about(self, subject: str) -> Collection[Fact]:
        return self._by_subject.get(subject, ())

    def subjects(self, relation: str, value: str) -> Collection[str]:
        return self._by_object.get((relation, value), ())

    def facts_of(self, relation: str) -> Collection[Fact]:
        ends = [(value, of) for (name, value), of in self._by_object.items() if name == relation]
        return [Fact(subject, relation, value) for value, of in ends for subject in of]

    def add(self, fact: Fact) -> bool:
        """Add a fact; tell whether it is new."""
        facts = self._by_subject.setdefault(fact.subject, set())
        if fact in facts:
            return False
        facts.add(fact)
        self._by_object.setdefault((fact.relation, fact.object), set()).add(fact.subject)
        self._relations[fact.relation] = self._relations.get(fact.relation, 0) + 1
        return True

    def discard(self, fact: Fact) -> bool:
        """Remove a fact; tell whether it was there."""
        facts = self._by_subject.get(fact.subject)
        if facts is None or fact not in facts:
            return False
        facts.remove(fact)
        self._by_object[fact.relation, fact.object].discard(fact.subject)
        self._relations[fact.relation] -= 1
        return True

    def pointing_to(self, thing: str) -> list[Fact]:
        """Return the facts whose object is a thing."""
        return [
            Fact(subject, relation, thing)
            for relation in self._relations
            for subject in self._by_object.get((relation, thing), ())
        ]

    def one_hop(self, thing: str) -> list[Fact]:
        return [*self.about(thing), *self.pointing_to(thing)]


class Draft:
    """A view with some facts added and removed; the view below stays as it is."""

    def __init__(self, base: View) -> None:
        self.base = base
        self.added = FactIndex()
        self.removed = FactIndex()

    def __contains__(self, fact: object) -> bool:
        return fact in self.added or (fact in self.base and fact not in self.removed)

    def about(self, subject: str) -> Collection[Fact]:
        added, removed = self.added.about(subject), self.removed.about(subject)
        return changed(self.base.about(subject), added, removed)

    def subjects(self, relation: str, value: str) -> Collection[str]:
        added = self.added.subjects(relation, value)
        removed = self.removed.subjects(relation, value)
        return changed(self.base.subjects(relation, value), added, removed)

    def facts_of(self, relation: str) -> Collection[Fact]:
        added, removed = self.added.facts_of(relation), self.removed.facts_of(relation)
        return changed(self.base.facts_of(relation), added, removed)

    def add(self, fact: Fact) -> bool:
        """Add a fact; tell whether it is new."""
        if fact in self:
            return False
        if not self.removed.discard(fact):
            self.added.add(fact)
        return True

    def discard(self, fact: Fact) -> bool:
        """Remove a fact; tell whether it was there."""
        if fact not in self:
            return False
        if not self.added.discard(fact):
            self.removed.add(fact)
        return True


def changed(base: Collection[T], added: Collection[T], removed: Collection[T]) -> Collection[T]:
    """Return some things with others added and removed."""
    return (set(base) - set(removed)) | set(added) if added or removed else base
