"""Compiled large-neighborhood search over who does what in which order.

Routes are linked lists over tasks. ``head[k]`` is the earliest start of task k, ``tail[k]`` the time from
its start to the end of its robot's route; a task is critical where their sum is the makespan. Tasks near each
other are taken out of the routes and put back one by one, priced by the heads and tails around them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
from commonground.planning.routing.random_state import RandomState, below, uniform

SKIP = 0.01
"""Probability that a position is overlooked (blinks: Christiaens and Vanden Berghe 2020)."""
MOST_OUT = 16
"""At most about so many tasks are taken out at once."""
LONGEST_STRING = 10
CRITICAL = 0.3
"""Share of the removals that start from a critical task."""
REGRET = 0.5
"""Share of the repairs in the order of regret; the others are in random order."""
BALANCE = 0.3
"""Weight of the mean travel and work of a robot beside the makespan."""
DETOUR = 0.2
"""Weight of travel and work against time added to the makespan, when a task is put back."""


class Team(NamedTuple):
    """A team problem in arrays; times are finite: what is impossible takes very long."""

    duration: Floats
    """(R, n)"""
    able: Bools
    """(R, n)"""
    travel: Floats
    """(R, n + 1, n); the last row, which is also row −1: from where the robot is now."""
    near: Ints
    """(n, n) for each task all tasks, nearest first."""


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
    """(n,) time from the start to the end of the route"""
    end: Floats
    """(R,) when each robot is done"""


@compiled
def time_route(team: Team, state: State, robot: int) -> None:
    """Refresh the times of one robot's route."""
    head, leave, tail, following = state.head, state.leave, state.tail, state.following
    travel, duration = team.travel[robot], team.duration[robot]
    last, k, end = -1, state.first[robot], 0.0
    while k >= 0:
        head[k] = end + travel[last, k]
        leave[k] = end = head[k] + duration[k]
        last, k = k, following[k]
    state.end[robot] = end
    while last >= 0:
        tail[last] = leave[last] - head[last]
        if k >= 0:
            tail[last] = tail[last] + travel[last, k] + tail[k]
        last, k = state.preceding[last], last


@compiled
def objective(team: Team, state: State) -> float:
    """Return the makespan plus a little of all travel and work."""
    travel, duration = team.travel, team.duration
    robot, preceding = state.robot, state.preceding
    total = 0.0
    for k in range(len(robot)):
        total += travel[robot[k], preceding[k], k] + duration[robot[k], k]
    return float(state.end.max() + BALANCE * total / len(state.first))


@compiled
def remove(state: State, k: int) -> None:
    """Take a task out of its route."""
    i, j = state.preceding[k], state.following[k]
    if i >= 0:
        state.following[i] = j
    else:
        state.first[state.robot[k]] = j
    if j >= 0:
        state.preceding[j] = i
    state.robot[k] = -1


@compiled
def insert(state: State, k: int, robot: int, last: int) -> None:
    """Put a task into a robot's route behind ``last`` (−1: first)."""
    j = state.following[last] if last >= 0 else state.first[robot]
    if last >= 0:
        state.following[last] = k
    else:
        state.first[robot] = k
    if j >= 0:
        state.preceding[j] = k
    state.preceding[k], state.following[k], state.robot[k] = last, j, robot


@compiled
def price(
    team: Team, state: State, k: int, makespan: float, random: RandomState, prices: Floats
) -> tuple[int, int]:
    """Return robot and predecessor where task k costs least (robot −1: nobody can do it).

    ``prices`` (2,) takes the least price and the least price on any other robot. Ending before ``makespan``
    costs nothing.
    """
    best_robot, best_last = -1, -1
    prices[0] = prices[1] = np.inf
    for robot in range(len(state.first)):
        if not team.able[robot, k]:
            continue
        duration, travel = team.duration[robot, k], team.travel[robot]
        cheapest, behind = _scan(state, travel, robot, k, duration, makespan, random)
        if cheapest < prices[0]:
            prices[1] = prices[0]
            prices[0], best_robot, best_last = cheapest, robot, behind
        elif cheapest < prices[1]:
            prices[1] = cheapest
    return best_robot, best_last


@compiled
def _scan(
    state: State,
    travel: Floats,
    robot: int,
    k: int,
    duration: float,
    makespan: float,
    random: RandomState,
) -> tuple[float, int]:
    """Return the least price of task k in a robot's route, and the task it then stands behind."""
    following, leave, tail = state.following, state.leave, state.tail
    cheapest, behind, last = np.inf, -1, -1
    while True:
        j = following[last] if last >= 0 else state.first[robot]
        if uniform(random) >= SKIP:
            reach = travel[last, k]
            start = reach + (leave[last] if last >= 0 else 0.0)
            added, rest = reach + duration, duration
            if j >= 0:
                onward = travel[k, j]
                added += onward - travel[last, j]
                rest = duration + onward + tail[j]
            cost = max(0.0, start + rest - makespan) + DETOUR * added
            if cost < cheapest:
                cheapest, behind = cost, last
        if j < 0:
            return cheapest, behind
        last = j


@compiled
def recreate(
    team: Team, state: State, out: Ints, count: int, target: float, random: RandomState
) -> float:
    """Put the first ``count`` tasks of ``out`` back; return the objective, inf where one fits nowhere.

    In random order, or the task first that would lose most by waiting (regret). Nothing is charged for
    ending before ``target``.
    """
    by_regret = uniform(random) < REGRET
    prices = np.empty(2)
    for i in range(count - 1, 0, -1):
        j = below(random, i + 1)
        out[i], out[j] = out[j], out[i]
    for robot in range(len(state.first)):
        time_route(team, state, robot)
    for done in range(count):
        limit = max(target, state.end.max())
        pick, robot, last, regret = done, -1, -1, -1.0
        for i in range(done, count if by_regret else done + 1):
            r, b = price(team, state, out[i], limit, random, prices)
            if r < 0:
                return np.inf
            loss = min(prices[1], 1e18) - prices[0]
            if loss > regret:
                pick, robot, last, regret = i, r, b, loss
        out[done], out[pick] = out[pick], out[done]
        insert(state, out[done], robot, last)
        time_route(team, state, robot)
    return objective(team, state)


@compiled
def ruin(team: Team, state: State, out: Ints, makespan: float, random: RandomState) -> int:
    """Take strings of tasks near a seed out of the routes; return how many."""
    n = len(state.robot)
    seed = below(random, n)
    if uniform(random) < CRITICAL:
        seed = _critical(state, seed, makespan)
    target = 1 + below(random, min(MOST_OUT, n))
    touched = np.zeros(len(state.first), np.bool_)
    count, place, left = 0, 0, len(state.first)
    while count < target and place < n and left > 0:
        k = team.near[seed, place]
        place += 1
        robot = state.robot[k]
        if robot < 0 or touched[robot]:
            continue
        touched[robot] = True
        left -= 1
        length = 1 + below(random, min(LONGEST_STRING, target - count))
        back = below(random, length)
        while back > 0 and state.preceding[k] >= 0:
            k = state.preceding[k]
            back -= 1
        while length > 0 and k >= 0:
            following = state.following[k]
            remove(state, k)
            out[count] = k
            count += 1
            length -= 1
            k = following
    return count


@compiled
def _critical(state: State, seed: int, makespan: float) -> int:
    """Return the first task from ``seed`` on, cyclically, whose delay would delay the end."""
    n = len(state.robot)
    for i in range(n):
        k = (seed + i) % n
        if state.head[k] + state.tail[k] >= makespan * (1 - 1e-9):
            return k
    return seed


@compiled
def copy(source: State, target: State) -> None:
    """Make the routes and times of ``target`` those of ``source``."""
    target.following[:] = source.following
    target.preceding[:] = source.preceding
    target.first[:] = source.first
    target.robot[:] = source.robot
    target.head[:] = source.head
    target.leave[:] = source.leave
    target.tail[:] = source.tail
    target.end[:] = source.end


@compiled
def anneal(
    team: Team,
    work: State,
    current: State,
    best: State,
    values: Floats,
    random: RandomState,
    iterations: int,
    temperature: float,
) -> None:
    """Ruin and recreate from ``current`` and keep the best in ``best``; ``values`` (2,) are theirs."""
    out: Ints = np.empty(len(work.robot), np.int64)
    for _ in range(iterations):
        copy(current, work)
        makespan = current.end.max()
        count = ruin(team, work, out, makespan, random)
        target = makespan * 0.98 if uniform(random) < 0.5 else 0.0
        value = recreate(team, work, out, count, target, random)
        if value < values[0] - temperature * np.log(max(uniform(random), 1e-300)):
            copy(work, current)
            values[0] = value
            shorter = best.end.max() - work.end.max()
            if shorter > 0.0 or (shorter == 0.0 and value < values[1]):
                copy(work, best)
                values[1] = value
