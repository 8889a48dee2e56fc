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
    """From the end of the task before to the start of the one after."""


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
    makespan: Floats
    """(1,)"""


@compiled
def evaluate(team: Team, state: State) -> float:
    """Refresh all times; return the makespan, or inf where tasks wait for each other in a circle."""
    present = _count_waiting(team.out, state)
    placed = _propagate(team, state)
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
    out, out_task, out_lag = team.out
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
            head[s] = max(head[s], out_lag[e] + leave[k])
            waiting[s] -= 1
            if waiting[s] == 0 and robot[s] >= 0:
                order[filled] = s
                filled += 1
    return filled


@compiled
def _look_back(team: Team, state: State, placed: int) -> float:
    """Fill rank and tail from the last task to the first; return the makespan."""
    head, leave, tail, robot = state.head, state.leave, state.tail, state.robot
    following, travel, order = state.following, team.travel, state.order
    out, out_task, out_lag = team.out
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
                longest = max(longest, duration + out_lag[e] + tail[s])
        tail[k] = longest
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
            earliest = max(earliest, state.leave[p] + into.lag[e])
    return earliest


@compiled
def _approach(first: Ints, travel: Floats, head: Floats) -> None:
    """Start from the arrivals at each robot's first task."""
    head[:] = 0.0
    for r in range(len(first)):
        if first[r] >= 0:
            head[first[r]] = travel[r, -1, first[r]]
