"""Findings about agents and objects that only one of the two levels knows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from commonground.grounding.prolog.base.findings import Finding
from commonground.grounding.prolog.base.knowledge_base import Base
from commonground.grounding.prolog.base.terms import Term, args_of, constants, key_of, text


def level_findings(base: Base) -> Iterator[Finding]:
    """Yield agents that the low level says less of than of others, and arms that nobody is."""
    if base.resources and not base.agents:
        kinds = _texts(r.term for r in base.resources)
        message = f"no fact is of the kind {kinds}, so nobody can work; add 'agent(a1).'"
        yield Finding(*base.resources[0].place, "agents", message)
    if not base.low:
        return
    for pool in base.pools.values():
        if not pool:
            continue
        yield from _missing(base, pool)
    yield from _strangers(base)


def _missing(base: Base, pool: tuple[Term, ...]) -> Iterator[Finding]:
    """Yield agents of which a low-level predicate says nothing while it speaks of others."""
    low = base.low_only()
    initial = [f.term for f in base.init]
    for where, stated in (("general facts", base.facts), ("initial state", initial)):
        for key in sorted(low):
            facts = [f for f in stated if key_of(f) == key]
            about = {agent: _about(agent, facts) for agent in pool}
            lacking = [agent for agent, found in about.items() if found is None]
            if not lacking or len(lacking) == len(about):
                continue
            example = next(f for f in facts if f in about.values())
            message = (
                f"the high level has the agents {_texts(pool)}, and the {where} of the low level say nothing "
                f"like {text(example)} of {_texts(lacking)}: add it, or remove the agent"
            )
            yield Finding(0, 0, "levels", message)


def _about(agent: Term, facts: Iterable[Term]) -> Term | None:
    """Return the first fact that names an agent."""
    return next((fact for fact in facts if agent in constants(fact)), None)


def _texts(terms: Iterable[Term]) -> str:
    return ", ".join(map(text, terms))


def _strangers(base: Base) -> Iterator[Finding]:
    """Yield what a low-level predicate of agents says of something that is no agent."""
    low = base.low_only()
    agents = set(base.agents)
    for key in sorted(low):
        if key[1] != 1:
            continue
        facts = [f for f in base.facts if key_of(f) == key]
        members = {args_of(f)[0] for f in facts}
        strange = sorted((m for m in members - agents), key=text)
        if members & agents and strange:
            message = (
                f"{key[0]} says that {_texts(strange)} works on the low level, and the high level has no "
                "such agent: add it there or remove the fact"
            )
            yield Finding(0, 0, "levels", message)
