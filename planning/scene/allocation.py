"""One goal for the whole team: its parts are shared out so that the last robot is done soonest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.planning.pddl import And, Formula, nnf, to_pddl
from commonground.planning.result import Status
from commonground.planning.scene.goal import literals
from commonground.planning.scene.plan import ACTION_S
from commonground.planning.scene.roadmap import Roadmap, Spot, Ways, build_roadmap
from commonground.planning.scene.solve import Solution, solve_goal
from commonground.planning.temporal import TeamProblem, solve_team
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

ITERATIONS = 1000
TIME_LIMIT_S = 3.0


@dataclass(frozen=True, slots=True)
class Allocation:
    """Which robot does what of a team's goal."""

    status: Status
    goals: dict[str, Formula]
    reason: str = ""


def allocate(graph: SceneGraph, team: Team, goal: Formula, rng: np.random.Generator) -> Allocation:
    """Return a goal per robot; what the goal avoids, every robot avoids."""
    formula = nnf(goal)
    parts = list(formula.parts) if isinstance(formula, And) else [formula]
    kept = [p for p in parts if all(not x.positive for x in literals(p))]
    tasks = [p for p in parts if p not in kept]
    if not tasks:
        return Allocation(Status.SOLVED, {r.name: And(tuple(kept)) for r in team})
    robots = list(team)
    roads = [build_roadmap(graph, r) for r in robots]
    alone = [
        [solve_goal(And((p, *kept)), r, road, rng) for r, road in zip(robots, roads, strict=True)]
        for p in tasks
    ]
    for part, found in zip(tasks, alone, strict=True):
        if not any(s.status is Status.SOLVED for s in found):
            reasons = "; ".join(dict.fromkeys(s.reason for s in found))
            return Allocation(Status.UNSOLVABLE, {}, f"nobody can do {to_pddl(part)}: {reasons}")
    problem = _problem(tasks, alone, robots, roads)
    schedule = solve_team(problem, rng, iterations=ITERATIONS, time_limit_s=TIME_LIMIT_S, workers=1)
    if schedule.status is not Status.SOLVED:
        return Allocation(schedule.status, {}, schedule.reason)
    goals = {
        r.name: And((*(tasks[t] for t in sorted(route)), *kept))
        for r, route in zip(robots, schedule.routes, strict=True)
        if route
    }
    return Allocation(Status.SOLVED, goals)


def _problem(
    tasks: list[Formula],
    alone: list[list[Solution]],
    robots: list[Robot],
    roads: list[Roadmap],
) -> TeamProblem:
    """Return the allocation problem: a part takes as long as its own legs, from first spot to last."""
    n, R = len(tasks), len(robots)
    duration = np.full((n, R), np.inf)
    approach, travel = np.full((R, n), np.inf), np.full((R, n, n), np.inf)
    for r, (robot, road) in enumerate(zip(robots, roads, strict=True)):
        able = [t for t in range(n) if alone[t][r].status is Status.SOLVED]
        starts: list[Spot] = []
        ends: list[Spot] = []
        home = road.start(robot)
        for t in able:
            legs, found = alone[t][r].legs, alone[t][r]
            first, last = (legs[0].spot, legs[-1].spot) if legs else (home, home)
            starts.append(first)
            ends.append(last)
            inner = found.cost_m - _meters(found.ways, home, first)
            work = sum(ACTION_S.get(leg.stop.action, 0.0) for leg in legs)
            duration[t, r] = max(inner, 0.0) / robot.speed_mps + work
        ways = Ways(road, np.zeros(len(road.positions), bool))
        spots = [home, *ends, *starts]
        meters = ways.between(spots)
        k = len(able)
        approach[r, able] = meters[0, 1 + k :] / robot.speed_mps
        travel[r][np.ix_(able, able)] = meters[1 : 1 + k, 1 + k :] / robot.speed_mps
    reachable = np.isfinite(approach).T
    return TeamProblem.of(
        np.where(np.isfinite(duration), duration, 0.0),
        np.where(np.isfinite(approach), approach, 0.0),
        np.where(np.isfinite(travel), travel, 0.0),
        able=np.isfinite(duration) & reachable,
        task_names=[to_pddl(p) for p in tasks],
        robot_names=[r.name for r in robots],
    )


def _meters(ways: Ways | None, a: Spot, b: Spot) -> float:
    return 0.0 if ways is None else float(ways.between([a, b])[0, 1])
