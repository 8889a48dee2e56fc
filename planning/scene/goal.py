"""Goals in the scene vocabulary: parsed, and checked against the graph and the robot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from commonground.errors import PlanningError, SceneError, did_you_mean
from commonground.planning.pddl import Atom, Compare, Exists, Forall, Formula, parse_formula
from commonground.planning.pddl.formula import rebuilt
from commonground.planning.pddl.simplified import simplified
from commonground.planning.pddl.strata import literals as signed_atoms
from commonground.planning.scene.footing import place_layer
from commonground.planning.scene.vocabulary import KINDS, VOCABULARY
from commonground.scene import SceneGraph


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom of the vocabulary, or its negation."""

    predicate: str
    args: tuple[str, ...]
    positive: bool = True

    def __str__(self) -> str:
        atom = f"({' '.join((self.predicate, *self.args))})"
        return atom if self.positive else f"(not {atom})"


def parse_goal(text: str, graph: SceneGraph, *, where: str = "goal") -> Formula:
    """Return the goal of a text, every symbol spelled as in the graph; PlanningError if it is no goal."""
    formula = parse_formula(text, source=where, fold_case=False)
    return _checked(formula, graph, where)


def _checked(formula: Formula, graph: SceneGraph, where: str) -> Formula:
    if isinstance(formula, Atom):
        return _checked_atom(formula, graph, where)
    if isinstance(formula, Exists | Forall | Compare):
        raise PlanningError(
            f"{where}: a goal is made of facts with and, or, not; no quantifiers or numbers"
        )
    return rebuilt(formula, lambda part: _checked(part, graph, where))


def _checked_atom(atom: Atom, graph: SceneGraph, where: str) -> Atom:
    predicate = atom.predicate.lower()
    known = VOCABULARY.get(predicate)
    if known is None:
        hint = did_you_mean(predicate, VOCABULARY) or f" Known: {', '.join(VOCABULARY)}."
        raise PlanningError(f"{where}: unknown predicate '{atom.predicate}'.{hint}")
    kinds = known.kinds
    if len(atom.args) != len(kinds):
        form = f"({predicate} {' '.join(kind.upper() for kind in kinds)})"
        raise PlanningError(f"{where}: {atom} has {len(atom.args)} arguments; write {form}")
    args = tuple(
        _symbol(arg, kind, atom, graph, where) for arg, kind in zip(atom.args, kinds, strict=True)
    )
    return Atom(predicate, args)


def _symbol(text: str, kind: str, atom: Atom, graph: SceneGraph, where: str) -> str:
    """Return the graph's spelling of a symbol; case decides only where both cases exist.

    As in Omniplanner p5 is the surface place P5 where there is one: robots do not move on 3D places then.
    """
    found = [s for s in dict.fromkeys((text, text.capitalize(), text.lower())) if _node(s, graph)]
    right = [s for s in found if KINDS.get(graph.find(s)[0]) == kind]
    if right:
        return next((s for s in right if graph.find(s)[0] == place_layer(graph)), right[0])
    if found:
        layer = graph.find(found[0])[0]
        raise PlanningError(f"{where}: {found[0]} in {atom} is in layer '{layer}', no {kind}")
    layers = [name for name, of in KINDS.items() if of == kind and graph.has(name)]
    near = did_you_mean(text, (s for name in layers for s in graph.layers[name].symbols))
    raise PlanningError(f"{where}: there is no {kind} {text} in this scene graph.{near}")


def _node(symbol: str, graph: SceneGraph) -> bool:
    try:
        return symbol in graph
    except SceneError:
        return False


def literals(formula: Formula) -> Iterator[Literal]:
    """Yield the literals of a formula in negation normal form."""
    for atom, positive in signed_atoms(formula):
        yield Literal(atom.predicate, atom.args, positive)


def with_what_is_there(goal: Formula, graph: SceneGraph) -> Formula:
    """Return a goal without what is asked of things that are not in the scene."""

    def value(atom: Atom) -> bool | None:
        return None if all(arg in graph for arg in atom.args) else False

    return simplified(goal, value)
