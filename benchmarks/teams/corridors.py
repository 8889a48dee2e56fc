"""Wide corridors as chains of places, in which robots get past each other side by side."""

from __future__ import annotations

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
from commonground.scene.layer import PLACES, SURFACE_PLACES
from commonground.symbols import node_ids
from teams.checker import faults
from teams.scenes import ABLE


def wide(rng: np.random.Generator) -> tuple[SceneGraph, Team, dict[str, str], float]:
    """Return a wide corridor that is mapped as one chain of places, a team, goals, and how wide it is.

    Any two robots fit beside one another, and at most two have to end at one place.
    """
    across_m, count = float(rng.uniform(2.0, 5.0)), int(rng.integers(5, 12))
    step_m = float(rng.uniform(0.4, 0.6) * across_m)
    at = np.array([(step_m * k, 0.0, 0.0) for k in range(count)])
    h, w = step_m / 2, across_m / 2
    form = ("outlines", "clearance", "3D")[rng.integers(3)]
    outline = np.array([[-h, -w, 0], [h, -w, 0], [h, w, 0], [-h, w, 0]])
    kind = PLACES if form == "3D" else SURFACE_PLACES
    places = Layer.of(
        kind,
        node_ids("p" if form == "3D" else "P", np.arange(count)),
        at,
        edges=Edges.of([(k, k + 1) for k in range(count - 1)]),
        columns={} if form == "outlines" else {"clearance_m": np.full(count, w)},
        boundaries=Ragged.of([p + outline for p in at]) if form == "outlines" else None,
    )
    graph = SceneGraph(layers={"places" if form == "3D" else "surface_places": places})
    most = min((across_m - 0.3) / 4, 0.45)
    robots = int(rng.integers(2, min(count, 7)))
    starts = rng.choice(count, robots, replace=False)
    ends = rng.choice(np.repeat(np.arange(count), 2), robots, replace=False)
    speeds = rng.choice([0.5, 1.0, 1.5], robots)
    radii = rng.uniform(0.15, most, robots)
    team = Team(
        {
            f"r{k}": Robot(f"r{k}", from_xyz_yaw([*at[row], 0.0]), ABLE, float(v), float(r))
            for k, (row, v, r) in enumerate(zip(starts, speeds, radii, strict=True))
        }
    )
    goals = {
        f"r{k}": f"(at-place {places.symbols[row]})"
        for k, row in enumerate(ends)
        if k == 0 or rng.random() < 0.7
    }
    return graph, team, goals, across_m


def side_by_side(seed: int, cases: range) -> None:
    """Print how robots get past each other in wide corridors that are mapped as chains of places."""
    ends: Counter[str] = Counter()
    wrong, times = [], []
    for k in cases:
        graph, team, goals, across_m = wide(np.random.default_rng([seed, k, 5]))
        began = time.process_time()
        plan = plan_scene(graph, team, goals, time_limit_s=5.0, watch=WorkWatch())
        times.append(time.process_time() - began)
        ends[str(plan.status)] += 1
        if str(plan.status) != "solved":
            print(f"  case {k}: {plan.status}: {plan.reason}")
            continue
        told = plan.as_json()

        def to_rim(track: Floats, half_m: float = across_m / 2) -> float:
            return half_m - float(np.abs(track[1]).max())

        wrong += [f"case {k}: {f}" for f in faults(graph, team, goals, told, to_rim)]
    told_ends = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    print(
        f"wide corridors, seed {seed}: {told_ends}; {len(wrong)} violations; CPU median "
        f"{1e3 * statistics.median(times):.0f} ms, most {max(times):.2f} s"
    )
    for line in wrong[:10]:
        print("  ", line)
