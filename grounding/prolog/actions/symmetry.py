"""Interchangeable agents: which can stand in for each other as far as the high level knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from commonground.grounding.prolog.base.knowledge_base import Base, asked
from commonground.grounding.prolog.base.terms import Term, constants, key_of, replaced, text


def alike(base: Base) -> tuple[tuple[Term, ...], ...]:
    """Return the agents in groups of which the same is said, in the order of the base.

    Two agents are alike if the high level says the same of both in general facts, in the initial state and in
    the goal, and no action names one of them.
    """
    keys = base.state_keys("high")
    low_only = base.state_keys("low") - keys
    below = asked(base.low) - asked(base.high)
    spoken = [f for f in base.facts if key_of(f) not in below]
    spoken += [f.term for f in base.init if key_of(f.term) not in low_only]
    goals = [f.term for f in base.goal if key_of(f.term) not in low_only]
    named = {c for term in _action_terms(base) for c in constants(term)}
    signatures: dict[tuple[str, ...], list[Term]] = {}
    for pool in base.pools.values():
        for agent in pool:
            known = set(pool)
            facts = _signature(agent, spoken, known, "") + _signature(agent, goals, known, "goal ")
            own = (f"named {text(agent)}",) if agent in named else ()
            signatures.setdefault((*sorted(facts), *own, *map(text, pool)), []).append(agent)
    return tuple(tuple(agents) for agents in signatures.values())


def _signature(agent: Term, facts: Iterable[Term], pool: set[Term], prefix: str) -> tuple[str, ...]:
    """Return what is said of an agent, in words without its name."""
    texts = []
    for fact in facts:
        mentioned = set(constants(fact))
        if agent in mentioned:
            names: Mapping[Term, Term] = {agent: "itself"}
            others = sorted(text(other) for other in mentioned & pool if other != agent)
            texts.append(prefix + text(replaced(fact, names)) + " ".join(others))
    return tuple(texts)


def _action_terms(base: Base) -> Iterable[Term]:
    for schema in base.high:
        yield schema.head
        for located in (*schema.needs, *schema.forbids, *schema.goals):
            yield located.term
        for _, fact in schema.effects:
            yield fact.term
