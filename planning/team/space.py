"""Space and time: every robot's way is planned through what those before it leave free.

An order of right of way decides who gives way. A robot whose own plan is in nobody's way keeps it; another
one is planned anew over places and safe times. Where no order succeeds, robots are moved one at a time, and
at last they step aside first, to places and for times drawn at random, until the time is up.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.pddl import Formula, nnf
from commonground.planning.scene.goal import literals
from commonground.planning.scene.plan import Action, RobotPlan
from commonground.planning.scene.roadmap import Roadmap, build_roadmap
from commonground.planning.scene.vocabulary import FINALS
from commonground.planning.team._sipp_kernels import Motions, safe_intervals, soonest
from commonground.planning.team.errands import PAUSE_S, Errand, Hop, Way, way_of
from commonground.planning.team.one_by_one import Crowd
from commonground.planning.team.track import MARGIN_M, Track, closest
from commonground.planning.team.world import MOVES, release_s, thing_of
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

SLACK_M = 2e-3
"""More than the margin, so that rounding to millimeters does not break it."""
MOST_ORDERS = 24
MOST_PERMUTED = 4
CROWD_SHARE = 0.25
"""Share of the time left in which robots are moved one at a time."""
IMPROVE_S = 0.5
"""So long better orders are looked for once one has succeeded."""
MOST_STATES = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Mover:
    """A robot that may be moved, with its plan as if it were alone; an idle one has none."""

    robot: Robot
    plan: RobotPlan
    way: Way
    free_end: bool
    """Whether its goal says nothing of where it ends."""


class Shared(NamedTuple):
    """The timed actions of all robots, or the pair of robots that found no way past each other."""

    actions: dict[str, tuple[Action, ...]]
    reason: str = ""


@dataclass(eq=False)
class _Attempt:
    """Robots planned one after the other."""

    team: Team
    still: frozenset[str]
    """Idle robots that are not moved."""
    aside: bool = False
    """Whether robots that may end anywhere keep off the others' ways."""
    actions: dict[str, tuple[Action, ...]] = field(default_factory=dict)
    tracks: dict[str, Track] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.still:
            self.keep(name, ())

    def keep(self, name: str, actions: tuple[Action, ...]) -> None:
        """Settle what a robot does."""
        self.actions[name] = actions
        self.tracks[name] = Track.of(self.team[name].position, actions)

    def needed_m(self, a: str, b: str) -> float:
        """Return how far two robots have to stay apart."""
        return self.team[a].radius_m + self.team[b].radius_m + MARGIN_M + SLACK_M

    def free(self, name: str, actions: tuple[Action, ...]) -> bool:
        """Return whether nobody who is settled is in the way of some actions."""
        track = Track.of(self.team[name].position, actions)
        return all(
            closest(track, theirs).meters >= self.needed_m(name, other)
            for other, theirs in self.tracks.items()
        )

    def motions(self, name: str) -> Motions:
        """Return the motions of all who are settled, as obstacles for one robot."""
        found = [_motions(t, self.needed_m(name, other)) for other, t in self.tracks.items()]
        return Motions(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def share_the_ground(
    graph: SceneGraph,
    team: Team,
    plans: Mapping[str, RobotPlan],
    goals: Mapping[str, Formula],
    *,
    time_limit_s: float,
    rng: np.random.Generator,
) -> Shared:
    """Return actions with which no two robots come too near; ``plans`` are in the order of turns."""
    alone = _Attempt(team, frozenset())
    for robot in team:
        own = plans[robot.name].actions if robot.name in plans else ()
        if not alone.free(robot.name, own) or (own and not _in_turn(robot.name, plans)):
            break
        alone.keep(robot.name, own)
    else:
        return Shared({n: p.actions for n, p in plans.items()})
    began = time.perf_counter()
    movers = _movers(graph, team, plans, goals)
    best, tried = Shared({}), 0
    failures: Counter[str] = Counter()
    crowded = False
    for order, attempt, retreats in _attempts(team, movers, plans, failures, rng):
        elapsed = time.perf_counter() - began
        if elapsed > (IMPROVE_S if best.actions else time_limit_s):
            break
        if retreats is not None and not best.actions and not crowded:
            crowded = True
            best = _one_by_one(team, movers, plans, CROWD_SHARE * (time_limit_s - elapsed))
        if best.actions and retreats is not None:
            break
        tried += 1
        failed = _in_order(order, attempt, retreats or {}, plans)
        failures[failed] += 1
        if not failed and (not best.actions or _end(attempt.actions) < _end(best.actions)):
            best = Shared(attempt.actions)
    if best.actions:
        return best
    failed = failures.most_common(1)[0][0] if failures else "nobody"
    why = (
        f"{failed} found no way past the other robots in {tried} tries within {time_limit_s:.1f} s"
    )
    return Shared({}, why)


def _one_by_one(
    team: Team, movers: Mapping[str, Mover], plans: Mapping[str, RobotPlan], time_limit_s: float
) -> Shared:
    """Return actions with which robots get past each other one at a time, none where none are found."""
    names = list(movers)
    radii = np.array([team[n].radius_m for n in names])
    turn = {name: k for k, name in enumerate(plans)}
    handled = [
        (turn.get(name, len(turn)), i, k, e.action)
        for i, name in enumerate(names)
        for k, e in enumerate(movers[name].way.errands)
    ]
    after = frozenset(
        ((i, k), (j, m))
        for mine, i, k, action in handled
        for theirs, j, m, other in handled
        if theirs < mine
        and thing_of(action) == thing_of(other)
        and {action.action, other.action} & MOVES
    )
    crowd = Crowd(
        [movers[n].way for n in names],
        [movers[n].free_end for n in names],
        radii[:, None] + radii + MARGIN_M + SLACK_M,
        after,
    )
    steps = crowd.steps(time_limit_s)
    if not steps:
        return Shared({})
    hops = crowd.timed(steps)
    return Shared({n: movers[n].way.actions(h) for n, h in zip(names, hops, strict=True)})


def _in_turn(name: str, plans: Mapping[str, RobotPlan]) -> bool:
    """Return whether a robot handles things only after those whose turn comes before."""
    before = itertools.takewhile(lambda other: other != name, plans)
    theirs = [plans[other].actions for other in before]
    return all(
        (a.end_s if a.action == "goto" else a.start_s) >= release_s(a, theirs)
        for a in plans[name].actions
    )


def _movers(
    graph: SceneGraph, team: Team, plans: Mapping[str, RobotPlan], goals: Mapping[str, Formula]
) -> dict[str, Mover]:
    movers = {}
    for robot in team:
        plan = plans.get(robot.name, RobotPlan(robot.name, ""))
        road = build_roadmap(graph, robot)
        goal = goals.get(robot.name)
        closed = np.zeros(len(road.positions), bool) if goal is None else _closed(goal, road, plan)
        free_end = goal is None or not any(x.predicate in FINALS for x in literals(nnf(goal)))
        way = way_of(robot, road, closed, plan.actions)
        movers[robot.name] = Mover(robot, plan, way, free_end)
    return movers


def _closed(goal: Formula, road: Roadmap, plan: RobotPlan) -> Bools:
    """Return the places (n,) that a goal may forbid; what the robot's own plan touches is not forbidden."""
    closed = np.zeros(len(road.positions), bool)
    for literal in literals(nnf(goal)):
        if literal.positive or not literal.predicate.startswith("visited-"):
            continue
        if literal.predicate == "visited-region":
            closed |= road.graph.in_region(road.layer, literal.args[0])
        elif literal.predicate == "visited-place":
            closed[road.row(literal.args[0])] = True
    touched = [road.row(place) for action in plan.actions for place in action.places]
    closed[touched] = False
    return closed


def _attempts(
    team: Team,
    movers: Mapping[str, Mover],
    plans: Mapping[str, RobotPlan],
    failures: Counter[str],
    rng: np.random.Generator,
) -> Iterator[tuple[list[Mover], _Attempt, dict[str, Errand] | None]]:
    """Yield orders of right of way: idle robots left alone, then moved last; then with random retreats."""
    acting = [name for name in movers if name in plans and plans[name].actions]
    idle = [name for name in movers if name not in acting]
    for aside in (False, True):
        for moved in [False, True] if idle else [False]:
            for order in _orders(acting, plans, failures):
                names = [*order, *(idle if moved else ())]
                still = frozenset(() if moved else idle)
                yield [movers[n] for n in names], _Attempt(team, still, aside), None
    while True:
        names = _in_turns([acting[k] for k in rng.permutation(len(acting))], plans)
        for name in idle:
            names.insert(int(rng.integers(len(names) + 1)), name)
        horizon = 2.0 * max(p.actions[-1].end_s for p in plans.values() if p.actions) + 10.0
        retreats = {n: _retreat(movers[n], rng, horizon) for n in names if rng.random() < 0.5}
        yield (
            [movers[n] for n in names],
            _Attempt(team, frozenset(), bool(rng.integers(2))),
            retreats,
        )


def _orders(
    acting: Sequence[str], plans: Mapping[str, RobotPlan], failures: Counter[str]
) -> Iterator[Sequence[str]]:
    """Yield all orders of a few robots; of many, orders with those first that failed most often."""
    if len(acting) <= MOST_PERMUTED:
        yield from (o for o in itertools.permutations(acting) if _respects(o, plans))
        return
    seen = set()
    longest = {n: -plans[n].actions[-1].end_s for n in acting}
    for _ in range(MOST_ORDERS):
        order = tuple(_in_turns(sorted(acting, key=lambda n: (-failures[n], longest[n])), plans))
        if order in seen:
            return
        seen.add(order)
        yield order


def _respects(order: Sequence[str], plans: Mapping[str, RobotPlan]) -> bool:
    """Return whether an order keeps the turns of robots that handle the same things."""
    return list(order) == _in_turns(order, plans)


def _in_turns(order: Sequence[str], plans: Mapping[str, RobotPlan]) -> list[str]:
    """Return an order in which robots go behind those whose turn with a thing comes first."""
    turn = {name: k for k, name in enumerate(plans)}
    about = {n: {thing_of(a) for a in plans[n].actions} for n in order}
    moved = {n: {thing_of(a) for a in plans[n].actions if a.action in MOVES} for n in order}
    left, out = list(order), []
    while left:
        ready = (
            n
            for n in left
            if not any(
                turn[m] < turn[n] and (moved[m] & about[n] or moved[n] & about[m]) for m in left
            )
        )
        name = next(ready)
        left.remove(name)
        out.append(name)
    return out


def _retreat(mover: Mover, rng: np.random.Generator, horizon_s: float) -> Errand:
    """Return a place near the robot's start where it stays for a while, both drawn at random."""
    points = mover.way.ground.points[: len(mover.way.road.positions)]
    meters = np.linalg.norm(points - mover.robot.position, axis=1)
    reach = rng.uniform(0.0, meters.max()) + 1e-9
    row = int(rng.choice(np.flatnonzero(meters <= max(reach, meters.min()))))
    until_s = float(rng.uniform(0.0, horizon_s)) + PAUSE_S
    stay = Action("wait", mover.way.road.symbol(row), points[row][None], end_s=until_s)
    return Errand(row, stay.target, stay)


def _in_order(
    order: Sequence[Mover],
    attempt: _Attempt,
    retreats: Mapping[str, Errand],
    plans: Mapping[str, RobotPlan],
) -> str:
    """Settle the robots one after the other; return the name of the one that finds no way, '' for none."""
    turn = list(plans)
    for mover in order:
        name = mover.robot.name
        own = mover.plan.actions
        before = [n for n in turn[: turn.index(name)] if n in attempt.actions] if own else []
        theirs = [attempt.actions[n] for n in before]
        releases = [release_s(e.action, theirs) for e in mover.way.errands]
        begins = [e.action.start_s if e.lasts_s else e.action.end_s for e in mover.way.errands]
        late = all(b >= r for b, r in zip(begins, releases, strict=True))
        retreat = retreats.get(name)
        ends = _ends(mover, attempt, order, retreat is not None)
        keeps = late and retreat is None and (not own or not attempt.aside or not mover.free_end)
        if keeps and attempt.free(name, own):
            attempt.keep(name, own)
            continue
        found = _found(mover, attempt, releases, ends, retreat)
        if found is None:
            return name
        attempt.keep(name, found)
    return ""


def _ends(mover: Mover, attempt: _Attempt, order: Sequence[Mover], anywhere: bool) -> Bools:
    """Return where (n,) a robot may end."""
    way = mover.way
    ends = np.zeros(len(way.ground.points), bool)
    last = way.errands[-1].place if way.errands else way.start
    if not mover.free_end:
        ends[last] = True
        return ends
    ends[:] = True
    if attempt.aside:
        name = mover.robot.name
        for other in order:
            if other is not mover and other.plan.actions:
                line = Track.of(other.robot.position, other.plan.actions).points
                near = _distance_to_line(way.ground.points, line)
                ends &= near >= attempt.needed_m(name, other.robot.name)
    elif not anywhere and way.errands:
        ends[:] = False
        ends[last] = True
    return ends


def _distance_to_line(points: Floats, line: Floats) -> Floats:
    """Return meters (n,) on the ground from points to a line of waypoints."""
    out = np.full(len(points), np.inf)
    for a, b in itertools.pairwise(line[:, :2]) if len(line) > 1 else [(line[0, :2], line[0, :2])]:
        along, offset = b - a, points[:, :2] - a
        t = np.clip(offset @ along / max(float(along @ along), 1e-18), 0.0, 1.0)
        out = np.minimum(out, np.linalg.norm(offset - t[:, None] * along, axis=1))
    return out


def _found(
    mover: Mover,
    attempt: _Attempt,
    releases_s: Sequence[float],
    ends: Bools,
    retreat: Errand | None,
) -> tuple[Action, ...] | None:
    """Return the soonest actions of a robot past all that are settled, None where there are none."""
    way = mover.way
    if retreat is not None:
        way = replace(way, errands=(retreat, *way.errands))
        releases_s = [0.0, *releases_s]
    problem = way.problem(releases_s, ends)
    if not attempt.tracks:
        others = _motions(Track(np.zeros(1), np.full((1, 3), 1e12)), 0.1)
    else:
        others = attempt.motions(mover.robot.name)
    ground = way.ground
    longest = np.zeros(len(ground.points))
    rows = np.repeat(np.arange(len(ground.points)), np.diff(ground.indptr))
    np.maximum.at(longest, rows, ground.travel_s * mover.robot.speed_mps)
    safe = safe_intervals(ground, longest, others)
    state, search = soonest(ground, problem, safe, others, way.start, MOST_STATES)
    if state < 0:
        return None
    hops = []
    while search.parent[state] >= 0:
        done, row = divmod(state, len(safe.low_s))
        times = float(search.left_s[state]), float(search.began_s[state])
        hops.append(Hop(*times, int(safe.place[row]), done))
        state = int(search.parent[state])
    return way.actions(hops[::-1])


def _motions(track: Track, reach_m: float) -> Motions:
    """Return a track as linear motions, the last of them standing still for ever."""
    begin, end = track.time_s, np.append(track.time_s[1:], np.inf)
    keep = end > begin
    last = np.diff(track.points, axis=0, append=track.points[-1:])
    lasts = np.where(np.isfinite(end - begin) & keep, end - begin, 1.0)
    velocity = last / lasts[:, None]
    return Motions(
        begin[keep],
        end[keep],
        track.points[keep],
        velocity[keep],
        np.full(int(keep.sum()), reach_m),
    )


def _end(actions: Mapping[str, Sequence[Action]]) -> float:
    return max((a[-1].end_s for a in actions.values() if a), default=0.0)
