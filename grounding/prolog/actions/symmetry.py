"""What is interchangeable: agents, and other things, of which the same is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    keys = base.state_keys("high")
    low_only = base.state_keys("low") - keys
    below = asked(base.low) - asked(base.high)
    spoken = [f for f in base.facts if key_of(f) not in below]
    spoken += [f.term for f in base.init if key_of(f.term) not in low_only]
    goals = [f.term for f in base.goal if key_of(f.term) not in low_only]
    named = {c for term in _written(base) for c in constants(term)}
    known = set(members)
    said: dict[Term, list[str]] = {member: [] for member in members}
    for prefix, facts in (("", spoken), ("goal ", goals)):
        for fact in facts:
            mentioned = known.intersection(constants(fact))
            for member in mentioned:
                others = sorted(text(o) for o in mentioned if pool and o != member)
                said[member].append(
                    prefix + text(replaced(fact, {member: "itself"})) + " ".join(others)
                )
    groups: dict[tuple[str, ...], list[Term]] = {}
    for member, facts in said.items():
        own = (f"named {text(member)}",) if member in named else ()
        groups.setdefault((*sorted(facts), *own), []).append(member)
    return [tuple(group) for group in groups.values()]


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
