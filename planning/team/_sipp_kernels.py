"""Compiled search for the soonest way over places and through safe times: safe-interval path planning.

A place is safe for a robot while no other robot, whose motion is known, is too near to it; a state of the
search is a place in one of its safe intervals with so many errands done, and only the earliest arrival in a
state matters (Phillips & Likhachev, "SIPP: Safe interval path planning for dynamic environments", 2011).
Distances are continuous: of all times to depart on an edge, those that meet one linear motion of another
robot are one interval, because they are a projection of a convex set.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
from commonground.planning.team.track import HEIGHT_M

LATER = 1e-6
"""Departures are moved this much past the last one that meets somebody."""
HALVINGS = 40


class Motions(NamedTuple):
    """Linear motions of the other robots, a row each; the last one of a robot lasts for ever."""

    begin_s: Floats
    end_s: Floats
    start: Floats
    """(m, 3)"""
    velocity: Floats
    """(m, 3) meters per second."""
    reach_m: Floats
    """(m,) nearer than this is too near."""


class Ground(NamedTuple):
    """Places and edges that the robot may use, neighbors of i at ``indices[indptr[i]:indptr[i + 1]]``."""

    points: Floats
    """(n, 3)"""
    indptr: Ints
    indices: Ints
    travel_s: Floats
    """Seconds over each edge."""


class Errands(NamedTuple):
    """What the robot has to do, in order."""

    at: Bools
    """(k, n) where each can be done."""
    lasts_s: Floats
    """(k,) how long."""
    release_s: Floats
    """(k,) not before."""
    remaining_s: Floats
    """(k + 1, n) seconds needed at least from each place when so many errands are done."""
    ends: Bools
    """(n,) where the robot may stay in the end."""


class Intervals(NamedTuple):
    """Safe intervals of all places: those of place i are rows ``first[i]:first[i + 1]``."""

    first: Ints
    low_s: Floats
    high_s: Floats
    place: Ints
    near_first: Ints
    """(n + 1,) where the motions near each place begin in ``near``."""
    near: Ints
    """Rows of motions that come near a place or the edges at it."""


@compiled
def meeting(
    p: Floats, velocity: Floats, begin_s: float, end_s: float, other: Motions, m: int
) -> tuple[float, float]:
    """Return the times between which a linear motion from p is too near to motion m; none if high <= low."""
    low, high = max(begin_s, other.begin_s[m]), min(end_s, other.end_s[m])
    if low >= high:
        return 0.0, -1.0
    # relative motion d + s w for s seconds after low
    since = low - other.begin_s[m]
    dx = p[0] + velocity[0] * (low - begin_s) - other.start[m, 0] - other.velocity[m, 0] * since
    dy = p[1] + velocity[1] * (low - begin_s) - other.start[m, 1] - other.velocity[m, 1] * since
    dz = p[2] + velocity[2] * (low - begin_s) - other.start[m, 2] - other.velocity[m, 2] * since
    wx = velocity[0] - other.velocity[m, 0]
    wy = velocity[1] - other.velocity[m, 1]
    wz = velocity[2] - other.velocity[m, 2]
    first, last = 0.0, high - low
    if abs(wz) > 1e-12:
        one, two = (-HEIGHT_M - dz) / wz, (HEIGHT_M - dz) / wz
        first, last = max(first, min(one, two)), min(last, max(one, two))
    elif abs(dz) >= HEIGHT_M:
        return 0.0, -1.0
    square, half = wx * wx + wy * wy, dx * wx + dy * wy
    rest = dx * dx + dy * dy - other.reach_m[m] ** 2
    if square < 1e-16:
        if rest >= 0.0:
            return 0.0, -1.0
    else:
        root = half * half - square * rest
        if root <= 0.0:
            return 0.0, -1.0
        root = np.sqrt(root)
        first = max(first, (-half - root) / square)
        last = min(last, (-half + root) / square)
    return (low + first, low + last) if first < last else (0.0, -1.0)


@compiled
def _comes_near(p: Floats, within_m: float, other: Motions, m: int) -> bool:
    """Return whether motion m ever comes within some meters of a point, and within a body's height of it."""
    lasts = min(other.end_s[m] - other.begin_s[m], 1e9)
    wx, wy = other.velocity[m, 0], other.velocity[m, 1]
    dx, dy = p[0] - other.start[m, 0], p[1] - other.start[m, 1]
    square = wx * wx + wy * wy
    s = min(max((dx * wx + dy * wy) / square, 0.0), lasts) if square > 1e-16 else 0.0
    gap = (dx - s * wx) ** 2 + (dy - s * wy) ** 2
    return bool(gap < within_m * within_m)


@compiled
def safe_intervals(ground: Ground, longest_m: Floats, other: Motions) -> Intervals:
    """Return when each place is safe, and which motions come near it or the edges (of such lengths) at it."""
    n, still = len(ground.points), np.zeros(3)
    first, near_first = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    spells = [(0.0, 0.0, 0)][:0]
    near = [0][:0]
    for i in range(n):
        spans = [(0.0, 0.0)][:0]
        for m in range(len(other.begin_s)):
            within = other.reach_m[m] + longest_m[i]
            if not _comes_near(ground.points[i], within, other, m):
                continue
            near.append(m)
            begin, end = meeting(ground.points[i], still, 0.0, np.inf, other, m)
            if begin < end:
                spans.append((begin, end))
        spans.sort()
        now = 0.0
        for begin, end in spans:
            if begin > now:
                spells.append((now, begin, i))
            now = max(now, end)
        if now < np.inf:
            spells.append((now, np.inf, i))
        first[i + 1], near_first[i + 1] = len(spells), len(near)
    low, high = np.array([x[0] for x in spells]), np.array([x[1] for x in spells])
    place = np.array([x[2] for x in spells])
    return Intervals(first, low, high, place, near_first, np.array(near))


@compiled
def departure(
    ground: Ground,
    edge: int,
    earliest_s: float,
    latest_s: float,
    safe: Intervals,
    other: Motions,
    u: int,
) -> float:
    """Return the first time from ``earliest_s`` to leave u over an edge and meet nobody; inf for none."""
    v, lasts = ground.indices[edge], ground.travel_s[edge]
    velocity = (ground.points[v] - ground.points[u]) / lasts
    t, again = earliest_s, True
    while again and t <= latest_s:
        again = False
        for k in range(safe.near_first[u], safe.near_first[u + 1]):
            m = safe.near[k]
            if not _meets(ground.points[u], velocity, t, lasts, other, m):
                continue
            if other.end_s[m] == np.inf:
                return np.inf  # it stays in the way
            if other.end_s[m] > latest_s and _meets(
                ground.points[u], velocity, latest_s, lasts, other, m
            ):
                return np.inf
            bad, good = t, min(other.end_s[m], latest_s)
            for _ in range(HALVINGS):
                middle = (bad + good) / 2
                if _meets(ground.points[u], velocity, middle, lasts, other, m):
                    bad = middle
                else:
                    good = middle
            t, again = good + LATER, True
            if t > latest_s:
                return np.inf
    return t if t <= latest_s else np.inf


@compiled
def _meets(p: Floats, velocity: Floats, t: float, lasts_s: float, other: Motions, m: int) -> bool:
    begin, end = meeting(p, velocity, t, t + lasts_s, other, m)
    return begin < end


class Search(NamedTuple):
    """How each state was reached: state = errands done × number of safe intervals + interval."""

    parent: Ints
    """The state before, −1 for none."""
    left_s: Floats
    """When the state before was left."""
    began_s: Floats
    closed: Bools


@compiled
def soonest(
    ground: Ground, errands: Errands, safe: Intervals, other: Motions, start: int, most: int
) -> tuple[int, Search]:
    """Return the last state of the soonest way and how each was reached.

    The last state is −1 where there is no way, and −2 where so many states were expanded in vain.
    """
    m, k = len(safe.low_s), len(errands.at)
    search = Search(
        np.full(m * (k + 1), -1, np.int64),
        np.full(m * (k + 1), np.inf),
        np.full(m * (k + 1), np.inf),
        np.zeros(m * (k + 1), np.bool_),
    )
    queue = [(0.0, 0.0, 0)][:0]
    first = safe.first[start]
    if first < safe.first[start + 1] and safe.low_s[first] == 0.0:
        search.began_s[first] = 0.0
        heapq.heappush(queue, (errands.remaining_s[0, start], 0.0, first))
    expanded = 0
    while len(queue) > 0:
        state = heapq.heappop(queue)[2]
        if search.closed[state]:
            continue
        search.closed[state] = True
        expanded += 1
        if expanded > most:
            return -2, search
        done, row = state // m, state % m
        if done == k and errands.ends[safe.place[row]] and safe.high_s[row] == np.inf:
            return state, search
        if done < k and errands.at[done, safe.place[row]]:
            _do_errand(errands, safe, search, queue, state)
        _go_on(ground, errands, safe, other, search, queue, state)
    return -1, search


@compiled
def _do_errand(
    errands: Errands,
    safe: Intervals,
    search: Search,
    queue: list[tuple[float, float, int]],
    state: int,
) -> None:
    """Queue the state after doing the next errand where the robot is, if it may stay so long."""
    m = len(safe.low_s)
    done, row, after = state // m, state % m, state + m
    begin = max(search.began_s[state], errands.release_s[done])
    end = begin + errands.lasts_s[done]
    if end <= safe.high_s[row] and end < search.began_s[after]:
        search.began_s[after], search.left_s[after], search.parent[after] = end, begin, state
        rest = errands.remaining_s[done + 1, safe.place[row]]
        heapq.heappush(queue, (end + rest, end, after))


@compiled
def _go_on(
    ground: Ground,
    errands: Errands,
    safe: Intervals,
    other: Motions,
    search: Search,
    queue: list[tuple[float, float, int]],
    state: int,
) -> None:
    """Queue the soonest arrival in every safe interval of every neighbor."""
    m = len(safe.low_s)
    done, row, now = state // m, state % m, search.began_s[state]
    u = safe.place[row]
    for edge in range(ground.indptr[u], ground.indptr[u + 1]):
        v, lasts = ground.indices[edge], ground.travel_s[edge]
        rest = errands.remaining_s[done, v]
        if rest == np.inf:
            continue
        for target in range(safe.first[v], safe.first[v + 1]):
            after = done * m + target
            earliest = max(now, safe.low_s[target] - lasts)
            latest = min(safe.high_s[row], safe.high_s[target] - lasts)
            known = search.began_s[after]
            if search.closed[after] or earliest > latest or earliest + lasts >= known:
                continue
            t = departure(ground, edge, earliest, latest, safe, other, u)
            if t + lasts < known:
                search.began_s[after], search.left_s[after] = t + lasts, t
                search.parent[after] = state
                heapq.heappush(queue, (t + lasts + rest, t + lasts, after))
