"""Planning for a team on a scene graph: a plan per robot, things and ground shared out, all of it checked."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module

import numpy as np

from commonground.arguments import of_kind
from commonground.compiled import waited_s
from commonground.errors import ConfigError, PlanningError
from commonground.planning.pddl import And, Formula
from commonground.planning.result import Status
from commonground.planning.scene.allocation import tasks_of
from commonground.planning.scene.footing import set_down
from commonground.planning.scene.goal import parse_goal
from commonground.planning.scene.plan import TeamPlan
from commonground.planning.scene.planner import check_position
from commonground.planning.scene.precedence import TEAM, Before, parse_order
from commonground.planning.team.bans import bound_from_here, standing_inside
from commonground.planning.team.check import SharedState
from commonground.planning.team.search import Search
from commonground.planning.team.sharing_out import MAY
from commonground.planning.team.soonest import each_by_itself, soonest_s
from commonground.planning.team.track import MARGIN_M
from commonground.planning.team.watch import ClockWatch, Watch
from commonground.planning.team.world import (
    still_there,
)
from commonground.robots import Team
from commonground.scene import SceneGraph
from commonground.scene.strangers import hanging, strangers

TIME_LIMIT_S = 5.0
GRACE = 1.1
"""After so many times the limit of a clock even what is always tried ends."""


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
    search = Search(graph, team, wanted, frozenset(asked), seed, watch)
    plan = search.for_team(own, shared, time_limit_s)
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
