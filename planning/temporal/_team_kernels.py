"""Compiled evaluation of routes for a team: earliest starts, remaining times, makespan.

Routes are linked lists over tasks. ``head[k]`` is the earliest start of task k, ``tail[k]`` the time that
has to pass from its start to the end of the schedule; a task is critical where their sum is the makespan.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled


class Lags(NamedTuple):
    """Precedences into tasks, or out of them, in the order of the tasks."""

    offset: Ints
    """(n + 1,): those of task k are rows offset[k]:offset[k + 1] of the others."""
    task: Ints
    """The task before, or after."""
    lag: Floats
    from_start: Bools
    """Whether the lag counts from the start of the task before, not from its end."""


class Shared(NamedTuple):
    """Resources that tasks share, and what each task uses."""

    offset: Ints
    """(n + 1,): what task k uses are rows offset[k]:offset[k + 1] of the next two."""
    resource: Ints
    units: Ints
    capacity: Ints
    """(m,) units of each resource."""
    held: Bools
    """(m,) whether a task keeps the resource until its robot's next task."""


class Usage(NamedTuple):
    """Who has used what so far, and until when."""

    users: Ints
    """(m, n, 2) task and units of each use of a resource."""
    counts: Ints
    """(m,) uses of each resource."""
    leave: Floats
    """(n,) end of each task."""
    onward: Floats
    """(n,) when the robot of a task goes on to its next one, which gives back what is held so long."""


class Team(NamedTuple):
    """A team problem in arrays; times are finite: what is impossible takes ``never``."""

    duration: Floats
    """(R, n)"""
    able: Bools
    """(R, n)"""
    travel: Floats
    """(R, n + 1, n); the last row, which is also row −1: from where the robot is now."""
    into: Lags
    """From what precedes each task."""
    out: Lags
    """To what follows each task."""
    soonest: Floats
    """(n,) no other task that has to follow task k starts earlier than this after its start."""
    near: Ints
    """(n, n) for each task all tasks, nearest first."""
    shared: Shared
    never: float


class State(NamedTuple):
    """Routes and their times; a task with robot −1 is in no route."""

    following: Ints
    """(n,) next task of the same robot, −1 at the end."""
    preceding: Ints
    """(n,) previous task of the same robot, −1 at the beginning."""
    first: Ints
    """(R,) first task of each robot, −1 for none."""
    robot: Ints
    """(n,)"""
    head: Floats
    """(n,) earliest start"""
    leave: Floats
    """(n,) earliest end"""
    tail: Floats
    """(n,) time from the start to the end of the schedule"""
    rank: Ints
    """(n,) place of each task in an order in which everything follows what it waits for."""
    order: Ints
    """(n,) the tasks in that order."""
    waiting: Ints
    """(n,) scratch: how many predecessors are not placed yet."""
    freed_by: Ints
    """(n,) task that the resource was waited for, −1 for none."""
    makespan: Floats
    """(1,)"""


@compiled
def evaluate(team: Team, state: State) -> float:
    """Refresh all times; return the makespan, or inf where tasks wait for each other in a circle."""
    state.freed_by[:] = -1
    present = _count_waiting(team.out, state)
    placed = _dispatch(team, state) if len(team.shared.capacity) else _propagate(team, state)
    if placed < present:
        state.makespan[0] = np.inf
    else:
        state.makespan[0] = _look_back(team, state, placed)
    return float(state.makespan[0])


@compiled
def _count_waiting(lags: Lags, state: State) -> int:
    """Count for each task what it waits for, return how many tasks are in routes."""
    robot, preceding, waiting, out, out_task = (
        state.robot, state.preceding, state.waiting, lags.offset, lags.task,
    )  # fmt: skip
    n, present = len(robot), 0
    for k in range(n):
        waiting[k] = preceding[k] >= 0
    for k in range(n):
        if robot[k] >= 0:
            present += 1
            for e in range(out[k], out[k + 1]):
                waiting[out_task[e]] += 1
    return present


@compiled
def _propagate(team: Team, state: State) -> int:
    """Fill head, leave and order by topological sorting; return how many tasks could be placed.

    The arrays are named first: to hand whole tuples on in the loop would count references at each step.
    """
    head, leave, robot, following = state.head, state.leave, state.robot, state.following
    order, waiting, duration, travel = state.order, state.waiting, team.duration, team.travel
    out, out_task, out_lag, from_start = team.out
    _approach(state.first, travel, head)
    filled = 0
    for k in range(len(robot)):
        if robot[k] >= 0 and waiting[k] == 0:
            order[filled] = k
            filled += 1
    done = 0
    while done < filled:
        k = order[done]
        done += 1
        leave[k] = head[k] + duration[robot[k], k]
        j = following[k]
        if j >= 0:
            head[j] = max(head[j], leave[k] + travel[robot[k], k, j])
            waiting[j] -= 1
            if waiting[j] == 0:
                order[filled] = j
                filled += 1
        for e in range(out[k], out[k + 1]):
            s = out_task[e]
            head[s] = max(head[s], out_lag[e] + (head[k] if from_start[e] else leave[k]))
            waiting[s] -= 1
            if waiting[s] == 0 and robot[s] >= 0:
                order[filled] = s
                filled += 1
    return filled


@compiled
def _look_back(team: Team, state: State, placed: int) -> float:
    """Fill rank and tail from the last task to the first; return the makespan."""
    head, leave, tail, robot = state.head, state.leave, state.tail, state.robot
    following, travel, order, freed_by = state.following, team.travel, state.order, state.freed_by
    out, out_task, out_lag, from_start = team.out
    tail[:] = 0.0
    makespan = 0.0
    for place in range(placed - 1, -1, -1):
        k = order[place]
        state.rank[k] = place
        duration = leave[k] - head[k]
        longest = max(tail[k], duration)
        j = following[k]
        if j >= 0:
            longest = max(longest, duration + travel[robot[k], k, j] + tail[j])
        for e in range(out[k], out[k + 1]):
            s = out_task[e]
            if robot[s] >= 0:
                span = out_lag[e] + tail[s]
                longest = max(longest, span if from_start[e] else span + duration)
        tail[k] = longest
        b = freed_by[k]
        if (
            b >= 0
        ):  # what waited for a resource hands its remaining time on to the task that held it
            tail[b] = max(tail[b], head[k] - head[b] + longest)
        makespan = max(makespan, leave[k])
    return makespan


@compiled
def release(team: Team, state: State, task: int) -> float:
    """Return when the precedences of the tasks present let a task start."""
    earliest = 0.0
    into = team.into
    for e in range(into.offset[task], into.offset[task + 1]):
        p = into.task[e]
        if state.robot[p] >= 0:
            base = state.head[p] if into.from_start[e] else state.leave[p]
            earliest = max(earliest, base + into.lag[e])
    return earliest


@compiled
def _dispatch(team: Team, state: State) -> int:
    """Fill head, leave and order by always starting what can start first; return how many were placed.

    Starts come in ascending order, so that a resource is full exactly while earlier users keep it.
    """
    head, leave, waiting, shared = state.head, state.leave, state.waiting, team.shared
    uses, resource, units, capacity, _ = shared
    robots, n = team.duration.shape
    cursor, onward = state.first.copy(), np.full(n, np.inf)
    users, counts = np.empty((len(capacity), n, 2), np.int64), np.zeros(len(capacity), np.int64)
    usage = Usage(users, counts, leave, onward)
    _approach(state.first, team.travel, head)
    for place in range(n):
        best, robot, blocker = np.inf, -1, -1
        for r in range(robots):
            k = cursor[r]
            if k < 0 or waiting[k] > 0 or head[k] >= best:
                continue
            start, by = head[k], -1
            if uses[k] < uses[k + 1]:
                start, by = _room(shared, usage, k, start, state.preceding[k])
            if start < best:
                best, robot, blocker = start, r, by
        if robot < 0:
            return place
        k = cursor[robot]
        head[k], leave[k] = best, best + team.duration[robot, k]
        state.order[place], state.freed_by[k] = k, blocker
        if state.preceding[k] >= 0:
            onward[state.preceding[k]] = best
        for e in range(uses[k], uses[k + 1]):
            m = resource[e]
            users[m, counts[m], 0], users[m, counts[m], 1] = k, units[e]
            counts[m] += 1
        cursor[robot] = state.following[k]
        _hand_on(team, state, robot, k)
    return int(n)


@compiled
def _approach(first: Ints, travel: Floats, head: Floats) -> None:
    """Start from the arrivals at each robot's first task."""
    head[:] = 0.0
    for r in range(len(first)):
        if first[r] >= 0:
            head[first[r]] = travel[r, -1, first[r]]


@compiled
def _hand_on(team: Team, state: State, robot: int, k: int) -> None:
    """Tell what waits for a placed task when it may start."""
    head, leave, waiting, j = state.head, state.leave, state.waiting, state.following[k]
    if j >= 0:
        head[j] = max(head[j], leave[k] + team.travel[robot, k, j])
        waiting[j] -= 1
    out, out_task, out_lag, from_start = team.out
    for e in range(out[k], out[k + 1]):
        s = out_task[e]
        base = head[k] if from_start[e] else leave[k]
        head[s] = max(head[s], base + out_lag[e])
        waiting[s] -= 1


@compiled
def _room(shared: Shared, usage: Usage, k: int, time: float, own: int) -> tuple[float, int]:
    """Return the first time from ``time`` on with enough of all that task k uses, and whom it waited for.

    ``own``, the task before k on its robot, gives back what it holds when k starts.
    """
    uses, resource, units, capacity, held = shared
    users, counts, leave, onward = usage
    blocker, settled = -1, False
    while not settled:
        settled = True
        for e in range(uses[k], uses[k + 1]):
            m = resource[e]
            in_use, first, by = 0, np.inf, -1
            until = onward if held[m] else leave
            for i in range(counts[m]):
                u = users[m, i, 0]
                if until[u] > time and u != own:
                    in_use += users[m, i, 1]
                    if by < 0 or until[u] < first:
                        first, by = until[u], u
            if in_use + units[e] > capacity[m]:
                time, blocker, settled = first, by, False
                if time == np.inf:
                    return time, blocker
    return time, blocker
