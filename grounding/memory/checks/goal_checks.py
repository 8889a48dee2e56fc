"""Goals held against what is believed, and against each other."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.knowledge.facts import Fact, fact_of
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import FactIndex, View
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.planning.slicing import Slicer
from commonground.planning.pddl import And, Atom, Exists, Forall, Formula, Not, Or, Typed
from commonground.planning.pddl.logic import atoms, conjuncts, nnf
from commonground.planning.pddl.substitution import substitute


def facts_of(goal: Formula, names: Names) -> Iterator[Fact]:
    """Yield what a goal is about, as facts: each of its atoms, for all that its variables may stand for."""
    if isinstance(goal, Atom):
        yield Fact(
            goal.args[0] if goal.args else "", goal.predicate, goal.args[-1] if goal.args else ""
        )
    elif isinstance(goal, Not):
        yield from facts_of(goal.body, names)
    elif isinstance(goal, And | Or):
        for part in goal.parts:
            yield from facts_of(part, names)
    elif isinstance(goal, Forall | Exists):
        yield from facts_of(goal.body, names)
        for thing in (t for v in goal.parameters for t in _members(v, names)):
            yield Fact(thing, "", thing)


def literals_of(goal: Formula) -> list[Fact]:
    """Return what a goal wants to be so, and of states what it wants not to be; none of its alternatives."""
    found = []
    for part in conjuncts(nnf(goal)):
        atom = part.body if isinstance(part, Not) else part
        if isinstance(atom, Atom) and 1 <= len(atom.args) <= 2:
            fact = fact_of(atom)
            if atom is part or fact.is_property:
                found.append(fact if atom is part else fact.opposite)
    return found


def is_so(goal: Formula, names: Names, view: View) -> bool:
    """Return whether a goal is believed to be so already; of several variables nobody can say."""
    if isinstance(goal, Atom):
        return 0 < len(goal.args) <= 2 and fact_of(goal) in view
    if isinstance(goal, Not):
        return not is_so(goal.body, names, view)
    if isinstance(goal, And):
        return all(is_so(part, names, view) for part in goal.parts)
    if isinstance(goal, Or):
        return any(is_so(part, names, view) for part in goal.parts)
    if isinstance(goal, Forall | Exists) and len(goal.parameters) == 1:
        variable = goal.parameters[0]
        cases = (
            is_so(substitute(goal.body, {variable.name: thing}), names, view)
            for thing in _members(variable, names)
        )
        return any(cases) if isinstance(goal, Exists) else all(cases)
    return False


def entails(one: Formula, other: Formula) -> bool:
    """Return whether what reaches one goal reaches another, as far as their parts show.

    One of several is reached by all of them; who may choose one was not asked for another.
    """
    parts = conjuncts(one)
    if isinstance(other, And):
        return all(entails(one, part) for part in other.parts)
    if other in parts:
        return True
    if isinstance(other, Or):
        return all(entails(one, part) for part in other.parts)
    if isinstance(other, Exists) and len(other.parameters) == 1:
        named = {end for part in parts if isinstance(part, Atom) for end in part.args}
        name = other.parameters[0].name
        return any(entails(one, substitute(other.body, {name: end})) for end in named)
    return False


def on_the_way(less: Formula, more: Formula, names: Names, slicer: Slicer) -> bool:
    """Return whether whoever reaches a goal has to bring about on the way what another wants besides.

    Who silences a phone, or hands it over, has it in his hand before. Who switches a screen off wants it on
    least of all.
    """
    wanted = conjuncts(more)
    besides = [part for part in conjuncts(less) if part not in wanted]
    return (
        bool(besides)
        and not opposed(less, more)
        and all(
            isinstance(part, Atom) and any(_needs(goal, part, names, slicer) for goal in wanted)
            for part in besides
        )
    )


def _needs(goal: Formula, atom: Atom, names: Names, slicer: Slicer) -> bool:
    """Return whether each action that brings a literal about needs an atom."""
    body = goal.body if isinstance(goal, Not) else goal
    if not isinstance(body, Atom):
        return False
    ways = [
        (schema, dict(zip(effect.args, body.args, strict=True)))
        for schema, effect in slicer.achievers.get((body.predicate, goal is body), ())
    ]
    fitting = [
        (schema, bound)
        for schema, bound in ways
        if all(
            names.meanings.is_a(names.kind(o), schema.kinds[v])
            for v, o in bound.items()
            if v in schema.kinds
        )
    ]
    return bool(fitting) and all(
        any(
            sign
            and need.predicate == atom.predicate
            and all(bound.get(v, o) == o for v, o in zip(need.args, atom.args, strict=True))
            for need, sign in schema.needs
        )
        for schema, bound in fitting
    )


def opposed(one: Formula, other: Formula) -> bool:
    """Return whether one goal wants something, and the other the contrary."""
    return not {nnf(part, positive=False) for part in conjuncts(other)}.isdisjoint(conjuncts(one))


def is_impossible(goal: Formula, groups: Groups) -> bool:
    """Return whether a goal wants facts that exclude each other: both mugs in the one hand."""
    wanted = [fact_of(part) for part in conjuncts(goal) if isinstance(part, Atom)]
    view = FactIndex(wanted)
    return any(groups.rivals(view, fact) for fact in wanted)


def further(one: Formula, other: Formula) -> frozenset[Atom]:
    """Return the atoms of a goal that another lacks."""
    return frozenset(atoms(one)) - frozenset(atoms(other))


def _members(variable: Typed, names: Names) -> Iterator[str]:
    for thing in names.things:
        if names.meanings.is_a(names.kind(thing), variable.types):
            yield thing
