"""Allocation of a team's goal: its parts are shared out so that the last robot is done soonest."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from commonground.planning.pddl import And, Formula, conjuncts, nnf
from commonground.planning.result import Check, Status, unhurried
from commonground.planning.scene.durations import ACTION_S, travel_s
from commonground.planning.scene.goal import literals
from commonground.planning.scene.paths import PathsByAvoidance, unrestricted
from commonground.planning.scene.roadmap import Roadmap, Spot, build_roadmap
from commonground.planning.scene.solve import Solution, solve_goal
from commonground.planning.scene.wording import in_words
from commonground.planning.temporal.problem import TeamProblem
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

WEIGHED_SHARE = 0.4
"""Of the time for a plan: afterwards the first way to do a task that is found will do to share it out."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """Which robot does what of a team's goal."""

    status: Status
    goals: Mapping[str, Formula]
    reason: str = ""
    who: Sequence[str] = ()
    """The robot of each task."""
    problem: TeamProblem | None = None
    """How long tasks take, from place to place."""


def allocate(
    graph: SceneGraph,
    team: Team,
    goal: Formula,
    rng: np.random.Generator,
    check: Check = unhurried,
    bans: Mapping[str, Sequence[Formula]] = MappingProxyType({}),
) -> Allocation:
    """Return a goal per robot; what the goal avoids, every robot avoids, besides the ``bans`` of its own."""
    from commonground.planning.temporal import solve_team  # loads a compiler

    tasks, avoided = tasks_of(goal)
    robots = list(team)
    if not tasks:
        return Allocation(Status.SOLVED, {r.name: And(tuple(avoided)) for r in robots})
    roads = [build_roadmap(graph, r) for r in robots]
    ways = [PathsByAvoidance(road) for road in roads]
    hurried = functools.partial(check, share=WEIGHED_SHARE)

    def weighed(task: Formula, robot: Robot, paths: PathsByAvoidance) -> Solution:
        wish = And((task, *avoided, *bans.get(robot.name, ())))
        return solve_goal(wish, robot, paths.roadmap, rng, (), hurried, paths)

    alone: list[list[Solution]] = []
    for task in tasks:
        check(f"the parts of the goal were weighed, {len(alone)} of {len(tasks)}")
        alone.append([weighed(task, r, w) for r, w in zip(robots, ways, strict=True)])
    hopeless = _hopeless(tasks, alone, graph)
    if hopeless:
        return Allocation(Status.UNSOLVABLE, {}, hopeless)
    problem = _problem(tasks, alone, robots, roads)
    routes = solve_team(problem, rng).routes
    goals = {
        r.name: And((*(tasks[t] for t in sorted(route)), *avoided))
        for r, route in zip(robots, routes, strict=True)
        if route
    }
    of_task = {t: r.name for r, route in zip(robots, routes, strict=True) for t in route}
    who = [of_task[t] for t in range(len(tasks))]
    return Allocation(Status.SOLVED, goals, who=who, problem=problem)


def tasks_of(goal: Formula) -> tuple[list[Formula], list[Formula]]:
    """Return the parts of a goal: what is to be done, and what is to be avoided."""
    tasks: list[Formula] = []
    avoided: list[Formula] = []
    for part in conjuncts(nnf(goal)):
        (tasks if any(x.positive for x in literals(part)) else avoided).append(part)
    return tasks, avoided


def _hopeless(
    tasks: Sequence[Formula], alone: Sequence[Sequence[Solution]], graph: SceneGraph
) -> str:
    """Return which task no robot can do, and why; '' where there is none."""
    for task, found in zip(tasks, alone, strict=True):
        if not any(s.status is Status.SOLVED for s in found):
            reasons = "; ".join(dict.fromkeys(s.reason for s in found))
            return f"nobody can do “{in_words(task, graph)}”: {reasons}"
    return ""


def _problem(
    tasks: Sequence[Formula],
    alone: Sequence[Sequence[Solution]],
    robots: Sequence[Robot],
    roads: Sequence[Roadmap],
) -> TeamProblem:
    """Return the allocation problem: a task takes as long as its own legs, from first spot to last."""
    n, R = len(tasks), len(robots)
    duration = np.full((n, R), np.inf)
    approach, travel = np.zeros((R, n)), np.zeros((R, n, n))
    for r, (robot, road) in enumerate(zip(robots, roads, strict=True)):
        solutions = [found[r] for found in alone]
        able = [t for t in range(n) if solutions[t].status is Status.SOLVED]
        home = road.start(robot)
        ends = [_ends(solutions[t], home) for t in able]
        for t, (first, _) in zip(able, ends, strict=True):
            duration[t, r] = _duration_s(solutions[t], robot, home, first)
        spots = [home, *(last for _, last in ends), *(first for first, _ in ends)]
        seconds = travel_s(robot, unrestricted(road).between(spots))
        k = len(able)
        approach[r, able] = seconds[0, 1 + k :]
        travel[r][np.ix_(able, able)] = seconds[1 : 1 + k, 1 + k :]
    return TeamProblem(duration, approach, travel)


def _ends(solution: Solution, home: Spot) -> tuple[Spot, Spot]:
    """Return where the work on a task begins and ends."""
    legs = solution.legs
    return (legs[0].spot, legs[-1].spot) if legs else (home, home)


def _duration_s(solution: Solution, robot: Robot, home: Spot, first: Spot) -> float:
    """Return how long a task takes from its first spot on."""
    paths = solution.paths
    approach_m = 0.0 if paths is None else float(paths.between([home, first])[0, 1])
    work = sum(ACTION_S.get(leg.stop.action, 0.0) for leg in solution.legs)
    return travel_s(robot, max(solution.cost_m - approach_m, 0.0)) + work
