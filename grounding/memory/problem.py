"""Facts and a goal → a planning task."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from commonground.grounding.knowledge.facts import BOOLEANS, Fact, atom_of
from commonground.planning.pddl import Domain, Formula, Problem, Task, Typed


def make_task(
    domain: Domain,
    kinds: Mapping[str, str],
    facts: Iterable[Fact],
    goal: Formula,
    objects: Collection[str] | None = None,
) -> Task:
    """Return the task of reaching a goal from what the true facts among some objects (default: all) say."""
    chosen = kinds if objects is None else {key: kinds[key] for key in objects}
    constants = {typed.name for typed in domain.constants}
    atoms = [
        atom
        for fact in facts
        if fact.subject in chosen and (fact.object in chosen or fact.object in BOOLEANS)
        if (atom := atom_of(fact)) is not None
    ]
    things = tuple(Typed(key, (chosen[key],)) for key in sorted(chosen) if key not in constants)
    init = tuple(sorted(atoms, key=lambda a: (a.predicate, a.args)))
    return Task(domain, Problem("memory", domain.name, things, init, goal=goal))
