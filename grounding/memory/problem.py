"""Facts and a goal → a planning task."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from commonground.grounding.knowledge.facts import BOOLEANS, Fact, atom_of
from commonground.planning.pddl import Action, Atom, Domain, Formula, Problem, Task, Typed
from commonground.planning.pddl.formula import And, Exists, Forall, Imply, Not, Or


def make_task(
    domain: Domain,
    kinds: Mapping[str, str],
    facts: Iterable[Fact],
    goal: Formula,
    objects: Collection[str] | None = None,
    fixed: Iterable[Atom] = (),
) -> Task:
    """Return the task of reaching a goal from what the true facts among some objects (default: all) say.

    ``fixed`` are facts of more than two arguments.
    """
    chosen = kinds if objects is None else {key: kinds[key] for key in objects}
    constants = {typed.name for typed in domain.constants}
    atoms = [
        atom
        for fact in facts
        if fact.subject in chosen and (fact.object in chosen or fact.object in BOOLEANS)
        if (atom := atom_of(fact)) is not None
    ]
    atoms += [atom for atom in fixed if all(arg in chosen for arg in atom.args)]
    things = tuple(Typed(key, (chosen[key],)) for key in sorted(chosen) if key not in constants)
    init = tuple(sorted(atoms, key=lambda a: (a.predicate, a.args)))
    return Task(domain, Problem("memory", domain.name, things, init, goal=goal))


def speaks_of_all(domain: Domain, goal: Formula) -> bool:
    """Return whether a goal, or an action or axiom of a domain, speaks of all things of a type."""
    return (
        bool(domain.axioms)
        or _quantified(goal)
        or any(
            not isinstance(action, Action)
            or _quantified(action.precondition)
            or any(effect.parameters or _quantified(effect.condition) for effect in action.effects)
            for action in domain.actions
        )
    )


def _quantified(formula: Formula) -> bool:
    match formula:
        case Exists() | Forall():
            return True
        case Not(body):
            return _quantified(body)
        case Imply(left, right):
            return _quantified(left) or _quantified(right)
        case And(parts) | Or(parts):
            return any(map(_quantified, parts))
    return False
