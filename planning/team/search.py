"""The search for a team's plan: goals shared out, one robot planned for after another, the whole checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.planning.pddl import And, Formula, to_pddl
from commonground.planning.result import OutOfTime, Status
from commonground.planning.scene.allocation import tasks_of
from commonground.planning.scene.assumptions import assumptions
from commonground.planning.scene.certificate import nearest_place
from commonground.planning.scene.footing import grounded, place_layer
from commonground.planning.scene.plan import Action, RobotPlan, TeamPlan
from commonground.planning.scene.planner import TRUE_ALREADY, is_true, plan_robot
from commonground.planning.scene.precedence import Precedence, for_robots
from commonground.planning.scene.roadmap import build_roadmap
from commonground.planning.team.check import validate
from commonground.planning.team.conflicts import End, conflict_of, ends_of, excluded_by
from commonground.planning.team.helping import Shares
from commonground.planning.team.hopeless import is_hopeless
from commonground.planning.team.phases import in_phases
from commonground.planning.team.portions import portions
from commonground.planning.team.sharing_out import plan_shared_out
from commonground.planning.team.turns import attempts
from commonground.planning.team.watch import ALONE_S, Watch
from commonground.planning.team.world import (
    inspected_of,
    is_about_things,
    moved_things,
    scene_after,
    things_in,
    without_done,
)
from commonground.robots import Team
from commonground.scene import SceneGraph

TRY_SHARE = 0.6
"""Share of the time left that one order of turns may take where there are several."""


@dataclass(frozen=True, slots=True)
class Search:
    """Finds a plan of the robots that are on the map."""

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
