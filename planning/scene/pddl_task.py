"""The sparse PDDL task of a robot's goal: only what the goal, a constraint or the robot needs is in it.

It is what is handed to other planners and kept for inspection: distances are those of shortest paths
over places that the goal does not forbid, so avoidance holds along the whole path and no place but those of
the goal enters the task.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from commonground.arrays import Bools
from commonground.atomic import write_text
from commonground.errors import PlanningError
from commonground.planning.pddl import And, Atom, Formula, Not, Or, conjuncts, nnf, to_pddl
from commonground.planning.pddl.formula import rebuilt
from commonground.planning.scene.areas import choose_places
from commonground.planning.scene.build_errand import lookouts
from commonground.planning.scene.errand import Area, Errand, Stop, needed
from commonground.planning.scene.goal import Literal, literals, parse_goal
from commonground.planning.scene.lifting import too_long
from commonground.planning.scene.paths import ShortestPaths
from commonground.planning.scene.roadmap import Roadmap, Spot, build_roadmap
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.robots import Robot
from commonground.scene import SceneGraph

_OF_REGIONS = frozenset({"visited-region", "in-region"})
DOMAIN = """\
; One robot on a scene graph. Distances are meters of shortest paths over places the goal does not forbid.
(define (domain scene)
  (:requirements :adl :action-costs)
  (:types spot region - object  place thing - spot)
  (:predicates
    (at ?s - spot) (visited ?s - spot) (inspected ?o - thing) (suspicious ?o - thing)
    (holding ?o - thing) (busy) (lifted-by-hand ?o - thing)
    (lies ?o - thing ?s - spot) (inside ?s - spot ?r - region)
    (visited-region ?r - region) (reachable ?a ?b - spot)DONE)
  (:functions (total-cost) - number (meters ?a ?b - spot) - number)
  (:action goto
    :parameters (?a ?b - spot)
    :precondition (and (at ?a) (reachable ?a ?b))
    :effect (and (not (at ?a)) (at ?b) (visited ?b)
      (forall (?r - region) (when (inside ?b ?r) (visited-region ?r)))
      (increase (total-cost) (meters ?a ?b))))
  (:action inspect
    :parameters (?o - thing ?s - spot)
    :precondition (and (at ?s) (lies ?o ?s))
    :effect (and (inspected ?o) (not (suspicious ?o))))WORK
  (:action pick
    :parameters (?o - thing ?s - spot)
    :precondition (and (at ?s) (lies ?o ?s) (not (busy)) (not (suspicious ?o))
      (lifted-by-hand ?o))
    :effect (and (holding ?o) (busy) (not (lies ?o ?s))))
  (:action place
    :parameters (?o - thing ?s - place)
    :precondition (and (at ?s) (holding ?o))
    :effect (and (lies ?o ?s) (not (holding ?o)) (not (busy)))))
"""


def domain_text() -> str:
    """Return the domain, with an action for each deed of the vocabulary."""
    more = {
        row.in_pddl: row.deed
        for row in VOCABULARY.values()
        if row.deed and f"(:action {row.deed}\n" not in DOMAIN
    }
    work = "".join(
        f"\n  (:action {deed}\n    :parameters (?o - thing ?s - spot)\n"
        f"    :precondition (and (at ?s) (lies ?o ?s))\n    :effect ({fact} ?o))"
        for fact, deed in more.items()
    )
    done = "".join(f" ({fact} ?o - thing)" for fact in more)
    return DOMAIN.replace("DONE", done).replace("WORK", work)


def write_pddl(graph: SceneGraph, robot: Robot, goal: str, folder: Path) -> None:
    """Write ``domain.pddl`` and ``problem.pddl`` of a robot's goal."""
    problem = sparse_problem(graph, robot, parse_goal(goal, graph))
    write_text(folder / "domain.pddl", domain_text())
    write_text(folder / "problem.pddl", problem)


def sparse_problem(graph: SceneGraph, robot: Robot, goal: Formula) -> str:
    """Return the problem text of a goal; its objects are the symbols of the goal and the start."""
    road = build_roadmap(graph, robot)
    formula = nnf(goal)
    paths = ShortestPaths(road, _forbidden(formula, road))
    regions = sorted({x.args[0] for x in literals(formula) if x.predicate in _OF_REGIONS})
    formula = _looked_through(formula, paths, robot)
    spots = _spots(formula, paths, robot)
    meters = paths.between(list(spots.values()))
    names = list(spots)
    known = set(graph.objects.symbols)
    things = [n for n in names if n in known]
    places = [n for n in names if n not in known]
    facts = [
        f"(at {names[0]})",
        *(fact for thing in things for fact in _thing_facts(thing, road, spots)),
        *_lifted(things, road, robot),
        *(fact for region in regions for fact in _region_facts(region, road, spots)),
    ]
    for i, j in zip(*np.nonzero(np.isfinite(meters)), strict=True):
        if i != j:
            facts += _link(names[i], names[j], meters[i, j])
    return _problem(
        "goal",
        _typed(place=places, thing=things, region=regions),
        facts,
        to_pddl(_translated(formula, {r: _inside(r, road, spots) for r in regions})),
    )


def _lifted(things: Sequence[str], road: Roadmap, robot: Robot) -> list[str]:
    able = [t for t in things if robot.can("pick") and not too_long(road.graph, t, robot)]
    return [f"(lifted-by-hand {thing})" for thing in able]


def _thing_facts(thing: str, road: Roadmap, spots: Mapping[str, Spot]) -> list[str]:
    """Return where a thing lies, and whether it is suspicious."""
    layer = road.graph.objects
    facts = [f"(lies {thing} {thing})"]
    if layer.metadata(layer.row(thing)).get("suspicious"):
        facts.append(f"(suspicious {thing})")
    host = road.symbol(road.host(thing))
    return [*facts, f"(lies {thing} {host})"] if host in spots else facts


def _region_facts(region: str, road: Roadmap, spots: Mapping[str, Spot]) -> list[str]:
    return [f"(inside {name} {region})" for name in _inside(region, road, spots)]


def _inside(region: str, road: Roadmap, spots: Mapping[str, Spot]) -> list[str]:
    row = road.graph.regions.row(region)
    return [name for name, spot in spots.items() if spot.region == row]


def dense_problem(graph: SceneGraph, robot: Robot, goal: str) -> str:
    """Return the same goal with every place and object in PDDL: what sparse planning is compared with."""
    road = build_roadmap(graph, robot)
    shut = np.zeros(len(road.positions), bool)
    formula = _looked_through(nnf(parse_goal(goal, graph)), ShortestPaths(road, shut), robot)
    start = road.start(robot)
    things = [road.object(o) for o in graph.objects.symbols]
    regions = graph.regions.symbols if graph.has("regions") else []
    home = f"{start.symbol[1:]}-start"
    facts = [f"(at {home})"]
    for spot in (start, *things):
        name = spot.symbol if spot is not start else home
        for row, meters in zip(spot.anchors, spot.meters, strict=True):
            facts += _both_ways(name, road.symbol(row), meters)
    edges = road.places.edges.rows
    gaps = np.linalg.norm(road.positions[edges[:, 0]] - road.positions[edges[:, 1]], axis=1)
    for (a, b), meters in zip(edges.tolist(), gaps.tolist(), strict=True):
        facts += _both_ways(road.symbol(a), road.symbol(b), meters)
    facts += [f"(lies {thing.symbol} {thing.symbol})" for thing in things]
    facts += _lifted(graph.objects.symbols, road, robot)
    inside: dict[str, list[str]] = {region: [] for region in regions}
    for i, r in enumerate(road.region.tolist()):
        if r >= 0:
            inside[regions[r]].append(road.symbol(i))
    facts += [f"(inside {p} {region})" for region, held in inside.items() for p in held]
    return _problem(
        "dense",
        _typed(place=[home, *road.places.symbols], thing=graph.objects.symbols, region=regions),
        facts,
        to_pddl(_translated(formula, inside, keep_avoidance=True)),
    )


def _problem(name: str, objects: str, facts: Sequence[str], goal: str) -> str:
    """Return the text of a problem of the domain."""
    listed = "".join(f"    {fact}\n" for fact in facts)
    return (
        f"(define (problem {name}) (:domain scene)\n"
        f"  (:objects {objects})\n"
        f"  (:init (= (total-cost) 0)\n{listed}  )\n"
        f"  (:goal {goal})\n"
        "  (:metric minimize (total-cost)))\n"
    )


def _typed(**names: list[str]) -> str:
    """Return a typed list; a type without names may not stand in one."""
    return " ".join(f"{' '.join(listed)} - {kind}" for kind, listed in names.items() if listed)


def _link(a: str, b: str, meters: float) -> list[str]:
    return [f"(reachable {a} {b})", f"(= (meters {a} {b}) {meters:.4f})"]


def _both_ways(a: str, b: str, meters: float) -> list[str]:
    return [*_link(a, b, meters), *_link(b, a, meters)]


def _forbidden(goal: Formula, road: Roadmap) -> Bools:
    """Return places no plan may touch; an avoidance that is one of several alternatives is refused."""
    out = np.zeros(len(road.positions), bool)
    for part in conjuncts(goal):
        for literal in filter(_is_avoidance, literals(part)):
            if not isinstance(part, Not):
                told = f"{literal} is one of several alternatives"
                raise PlanningError(f"no PDDL can be written where {told}")
            if literal.predicate == "visited-region":
                out |= road.region == road.graph.regions.row(literal.args[0])
            else:
                out[road.row(literal.args[0])] = True
    return out


def _is_avoidance(literal: Literal) -> bool:
    """Return whether distances take care of a literal."""
    return not literal.positive and literal.predicate in ("visited-region", "visited-place")


def _spots(goal: Formula, paths: ShortestPaths, robot: Robot) -> dict[str, Spot]:
    """Return the points of interest by name: the start, the goal's symbols, places of each region."""
    road = paths.roadmap
    # PDDL's names hold no spaces or parentheses
    called = re.sub(r"[^A-Za-z0-9_-]+", "-", robot.name)
    out, areas = {f"start-{called}": road.start(robot)}, []
    for literal in sorted(set(literals(goal)), key=str):
        for symbol, kind in zip(literal.args, VOCABULARY[literal.predicate].kinds, strict=True):
            if kind == "region":
                held = (road.region == road.graph.regions.row(symbol)) & road.usable
                rows = tuple(np.flatnonzero(held & ~paths.forbidden).tolist())
                areas += [Area(symbol, rows)] if rows else []
            else:
                is_thing = kind == "object"
                out[symbol] = road.object(symbol) if is_thing else road.place(road.row(symbol))
    stops = [Stop("goto", (name,), (spot,)) for name, spot in out.items()]
    start = next(iter(out.values()))
    whole = choose_places(Errand(paths.forbidden, stops, areas), start, paths)
    more = needed(whole.stops[len(stops) :])
    return out | {spot.symbol: spot for spot in more if spot.symbol not in out}


def _looked_through(goal: Formula, paths: ShortestPaths, robot: Robot) -> Formula:
    """Return a goal with the places to look from in place of regions to explore."""
    if isinstance(goal, Atom) and goal.predicate == "explored-region":
        found = lookouts(paths.roadmap, robot, goal.args[0], paths.forbidden)
        seen = [
            Or(tuple(Atom("visited-place", (paths.roadmap.symbol(r),)) for r in rows.tolist()))
            for rows, _ in found
        ]
        return And(tuple(seen)) if seen else Or()
    return rebuilt(goal, lambda part: _looked_through(part, paths, robot))


def _translated(
    goal: Formula, inside: Mapping[str, Sequence[str]], *, keep_avoidance: bool = False
) -> Formula:
    """Return the goal in the task's predicates; in a sparse task avoidance is already in the distances."""
    if isinstance(goal, Atom) and goal.predicate == "in-region":
        return Or(tuple(Atom("at", (place,)) for place in inside[goal.args[0]]))
    if isinstance(goal, Atom):
        return Atom(VOCABULARY[goal.predicate].in_pddl, goal.args)
    if isinstance(goal, And) and not keep_avoidance:
        met = (isinstance(p, Not) and any(map(_is_avoidance, literals(p))) for p in goal.parts)
        goal = And(tuple(p for p, is_met in zip(goal.parts, met, strict=True) if not is_met))
    return rebuilt(goal, lambda part: _translated(part, inside, keep_avoidance=keep_avoidance))
