"""Random goals of teams of two to eight robots: solved, violations by an independent checker, time.

    python benchmarks/team.py [--cases 100] [--seed 0] [--kind field]

Fields, crowds, corridors with bays and rings, with shared things, with and without outlines. The checker
reads a plan's JSON alone: it samples distances densely and replays who has which thing when. ``--scale``
measures one team at a given number of places instead: ``--scale 4 2000``.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from collections import Counter
from typing import Any

import numpy as np

from commonground.geometry import from_xyz_yaw
from commonground.planning import plan_scene
from commonground.planning.scene.sites import make_site
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids

KINDS = ("field", "crowd", "corridor", "ring")
ABLE = frozenset({"goto", "inspect", "pick", "place"})
STEP_S = 0.02
TOLERANCE_M = 2e-3


def drawn(cells: set[tuple[int, int]], rng: np.random.Generator, things: int) -> SceneGraph:
    """Return a scene with a place at each cell, linked to its four neighbors; half of them with outlines."""
    at = np.array([[float(x), float(y), 0.0] for x, y in sorted(cells)])
    known = {(int(x), int(y)): k for k, (x, y, _) in enumerate(at)}
    links = [
        (k, known[q]) for (x, y), k in known.items() for q in ((x + 1, y), (x, y + 1)) if q in known
    ]
    corners = np.array([[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]])
    outlines = Ragged.of([p + corners for p in at]) if rng.random() < 0.5 else None
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(len(at))),
        at,
        edges=Edges.of(links),
        boundaries=outlines,
    )
    hosts = rng.choice(len(at), things, replace=False)
    lies = at[hosts] + [0.0, 0.2, 0.0]
    objects = Layer.of(OBJECTS, node_ids("O", np.arange(things)), lies)
    graph = SceneGraph(layers={"surface_places": places, "objects": objects})
    return graph.with_links("objects", "surface_places", list(enumerate(hosts)))


def cells_of(kind: str, rng: np.random.Generator) -> set[tuple[int, int]]:
    """Return the cells of a kind of scene."""
    if kind == "field":
        return set(itertools.product(range(12), range(12)))
    if kind == "crowd":
        return set(itertools.product(range(6), range(6)))
    length = int(rng.integers(8, 16))
    cells = {(x, 0) for x in range(length)}
    if kind == "ring":
        return (
            cells
            | {(x, 3) for x in range(length)}
            | {(x, y) for x in (0, length - 1) for y in (1, 2)}
        )
    for x in rng.choice(length, int(rng.integers(1, 4)), replace=False):
        cells |= {(int(x), 1), (int(x), 2)}
    return cells


def case(kind: str, rng: np.random.Generator) -> tuple[SceneGraph, Team, dict[str, str]]:
    """Return a random scene, team and goals, some of them about one thing."""
    graph = drawn(cells_of(kind, rng), rng, 4)
    places = graph.surface_places
    most = {"field": 9, "crowd": 9, "corridor": 4, "ring": 6}[kind]
    count = int(rng.integers(2, most))
    starts = rng.choice(len(places), count, replace=False)
    team = Team(
        {
            f"r{k}": Robot(f"r{k}", from_xyz_yaw([*places.positions[row], 0.0]), ABLE)
            for k, row in enumerate(starts)
        }
    )
    ends = rng.permutation(len(places))
    goals = {}
    for k in range(count):
        thing, place = f"O{rng.integers(4)}", f"P{ends[k]}"
        options = [f"(at-place {place})"] * 3 + [f"(visited-place {place})", f"(safe {thing})", ""]
        options += [f"(object-in-place {thing} {place})", f"(visited-object {thing})"]
        goal = options[int(rng.integers(len(options)))]
        if goal:
            goals[f"r{k}"] = goal
    return graph, team, goals or {"r0": "(visited-place P0)"}


def faults(graph: SceneGraph, team: Team, goals: dict[str, str], plan: dict[str, Any]) -> list[str]:
    """Return what is wrong with a plan's JSON: distances by sampling, things by replay, ends by the goals."""
    told = plan["robots"]
    until = max((a["end_s"] for actions in told.values() for a in actions), default=0.0)
    clock = np.arange(0.0, until + STEP_S, STEP_S)
    tracks, found = {}, []
    for robot in team:
        times, points = [0.0], [robot.position]
        for action in told.get(robot.name, []):
            line = np.array(action["path_map"])
            gone = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
            share = gone / max(gone[-1], 1e-9)
            times += (action["start_s"] + share * (action["end_s"] - action["start_s"])).tolist()
            points += list(line)
        tracks[robot.name] = np.stack(
            [np.interp(clock, times, np.array(points)[:, c]) for c in (0, 1)]
        )
    for a, b in itertools.combinations(tracks, 2):
        meters = float(np.linalg.norm(tracks[a] - tracks[b], axis=0).min())
        if meters < team[a].radius_m + team[b].radius_m - TOLERANCE_M:
            found.append(f"distance: {a} and {b} {meters:.3f} m apart")
    return found + _replayed(graph, goals, told)


def _replayed(graph: SceneGraph, goals: dict[str, str], told: dict[str, Any]) -> list[str]:
    """Replay who handles which thing when."""
    position = {f"O{k}": p for k, p in enumerate(graph.objects.positions[:, :2])}
    put, held, safe, found = {}, {}, set(), []
    steps = sorted(
        (a["start_s"] if a["action"] == "pick" else a["end_s"], name, k)
        for name, actions in told.items()
        for k, a in enumerate(actions)
        if a["action"] in ("pick", "place", "inspect")
    )
    for _, name, k in steps:
        action = told[name][k]
        here = np.array(action["path_map"][0][:2])
        thing = action.get("item") or action["target"]
        if action["action"] == "place":
            if held.pop(thing, "") != name:
                found.append(f"possession: {name} places {thing} without having it")
            position[thing], put[thing] = here, action["target"]
            continue
        if thing in held or np.linalg.norm(position[thing] - here) > 2.5:
            found.append(f"possession: {name} finds no {thing} to {action['action']}")
        if action["action"] == "pick":
            held[thing] = name
        else:
            safe.add(thing)
    return found + [
        f"goal: {name} {goal}"
        for name, goal in goals.items()
        if not _true(goal.strip("()").split(), graph, told.get(name, []), put, safe)
    ]


def _true(
    words: list[str],
    graph: SceneGraph,
    actions: list[dict[str, Any]],
    put: dict[str, str],
    safe: set[str],
) -> bool:
    """Return whether a goal, as words, is true in the end."""
    if words[0] == "safe":
        return words[1] in safe
    if words[0] == "object-in-place":
        host = graph.parents("objects", "surface_places")[int(words[1][1:])]
        return put.get(words[1], f"P{host}") == words[2]
    motions = [a for a in actions if a["places"]]
    return words[0] != "at-place" or not motions or motions[-1]["places"][-1] == words[1]


def scaled(robots: int, places: int, seed: int) -> None:
    """Print how long one team of visitors takes on a site."""
    rng = np.random.default_rng([seed, robots, places])
    graph, _ = make_site(places, max(10, robots * 2), rng)
    points = graph.surface_places.positions
    starts: list[int] = []
    for row in rng.permutation(len(points)):
        gaps = np.linalg.norm(points[starts] - points[row], axis=1)
        if (gaps > 1.0).all():
            starts.append(int(row))
        if len(starts) == 2 * robots:
            break
    team = Team(
        {
            f"r{k}": Robot(f"r{k}", from_xyz_yaw([*points[row], 0.0]), ABLE)
            for k, row in enumerate(starts[:robots])
        }
    )
    names = graph.surface_places.symbols
    goals = {f"r{k}": f"(at-place {names[row]})" for k, row in enumerate(starts[robots:])}
    for _ in range(2):
        began, cpu = time.perf_counter(), time.process_time()
        plan = plan_scene(graph, team, goals, time_limit_s=20.0)
        wall, used = time.perf_counter() - began, time.process_time() - cpu
    wrong = faults(graph, team, goals, plan.as_json()) if str(plan.status) == "solved" else []
    print(
        f"{robots} robots, {places} places, seed {seed}: {plan.status} {wall:.2f} s ({used:.2f} s of CPU), "
        f"makespan {plan.makespan_s:.1f} s, {len(wrong)} violations {plan.reason}"
    )


def main() -> None:
    """Print a line per kind of scene."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--scale", type=int, nargs=2, metavar=("ROBOTS", "PLACES"))
    options = parser.parse_args()
    if options.scale:
        scaled(*options.scale, options.seed)
        return
    for kind in options.kind or KINDS:
        ends: Counter[str] = Counter()
        times, wrong = [], []
        for k in range(options.cases):
            graph, team, goals = case(
                kind, np.random.default_rng([options.seed, k, KINDS.index(kind)])
            )
            began = time.process_time()
            plan = plan_scene(graph, team, goals, time_limit_s=2.0)
            times.append(time.process_time() - began)
            ends[str(plan.status)] += 1
            if str(plan.status) == "solved":
                wrong += [f"case {k}: {f}" for f in faults(graph, team, goals, plan.as_json())]
            elif str(plan.status) != "unsolvable":
                print(f"  {kind} case {k}: {plan.status}: {plan.reason}")
        told = ", ".join(f"{n} {status}" for status, n in sorted(ends.items()))
        print(
            f"{kind:9s} seed {options.seed}: {told}; {len(wrong)} violations; CPU median "
            f"{1e3 * statistics.median(times):.0f} ms, most {max(times):.2f} s"
        )
        for line in wrong[:10]:
            print("  ", line)


if __name__ == "__main__":
    main()
