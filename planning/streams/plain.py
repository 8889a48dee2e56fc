"""Plain PDDL from texts, by the names and shapes of the PDDLStream interface."""

from __future__ import annotations

from typing import Any

from commonground.errors import PlanningError
from commonground.planning.downward import shared_planner
from commonground.planning.pddl import Task, parse_domain, parse_problem
from commonground.planning.result import Status
from commonground.planning.streams.language import INF, Action


def solve_from_pddl(
    domain_pddl: str, problem_pddl: str, *, max_planner_time: float = 60.0, **_others: Any
) -> tuple[list[Action] | None, float]:
    """Plan with Fast Downward; returns (plan, cost), the plan being None if there is none.

    Further keywords steer PDDLStream's own call of a planner and have no effect here.
    """
    domain = parse_domain(domain_pddl)
    task = Task(domain, parse_problem(problem_pddl, domain))
    result = shared_planner().solve(task, time_limit_s=max_planner_time)
    if result.status is Status.ERROR:
        raise PlanningError(result.reason)
    if result.status is not Status.SOLVED:
        return None, INF
    return [Action(step.action, step.args) for step in result.plan], result.cost
