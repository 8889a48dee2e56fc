"""Which conditions of a household goal cannot hold together, so that the later one replaces the earlier."""

from __future__ import annotations

from commonground.grounding.problem_writer.goals import EMPTY, meant_by
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.planning.pddl import Atom, Formula
from commonground.planning.pddl.strata import literals

OPPOSITE = {
    "ON": "OFF", "OFF": "ON", "OPENED": "CLOSED", "CLOSED": "OPENED", "HOT": "COLD", "COLD": "HOT",
}  # fmt: skip
"""States that exclude each other."""


def of_one_thing(goal: Formula) -> bool:
    """Return whether the alternatives of a goal are all about the same thing: this place or that one."""
    return len({(atom.predicate, atom.args[-1]) for atom, _ in literals(goal)}) == 1


class Contradictions:
    """Holds conditions against each other, for the things of one house."""

    def __init__(self, graph: HouseGraph) -> None:
        self.graph, self.types = graph, graph.types()

    def between(self, new: Formula, old: Formula) -> bool:
        """Return whether no part of an old goal can hold together with a new one."""
        before = list(literals(old))
        return bool(before) and all(
            any(self._contradict(n, o) for n in literals(new)) for o in before
        )

    def _meant(self, word: str) -> list[str]:
        return meant_by(word, self.types)

    def _contradict(self, new: tuple[Atom, bool], old: tuple[Atom, bool]) -> bool:
        (atom, wanted), (other, was_wanted) = new, old
        if wanted and was_wanted:
            return self._rivals(atom, other) or self._rivals(other, atom)
        return (
            wanted != was_wanted
            and atom.predicate == other.predicate
            and all(self._same(a, b) for a, b in zip(atom.args, other.args, strict=True))
        )

    def _rivals(self, a: Atom, b: Atom) -> bool:
        """Return whether two conditions exclude each other."""
        if a.predicate == "state":
            opposite = b.predicate == "state" and OPPOSITE.get(a.args[1]) == b.args[1]
            return opposite and self._same(a.args[0], b.args[0])
        if b.predicate == "contains":
            fixed = not any(self._portable(atom.args[0]) for atom in (a, b))
            apart = not self._fixed(a.args[0]) & self._fixed(b.args[0])
            return fixed and apart and self._same(a.args[1], b.args[1])
        if b.args[1] == EMPTY:
            return self._same(a.args[0], b.args[0])
        chilled = any(self.types[name] == "Fridge" for name in self._meant(a.args[0]))
        return b.args[1] == "HOT" and chilled and self._same(a.args[1], b.args[0])

    def _same(self, a: str, b: str) -> bool:
        """Return whether two words cannot mean different things."""
        ones, others = set(self._meant(a)), set(self._meant(b))
        if a == b:
            return a in self.types or len(ones) <= 1
        return len(ones) == 1 and ones == others

    def _fixed(self, word: str) -> set[str]:
        """Return the places of a word; a sink stands for its basin."""
        return {self.graph.value(name, "stands-for") or name for name in self._meant(word)}

    def _portable(self, word: str) -> bool:
        return any(self.graph.can(name, "pickupable") for name in self._meant(word))
