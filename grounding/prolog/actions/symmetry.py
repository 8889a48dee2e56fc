"""What is interchangeable: agents, and other things, of which the same is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from commonground.grounding.prolog.base.knowledge_base import Base, asked
from commonground.grounding.prolog.base.relations import Fact
from commonground.grounding.prolog.base.terms import Term, constants, key_of, replaced, text


def alike(base: Base) -> tuple[tuple[Term, ...], ...]:
    """Return the agents in groups of which the same is said, in the order of the base.

    Two agents are alike if the high level says the same of both in general facts, in the initial state and in
    the goal, and no action names one of them.
    """
    return tuple(
        group for pool in base.pools.values() for group in _groups(base, list(dict.fromkeys(pool)))
    )


def alike_things(base: Base) -> Mapping[Term, tuple[Term, ...]]:
    """Return whatever is no agent and has others like it, each with its group."""
    told = (c for f in (*base.facts, *(f.term for f in base.init)) for c in constants(f))
    agents = set(base.agents)
    things = [t for t in dict.fromkeys(told) if isinstance(t, str) and t not in agents]
    groups = _groups(base, things, pool=False)
    return {thing: group for group in groups if len(group) > 1 for thing in group}


def _groups(base: Base, members: Sequence[Term], *, pool: bool = True) -> list[tuple[Term, ...]]:
    """Return members in groups; those of a pool are not told apart by where they stand together."""
    named = {c for term in _written(base) for c in constants(term)}
    said: dict[Term, list[str]] = {member: [] for member in members}
    for prefix, facts in _spoken(base).items():
        for fact in facts:
            for member, words in _about(fact, said.keys(), pool=pool):
                said[member].append(prefix + words)
    groups: dict[tuple[str, ...], list[Term]] = {}
    for member, told in said.items():
        own = (f"named {text(member)}",) if member in named else ()
        groups.setdefault((*sorted(told), *own), []).append(member)
    return [tuple(group) for group in groups.values()]


def _spoken(base: Base) -> dict[str, list[Term]]:
    """Return what the high level says: in general and at the beginning, and, marked, in the goal."""
    keys = base.state_keys("high")
    low_only = base.state_keys("low") - keys
    below = asked(base.low) - asked(base.high)
    begins, goals = (
        [f.term for f in part if key_of(f.term) not in low_only] for part in (base.init, base.goal)
    )
    return {"": [*(f for f in base.facts if key_of(f) not in below), *begins], "goal ": goals}


def _about(fact: Term, known: Set[Term], *, pool: bool) -> Iterator[tuple[Term, str]]:
    """Yield whom a fact mentions, with the fact in words without the name."""
    mentioned = known & set(constants(fact))
    for member in mentioned:
        others = sorted(text(other) for other in mentioned if pool and other != member)
        yield member, text(replaced(fact, {member: "itself"})) + " ".join(others)


def state_of(thing: Term, about: Iterable[Fact]) -> frozenset[Fact]:
    """Return facts about a thing without its name."""
    return frozenset(renamed(fact, {thing: "itself"}) for fact in about)


def renamed(fact: Fact, names: Mapping[Term, Term]) -> Fact:
    """Return a fact about other things."""
    return (fact[0], *(replaced(arg, names) for arg in fact[1:]))


def _written(base: Base) -> Iterator[Term]:
    """Yield what actions of the high level and rules say, whatever the facts are."""
    for schema in base.high:
        yield schema.head
        for located in (*schema.needs, *schema.forbids, *schema.goals):
            yield located.term
        for _, fact in schema.effects:
            yield fact.term
    for clause in base.general:
        if clause.body is not None:
            yield from (clause.head, clause.body)
