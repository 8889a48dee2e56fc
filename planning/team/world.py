"""What the robots before one leave behind: the scene with things where they were put, and when that is."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.planning.pddl import Formula, conjuncts, nnf
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.plan import Action
from commonground.planning.team.track import MARGIN_M
from commonground.robots import Team
from commonground.scene import SceneGraph

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


def scene_after(graph: SceneGraph, layer: str, lies: Mapping[str, str]) -> SceneGraph:
    """Return the scene with things on the places where they were put."""
    put = {thing: place for thing, place in lies.items() if place}
    if not put:
        return graph
    things, places = graph.objects, graph.layers[layer]
    rows = things.rows(list(put))
    hosts = places.rows(list(put.values()))
    positions = things.positions.copy()
    shift = places.positions[hosts] - positions[rows]
    positions[rows] += shift
    boxes = things.boxes
    if boxes is not None:
        centers = boxes.centers.copy()
        centers[rows] += shift
        boxes = replace(boxes, centers=centers)
    parents = graph.parents("objects", layer)
    parents[rows] = hosts
    linked = np.flatnonzero(parents >= 0)
    changed = graph.with_layer("objects", replace(things, positions=positions, boxes=boxes))
    return changed.with_links("objects", layer, np.column_stack([linked, parents[linked]]))


def clash(goals: Mapping[str, Formula]) -> str:
    """Return why the goals of several robots exclude each other, '' where nothing says so.

    Only what every way to satisfy a goal needs is compared, so a clash is a proof.
    """
    ends: dict[str, tuple[str, Literal]] = {}
    for name, goal in goals.items():
        for literal in _needed(goal):
            if literal.predicate not in ("holding", "object-in-place"):
                continue
            thing = literal.args[0]
            other, theirs = ends.setdefault(thing, (name, literal))
            apart = theirs != literal or literal.predicate == "holding"
            if other != name and apart:
                why = f"{thing} cannot be in two places at the end"
                return f"{other} and {name} conflict over {thing}: {theirs} and {literal}; {why}"
    return ""


def standing_clash(graph: SceneGraph, team: Team, goals: Mapping[str, Formula]) -> str:
    """Return why two robots cannot both stand at the places where they are to end, '' where they can."""
    stands = [
        (name, literal.args[0])
        for name, goal in goals.items()
        for literal in _needed(goal)
        if literal.predicate == "at-place"
    ]
    for (one, here), (other, there) in itertools.combinations(stands, 2):
        meters = float(np.linalg.norm(graph.position(here) - graph.position(there)))
        needed = team[one].radius_m + team[other].radius_m + MARGIN_M
        if one != other and meters < needed:
            ends = f"end at {here}" if here == there else f"end at {here} and {there}"
            why = f"{meters:.2f} m apart, where {needed:.2f} m are needed"
            return f"{one} and {other} cannot {ends}, {why}"
    return ""


def _needed(goal: Formula) -> list[Literal]:
    """Return the literals that are true whenever a goal is."""
    parts = conjuncts(nnf(goal))
    found = [list(literals(part)) for part in parts]
    return [one[0] for one in found if len(one) == 1 and one[0].positive]


def things_in(goal: Formula, *predicates: str) -> frozenset[str]:
    """Return every symbol that a goal mentions, or that certain predicates of it are about."""
    found = (x for x in literals(nnf(goal)) if not predicates or x.predicate in predicates)
    return frozenset(x.args[0] if predicates else arg for x in found for arg in x.args)


def release_s(action: Action, before: Iterable[Sequence[Action]]) -> float:
    """Return when an action may begin: after what others do before with the same thing, if one moves it."""
    thing = thing_of(action)
    theirs = [a for actions in before for a in actions if thing_of(a) == thing]
    moving = action.action in MOVES or any(a.action in MOVES for a in theirs)
    return max(a.end_s for a in theirs) + HANDOVER_S if theirs and moving else 0.0
