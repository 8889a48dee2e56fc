"""What the robots before one leave behind: the scene with things where they were put, and when that is."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.planning.pddl import FALSE, And, Atom, Formula, Or, conjuncts, nnf
from commonground.planning.scene.goal import literals, with_what_is_there
from commonground.planning.scene.plan import Action
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.scene import SceneGraph
from commonground.scene.gone import gone_things, without_gone

MOVES = frozenset({"pick", "place"})
HANDOVER_S = 0.1
"""From one robot's being done with a thing to another one's beginning."""


def thing_of(action: Action) -> str:
    """Return the symbol an action is about: what is carried, else its target."""
    return action.item or action.target


def moved_things(actions: Iterable[Action]) -> dict[str, str]:
    """Return thing → the place it was put last, '' for one that is still held."""
    out: dict[str, str] = {}
    for action in actions:
        if action.action in MOVES:
            out[thing_of(action)] = action.target if action.action == "place" else ""
    return out


def scene_after(
    graph: SceneGraph, layer: str, lies: Mapping[str, str], inspected: Container[str] = ()
) -> SceneGraph:
    """Return the scene with things on the places where they were put; what is inspected is not suspicious."""
    graph = _known_safe(graph, inspected)
    put = {thing: place for thing, place in lies.items() if place}
    if not put:
        return graph
    things, places = graph.objects, graph.layers[layer]
    rows = things.rows(list(put))
    hosts = places.rows(list(put.values()))
    on_top = places.positions[hosts] + things.rises_m[rows]
    moved = things.moved(rows, on_top - things.positions[rows])
    parents = graph.parents("objects", layer)
    parents[rows] = hosts
    linked = np.flatnonzero(parents >= 0)
    changed = graph.with_layer("objects", moved)
    return changed.with_links("objects", layer, np.column_stack([linked, parents[linked]]))


def still_there(
    graph: SceneGraph, goals: Mapping[str, Formula]
) -> tuple[SceneGraph, dict[str, Formula], str]:
    """Return a map and goals without things that are gone, and why a goal that needs one is in vain."""
    here = without_gone(graph)
    if here is graph:
        return graph, dict(goals), ""
    left = {name: with_what_is_there(nnf(goal), here) for name, goal in goals.items()}
    lost = {
        thing for name, goal in left.items() if goal == FALSE for thing in things_in(goals[name])
    }
    return here, left, "; ".join(t for thing, t in gone_things(graph).items() if thing in lost)


def _known_safe(graph: SceneGraph, inspected: Container[str]) -> SceneGraph:
    """Return the scene in which inspected things need no further inspection before they are picked."""
    things = graph.objects
    rows = [k for k, symbol in enumerate(things.symbols) if symbol in inspected]
    if not any(things.metadata(row).get("suspicious") for row in rows):
        return graph
    extras = list(things.extras)
    for row in rows:
        safe = {**things.metadata(row), "suspicious": False}
        extras[row] = {**extras[row], "metadata": safe}
    return graph.with_layer("objects", replace(things, extras=tuple(extras)))


def without_done(goal: Formula, worked: Container[tuple[str, str]]) -> Formula:
    """Return what is left of a goal when deeds were done to things; ``And()`` for nothing."""

    def known(part: Formula) -> bool:
        return isinstance(part, Atom) and (VOCABULARY[part.predicate].deed, part.args[0]) in worked

    if not any(known(Atom(x.predicate, x.args)) for x in literals(nnf(goal))):
        return goal

    left = []
    for part in conjuncts(nnf(goal)):
        choices = part.parts if isinstance(part, Or) else (part,)
        if not any(map(known, choices)):
            left.append(part)
    return And(tuple(left))


def things_in(goal: Formula, *predicates: str) -> frozenset[str]:
    """Return every symbol that a goal mentions, or that certain predicates of it are about."""
    found = (x for x in literals(nnf(goal)) if not predicates or x.predicate in predicates)
    return frozenset(x.args[0] if predicates else arg for x in found for arg in x.args)


def inspected_of(goal: Formula, worked: Iterable[tuple[str, str]]) -> set[str]:
    """Return the things of a goal that were inspected, of all that was done to things."""
    return {thing for deed, thing in worked if deed == "inspect"} & things_in(goal)


def is_about_things(goal: Formula) -> bool:
    """Return whether a fact of a goal is about a thing first of all."""
    return any(VOCABULARY[x.predicate].about_thing for x in literals(nnf(goal)))


def release_s(action: Action, before: Iterable[Sequence[Action]]) -> float:
    """Return when an action may begin: after what others do before with the same thing, if one moves it."""
    thing = thing_of(action)
    theirs = [a for actions in before for a in actions if thing_of(a) == thing]
    moving = action.action in MOVES or any(a.action in MOVES for a in theirs)
    return max(a.end_s for a in theirs) + HANDOVER_S if theirs and moving else 0.0
