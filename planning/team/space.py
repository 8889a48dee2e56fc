"""Space and time: every robot's way is planned through what those before it leave free.

An order of right of way decides who gives way. A robot whose own plan is in nobody's way keeps it; another
one is planned anew over places and safe times. Where no order succeeds, all robots are moved together.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools
from commonground.planning.pddl import Formula, nnf
from commonground.planning.result import OutOfTime
from commonground.planning.scene.goal import literals
from commonground.planning.scene.plan import Action, RobotPlan
from commonground.planning.scene.roadmap import Roadmap, build_roadmap
from commonground.planning.scene.vocabulary import FINALS
from commonground.planning.team.errands import way_of
from commonground.planning.team.fewest import soonest_steps
from commonground.planning.team.jointly import Limit, together
from commonground.planning.team.lanes import kept_right, with_room
from commonground.planning.team.orders import Try, parked_tries, tries
from commonground.planning.team.parking import Stands, crowded, packings
from commonground.planning.team.proof import cannot_pass
from commonground.planning.team.settling import Attempt, Mover, distance_to_line, settle, settling_s
from commonground.planning.team.tightening import NEAR_BEST, idle_robots, tightened
from commonground.planning.team.track import MARGIN_M, Track
from commonground.planning.team.watch import STATES_PER_S, Watch
from commonground.planning.team.world import release_s
from commonground.robots import Team
from commonground.scene import SceneGraph

ORDERS_SHARE = 0.3
"""Share of the time after which orders of right of way have been tried for long enough."""
PROOF_SHARE = 0.5
"""Share of the time after which a proof that there is no way has been looked for long enough."""
MOST_PAIRS = 30
"""So many pairs are looked at to say who is in whose way."""
AROUND_M = 3.0
"""Idle robots that are farther from all that the others would do are moved only if nothing else helps."""
NEAR_SHARE = 0.5
"""Share of the time after which they are moved as well."""
FEWEST_ORDERS = 6
"""So many are tried even if the time is up: loading compiled loops on a busy machine may take all of it."""
IMPROVE_S = 0.5
"""So long better orders are looked for once one has succeeded."""
SOON_S = 0.05
"""So long a team takes at most to be planned for which room beside its ways is looked for without need."""


class Shared(NamedTuple):
    """The timed actions of all robots, or the pair of robots that found no way past each other."""

    actions: dict[str, tuple[Action, ...]]
    reason: str = ""
    proven: bool = False
    """Whether there is no way at all."""


def share_the_ground(
    graph: SceneGraph,
    team: Team,
    plans: Mapping[str, RobotPlan],
    goals: Mapping[str, Formula],
    *,
    time_limit_s: float,
    rng: np.random.Generator,
    watch: Watch,
) -> Shared:
    """Return actions with which no two robots come too near; ``plans`` are in the order of turns."""
    if _undisturbed(team, plans):
        return Shared({n: p.actions for n, p in plans.items()})
    until = watch.now_s() + time_limit_s
    some, found = _around(team, plans), Shared({})
    if len(some) < len(team):
        found = _among(graph, some, plans, goals, NEAR_SHARE * time_limit_s, rng, watch)
        if found.proven or _with_all(team, found):
            rest = {name: () for name in team.robots if name not in some}
            return found if found.proven else Shared(found.actions | rest)
        if watch.now_s() > until:
            return found._replace(actions={})
    return _among(graph, team, plans, goals, until - watch.now_s(), rng, watch)


def _around(team: Team, plans: Mapping[str, RobotPlan]) -> Team:
    """Return the robots that do something, and the idle ones near what those would do if they were alone."""
    acting = [r for r in team if r.name in plans and plans[r.name].actions]
    idle = [r for r in team if r not in acting]
    at = np.array([r.position for r in idle]).reshape(-1, 3)
    reach_m = np.array([r.radius_m for r in idle]) + MARGIN_M + AROUND_M
    near = np.zeros(len(idle), bool)
    for robot in acting:
        line = Track.of(robot.position, plans[robot.name].actions).points
        near |= distance_to_line(at, line) < robot.radius_m + reach_m
    some = {r.name for r in acting} | {r.name for r, close in zip(idle, near, strict=True) if close}
    return Team({r.name: r for r in team if r.name in some})


def _with_all(team: Team, found: Shared) -> bool:
    """Return whether what was found for some robots is free of all the others, which stand."""
    others = Attempt(team, frozenset(n for n in team.robots if n not in found.actions))
    return bool(found.actions) and all(others.free(n, own) for n, own in found.actions.items())


def _among(
    graph: SceneGraph,
    team: Team,
    plans: Mapping[str, RobotPlan],
    goals: Mapping[str, Formula],
    time_limit_s: float,
    rng: np.random.Generator,
    watch: Watch,
) -> Shared:
    """Return actions of the robots of a team, each of which may be moved."""
    began = watch.now_s()
    movers = _movers(graph, team, plans, goals, watch)
    return _Search(team, movers, plans, goals, began, time_limit_s, rng, watch).found()


@dataclass(slots=True)
class _Search:
    """The search for ways of some robots past each other."""

    team: Team
    movers: Mapping[str, Mover]
    plans: Mapping[str, RobotPlan]
    goals: Mapping[str, Formula]
    began: float
    time_limit_s: float
    rng: np.random.Generator
    watch: Watch
    failures: Counter[str] = field(default_factory=Counter)
    """Robot → how often it found no way."""

    @property
    def until(self) -> float:
        return self.began + self.time_limit_s

    def found(self) -> Shared:
        """Return what is found over the places, with room beside them, or all together."""
        orders = self._tries(self.movers)
        best = self._sooner(self._settled(orders, self.began))
        wide: Mapping[str, Mover] = {}
        try:
            wide, packed = self._with_room(best)
            if wide:
                orders = self._tries(wide)
                parked = parked_tries(self.team, wide, packed, self.plans)
                for some in (parked, self._tries(kept_right(wide)), orders):
                    found = self._settled(some, self.watch.now_s())
                    if found.actions:
                        best = self._better(best, self._tightened(found, wide))
                        break
        except OutOfTime:
            if not best.actions:
                raise
        return best if best.actions else self._at_last(orders, wide)

    def _at_last(self, orders: Iterator[Try], wide: Mapping[str, Mover]) -> Shared:
        """Return what is found where no order of right of way succeeds, or why there is nothing."""
        watch, movers = self.watch, self.movers
        watch.check("robots were kept apart")
        stuck = cannot_pass(movers, self.goals, watch, self.began + PROOF_SHARE * self.time_limit_s)
        if stuck:
            return Shared({}, stuck, proven=True)
        left_s = max(self.until - watch.now_s(), 0.0)
        limit = Limit(int(STATES_PER_S * left_s), watch, self.until)
        args = (self.team, movers, wide, self.goals, self.plans, limit, self.rng)
        best = Shared(together(*args))
        watch.did(0.0 if best.actions else max(self.until - watch.now_s(), 0.0))
        if not best.actions:
            best = self._late(orders)
        if not best.actions:
            return Shared({}, crowded(movers) or self._why(wide or movers))
        return self._tightened(best, wide or movers)

    def _tries(self, movers: Mapping[str, Mover]) -> Iterator[Try]:
        return tries(self.team, movers, self.plans, self.failures)

    def _tightened(self, found: Shared, movers: Mapping[str, Mover]) -> Shared:
        """Return what was found made sooner, or that nothing was found."""
        if not found.actions:
            return found
        until, watch = self.until, self.watch
        return Shared(tightened(found.actions, self.team, movers, self.plans, until, watch))

    def _sooner(self, found: Shared) -> Shared:
        """Return what was found over the places made sooner, or what a search of small teams finds there."""
        best = self._tightened(found, self.movers)
        if not self._is_late(best):
            return best
        idle = idle_robots(self.movers, self.plans)
        still = [name for name in idle if best.actions and not best.actions[name]]
        steps = soonest_steps(self.team, self.movers, still, _end_s(best), self.watch)
        return self._better(best, self._tightened(Shared(steps), self.movers))

    def _better(self, one: Shared, other: Shared) -> Shared:
        """Return which of two was found and moves fewer idle robots, or else is done sooner."""
        idle = idle_robots(self.movers, self.plans)

        def worth(found: Shared) -> tuple[bool, int, float]:
            moved = sum(bool(own) for name, own in found.actions.items() if name in idle)
            return not found.actions, moved, _end_s(found)

        return min((one, other), key=worth)

    def _is_late(self, found: Shared) -> bool:
        """Return whether a team is done later than its slowest robot alone would be."""
        own = (plan.actions for plan in self.plans.values())
        alone_s = max((actions[-1].end_s for actions in own if actions), default=0.0)
        return _end_s(found) > NEAR_BEST * alone_s

    def _with_room(self, best: Shared) -> tuple[dict[str, Mover], list[Stands]]:
        """Return robots that may use the room beside their ways, and how those at one place may stand.

        There are none where it helps little or nobody has any room. Where a plan is known, room is looked
        for only if that plan keeps robots waiting, and if that is soon done.
        """
        takes_s = settling_s(list(self.movers.values()))
        if best.actions and (takes_s > SOON_S or not self._is_late(best)):
            return {}, []
        packed = packings(self.movers)
        return with_room(self.movers, self.goals, packed, self.watch), packed

    def _settled(self, orders: Iterator[Try], began: float) -> Shared:
        """Return the best of the orders of right of way that succeed."""
        best = Shared({})
        most_s = ORDERS_SHARE * self.time_limit_s
        for each in orders:
            elapsed = self.watch.now_s() - began
            enough = best.actions or self.failures.total() >= FEWEST_ORDERS
            if enough and elapsed > min(most_s, IMPROVE_S if best.actions else np.inf):
                break
            if not best.actions:
                tried = self.failures.total()
                self.watch.check(f"orders of right of way were tried, {tried} so far")
            best = self._better(best, self._tried(each))
        return best

    def _late(self, orders: Iterator[Try]) -> Shared:
        """Return the first of the remaining orders that succeeds in time."""
        in_time = itertools.takewhile(lambda _: self.watch.now_s() <= self.until, orders)
        return next((found for found in map(self._tried, in_time) if found.actions), Shared({}))

    def _tried(self, order: Try) -> Shared:
        """Return what an order of right of way leads to; who found no way in it is counted."""
        self.watch.did(settling_s(order.order))
        failed = settle(order.order, order.attempt, self.plans)
        self.failures[failed] += 1
        return Shared({} if failed else order.attempt.actions)

    def _why(self, movers: Mapping[str, Mover]) -> str:
        """Return in a sentence which two robots find no way past each other, or who failed most often."""
        tried = f"{self.failures.total()} tries within {self.time_limit_s:.1f} s"
        acting = [name for name in movers if name in self.plans and self.plans[name].actions]
        for pair in itertools.islice(self._pairs(acting, list(movers)), MOST_PAIRS):
            if len(movers) == len(pair) or not self._pass_alone(pair, movers):
                return f"{pair[0]} and {pair[1]} found no way past each other in {tried}"
        name = self.failures.most_common(1)[0][0] if self.failures else acting[0]
        return f"{name} found no way past the other robots in {tried}"

    def _pairs(self, acting: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield pairs of robots of which one or both do something, as long as there is time."""
        try:
            for k, a in enumerate(acting):
                for b in names:
                    if b not in acting[: k + 1]:
                        self.watch.check("it was looked who is in whose way")
                        yield a, b
        except OutOfTime:
            return

    def _pass_alone(self, pair: Sequence[str], movers: Mapping[str, Mover]) -> bool:
        """Return whether two robots get past each other with nobody else about."""
        two = Team({name: self.team[name] for name in pair})
        own = {name: plan for name, plan in self.plans.items() if name in pair}
        both = {name: movers[name] for name in pair}
        orders = tries(two, both, own, Counter())
        return any(not settle(each.order, each.attempt, own) for each in orders)


def _undisturbed(team: Team, plans: Mapping[str, RobotPlan]) -> bool:
    """Return whether all robots may keep their own plans."""
    alone = Attempt(team, frozenset())
    for robot in team:
        own = plans[robot.name].actions if robot.name in plans else ()
        if not alone.free(robot.name, own) or (own and not _in_turn(robot.name, plans)):
            return False
        alone.keep(robot.name, own)
    return True


def _in_turn(name: str, plans: Mapping[str, RobotPlan]) -> bool:
    """Return whether a robot handles things only after those whose turn comes before."""
    before = itertools.takewhile(lambda other: other != name, plans)
    theirs = [plans[other].actions for other in before]
    return all(
        (a.end_s if a.action == "goto" else a.start_s) >= release_s(a, theirs)
        for a in plans[name].actions
    )


def _movers(
    graph: SceneGraph,
    team: Team,
    plans: Mapping[str, RobotPlan],
    goals: Mapping[str, Formula],
    watch: Watch,
) -> dict[str, Mover]:
    movers: dict[str, Mover] = {}
    for robot in team:
        watch.check(f"ways past each other were prepared, {len(movers)} of {len(team)} robots")
        plan = plans.get(robot.name, RobotPlan(robot.name, ""))
        road = build_roadmap(graph, robot)
        goal = goals.get(robot.name)
        closed = np.zeros(len(road.positions), bool) if goal is None else _closed(goal, road, plan)
        free_end = goal is None or not any(x.predicate in FINALS for x in literals(nnf(goal)))
        way = way_of(robot, road, closed, plan.actions)
        movers[robot.name] = Mover(robot, plan, way, free_end, closed)
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


def _end_s(shared: Shared) -> float:
    """Return when the last robot is done; infinite where no way was found."""
    if not shared.actions:
        return np.inf
    return max((a[-1].end_s for a in shared.actions.values() if a), default=0.0)
