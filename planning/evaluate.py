"""Comparison of scene planning with Fast Downward on every place and object, in quality and time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.planning.downward import shared_planner
from commonground.planning.pddl import Task, parse_domain, parse_problem
from commonground.planning.scene.pddl_task import dense_problem, domain_text
from commonground.planning.scene.sites import make_site
from commonground.planning.team.planner import plan_scene
from commonground.robots import Team
from commonground.scene import SceneGraph


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: one goal on one site by one method."""

    places: int
    objects: int
    goal: str
    method: str
    status: str
    time_s: float
    meters: float
    bound_m: float
    forbidden: int
    """Waypoints inside a region the goal avoids."""


def goals_of(graph: SceneGraph, team: Team, rng: np.random.Generator) -> dict[str, tuple[str, str]]:
    """Return name → (goal, avoided region or ''): farthest, inspect and move, visit and avoid, visit six.

    Where there is enough for one, the last is a long errand.
    """
    start = next(iter(team)).position
    far = np.argsort(-np.linalg.norm(graph.objects.positions - start, axis=1))
    things = [graph.objects.symbols[i] for i in far]
    target = graph.surface_places.symbols[int(rng.integers(len(graph.surface_places)))]
    taken = set(graph.ancestors("objects", "regions")[far[:3]].tolist()) | {0}
    middle = graph.surface_places.positions.mean(axis=0)
    near = np.argsort(np.linalg.norm(graph.regions.positions - middle, axis=1))
    avoid = graph.regions.symbols[next(int(r) for r in near if int(r) not in taken)]
    three = " ".join(f"(visited-object {o})" for o in things[:3])
    six = " ".join(f"(visited-object {o})" for o in things[:6])
    goals = {
        "visit the farthest": (f"(visited-object {things[0]})", ""),
        "inspect and move": (
            f"(and (safe {things[0]}) (object-in-place {things[1]} {target}))",
            "",
        ),
        "visit three, avoid a region": (f"(and {three} (not (visited-region {avoid})))", avoid),
        "visit six": (f"(and {six})", ""),
    }
    if len(graph.objects) >= 25:
        goals["20 inspections, 5 deliveries"] = (errand_goal(graph, 20, 5, rng), "")
    return goals


def errand_goal(graph: SceneGraph, inspect: int, move: int, rng: np.random.Generator) -> str:
    """Return a long errand: so many inspections and deliveries of other things."""
    things = rng.permutation(len(graph.objects))[: inspect + move]
    places = rng.permutation(len(graph.surface_places))[:move]
    look = [f"(safe {graph.objects.symbols[i]})" for i in things[:inspect]]
    bring = [
        f"(object-in-place {graph.objects.symbols[i]} {graph.surface_places.symbols[p]})"
        for i, p in zip(things[inspect:], places, strict=True)
    ]
    return f"(and {' '.join(look + bring)})"


def compare(
    sizes: Sequence[tuple[int, int]], *, seed: int, dense_limit: int, time_limit_s: float
) -> Iterator[Row]:
    """Yield the table's rows: ours on every site, the dense task where it has at most so many places."""
    for places, objects in sizes:
        rng = np.random.default_rng([seed, places])
        graph, team = make_site(places, objects, rng)
        goals = goals_of(graph, team, rng)
        plan_scene(graph, team, {"spot": "(visited-object O0)"})  # compiled code is loaded once
        for name, (goal, avoid) in goals.items():
            yield _ours(graph, team, name, goal, avoid)
            if len(graph.surface_places) <= dense_limit and "deliveries" not in name:
                yield _dense(graph, team, name, goal, avoid, time_limit_s)


def _ours(graph: SceneGraph, team: Team, name: str, goal: str, avoid: str) -> Row:
    began = time.perf_counter()
    answer = plan_scene(graph, team, {"spot": goal})
    seconds = time.perf_counter() - began
    actions = answer.robots["spot"].actions
    symbols = [p for a in actions for p in a.places]
    return Row(
        len(graph.surface_places),
        len(graph.objects),
        name,
        "commonground",
        str(answer.status),
        round(seconds, 4),
        round(answer.cost_m, 2),
        round(answer.robots["spot"].lower_bound_m, 2),
        _inside(graph, symbols, avoid),
    )


def _dense(graph: SceneGraph, team: Team, name: str, goal: str, avoid: str, limit_s: float) -> Row:
    began = time.perf_counter()
    domain = parse_domain(domain_text(), fold_case=False)
    text = dense_problem(graph, team["spot"], goal)
    task = Task(domain, parse_problem(text, domain, fold_case=False))
    result = shared_planner().solve(task, "first", time_limit_s=limit_s)
    symbols = [step.args[1] for step in result.plan if step.action == "goto"]
    return Row(
        len(graph.surface_places),
        len(graph.objects),
        name,
        "lama-first, all places",
        str(result.status),
        round(time.perf_counter() - began, 3),
        round(result.cost, 2),
        round(result.bound, 2),
        _inside(graph, symbols, avoid),
    )


def _inside(graph: SceneGraph, symbols: Sequence[str], avoid: str) -> int:
    if not avoid:
        return 0
    known = {s: i for i, s in enumerate(graph.surface_places.symbols)}
    rows = [known[s] for s in symbols if s in known]
    return int(graph.in_region("surface_places", avoid)[rows].sum())
