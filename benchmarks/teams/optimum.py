"""Small teams that only drive, beside the least makespan there is."""

from __future__ import annotations

import itertools

import numpy as np

from commonground.geometry import from_xyz_yaw
from commonground.planning import plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph
from teams.scenes import ABLE, KINDS, cells_of, drawn


def compared(kind: str, seed: int, cases: int) -> None:
    """Print how much later teams arrive than they could, as a search over all joint steps knows it.

    Robots of 0.2 m and 1 m/s that only drive need a second for each step to a neighbor, and never meet but on
    one place or edge.
    """
    ratios, lost = [], 0
    for k in range(cases):
        rng = np.random.default_rng([seed, k, KINDS.index(kind), 7])
        cells = sorted(cells_of("crowd" if kind == "field" else kind, rng))
        cells = cells[: 4 * 6] if kind in ("field", "crowd") else cells
        graph = drawn(set(cells), rng, 1, plain=True)
        count = int(rng.integers(2, 4))
        starts, ends = (rng.choice(len(cells), count, replace=False).tolist() for _ in range(2))
        best = fewest_steps(graph, tuple(starts), tuple(ends))
        if best:
            at = graph.surface_places.positions
            poses = [from_xyz_yaw([*at[row], 0.0]) for row in starts]
            team = Team({f"r{i}": Robot(f"r{i}", p, ABLE, 1.0, 0.2) for i, p in enumerate(poses)})
            goals = {f"r{i}": f"(at-place P{row})" for i, row in enumerate(ends)}
            plan = plan_scene(graph, team, goals, time_limit_s=5.0, watch=WorkWatch())
            if str(plan.status) == "solved":
                ratios.append(plan.makespan_s / best)
            lost += str(plan.status) != "solved"
    print(
        f"{kind:9s} seed {seed}: {len(ratios)} compared, {lost} not solved; makespan to the best: mean "
        f"{np.mean(ratios):.3f}, 95 % at most {np.quantile(ratios, 0.95):.2f}, most {max(ratios):.2f}"
    )


def fewest_steps(graph: SceneGraph, starts: tuple[int, ...], ends: tuple[int, ...]) -> int:
    """Return how many steps, all robots at once, lead from places to places; 0 for none."""
    n = len(graph.surface_places)
    moves = [[p, *map(int, graph.neighbors("surface_places", p))] for p in range(n)]
    seen, front, steps = {starts}, [starts], 0
    while front and ends not in seen:
        steps, reached = steps + 1, set()
        for here in front:
            for there in itertools.product(*(moves[p] for p in here)):
                swap = any(
                    (here[i], here[j]) == (there[j], there[i])
                    for i, j in itertools.combinations(range(len(here)), 2)
                )
                if len(set(there)) == len(there) and not swap:
                    reached.add(there)
        front = list(reached - seen)
        seen |= reached
    return steps if ends in seen else 0
