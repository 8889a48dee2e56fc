"""Compiled large-neighborhood search over who does what in which order.

Tasks near each other are taken out of the routes and put back one by one. Where a task k goes between i
and j is priced without recomputing anything: the longest path through k is head of k plus tail of k, both
known from the heads and tails around it (insertion as in Dell'Amico and Trubian 1993 for job shops).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.planning.routing.random_state import RandomState, below, uniform
from commonground.planning.temporal._timing_kernels import State, Team, evaluate, release

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


class Route(NamedTuple):
    """One robot's route, as a task is to be inserted into it."""

    travel: Floats
    """(n + 1, n) the robot's own."""
    first: int
    following: Ints
    leave: Floats
    tail: Floats


class Insertion(NamedTuple):
    """A task to be inserted."""

    task: int
    duration: float
    earliest: float
    """Precedences let it start then."""
    due: float
    """Time that has to follow its start."""
    makespan: float
    """Ending before then costs nothing."""


@compiled
def objective(team: Team, state: State) -> float:
    """Refresh the times; return the makespan plus a little of all travel and work."""
    makespan = evaluate(team, state)
    if makespan == np.inf:
        return np.inf
    travel, duration = team.travel, team.duration
    robot, preceding = state.robot, state.preceding
    total = 0.0
    for k in range(len(robot)):
        if robot[k] >= 0:
            total += travel[robot[k], preceding[k], k] + duration[robot[k], k]
    return float(makespan + BALANCE * total / len(state.first))


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
def _after(team: Team, state: State, i: int, k: int) -> bool:
    """Return whether i is surely not reached from anything that has to follow k."""
    for e in range(team.out.offset[k], team.out.offset[k + 1]):
        s = team.out.task[e]
        if state.robot[s] >= 0 and not _apart(team, state, s, i):
            return False
    return True


@compiled
def _before(team: Team, state: State, k: int, j: int) -> bool:
    """Return whether nothing that has to precede k is reached from j."""
    for e in range(team.into.offset[k], team.into.offset[k + 1]):
        p = team.into.task[e]
        if state.robot[p] >= 0 and not _apart(team, state, j, p):
            return False
    return True


@compiled
def _apart(team: Team, state: State, a: int, b: int) -> bool:
    """Return whether b surely does not wait for a: it starts too early, or stands before it."""
    if a == b:
        return False
    return bool(state.head[b] < state.head[a] + team.soonest[a] or state.rank[b] < state.rank[a])


@compiled
def price(
    team: Team, state: State, k: int, makespan: float, random: RandomState, prices: Floats
) -> tuple[int, int]:
    """Return robot and predecessor where task k costs least (robot −1: it fits nowhere).

    ``prices`` (2,) takes the least price and the least price on any other robot.
    """
    earliest = release(team, state, k)
    after_end = _pressing(team, state, k)
    into, out = team.into.offset, team.out.offset
    ordered = into[k] < into[k + 1] or out[k] < out[k + 1]
    best_robot, best_last = -1, -1
    prices[0] = prices[1] = np.inf
    for robot in range(len(state.first)):
        if not team.able[robot, k]:
            continue
        first, final = -1, -2  # the slots behind these tasks, and between, are free of circles
        if ordered:
            first, final = _slots(team, state, k, robot)
        duration = team.duration[robot, k]
        due = duration + after_end
        route = Route(
            team.travel[robot], state.first[robot], state.following, state.leave, state.tail
        )
        insertion = Insertion(k, duration, earliest, due, makespan)
        cheapest, last = _scan(route, insertion, first, final, random)
        if cheapest < prices[0]:
            prices[1] = prices[0]
            prices[0], best_robot, best_last = cheapest, robot, last
        elif cheapest < prices[1]:
            prices[1] = cheapest
    return best_robot, best_last


@compiled
def _slots(team: Team, state: State, k: int, robot: int) -> tuple[int, int]:
    """Return the tasks of a route behind which k can stand first and last; (−3, −3) for nowhere.

    Behind −1 is the front. Nothing k waits for may wait for what follows k; nothing that waits for k may
    come before it.
    """
    first, final, open_ = -3, -3, False
    last, j = -1, state.first[robot]
    while last < 0 or _after(team, state, last, k):
        if not open_ and (j < 0 or _before(team, state, k, j)):
            first, open_ = last, True
        if open_:
            final = last
        if j < 0:
            break
        last, j = j, state.following[j]
    return first, final


@compiled
def _scan(
    route: Route, insertion: Insertion, slot: int, final: int, random: RandomState
) -> tuple[float, int]:
    """Return the least price of a task behind ``slot`` to ``final``, and the task it then stands behind."""
    travel, head_of_route, following, leave, tail = route
    k, duration, earliest, due, makespan = insertion
    cheapest, behind = np.inf, -1
    if slot == -3:
        return cheapest, behind
    last = slot
    while True:
        j = following[last] if last >= 0 else head_of_route
        if uniform(random) >= SKIP:
            reach = travel[last, k]
            start = max(earliest, reach + (leave[last] if last >= 0 else 0.0))
            added, rest = reach + duration, due
            if j >= 0:
                onward = travel[k, j]
                added += onward - travel[last, j]
                rest = max(rest, duration + onward + tail[j])
            cost = max(0.0, start + rest - makespan) + DETOUR * added
            if cost < cheapest:
                cheapest, behind = cost, last
        if j < 0 or last == final:
            return cheapest, behind
        last = j


@compiled
def _pressing(team: Team, state: State, k: int) -> float:
    """Return the time that has to follow the end of k for what waits for it."""
    after_end = 0.0
    out = team.out
    for e in range(out.offset[k], out.offset[k + 1]):
        s = out.task[e]
        if state.robot[s] >= 0:
            after_end = max(after_end, out.lag[e] + state.tail[s])
    return after_end


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
    makespan = evaluate(team, state)
    for done in range(count):
        limit = max(target, makespan)
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
        makespan = evaluate(team, state)
        if makespan == np.inf:
            return np.inf
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
    target.rank[:] = source.rank
    target.makespan[:] = source.makespan


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
        makespan = current.makespan[0]
        count = ruin(team, work, out, makespan, random)
        target = makespan * 0.98 if uniform(random) < 0.5 else 0.0
        value = recreate(team, work, out, count, target, random)
        if value < values[0] - temperature * np.log(max(uniform(random), 1e-300)):
            copy(work, current)
            values[0] = value
            shorter = best.makespan[0] - work.makespan[0]
            if shorter > 0.0 or (shorter == 0.0 and value < values[1]):
                copy(work, best)
                values[1] = value
