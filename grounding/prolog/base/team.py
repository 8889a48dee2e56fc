"""The same base with fewer or more agents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from commonground.errors import GroundingError
from commonground.grounding.prolog.base.knowledge_base import Base, Clause, Located, never
from commonground.grounding.prolog.base.terms import (
    Struct,
    Term,
    args_of,
    constants,
    key_of,
    match,
    replaced,
    text,
)

MOST_AGENTS = 62
"""Who is busy is a bit each."""


def with_agents(base: Base, count: int) -> Base:
    """Return the base with so many agents: the last ones are left out, or the first one is copied.

    A copy gets all that is said of its model, and a place of its own where the model has one. With several
    kinds of resources, the first kind is meant.
    """
    if count < 1:
        raise GroundingError(f"a plan for {count} agents: somebody has to do the work, at least 1")
    if count > MOST_AGENTS:
        raise GroundingError(f"a plan for {count} agents: at most {MOST_AGENTS} are planned for")
    if not base.pools:
        raise GroundingError(
            f"{base.source}: no fact is of the kind that resources/1 names, so there are no agents"
        )
    pool = next(iter(base.pools.values()))
    for agent in reversed(pool[count:]):
        base = _without(base, agent)
    for _ in range(count - len(pool)):
        base = _with_copy(base, pool[0])
    return base


def _without(base: Base, agent: Term) -> Base:
    """Return the base without what is said of an agent; what was true of it alone is true of nobody."""
    kept = [c for c in base.general if c.body is not None or not _speaks(c.head, agent)]
    lost = {key_of(c.head) for c in base.general} - {key_of(c.head) for c in kept}
    return replace(
        base,
        general=(*kept, *map(never, sorted(lost))),
        init=tuple(f for f in base.init if not _speaks(f.term, agent)),
        goal=tuple(g for g in base.goal if not _speaks(g.term, agent)),
        members={k: tuple(m for m in ms if m != agent) for k, ms in base.members.items()},
    )


def _speaks(term: Term, agent: Term) -> bool:
    return agent in constants(term)


def _with_copy(base: Base, model: Term) -> Base:
    """Return the base with another agent like one that is there."""
    names: dict[Term, Term] = {model: _fresh_name(base, model)}
    general = list(base.general)
    init = list(base.init)
    for fact in base.init:
        if _speaks(fact.term, model):
            place = _own_place(base, fact.term, model)
            moved = _moved(base, general, place) if place else None
            init.append(Located(_placed(replaced(fact.term, names), place, moved)))
    own = [c for c in base.general if c.body is None and _speaks(c.head, model)]
    general += [Clause(replaced(c.head, names)) for c in own]
    goal = [*base.goal, *_goals(base, init, names)]
    members = {
        key: (*known, names[model]) if model in known else known
        for key, known in base.members.items()
    }
    return replace(
        base, general=tuple(general), init=tuple(init), goal=tuple(goal), members=members
    )


def _goals(base: Base, init: Iterable[Located], names: Mapping[Term, Term]) -> list[Located]:
    """Return the goals about the model for its copy, as far as the copy meets them from the beginning."""
    facts = [f.term for f in init]
    copies = [
        Located(replaced(g.term, names))
        for g in base.goal
        if not set(names).isdisjoint(constants(g.term))
    ]
    return [c for c in copies if any(match(c.term, fact, {}) for fact in facts)]


def _fresh_name(base: Base, model: Term) -> Term:
    stem, number = re.fullmatch(r"(.*?)(\d*)", text(model)).groups()  # type: ignore[union-attr]
    taken = {text(c) for clause in base.general for c in constants(clause.head)}
    following = int(number or 1)
    while f"{stem}{following}" in taken or following == int(number or 1):
        following += 1
    return f"{stem}{following}"


def _own_place(base: Base, fact: Term, model: Term) -> tuple[Term, ...]:
    """Return the part of an initial fact that is a place of the agent alone: other arguments that a
    general fact lists and nothing else in the initial state mentions together."""
    place = tuple(a for a in args_of(fact) if a != model)
    if not place or any(isinstance(a, Struct) for a in place):
        return ()
    listed = any(args_of(c.head) == place for c in base.general if c.body is None)
    shared = sum(_has(f.term, place) for f in base.init)
    return place if listed and shared == 1 else ()


def _has(fact: Term, place: tuple[Term, ...]) -> bool:
    args = args_of(fact)
    return any(args[i : i + len(place)] == place for i in range(len(args)))


def _moved(base: Base, general: list[Clause], place: tuple[Term, ...]) -> tuple[Term, ...] | None:
    """Return a new place and add what is said of the old one; None: names cannot be made up for it."""
    last = place[-1]
    numbers = [c for clause in general for c in constants(clause.head) if isinstance(c, int)]
    if isinstance(last, int):
        fresh: tuple[Term, ...] = (*place[:-1], max(numbers, default=0) + 1)
    elif isinstance(last, str):
        fresh = (*place[:-1], _fresh_name(replace(base, general=tuple(general)), last))
    else:
        return None
    for clause in list(general):
        if (
            clause.body is None
            and args_of(clause.head) == place
            and isinstance(clause.head, Struct)
        ):
            general.append(Clause(Struct(clause.head.functor, fresh)))
    return fresh


def _placed(fact: Term, place: tuple[Term, ...], moved: object) -> Term:
    """Return a fact with its place exchanged."""
    if not place or not isinstance(moved, tuple) or not isinstance(fact, Struct):
        return fact
    args = list(fact.args)
    for i in range(len(args) - len(place) + 1):
        if tuple(args[i : i + len(place)]) == place:
            args[i : i + len(place)] = moved
            break
    return Struct(fact.functor, tuple(args))
