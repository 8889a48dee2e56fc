"""Two small rooms with a door between them, and robots in each that all change to the other one."""

from __future__ import annotations

import itertools
import statistics
import time
from collections import Counter

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import from_xyz_yaw
from commonground.planning import plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids
from teams.checker import faults
from teams.scenes import ABLE

RIM_STEP_M = 0.01
TRIES = 400
Sides = tuple[float, float, float, float]
"""x from, x to, y from, y to."""


def drawn_rooms(rng: np.random.Generator) -> tuple[SceneGraph, Team, dict[str, str], list[Sides]]:
    """Return two rooms and the door between them, robots that change rooms, and the sides of the three."""
    deep_m, wide_m = rng.uniform(1.5, 2.6, 2)
    door_m, wall_m = rng.uniform(0.9, 1.3), rng.uniform(0.6, 1.2)
    beyond = deep_m + wall_m
    sides: list[Sides] = [
        (0.0, deep_m, -wide_m / 2, wide_m / 2),
        (deep_m, beyond, -door_m / 2, door_m / 2),
        (beyond, beyond + deep_m, -wide_m / 2, wide_m / 2),
    ]
    corners = [
        np.array([[a, c, 0], [b, c, 0], [b, d, 0], [a, d, 0]], float) for a, b, c, d in sides
    ]
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(3)),
        [c.mean(axis=0) for c in corners],
        edges=Edges.of([(0, 1), (1, 2)]),
        boundaries=Ragged.of(corners),
    )
    things = Layer.of(OBJECTS, node_ids("O", [0]), [[0.0, -50.0, 0.0]])
    graph = SceneGraph(layers={"surface_places": places, "objects": things})
    robots: dict[str, Robot] = {}
    most = int(rng.integers(2, 5))
    for name, _ in itertools.product("ab", range(most)):
        room = sides[0] if name == "a" else sides[2]
        robot = _placed(f"{name}{len(robots)}", room, robots, rng)
        if robot is not None:
            robots[robot.name] = robot
    goals = {n: f"(at-place P{2 if n.startswith('a') else 0})" for n in robots}
    return graph, Team(robots), goals, sides


def _placed(
    name: str, room: Sides, others: dict[str, Robot], rng: np.random.Generator
) -> Robot | None:
    """Return a robot somewhere in a room away from the others, none where there seems no room."""
    for _ in range(TRIES):
        radius_m = float(rng.choice([0.2, 0.25, 0.3]))
        inner = radius_m + 0.05
        x = rng.uniform(room[0] + inner, room[1] - inner)
        y = rng.uniform(room[2] + inner, room[3] - inner)
        gaps = [np.hypot(*(r.position[:2] - (x, y))) - r.radius_m for r in others.values()]
        if all(gap > radius_m + 0.06 for gap in gaps):
            return Robot(name, from_xyz_yaw([x, y, 0.0, 0.0]), ABLE, radius_m=radius_m)
    return None


def rim_of(sides: list[Sides]) -> Floats:
    """Return points (k, 2) all along the rim of rectangles taken together."""
    found = []
    for k, (a, b, c, d) in enumerate(sides):
        x, y = np.arange(a, b, RIM_STEP_M), np.arange(c, d, RIM_STEP_M)
        lines = [(x, np.full_like(x, c)), (x, np.full_like(x, d))]
        lines += [(np.full_like(y, a), y), (np.full_like(y, b), y)]
        at = np.concatenate([np.column_stack(line) for line in lines])
        inside = [
            (at[:, 0] >= e) & (at[:, 0] <= f) & (at[:, 1] > g) & (at[:, 1] < h)
            for j, (e, f, g, h) in enumerate(sides)
            if j != k
        ]
        found.append(at[~np.any(inside, axis=0)])
    return np.concatenate(found)


def changing_rooms(seed: int, cases: range) -> None:
    """Print how robots change rooms."""
    from scipy.spatial import cKDTree

    ends: Counter[str] = Counter()
    wrong, times = [], []
    for k in cases:
        graph, team, goals, sides = drawn_rooms(np.random.default_rng([seed, k, 6]))
        began = time.process_time()
        plan = plan_scene(graph, team, goals, time_limit_s=5.0, watch=WorkWatch())
        times.append(time.process_time() - began)
        ends[str(plan.status)] += 1
        if str(plan.status) != "solved":
            print(f"  case {k}: {len(goals)} robots: {plan.status}: {plan.reason}")
            continue
        rim = cKDTree(rim_of(sides))

        def to_rim(track: Floats, rim: cKDTree = rim) -> float:
            return float(rim.query(track[:2].T)[0].min())

        wrong += [f"case {k}: {f}" for f in faults(graph, team, goals, plan.as_json(), to_rim)]
    told = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    print(
        f"changing rooms, seed {seed}: {told}; {len(wrong)} violations; CPU median "
        f"{1e3 * statistics.median(times):.0f} ms, most {max(times):.2f} s"
    )
    for line in wrong[:10]:
        print("  ", line)
