"""Facts and a goal → a planning task."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping

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


def speaks_of_all(domain: Domain, goal: Formula, steps: Iterable[str] | None = None) -> bool:
    """Return whether a goal, or an action of a domain (of some of its actions), speaks of all of a type.

    A derived predicate does; one that none of them needs speaks of nothing.
    """
    names = None if steps is None else {*steps}
    said = [goal]
    for action in domain.actions:
        if names is not None and action.name not in names:
            continue
        if not isinstance(action, Action) or any(effect.parameters for effect in action.effects):
            return True
        said += [action.precondition, *(effect.condition for effect in action.effects)]
    derived = {axiom.head.name for axiom in domain.axioms}
    return any(_quantified(formula) or _names_any(formula, derived) for formula in said)


def _names_any(formula: Formula, predicates: Container[str]) -> bool:
    match formula:
        case Atom(predicate):
            return predicate in predicates
        case Not(body) | Exists(_, body) | Forall(_, body):
            return _names_any(body, predicates)
        case Imply(left, right):
            return _names_any(left, predicates) or _names_any(right, predicates)
        case And(parts) | Or(parts):
            return any(_names_any(part, predicates) for part in parts)
    return False


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
