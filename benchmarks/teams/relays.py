"""Things that go from hand to hand, since no robot brings them all the way."""

from __future__ import annotations

from collections import Counter

import numpy as np

from commonground.geometry import from_xyz_yaw
from commonground.planning import plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team
from commonground.scene import Edges, Layer, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids
from teams.checker import faults
from teams.scenes import ABLE

ROOM, PASSAGE = 3, 5
"""Places along a side of a room, and along a passage between two rooms."""


def rooms(rng: np.random.Generator) -> tuple[SceneGraph, Team, dict[str, str], bool]:
    """Return rooms in a row with passages between them, a team, a goal for a thing, and whether it can be.

    In some rooms is a robot that is too large for the passages, and in some passages one that cannot climb
    down from them: things go from hand to hand.
    """
    count, pitch = int(rng.integers(2, 4)), ROOM + PASSAGE
    cells = [(pitch * k + x, y) for k in range(count) for x in range(ROOM) for y in range(ROOM)]
    between = [(pitch * k + ROOM + x, 1) for k in range(count - 1) for x in range(PASSAGE)]
    at = np.array([(x, y, 0.0) for x, y in cells] + [(x, y, 0.2) for x, y in between])
    wide = [x % pitch in (ROOM, pitch - 1) for x, _ in between]
    steps = np.abs(at[:, None, :2] - at[None, :, :2]).sum(axis=2)
    places = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(len(at))),
        at,
        edges=Edges.of([(int(i), int(j)) for i, j in np.argwhere(steps == 1.0) if i < j]),
        columns={"clearance_m": np.r_[np.full(len(cells), 2.0), np.where(wide, 2.0, 0.35)]},
    )
    source, target = rng.choice(count, 2, replace=False).tolist()
    host = cells.index(
        (pitch * source + (0 if source < target else ROOM - 1), int(rng.integers(3)))
    )
    objects = Layer.of(OBJECTS, node_ids("O", [0]), at[[host]] + [0.0, 0.2, 0.0])
    graph = SceneGraph(layers={"surface_places": places, "objects": objects})
    graph = graph.with_links("objects", "surface_places", [(0, host)])
    in_rooms = [k for k in range(count) if rng.random() < 0.9]
    inside = [k for k in range(count - 1) if rng.random() < 0.9]
    stands = {f"big{k}": ((pitch * k + 1, 1, 0.0), 0.6, 0.3) for k in in_rooms}
    stands |= {f"small{k}": ((pitch * k + ROOM + 2, 1, 0.2), 0.25, 0.1) for k in inside}
    team = Team(
        {
            n: Robot(
                n, from_xyz_yaw([*p, 0.0]), ABLE, radius_m=r, max_step_m=step, max_slope_deg=5.0
            )
            for n, (p, r, step) in stands.items()
        }
    )
    low, high = sorted((source, target))
    can = {*range(low, high + 1)} <= {*in_rooms} and {*range(low, high)} <= {*inside}
    place = cells.index((pitch * target + 1, int(rng.choice([0, 2]))))
    asked = [(str(rng.choice([*stands, "team"])), f"(object-in-place O0 P{place})")]
    asked += [(f"big{target}", "(holding O0)")] if target in in_rooms else []
    name, goal = asked[int(rng.integers(len(asked)))]
    return graph, team, {name: goal}, can


def handed(seed: int, cases: range) -> None:
    """Print how goals end for which a thing has to go from hand to hand."""
    ends: Counter[str] = Counter()
    wrong = []
    for k in cases:
        graph, team, goals, can = rooms(np.random.default_rng([seed, k, 4]))
        if not team.robots:
            continue
        plan = plan_scene(graph, team, goals, time_limit_s=5.0, watch=WorkWatch())
        ends[f"{'possible' if can else 'impossible'} {plan.status}"] += 1
        own = {n: goal for n, goal in goals.items() if n != "team"}
        if str(plan.status) == "solved":
            found = [] if can else ["solved, which cannot be"]
            wrong += [f"case {k}: {f}" for f in found + faults(graph, team, own, plan.as_json())]
        elif can:
            print(f"  case {k}: {plan.status}: {plan.reason}")
    told = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    print("\n  ".join([f"from hand to hand, seed {seed}: {told}; {len(wrong)} wrong", *wrong[:10]]))
