"""What is to hold one after the other: conditions become steps; later ones settle contradictions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from commonground.grounding.problem_writer.goals import EMPTY, contains, literals, meant_by
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.things import Condition, together, whole
from commonground.planning.pddl import And, Atom, Formula, Not, Or

_OPPOSITE = {
    "ON": "OFF", "OFF": "ON", "OPENED": "CLOSED", "CLOSED": "OPENED", "HOT": "COLD", "COLD": "HOT",
}  # fmt: skip
"""States that exclude each other."""
Deeds = Sequence[tuple[Sequence[Condition], bool]]
"""Conditions that deeds bring about, and whether each deed waits for those before it."""


def steps_of(deeds: Deeds, home: Home) -> list[Formula]:
    """Return what shall hold after each step; later conditions replace what they contradict."""
    steps: list[Formula] = []
    now: list[Condition] = []
    for conditions, waits in deeds:
        parts = list(chain.from_iterable(map(_parts, conditions)))
        over = [old for old in now if any(_replaces(new, old, home) for new in parts)]
        if now and parts and (waits or over):
            steps.append(together(now))
        kept_out = chain.from_iterable(_kept_out(old.formula, parts, home) for old in over)
        now = [*(old for old in now if old not in (*over, *parts)), *parts, *kept_out]
    return [*steps, together(now)]


def _parts(condition: Condition) -> Iterator[Condition]:
    """Yield the parts of a condition that leaves nothing open."""
    if len(condition.goals) == 1 and isinstance(condition.goals[0], And):
        yield from (whole(part) for part in condition.goals[0].parts)
    elif len(condition.goals) == 1:
        yield whole(condition.goals[0])
    else:
        yield condition


def _replaces(new: Condition, old: Condition, home: Home) -> bool:
    """Return whether no part of an old condition can hold together with a new one."""
    if new == old or any(
        isinstance(c.formula, Or) and not _of_one_thing(c.formula) for c in (new, old)
    ):
        return _same_choice(new, old) and all(
            _contradicts(n, o, home) for n, o in zip(new.goals, old.goals, strict=True)
        )
    return _contradicts(new.formula, old.formula, home)


def _same_choice(new: Condition, old: Condition) -> bool:
    return new != old and new.about is not None and new.about is old.about


def _contradicts(new: Formula, old: Formula, home: Home) -> bool:
    before = list(literals(old))
    return bool(before) and all(any(_contradict(n, o, home) for n in literals(new)) for o in before)


def _of_one_thing(goal: Formula) -> bool:
    """Return whether the alternatives of a goal are all about the same thing: this place or that one."""
    return len({(atom.predicate, atom.args[-1]) for atom, _ in literals(goal)}) == 1


def _contradict(new: tuple[Atom, bool], old: tuple[Atom, bool], home: Home) -> bool:
    (atom, wanted), (other, was_wanted) = new, old
    if wanted and was_wanted:
        return _rivals(atom, other, home) or _rivals(other, atom, home)
    return (
        wanted != was_wanted
        and atom.predicate == other.predicate
        and all(_same(a, b, home) for a, b in zip(atom.args, other.args, strict=True))
    )


def _rivals(a: Atom, b: Atom, home: Home) -> bool:
    """Return whether two conditions exclude each other."""
    if a.predicate == "state":
        opposite = b.predicate == "state" and _OPPOSITE.get(a.args[1]) == b.args[1]
        return opposite and _same(a.args[0], b.args[0], home)
    if b.predicate == "contains":
        moved = _same(a.args[1], b.args[1], home)
        fixed = not any(_portable(atom.args[0], home) for atom in (a, b))
        return moved and fixed and not set(_fixed(a.args[0], home)) & set(_fixed(b.args[0], home))
    if b.args[1] == EMPTY:
        return _same(a.args[0], b.args[0], home)
    chilled = any(home.graph.type_of(t) == "Fridge" for t in meant_by(a.args[0], home.there))
    return b.args[1] == "HOT" and chilled and _same(a.args[1], b.args[0], home)


def _same(a: str, b: str, home: Home) -> bool:
    """Return whether two words cannot mean different things."""
    meant = set(meant_by(a, home.there)) | set(meant_by(b, home.there))
    return (a == b and (a in home.there or len(meant) <= 1)) or (
        len(meant) == 1 and bool(set(meant_by(a, home.there)) & set(meant_by(b, home.there)))
    )


def _fixed(word: str, home: Home) -> list[str]:
    names = meant_by(word, home.there)
    return [home.graph.value(name, "stands-for") or name for name in names]


def _portable(word: str, home: Home) -> bool:
    return any(home.graph.can(name, "pickupable") for name in meant_by(word, home.there))


def _kept_out(old: Formula, parts: Sequence[Condition], home: Home) -> list[Condition]:
    """``empty the desk, then put the clock on it``: what was on it stays away."""
    if not (isinstance(old, Atom) and old.args[-1] == EMPTY):
        return []
    words = {atom.args[-1] for part in parts for atom, _ in literals(part.formula)}
    back = {name for word in words for name in meant_by(word, home.there)}
    return [
        whole(Not(contains(holder, item)))
        for holder in meant_by(old.args[0], home.there)
        for item in home.graph.contents(holder)
        if home.graph.can(item, "pickupable") and item not in back
    ]
