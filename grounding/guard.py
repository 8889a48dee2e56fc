"""Goal checker: symbols exist, the robot is able, and the goal does not contradict itself.

Whatever made the goal, a parser or a language model, it passes here.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.world import World
from commonground.planning.pddl import (
    TRUE,
    And,
    Atom,
    Formula,
    Not,
    Or,
    atoms,
    conflict,
    equivalent,
    satisfiable,
    simplify,
)
from commonground.planning.scene.lifting import too_long
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.planning.scene.wording import in_words
from commonground.robots import Robot

MAX_ATOMS = 20_000
MAX_PLACES = 40
"""Of a thing that may be put in more places than these it is not checked that it ends in one."""
_T = TypeVar("_T")

_DOING = {
    "inspect": "inspect things", "pick": "pick things up", "place": "put things down", "goto": "drive",
}  # fmt: skip


def check_goal(goal: Formula, robot: Robot, world: World) -> None:
    """Raise Unclear unless a robot may be given this goal."""
    found = list(dict.fromkeys(atoms(goal)))
    if len(found) > MAX_ATOMS:
        raise Unclear(
            f"The goal for {robot.name} is too large ({len(found)} facts). Please say it in parts."
        )
    _check_exists(found, world)
    if simplify(goal) == TRUE:
        raise Unclear(f"There is nothing to do for {robot.name}.")
    _check_able(goal, found, robot)
    _check_size(goal, found, robot, world)
    _check_consistent(goal, found, robot, world)


def _check_exists(found: Iterable[Atom], world: World) -> None:
    for atom in found:
        for symbol, kind in zip(atom.args, VOCABULARY[atom.predicate].kinds, strict=True):
            there = world.find(symbol)
            if there is None:
                raise Unclear(f"There is no {symbol} on this map.")
            if there[0].kind != kind:
                raise Unclear(
                    f"'{atom.predicate}' is said of {kind}s, and {symbol} is none. What is meant?"
                )


def _check_able(goal: Formula, found: Sequence[Atom], robot: Robot) -> None:
    """Refuse what needs a capability the robot has not; an alternative that it can do is enough."""
    unable = {
        atom: [c for c in VOCABULARY[atom.predicate].needs if not robot.can(c)] for atom in found
    }
    missing = {atom: lacks for atom, lacks in unable.items() if lacks}
    if not missing:
        return
    if not satisfiable(And((goal, *(Not(atom) for atom in missing)))):
        lacks = next(iter(missing.values()))[0]
        question = f"{robot.name} cannot {_DOING.get(lacks, lacks)}. Is another robot meant?"
        raise Unclear(question, ruled_out=True)


def _check_size(goal: Formula, found: Sequence[Atom], robot: Robot, world: World) -> None:
    """Refuse what needs a thing lifted that is too long; an alternative to it is enough."""
    lifted = (atom for atom in found if "pick" in VOCABULARY[atom.predicate].needs)
    reasons = {atom: too_long(world.graph, atom.args[0], robot) for atom in lifted}
    missing = {atom: why for atom, why in reasons.items() if why}
    if missing and not satisfiable(And((goal, *(Not(atom) for atom in missing)))):
        raise Unclear(f"{next(iter(missing.values()))}. What is meant?", ruled_out=True)


def _check_consistent(goal: Formula, found: Sequence[Atom], robot: Robot, world: World) -> None:
    apart = next(_put_apart(goal), None)
    if apart is not None:
        raise Unclear(f"That contradicts itself: {apart} cannot be put in two places.")
    rules = [*_consequences(found, world), *_exclusions(found, world)]
    if satisfiable(And((goal, *rules))):
        return
    parts = goal.parts if isinstance(goal, And) else (goal,)
    clash = conflict(parts, rules)
    wanted = "; ".join(in_words(part, world.graph) for part in clash or [goal])
    raise Unclear(f"That contradicts itself, as {robot.name} cannot do all of it: {wanted}.")


def _consequences(found: Sequence[Atom], world: World) -> list[Formula]:
    """To end somewhere is to have been there; to do something to a thing is to go into its region."""
    rules: list[Formula] = []
    avoidable = {atom.args[0]: atom for atom in found if atom.predicate == "visited-region"}
    present = set(found)
    for atom in found:
        kind, node = _visits(atom)
        if kind is None or node is None:
            continue
        visited = Atom(f"visited-{kind}", (node,))
        if visited in present and visited != atom:
            rules.append(Or((Not(atom), visited)))
        region = world.region_of(node)
        if region in avoidable and avoidable[region] not in (atom, visited):
            rules.append(Or((Not(atom), avoidable[region])))
    return rules


def _visits(atom: Atom) -> tuple[str | None, str | None]:
    """Return the kind and symbol of the node a robot has been at once an atom is true."""
    head, _, tail = atom.predicate.partition("-")
    if atom.predicate in ("safe", "holding", "visited-object", "at-object"):
        return "object", atom.args[0]
    if atom.predicate == "object-in-place":
        return "place", atom.args[1]
    if head in ("visited", "at", "in", "explored"):
        return tail, atom.args[0]
    return None, None


def _exclusions(found: Sequence[Atom], world: World) -> list[Formula]:
    """A robot ends at one place in one region; a thing is in one place, or held."""
    ends = [
        (atom, _stands_at(atom, world))
        for predicate in dict.fromkeys(atom.predicate for atom in found)
        if predicate in ("at-place", "at-object", "in-region")
        for atom in found
        if atom.predicate == predicate
    ]
    apart = [(a, b) for (a, at), (b, to) in _limited_pairs(ends) if _apart(at, to)]
    rules = [*apart, *_held_and_put(found), *_put_twice(found)]
    return [Or((Not(a), Not(b))) for a, b in rules]


def _put_apart(goal: Formula) -> Iterator[str]:
    """Yield things that are to be put in one place and in another."""
    places: dict[str, list[set[str]]] = {}
    for part in _conjuncts(goal):
        puts = list(atoms(part))
        plain = isinstance(part, Atom) or (isinstance(part, Or) and set(part.parts) == set(puts))
        if plain and {(a.predicate, a.args[0]) for a in puts} == {
            ("object-in-place", puts[0].args[0])
        }:
            places.setdefault(puts[0].args[0], []).append({a.args[1] for a in puts})
    for thing, wanted in places.items():
        if not set.intersection(*wanted):
            yield thing


def _conjuncts(goal: Formula) -> Iterator[Formula]:
    """Yield what must all hold."""
    if isinstance(goal, And):
        for part in goal.parts:
            yield from _conjuncts(part)
    else:
        yield goal


def _held_and_put(found: Sequence[Atom]) -> Iterator[tuple[Atom, Atom]]:
    """Yield for each thing that is to be held every place that it is to be put in."""
    put = _puts(found)
    for atom in found:
        if atom.predicate == "holding":
            yield from ((atom, other) for other in put.get(atom.args[0], ()))


def _put_twice(found: Sequence[Atom]) -> Iterator[tuple[Atom, Atom]]:
    """Yield two places of one thing: it ends in one of them."""
    for places in _puts(found).values():
        if len(places) <= MAX_PLACES:
            yield from itertools.combinations(places, 2)


def _puts(found: Sequence[Atom]) -> dict[str, list[Atom]]:
    """Return the places that each thing is to be put in."""
    put: dict[str, list[Atom]] = {}
    for atom in found:
        if atom.predicate == "object-in-place":
            put.setdefault(atom.args[0], []).append(atom)
    return put


def _limited_pairs(ends: Sequence[_T]) -> Iterable[tuple[_T, _T]]:
    return itertools.combinations(ends[:120], 2)


def _stands_at(atom: Atom, world: World) -> Mapping[str, str | None]:
    node = atom.args[0]
    place = None if atom.predicate == "in-region" else world.place_at(node)
    return {"place": place, "region": world.region_of(node)}


def _apart(a: Mapping[str, str | None], b: Mapping[str, str | None]) -> bool:
    """Return whether a robot cannot be at both: different regions, or different places."""
    for what in ("region", "place"):
        if a[what] is not None and b[what] is not None and a[what] != b[what]:
            return True
    return False


def same_goals(a: Mapping[str, Formula], b: Mapping[str, Formula]) -> bool:
    """Return whether two answers give the same robots equivalent goals."""
    return a.keys() == b.keys() and all(a[r] == b[r] or equivalent(a[r], b[r]) for r in a)
