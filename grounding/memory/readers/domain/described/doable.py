"""Actions that can be done as things are: what takes part by what they need, and what they bring about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.ontology.deeds import Deed
from commonground.grounding.memory.readers.domain.described.said import Understanding
from commonground.planning.pddl import Atom

Binding = Mapping[str, str]


class Doable(Understanding):
    """Fills in the parameters of actions by what is believed."""

    def _solve(
        self, deed: Deed, needs: list[Atom], known: Binding, *, linked: bool = False
    ) -> Iterator[Binding]:
        """Yield the ways to fill in what an action needs, what most is known of first.

        ``linked``: only by what is so of what is known already, one fact after the other.
        """
        if not needs:
            yield known
            return
        first = max(needs, key=lambda atom: sum(arg in known for arg in atom.args))
        if linked and known.keys().isdisjoint(first.args):
            return
        rest = [atom for atom in needs if atom is not first]
        for args in self._holding_of(first, known):
            binding = {**known, **dict(zip(first.args, args, strict=True))}
            if all(self._may_stand_for(deed, *pair) for pair in binding.items()):
                yield from self._solve(deed, rest, binding, linked=linked)

    def _may_stand_for(self, deed: Deed, parameter: str, thing: str) -> bool:
        kinds, kind = deed.kinds.get(parameter), self.kinds.get(thing)
        return kinds is None or kind is None or self.roles.is_a(kind, kinds)

    def _holding_of(self, atom: Atom, known: Binding) -> Iterator[tuple[str, ...]]:
        """Yield the arguments for which an atom is believed."""
        draft, first, last = self.changes.draft, known.get(atom.args[0]), known.get(atom.args[-1])
        if len(atom.args) == 1:
            things = [first] if first is not None else sorted(draft.subjects(atom.predicate, TRUE))
            yield from ((t,) for t in things if Fact(t, atom.predicate, TRUE) in draft)
        elif first is None and last is not None:
            yield from ((thing, last) for thing in sorted(draft.subjects(atom.predicate, last)))
        else:
            about = draft.facts_of(atom.predicate) if first is None else draft.about(first)
            pairs = (
                f[::2] for f in about if f.relation == atom.predicate and f.subject in self.kinds
            )
            yield from (pair for pair in sorted(pairs) if last in (None, pair[1]))

    def _changes(self, deed: Deed, binding: Binding) -> Iterator[Fact]:
        """Yield what an action makes so, filled in; nothing where a part of that is open."""
        if any(arg not in binding for atom in deed.adds for arg in atom.args):
            return
        yield from (_fact(atom, binding) for atom in deed.adds)
        for atom in deed.deletes:
            if len(atom.args) == 1 and atom.args[0] in binding:
                yield Fact(binding[atom.args[0]], atom.predicate, FALSE)

    def _ended(self, deed: Deed, binding: Binding) -> Iterator[Fact]:
        """Yield the facts of two things that an action ends."""
        for atom in deed.deletes:
            if len(atom.args) == 2 and all(arg in binding for arg in atom.args):
                yield _fact(atom, binding)


def _fact(atom: Atom, binding: Binding) -> Fact:
    ends = [binding[arg] for arg in atom.args]
    return Fact(ends[0], atom.predicate, ends[1] if len(ends) == 2 else TRUE)
