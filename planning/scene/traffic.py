"""Right of way: plans are delayed so that no two robots are in one narrow place at once, the waits explicit.

Robots are given right of way one after the other; each later one waits at a stop until the path to its
next stop is free of those before it. The order of right of way that ends soonest is taken.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.scene.plan import Action, RobotPlan
from commonground.robots import Team
from commonground.scene import Layer, SceneGraph

STEP_M = 0.25
CLEARANCE_S = 1.0
"""Between one robot's leaving a narrow place and another's entering it."""
MOST_ORDERS = 24
ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Stay:
    """A robot in a place for a while."""

    place: str
    start_s: float
    end_s: float

    def meets(self, other: Stay) -> bool:
        """Return whether two stays are in one place without some time between them."""
        together = (
            self.start_s < other.end_s + CLEARANCE_S and other.start_s < self.end_s + CLEARANCE_S
        )
        return together and self.place == other.place


def share_the_ground(
    graph: SceneGraph, layer: str, team: Team, plans: Mapping[str, RobotPlan]
) -> tuple[dict[str, RobotPlan], str]:
    """Return the plans with waits, and a reason where no order of right of way keeps the robots apart."""
    names = [name for name, plan in plans.items() if plan.actions]
    if len(names) < 2:
        return dict(plans), ""
    narrow = _narrow_places(graph.layers[layer], team, names)
    moving = {name: plans[name] for name in names}
    if not conflicts(graph, layer, moving, narrow):
        return dict(plans), ""
    best: dict[str, RobotPlan] = {}
    for order in itertools.islice(itertools.permutations(names), MOST_ORDERS):
        delayed = _in_order(order, _Ground(graph, layer, narrow), plans)
        if delayed is not None and (not best or _end(delayed) < _end(best)):
            best = delayed
    if not best:
        why = "the robots' paths cross in narrow places, and no order of waiting keeps them apart"
        return dict(plans), why
    return {name: best.get(name, plan) for name, plan in plans.items()}, ""


def conflicts(
    graph: SceneGraph, layer: str, plans: Mapping[str, RobotPlan], narrow: set[str]
) -> list[tuple[str, str, str]]:
    """Return (robot, robot, place) for every narrow place two robots are in at once."""
    ground = _Ground(graph, layer, narrow)
    stays = {
        name: [s for motion in ground.stays(p.actions) for s in motion] for name, p in plans.items()
    }
    return [
        (a, b, s.place)
        for a, b in itertools.combinations(sorted(stays), 2)
        for s, t in itertools.product(stays[a], stays[b])
        if s.meets(t)
    ]


@dataclass(frozen=True, slots=True)
class _Ground:
    graph: SceneGraph
    layer: str
    narrow: set[str]

    def stays(self, actions: Sequence[Action]) -> list[list[Stay]]:
        """Return the stays in narrow places, motion by motion."""
        found = stays_of(self.graph, self.layer, actions)
        return [[s for s in motion if s.place in self.narrow] for motion in found]


def _narrow_places(layer: Layer, team: Team, names: Sequence[str]) -> set[str]:
    """Return the places that do not hold two of the robots side by side."""
    widest = sorted((team[n].radius_m for n in names), reverse=True)[:2]
    narrow: Bools = _room(layer) < sum(widest)
    return {s for s, tight in zip(layer.symbols, narrow, strict=True) if tight}


def _room(layer: Layer) -> Floats:
    """Return the radius (n,) of the free ground of each place, infinite where nothing is known of it."""
    if "clearance_m" in layer.columns:
        return np.asarray(layer.columns["clearance_m"], float)
    if layer.boundaries is None:
        return np.full(len(layer), np.inf)
    out = np.full(len(layer), np.inf)
    for row in range(len(layer)):
        outline = layer.boundaries[row][:, :2]
        if len(outline) > 2:
            out[row] = _inradius(layer.positions[row, :2], outline)
    return out


def _inradius(center: Floats, outline: Floats) -> float:
    along = np.roll(outline, -1, axis=0) - outline
    offset = center - outline
    t = np.clip((offset * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12), 0, 1)
    return float(np.linalg.norm(offset - t[:, None] * along, axis=1).min())


def stays_of(graph: SceneGraph, layer: str, actions: Sequence[Action]) -> list[list[Stay]]:
    """Return the places a robot is in: before its first motion, and for each motion until the next begins.

    A robot is in the place nearest to it, wherever its path was pulled to.
    """
    motions = [actions[k] for k in _motions(actions)]
    if not motions:
        return []
    begins = [*(a.start_s for a in motions), float("inf")]
    out = [[Stay(_places(graph, layer, motions[0].path_map[:1])[0], 0.0, begins[0])]]
    for action, until in zip(motions, begins[1:], strict=True):
        points, share = _sampled(action.path_map)
        symbols = _places(graph, layer, points)
        times = action.start_s + share * (action.end_s - action.start_s)
        firsts = [k for k in range(len(symbols)) if k == 0 or symbols[k] != symbols[k - 1]]
        ends = [*(float(times[k]) for k in firsts[1:]), until]
        out.append(
            [Stay(symbols[k], float(times[k]), e) for k, e in zip(firsts, ends, strict=True)]
        )
    return out


def _motions(actions: Sequence[Action]) -> list[int]:
    """Return which actions move the robot."""
    return [k for k, a in enumerate(actions) if a.action == "goto" and len(a.path_map) > 1]


def _sampled(line: Floats) -> tuple[Floats, Floats]:
    """Return points along a line, about STEP_M apart, and the share of its length up to each."""
    gone = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    share = np.linspace(0.0, 1.0, max(2, int(np.ceil(gone[-1] / STEP_M)) + 1))
    points = np.stack([np.interp(share * gone[-1], gone, line[:, c]) for c in range(3)], axis=1)
    return points, share


def _places(graph: SceneGraph, layer: str, points: Floats) -> list[str]:
    rows = graph.nearest(layer, points)[1][:, 0]
    symbols = graph.layers[layer].symbols
    return [symbols[int(r)] for r in rows]


def _in_order(
    order: Sequence[str], ground: _Ground, plans: Mapping[str, RobotPlan]
) -> dict[str, RobotPlan] | None:
    done: dict[str, RobotPlan] = {}
    for name in order:
        reserved = [
            s for plan in done.values() for motion in ground.stays(plan.actions) for s in motion
        ]
        actions = _delayed(plans[name].actions, ground, reserved)
        if actions is None:
            return None
        done[name] = replace(plans[name], actions=actions)
    return done


def _delayed(
    actions: Sequence[Action], ground: _Ground, reserved: Sequence[Stay]
) -> tuple[Action, ...] | None:
    """Return the actions with waits before motions, so that no reserved stay is met; None where none help."""
    current = list(actions)
    for _ in range(ROUNDS):
        stays = ground.stays(current)
        meeting = _first_meeting(stays, reserved)
        if meeting is None:
            return _with_waits(current)
        motion, delay = meeting
        if motion == 0 or not np.isfinite(delay):
            return None  # it starts where somebody must pass, or somebody stays where it must go
        index = _motions(current)[motion - 1]
        current = [
            replace(a, start_s=a.start_s + delay, end_s=a.end_s + delay) if k >= index else a
            for k, a in enumerate(current)
        ]
    return None


def _first_meeting(
    stays: Sequence[Sequence[Stay]], reserved: Sequence[Stay]
) -> tuple[int, float] | None:
    """Return the first motion on which a reservation is met, and by how much to delay it."""
    for motion, places in enumerate(stays):
        for stay in places:
            for other in reserved:
                if stay.meets(other):
                    return motion, other.end_s + CLEARANCE_S - stay.start_s + 1e-3
    return None


def _with_waits(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions with the gaps between them as waits."""
    out: list[Action] = []
    now = 0.0
    for action in actions:
        if action.start_s > now + 1e-9:
            here = action.path_map[:1]
            out.append(Action("wait", action.target, here, start_s=now, end_s=action.start_s))
        out.append(action)
        now = action.end_s
    return tuple(out)


def _end(plans: Mapping[str, RobotPlan]) -> float:
    return max(plan.actions[-1].end_s for plan in plans.values())
