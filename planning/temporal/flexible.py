"""A schedule without its exact times: the network of what really has to come before what."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from commonground.planning.temporal.network import ORIGIN, Link, TemporalNetwork
from commonground.planning.temporal.problem import Resource, TeamProblem
from commonground.planning.temporal.schedule import Schedule


def start_of(task: str) -> str:
    """Return the name of the event at which a task starts."""
    return f"start {task}"


def end_of(task: str) -> str:
    """Return the name of the event at which a task ends."""
    return f"end {task}"


def network_of(
    problem: TeamProblem, schedule: Schedule, longest_s: ArrayLike | None = None
) -> TemporalNetwork:
    """Return the network that keeps the routes and who uses what is shared first.

    A task takes between its duration and ``longest_s`` (n,), which is open where it is not given: then a
    late task shifts others and never contradicts them.
    """
    n = len(schedule.start_s)
    longest = np.full(n, np.inf) if longest_s is None else np.asarray(longest_s, float)
    links = [
        Link(
            start_of(problem.task(task)),
            end_of(problem.task(task)),
            float(problem.duration_s[task, robot]),
            float(max(longest[task], problem.duration_s[task, robot])),
            f"{problem.robot(robot)} does {problem.task(task)}",
        )
        for robot, route in enumerate(schedule.routes)
        for task in route
    ]
    links += _travel_links(problem, schedule)
    for p in problem.precedences:
        before, after = problem.task(p.before), problem.task(p.after)
        event = start_of(before) if p.from_start else end_of(before)
        links.append(Link(event, start_of(after), p.lag_s, reason=f"{before} before {after}"))
    for resource in problem.resources:
        links += _resource_links(problem, schedule, resource)
    return TemporalNetwork.of(links)


def _travel_links(problem: TeamProblem, schedule: Schedule) -> Iterator[Link]:
    for robot, route in enumerate(schedule.routes):
        name = problem.robot(robot)
        if route:
            lasts = float(problem.approach_s[robot, route[0]])
            yield Link(ORIGIN, start_of(problem.task(route[0])), lasts, reason=f"{name} on its way")
        for a, b in itertools.pairwise(route):
            lasts = float(problem.travel_s[robot, a, b])
            yield Link(
                end_of(problem.task(a)),
                start_of(problem.task(b)),
                lasts,
                reason=f"{name} on its way",
            )


def _resource_links(problem: TeamProblem, schedule: Schedule, resource: Resource) -> Iterator[Link]:
    """Hand every unit of a resource from one user to the next (chaining; Policella et al. 2007)."""
    following = dict(pair for route in schedule.routes for pair in itertools.pairwise(route))
    units = dict(resource.use)
    holders: list[int | None] = [None] * resource.capacity
    for task in sorted(units, key=lambda t: (schedule.start_s[t], schedule.end_s[t], t)):
        free = [
            chain
            for chain, user in enumerate(holders)
            if _gone(schedule, resource, user, task, following)
        ]
        free.sort(key=lambda chain: -_since(schedule, holders[chain]))
        for chain in free[: units[task]]:
            user = holders[chain]
            holders[chain] = task
            if user is None:
                continue
            leaves = end_of(problem.task(user))
            if resource.held:
                leaves = start_of(problem.task(following[user]))
            if leaves != start_of(problem.task(task)):
                yield Link(
                    leaves, start_of(problem.task(task)), reason=f"{resource.name} is shared"
                )


def _gone(
    schedule: Schedule, resource: Resource, user: int | None, task: int, following: dict[int, int]
) -> bool:
    """Return whether a user has given its unit back when a task starts."""
    if user is None:
        return True
    time = schedule.start_s[task] + 1e-6
    if not resource.held:
        return bool(schedule.end_s[user] <= time)
    return user in following and bool(schedule.start_s[following[user]] <= time)


def _since(schedule: Schedule, user: int | None) -> float:
    """Return when a chain was last in use: taking the latest keeps the others free for longer."""
    return -np.inf if user is None else float(schedule.end_s[user])
