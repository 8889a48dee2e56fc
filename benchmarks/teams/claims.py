"""Goals of several robots for one thing: refused by name, ordered or handed over."""

from __future__ import annotations

from collections import Counter

import numpy as np

from commonground.planning import plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Team
from commonground.scene import SceneGraph
from teams.checker import faults
from teams.lives import case
from teams.scenes import IN_AIR_M, KINDS, layer_of


def claims(graph: SceneGraph, team: Team, rng: np.random.Generator) -> tuple[dict[str, str], bool]:
    """Return what some robots want of a thing, and whether no end can give it to all of them."""
    places = graph.layers[layer_of(graph)]
    ground = np.flatnonzero(places.positions[:, 2] < IN_AIR_M / 2)
    thing = f"O{rng.integers(4)}"
    spots = [places.symbols[int(row)] for row in rng.choice(ground, 2, replace=False)]
    names = [robot.name for robot in team]
    goals, ends = {}, set()
    for name in rng.permutation(names)[: rng.integers(2, 6)].tolist():
        kind = ("safe", "holding", "object-in-place")[rng.choice(3, p=[0.5, 0.15, 0.35])]
        spot = spots[int(rng.random() < 0.2)]
        goals[name] = (
            f"({kind} {thing} {spot})" if kind == "object-in-place" else f"({kind} {thing})"
        )
        if kind != "safe":
            ends.add(spot if kind == "object-in-place" else name)
    return goals, len(ends) > 1


def contested(kind: str, seed: int, cases: range) -> None:
    """Print how goals for one thing end: refused with who and what, or solved and checked."""
    ends: Counter[str] = Counter()
    wrong = []
    for k in cases:
        rng = np.random.default_rng([seed, k, KINDS.index(kind), 3])
        graph, team, _ = case(kind, rng)
        goals, exclusive = claims(graph, team, rng)
        plan = plan_scene(graph, team, goals, time_limit_s=5.0, watch=WorkWatch())
        ends[f"{'exclusive' if exclusive else 'compatible'} {plan.status}"] += 1
        if str(plan.status) == "solved":
            found = ["solved, which cannot be"] if exclusive else []
            wrong += [f"case {k}: {f}" for f in found + faults(graph, team, goals, plan.as_json())]
        elif exclusive and sum(name in plan.reason for name in goals) < 2:
            wrong.append(f"case {k}: not told who: {plan.reason}")
        elif not exclusive:
            print(f"  {kind} case {k}: {plan.status}: {plan.reason}")
    told = ", ".join(f"{n} {end}" for end, n in sorted(ends.items()))
    print("\n  ".join([f"{kind:9s} seed {seed}: {told}; {len(wrong)} wrong", *wrong[:10]]))
