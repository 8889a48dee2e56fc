"""Planning for a team on a scene graph: a plan per robot, things and ground shared out, all of it checked."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

import numpy as np

from commonground.arguments import of_kind
from commonground.compiled import waited_s
from commonground.errors import ConfigError, PlanningError
from commonground.planning.pddl import And, Formula, to_pddl
from commonground.planning.result import OutOfTime, Status
from commonground.planning.scene.allocation import tasks_of
from commonground.planning.scene.assumptions import assumptions
from commonground.planning.scene.certificate import nearest_place
from commonground.planning.scene.footing import grounded, place_layer, set_down
from commonground.planning.scene.goal import parse_goal
from commonground.planning.scene.plan import Action, RobotPlan, TeamPlan
from commonground.planning.scene.planner import TRUE_ALREADY, check_position, is_true, plan_robot
from commonground.planning.scene.precedence import TEAM, Before, Precedence, for_robots, parse_order
from commonground.planning.scene.roadmap import build_roadmap
from commonground.planning.team.bans import bound_from_here, standing_inside
from commonground.planning.team.check import SharedState, validate
from commonground.planning.team.conflicts import End, conflict_of, ends_of, excluded_by
from commonground.planning.team.helping import Shares
from commonground.planning.team.hopeless import is_hopeless
from commonground.planning.team.phases import in_phases
from commonground.planning.team.portions import portions
from commonground.planning.team.sharing_out import MAY, plan_shared_out
from commonground.planning.team.soonest import each_by_itself, soonest_s
from commonground.planning.team.track import MARGIN_M
from commonground.planning.team.turns import attempts
from commonground.planning.team.watch import ALONE_S, ClockWatch, Watch
from commonground.planning.team.world import (
    inspected_of,
    is_about_things,
    moved_things,
    scene_after,
    still_there,
    things_in,
    without_done,
)
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.scene.strangers import hanging, strangers

TIME_LIMIT_S = 5.0
GRACE = 1.1
"""After so many times the limit of a clock even what is always tried ends."""
TRY_SHARE = 0.6
"""Share of the time left that one order of turns may take where there are several."""


def plan_scene(
    graph: SceneGraph,
    team: Team,
    goals: Mapping[str, str],
    *,
    order: Sequence[Before] = (),
    seed: int = 0,
    time_limit_s: float = TIME_LIMIT_S,
    watch: Watch | None = None,
) -> TeamPlan:
    """Return a plan for each robot that has a goal; all of them, or the reason why one cannot be planned.

    ``order`` tells which parts of goals have to be done before which, of one robot or of two.
    A goal under the name ``team`` is shared out over the robots. Other robots of the team stand where they
    are, or are moved out of the way. The time limit is for all of it, as a watch tells it, but for loading
    and compiling; with a ``WorkWatch``, equal seeds give equal plans on every machine.
    """
    of_kind(graph, SceneGraph, "graph", PlanningError, "load_scene reads one from a file")
    of_kind(team, Team, "team", PlanningError, "load_team reads one from a file")
    began, compiled_s = time.perf_counter(), waited_s()
    _load_loops(team)
    prepared_s = time.perf_counter() - began - (waited_s() - compiled_s)
    try:
        if not time_limit_s > 0:
            raise PlanningError(f"time_limit_s = {time_limit_s}: planning needs some seconds")
        watch = watch or ClockWatch(GRACE * time_limit_s)
        plan = _planned(graph, team, goals, order, seed, time_limit_s, watch)
    except (PlanningError, ConfigError) as error:
        plan = TeamPlan(Status.ERROR, {}, str(error))
    prepared_s += waited_s() - compiled_s
    used_s = time.perf_counter() - began - prepared_s
    return replace(plan, time_s={"prepare": prepared_s, "plan": used_s})


def _load_loops(team: Team) -> None:
    """Load the libraries of planning before the time begins; a robot that is alone needs few of them."""
    modules = ["scipy.sparse.csgraph", "scipy.spatial"]
    if len(team) > 1:
        modules += ["planning.temporal._ruin_kernels", "planning.team.space"]
        modules += ["planning.team._sipp_kernels", "planning.scene._outline_kernels"]
    for name in modules:
        import_module(name if name.startswith("scipy") else f"commonground.{name}")


def _planned(
    graph: SceneGraph,
    team: Team,
    goals: Mapping[str, str],
    order: Sequence[Before],
    seed: int,
    time_limit_s: float,
    watch: Watch,
) -> TeamPlan:
    own = {
        name: parse_goal(text, graph, where=f"goal of {name}")
        for name, text in goals.items()
        if name != TEAM
    }
    _check_robots(team)
    team, left_out = _on_the_map(graph, team, own)
    asked = dict(own)
    if goals.get(TEAM):
        asked[TEAM] = parse_goal(goals[TEAM], graph, where="goal of the team")
    wanted = parse_order(order, graph, asked)
    graph, asked, in_vain = still_there(graph, asked)
    if in_vain:
        return TeamPlan(Status.UNSOLVABLE, {}, in_vain)
    if any(tasks_of(goal)[1] for goal in asked.values()):
        state = SharedState.of(graph, team)
        left_out += standing_inside(asked, state)
        own = bound_from_here(asked, state)
    else:
        own = dict(asked)
    shared = own.pop(TEAM, And())
    planning = _Planning(graph, team, wanted, frozenset(asked), seed, watch)
    plan = planning.for_team(own, shared, time_limit_s)
    if plan.status is Status.SOLVED:
        known_m = {name: p.lower_bound_m for name, p in plan.robots.items()}
        bound_s = soonest_s(graph, team, own, shared, known_m)
        least_m = sum(known_m.values()) if each_by_itself(team, own, shared) else None
        plan = replace(plan, soonest_s=min(bound_s, plan.makespan_s), least_m=least_m)
        if shared != And() and len(team) > 1 and plan.makespan_gap > 0.0:
            plan = replace(plan, reason="; ".join(filter(None, (plan.reason, MAY))))
    elif left_out:
        plan = replace(plan, reason="; ".join((plan.reason, *left_out)))
    return replace(plan, assumed=(*plan.assumed, *left_out))


def _on_the_map(
    graph: SceneGraph, team: Team, own: Mapping[str, Formula]
) -> tuple[Team, list[str]]:
    """Return the robots as they stand on the map, and what is told of their poses; refuse goals of others."""
    for robot in team:
        check_position(robot)
    away = strangers(graph, team)
    for name in (*own, *(away if len(away) == len(team.robots) else ())):
        if name in away:
            raise PlanningError(away[name])
    here = [robot for robot in team if robot.name not in away]
    told = [*(f"{where}; it takes no part" for where in away.values()), *hanging(graph, here)]
    return Team({robot.name: set_down(graph, robot) for robot in here}), told


@dataclass(frozen=True, slots=True)
class _Planning:
    """Planning for the robots that are on the map."""

    graph: SceneGraph
    team: Team
    order: tuple[Precedence, ...]
    named: frozenset[str]
    """Whose goals were given; others only keep out of what the team's keeps everybody out of."""
    seed: int
    watch: Watch

    def for_team(
        self, own: Mapping[str, Formula], shared: Formula, time_limit_s: float
    ) -> TeamPlan:
        """Return a plan for robots with a goal each, or with a part of a goal of all of them."""
        if shared == And():
            return self._for_goals(own, time_limit_s)
        until_s = self.watch.now_s() + time_limit_s
        rng = np.random.default_rng(self.seed)
        try:
            ways = portions(self.graph, self.team, shared, own, rng, self.watch.check, self.order)
        except OutOfTime as doing:
            return _late(doing)
        if ways.impossible:
            return TeamPlan(Status.UNSOLVABLE, {}, ways.impossible)
        return plan_shared_out(own, ways, self._for_shares, self.watch, until_s)

    def _for_shares(self, goals: Mapping[str, Formula], time_limit_s: float) -> TeamPlan:
        """Return a plan for robots to whom parts of the team's goal fell."""
        return replace(self, order=for_robots(self.order, goals))._for_goals(goals, time_limit_s)

    def _for_goals(self, goals: Mapping[str, Formula], time_limit_s: float) -> TeamPlan:
        impossible = conflict_of(self.graph, self.team, goals)
        if impossible:
            return TeamPlan(Status.UNSOLVABLE, {}, impossible)
        if any(pair.is_between_robots for pair in self.order):
            return self._in_phases(goals, time_limit_s)
        return self._at_once(goals, time_limit_s)

    def _at_once(self, goals: Mapping[str, Formula], time_limit_s: float) -> TeamPlan:
        """Return a plan in which no robot waits for what another one has to do before."""
        until_s = self.watch.now_s() + time_limit_s
        things = any(map(is_about_things, goals.values()))
        share = TRY_SHARE if things and len(self.team.robots) > 1 else 1.0
        failed: TeamPlan | None = None
        try:
            for tried in _in_time(attempts(self.graph, self.team, goals), self.watch, until_s):
                plan = self._in_turn(tried, goals)
                if plan.status is Status.SOLVED:
                    left_s = max(share * (until_s - self.watch.now_s()), 0.1)
                    plan = self._shared(goals, plan, left_s)
                if plan.status is Status.SOLVED:
                    return self._told(goals, plan)
                if plan.status is Status.UNSOLVABLE:
                    return plan
                failed = failed or plan
        except OutOfTime as doing:
            failed = failed or _late(doing)
        return failed or TeamPlan(Status.SOLVED)

    def _in_phases(self, goals: Mapping[str, Formula], time_limit_s: float) -> TeamPlan:
        """Return a plan in which robots wait for each other, checked as a whole."""
        within = tuple(pair for pair in self.order if not pair.is_between_robots)

        def plan_phase(graph: SceneGraph, team: Team, own: Mapping[str, Formula]) -> TeamPlan:
            phase = replace(self, graph=graph, team=team, order=within)
            return phase._for_goals(own, time_limit_s)

        plan = in_phases(self.graph, self.team, goals, self.order, plan_phase)
        if plan.status is not Status.SOLVED:
            return plan
        plan = self._checked(goals, plan, {n: p.actions for n, p in plan.robots.items()})
        robots = {n: replace(p, goal=to_pddl(goals.get(n, And()))) for n, p in plan.robots.items()}
        return self._told(goals, replace(plan, robots=robots))

    def _told(self, goals: Mapping[str, Formula], plan: TeamPlan) -> TeamPlan:
        """Return a solved plan with robots in the order of the goals, and with what it assumes."""
        plans = {
            name: replace(p, reason=self._why_idle(p, goals.get(name, And())))
            for name, p in _sorted(plan.robots, [*goals, *self.team.robots]).items()
            if p.actions or name in self.named or tasks_of(goals.get(name, And()))[0]
        }
        told = [
            x for n, p in plans.items() for x in assumptions(self.graph, self.team[n], p.actions)
        ]
        reason = "; ".join(p.reason for p in plans.values() if p.reason)
        return replace(plan, robots=plans, reason=reason, assumed=tuple(told))

    def _why_idle(self, plan: RobotPlan, goal: Formula) -> str:
        """Return why a robot does nothing; it was planned for in the world that others leave to it."""
        told, robot = "" if plan.actions else plan.reason, self.team[plan.robot]
        helped = TRUE_ALREADY in told and not is_true(goal, robot, build_roadmap(self.graph, robot))
        return f"{robot.name}: what others do makes the goal true" if helped else told

    def _in_turn(self, shares: Shares, asked: Mapping[str, Formula]) -> TeamPlan:
        """Plan for one robot after the other, each as if alone in the world that those before it leave.

        That a robot finds nothing there proves nothing: others may leave another world behind. It is
        unsolvable where nothing that others could do would help.
        """
        graph, team = self.graph, self.team
        plans: dict[str, RobotPlan] = {}
        settled: dict[str, list[End]] = {}
        lies: dict[str, str] = {}
        worked: set[tuple[str, str]] = set()
        for name, goal in shares.goals.items():
            if plans:
                self.watch.check(
                    f"each robot was planned for as if alone, {len(plans)} of {len(shares.goals)}"
                )
            self.watch.did(ALONE_S)
            mine = {thing: place for thing, place in lies.items() if thing in things_in(goal)}
            world = scene_after(graph, place_layer(graph), mine, inspected_of(goal, worked))
            own = excluded_by(graph, team, settled, name, goal)
            wish = shares.ends.get(name, And())
            things = things_in(asked.get(name, goal))
            others = [n for n, g in shares.goals.items() if n != name and things & things_in(g)]
            left = without_done(own, worked)
            status, plans[name] = self._alone(world, name, left, asked, others)
            if status is not Status.SOLVED:
                if status is Status.UNSOLVABLE and not self._hopeless(name, asked):
                    status = Status.NOT_FOUND
                return TeamPlan(status, plans, plans[name].reason)
            actions = plans[name].actions
            lies |= moved_things(actions)
            worked |= {(a.action, a.target) for a in actions}
            start = nearest_place(grounded(graph, team[name]), place_layer(graph), team[name])
            settled[name] = ends_of(name, wish, actions, start)
        return TeamPlan(Status.SOLVED, plans)

    def _alone(
        self,
        graph: SceneGraph,
        name: str,
        goal: Formula,
        asked: Mapping[str, Formula],
        others: Sequence[str],
    ) -> tuple[Status, RobotPlan]:
        """Return a robot's plan for what others leave of its goal, an empty one where they leave nothing."""
        text = to_pddl(asked[name]) if name in asked else ""
        if goal == And():
            done = f"{' and '.join(others) or 'others'} will have done all of it"
            empty = "the goal is empty, nothing is to be done"
            reason = f"{name}: {empty if asked.get(name) == And() else done}"
            return Status.SOLVED, RobotPlan(name, text, optimal=True, reason=reason)
        rng, own = np.random.default_rng(self.seed), self._order_of(name)
        return plan_robot(graph, self.team[name], goal, text, rng, own, self.watch.check)

    def _order_of(self, name: str) -> list[Precedence]:
        """Return the order of a robot's own steps."""
        return [pair for pair in self.order if {deed.robot for deed in pair} == {name}]

    def _hopeless(self, name: str, asked: Mapping[str, Formula]) -> bool:
        """Return whether nothing that others could do would help a robot with what was asked of it."""
        return name in asked and is_hopeless(
            self.graph, self.team, self.team[name], asked[name], asked
        )

    def _shared(
        self, goals: Mapping[str, Formula], plan: TeamPlan, time_limit_s: float
    ) -> TeamPlan:
        """Return the plan with all robots out of each other's way, checked as a whole."""
        if len(self.team.robots) == 1:
            return self._checked(goals, plan, {n: p.actions for n, p in plan.robots.items()})
        # compiled loops take long to load, and a robot that is alone needs none
        from commonground.planning.team.space import share_the_ground

        rng = np.random.default_rng(self.seed)
        shared = share_the_ground(
            self.graph,
            self.team,
            plan.robots,
            goals,
            time_limit_s=time_limit_s,
            rng=rng,
            watch=self.watch,
        )
        if shared.reason:
            status = Status.UNSOLVABLE if shared.proven else Status.NOT_FOUND
            return replace(plan, status=status, reason=shared.reason)
        return self._checked(goals, plan, shared.actions)

    def _checked(
        self,
        goals: Mapping[str, Formula],
        plan: TeamPlan,
        actions: Mapping[str, tuple[Action, ...]],
    ) -> TeamPlan:
        """Return the plan with actions of all robots that passed the check of the whole team."""
        wrong = validate(self.graph, self.team, goals, actions, self.order)
        if wrong:
            return replace(
                plan,
                status=Status.NOT_FOUND,
                reason=f"no plan of the team passed the check: {wrong[0]}",
            )
        plans = {
            name: _changed(plan.robots.get(name, RobotPlan(name, "")), own)
            for name, own in actions.items()
            if own or name in plan.robots
        }
        return replace(plan, robots=plans)


def _late(doing: OutOfTime) -> TeamPlan:
    """Return that time ended, which proves nothing."""
    reason = f"the time limit ended while {doing}; in more time there may be a plan"
    return TeamPlan(Status.NOT_FOUND, {}, reason)


def _in_time(tries: Iterator[Shares], watch: Watch, until_s: float) -> Iterator[Shares]:
    """Yield the first of some tries, then the others until a time."""
    for tried in tries:
        yield tried
        if watch.now_s() > until_s:
            return


def _check_robots(team: Team) -> None:
    """Refuse robots that stand inside one another."""
    for a, b in itertools.combinations(team, 2):
        meters = float(np.linalg.norm(a.position - b.position))
        needed = a.radius_m + b.radius_m + MARGIN_M
        if meters < needed:
            raise PlanningError(
                f"{a.name} and {b.name} start {meters:.2f} m apart, and their radii need {needed:.2f} m; "
                "check their poses"
            )


def _changed(plan: RobotPlan, actions: tuple[Action, ...]) -> RobotPlan:
    """Return a robot's plan with the actions that the team leaves it."""
    if actions is plan.actions:
        return plan
    meters = max(plan.cost_m, sum(a.length_m for a in actions))
    shortest = plan.optimal and meters <= plan.cost_m + 1e-6
    return replace(plan, actions=actions, cost_m=meters, optimal=shortest)


def _sorted(plans: Mapping[str, RobotPlan], names: Sequence[str]) -> dict[str, RobotPlan]:
    """Return plans in the order of the goals, then of the team."""
    return {name: plans[name] for name in dict.fromkeys(names) if name in plans}
