"""What is to hold one after the other: goals of clauses become steps; later ones settle contradictions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.problem_writer.commands.mentions import OPPOSITE, Clause
from commonground.grounding.problem_writer.goals import EMPTY, contains, literals, meant_by
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.planning.pddl import And, Atom, Formula, Not, Or, conjunction

_AFTERWARDS = frozenset(
    ["then", "and then", "after that", "afterwards", "next", "finally", "followed by", "lastly",
     "subsequently",
     "thereafter", "once done", "when done", "before", "prior to", "just before"]
)  # fmt: skip
_FIRST = frozenset(
    ["after", "once", "as soon as", "only after", "only once", "right after", "when"]
)
_DELAYED = frozenset(["before", "prior to", "just before"])


def in_order(clauses: Sequence[Clause]) -> list[tuple[int, bool]]:
    """Return the places of clauses in the order in which they happen, and whether each has to wait.

    ``slice it before you put it away``, ``after slicing it, put it away``, ``put it away after slicing it``.
    """
    order: list[tuple[int, bool]] = []
    delayed: int | None = None
    for i, clause in enumerate(clauses):
        links = set(clause.links)
        begins = i == 0 or "." in links
        if delayed is not None:
            order += [(i, False), (delayed, True)]
            delayed = None
        elif begins and links & _DELAYED and i + 1 < len(clauses):
            delayed = i
        elif links & _FIRST and not begins:
            last, waits = order.pop()
            order += [(i, waits), (last, True)]
        else:
            waits = bool(links & _AFTERWARDS) or (
                i > 0 and "." not in links and bool(set(clauses[i - 1].links) & _FIRST)
            )
            order.append((i, waits and i > 0))
    return order


def steps_of(goals: Sequence[tuple[Formula, bool]], graph: HouseGraph) -> list[Formula]:
    """Return what shall hold after each step; later goals replace what they contradict."""
    steps: list[Formula] = []
    now: list[Formula] = []
    for goal, waits in goals:
        parts = list(_conjuncts(goal))
        over = [old for old in now if any(_replaces(part, old, graph) for part in parts)]
        if now and parts and (waits or over):
            steps.append(conjunction(now))
        now = [old for old in now if old not in over] + parts
        for old in over:
            now += _kept_out(old, parts, graph)
    return [*steps, conjunction(list(dict.fromkeys(now)))]


def _conjuncts(goal: Formula) -> Iterator[Formula]:
    if isinstance(goal, And):
        for part in goal.parts:
            yield from _conjuncts(part)
    else:
        yield goal


def _replaces(new: Formula, old: Formula, graph: HouseGraph) -> bool:
    """Return whether no part of an old goal can hold together with a new one."""
    if old == new or any(isinstance(goal, Or) and not _of_one_thing(goal) for goal in (new, old)):
        return False
    return all(
        any(_contradict(n, o, graph) for n in literals(new)) for o in literals(old)
    ) and bool(list(literals(old)))


def _of_one_thing(goal: Formula) -> bool:
    """Return whether the alternatives of a goal are all about the same thing: this place or that one."""
    return len({(atom.predicate, atom.args[-1]) for atom, _ in literals(goal)}) == 1


def _contradict(new: tuple[Atom, bool], old: tuple[Atom, bool], graph: HouseGraph) -> bool:
    (atom, wanted), (other, was_wanted) = new, old
    if wanted and was_wanted:
        return _rivals(atom, other, graph) or _rivals(other, atom, graph)
    return (
        wanted != was_wanted
        and atom.predicate == other.predicate
        and all(_same(a, b, graph) for a, b in zip(atom.args, other.args, strict=True))
    )


def _rivals(a: Atom, b: Atom, graph: HouseGraph) -> bool:
    """Return whether two conditions exclude each other."""
    if a.predicate == "state" and b.predicate == "state":
        return OPPOSITE.get(a.args[1]) == b.args[1] and _same(a.args[0], b.args[0], graph)
    if a.predicate == "contains" and b.predicate == "contains":
        if (
            not _same(a.args[1], b.args[1], graph)
            or _portable(a.args[0], graph)
            or _portable(b.args[0], graph)
        ):
            return False
        return not set(_fixed(a.args[0], graph)) & set(_fixed(b.args[0], graph))
    if a.predicate == "contains" and b.predicate == "state":
        if b.args[1] == EMPTY:
            return _same(a.args[0], b.args[0], graph)
        chilled = any(graph.type_of(t) == "Fridge" for t in meant_by(a.args[0], graph.types()))
        return b.args[1] == "HOT" and chilled and _same(a.args[1], b.args[0], graph)
    return False


def _same(a: str, b: str, graph: HouseGraph) -> bool:
    """Return whether two words cannot mean different things."""
    types = graph.types()
    meant = set(meant_by(a, types)) | set(meant_by(b, types))
    return (a == b and (a in types or len(meant) <= 1)) or (
        len(meant) == 1 and bool(set(meant_by(a, types)) & set(meant_by(b, types)))
    )


def _fixed(word: str, graph: HouseGraph) -> list[str]:
    names = meant_by(word, graph.types())
    return [graph.value(name, "stands-for") or name for name in names]


def _portable(word: str, graph: HouseGraph) -> bool:
    return any(graph.can(name, "pickupable") for name in meant_by(word, graph.types()))


def _kept_out(old: Formula, parts: Sequence[Formula], graph: HouseGraph) -> list[Formula]:
    """``empty the desk, then put the clock on it``: what was on it stays away."""
    if not (isinstance(old, Atom) and old.args[-1] == EMPTY):
        return []
    holders = meant_by(old.args[0], graph.types())
    back = {
        n
        for part in parts
        for atom, _ in literals(part)
        for n in meant_by(atom.args[-1], graph.types())
    }
    return [
        Not(contains(holder, item))
        for holder in holders
        for item in graph.contents(holder)
        if graph.can(item, "pickupable") and item not in back
    ]
