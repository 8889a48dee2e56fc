"""When robots would be done with what falls to them, were each alone: as they drive, not along the places."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from commonground.planning.pddl import Formula
from commonground.planning.result import Check, OutOfTime
from commonground.planning.scene.motion import actions_of
from commonground.planning.scene.paths import PathsByAvoidance
from commonground.planning.scene.roadmap import build_roadmap
from commonground.planning.scene.solve import solve_goal
from commonground.planning.team.in_order import Waiting
from commonground.planning.temporal.problem import TeamProblem, seconds_of_sets
from commonground.robots import Team
from commonground.scene import SceneGraph

MOST_TASKS = 10
"""Ways of sharing out more tasks are not weighed."""
MOST_DRIVEN = 4
"""So many ways are looked at as they are driven, those first that are soonest along the places."""
CUT_SHARE = 0.25
"""Corners that are cut and stops beside things seldom save more of the time along the places."""


class Alone:
    """Times of robots that have the map to themselves."""

    def __init__(
        self,
        graph: SceneGraph,
        team: Team,
        own: Mapping[str, Formula],
        rng: np.random.Generator,
        check: Check,
    ) -> None:
        self._graph, self._team, self._own = graph, team, own
        self._rng, self._check = rng, check
        self._ways: dict[str, PathsByAvoidance] = {}
        self._known: dict[tuple[str, Formula], float] = {}

    def weighed(
        self,
        problem: TeamProblem | None,
        shares: Sequence[Sequence[str]],
        goals: Sequence[Mapping[str, Formula]],
        before: Sequence[tuple[int, int]] = (),
    ) -> list[float]:
        """Return when the last robot is done with each of some ways of sharing out tasks.

        Each has the robot of every task, and the goals of robots. It is infinite for what a robot cannot do
        alone, and for what was not looked at. ``before`` has pairs of tasks of which the second waits for the
        first, whoever does them.
        """
        out = [math.inf] * len(shares)
        if problem is None or len(shares) < 2 or len(problem.duration_s) > MOST_TASKS:
            return out
        try:
            about = self._along_places(problem, shares)
            late = self._late_s(problem, shares, about, before)
            for k in np.argsort(np.add(about, late), kind="stable")[:MOST_DRIVEN].tolist():
                if about[k] * (1.0 - CUT_SHARE) + late[k] < min(out):
                    out[k] = late[k] + max(self._done_s(*part) for part in goals[k].items())
        except OutOfTime:
            pass  # the others come last
        return out

    def _along_places(self, problem: TeamProblem, shares: Sequence[Sequence[str]]) -> list[float]:
        """Return when the last robot would be done with each share, had it to drive along the places."""
        sets_s = seconds_of_sets(problem)
        for row, name in enumerate(self._team.robots):
            if name in self._own:
                sets_s[row] += self._done_s(name, self._own[name])
        bits = 1 << np.arange(len(problem.duration_s))
        return [
            max(
                float(sets_s[row, bits[[name == robot for robot in who]].sum()])
                for row, name in enumerate(self._team.robots)
            )
            for who in shares
        ]

    def _late_s(
        self,
        problem: TeamProblem,
        shares: Sequence[Sequence[str]],
        about: Sequence[float],
        before: Sequence[tuple[int, int]],
    ) -> list[float]:
        """Return by how much shares are done later as tasks wait; infinite for those that are too late."""
        if not before:
            return [0.0] * len(shares)
        firsts: dict[int, list[int]] = {}
        for first, then in before:
            firsts.setdefault(then, []).append(first)
        names = list(self._team.robots)
        own_s = [self._done_s(n, self._own[n]) if n in self._own else 0.0 for n in names]
        waiting = Waiting(problem, firsts, own_s)
        late, best = [math.inf] * len(shares), [math.inf] * MOST_DRIVEN
        for k in np.argsort(about, kind="stable").tolist():
            if about[k] >= best[-1]:  # nobody is done sooner for having to wait
                break
            done_s = waiting.done_s([names.index(name) for name in shares[k]], about[k])
            late[k] = max(done_s - about[k], 0.0)
            best = sorted([*best, done_s])[:MOST_DRIVEN]
        return late

    def _done_s(self, name: str, goal: Formula) -> float:
        """Return when a robot would be done with a goal as it drives."""
        if (name, goal) not in self._known:
            self._check("ways of sharing out the goal were weighed")
            robot = self._team[name]
            if name not in self._ways:
                self._ways[name] = PathsByAvoidance(build_roadmap(self._graph, robot))
            paths = self._ways[name]
            found = solve_goal(goal, robot, paths.roadmap, self._rng, (), self._check, paths)
            actions = actions_of(found, robot, paths.roadmap.start(robot))
            done_s = actions[-1].end_s if actions else 0.0
            self._known[name, goal] = done_s if math.isfinite(found.cost_m) else math.inf
        return self._known[name, goal]
