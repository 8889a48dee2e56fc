"""Compiled search over the positions of all robots together: steps in which one moves and pushes others on.

A step begins and ends for all its robots at the same time; all others stand. A robot that stands in the way
of another one's step takes part in it, and so on: trains and rotations are single steps. The most promising
state is expanded first, that with the least seconds to go; every state is expanded at most once.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.compiled import compiled
from commonground.planning.team.track import HEIGHT_M

STEPS_A_STATE = 10
"""So many steps are looked at for each state that there may be: where many edges meet, a state takes long."""


class Field(NamedTuple):
    """The grounds of all robots, one behind the other, and what each robot has to do there."""

    points: Floats
    """(n, 3) of robot after robot."""
    indptr: Ints
    indices: Ints
    reach_m: Floats
    """(r, r) nearer than this is too near."""
    at: Bools
    """(n, k) whether a robot's errand can be done in each of its rows."""
    counts: Ints
    """(r,) how many each robot has."""
    after: Ints
    """(a, 4): robot and errand that come after another robot's errand."""
    to_go: Floats
    """(n, k + 1) seconds to go from each row with so many errands done."""


class Tree(NamedTuple):
    """The states found so far."""

    rows: Ints
    """(m, r) where each robot is."""
    done: Ints
    """(m, r) errands it has done."""
    parent: Ints
    """(m,) the state before, −1 for none."""
    slots: Ints
    """Hash table: state + 1, 0 where it is empty."""
    size: Ints
    """(2,) how many states there are, and how many steps were looked at."""


@compiled
def too_near(field: Field, i: int, a: int, b: int, j: int, c: int, d: int) -> bool:
    """Return whether robot i from a to b and j from c to d, at the same time, come too near each other."""
    p, q, r, s = field.points[a], field.points[b], field.points[c], field.points[d]
    if min(abs(p[2] - r[2]), abs(q[2] - s[2])) >= HEIGHT_M:
        return False
    dx, dy = p[0] - r[0], p[1] - r[1]
    wx, wy = q[0] - s[0] - dx, q[1] - s[1] - dy
    square = wx * wx + wy * wy
    share = min(max(-(dx * wx + dy * wy) / square, 0.0), 1.0) if square > 1e-16 else 0.0
    gap = (dx + share * wx) ** 2 + (dy + share * wy) ** 2
    return bool(gap < field.reach_m[i, j] ** 2)


@compiled
def slot_of(tree: Tree, rows: Ints, done: Ints) -> int:
    """Return where a state is in the hash table, or the empty slot where it belongs."""
    mask = len(tree.slots) - 1
    code = np.int64(1469598103934665603)
    for i in range(len(rows)):
        code = (code ^ (rows[i] * 64 + done[i])) * np.int64(1099511628211)
        code ^= code >> 29
    slot = code & mask
    while tree.slots[slot] > 0:
        known = tree.slots[slot] - 1
        same = True
        for i in range(len(rows)):
            if tree.rows[known, i] != rows[i] or tree.done[known, i] != done[i]:
                same = False
                break
        if same:
            return int(slot)
        slot = (slot + 1) & mask
    return int(slot)


@compiled
def do_errands(field: Field, rows: Ints, done: Ints) -> None:
    """Do every errand that can be done where the robots are."""
    again = True
    while again:
        again = False
        for i in range(len(rows)):
            k = done[i]
            if k == field.counts[i] or not field.at[rows[i], k]:
                continue
            free = True
            for a in range(len(field.after)):
                x = field.after[a]
                if x[0] == i and x[1] == k and done[x[2]] <= x[3]:
                    free = False
            if free:
                done[i] += 1
                again = True


@compiled
def _add(
    field: Field, tree: Tree, queue: list[tuple[float, int]], state: int, rows: Ints, steps: Ints
) -> None:
    """Add the state after a step of the robots whose entry in ``steps`` is a row."""
    known = tree.size[0]
    if known == len(tree.parent):
        return
    for i in range(len(rows)):
        tree.rows[known, i] = steps[i] if steps[i] >= 0 else rows[i]
        tree.done[known, i] = tree.done[state, i] if state >= 0 else 0
    do_errands(field, tree.rows[known], tree.done[known])
    slot = slot_of(tree, tree.rows[known], tree.done[known])
    if tree.slots[slot] > 0:
        return
    tree.slots[slot] = known + 1
    tree.parent[known] = state
    tree.size[0] = known + 1
    rest = 0.0
    for i in range(len(rows)):
        rest += field.to_go[tree.rows[known, i], tree.done[known, i]]
    heapq.heappush(queue, (rest, known))


@compiled
def _is_full(tree: Tree) -> bool:
    """Return whether no more states or steps are looked at."""
    most = len(tree.parent)
    return bool(tree.size[0] == most or tree.size[1] >= STEPS_A_STATE * most)


@compiled
def _in_the_way(field: Field, rows: Ints, steps: Ints) -> int:
    """Return a robot that stands in the way of those that move, −1 for none."""
    for j in range(len(rows)):
        if steps[j] >= 0:
            continue
        for i in range(len(rows)):
            if steps[i] >= 0 and too_near(field, i, rows[i], steps[i], j, rows[j], rows[j]):
                return j
    return -1


@compiled
def _push(
    field: Field, tree: Tree, queue: list[tuple[float, int]], state: int, rows: Ints, steps: Ints
) -> None:
    """Add the states after a step, with everybody who stands in its way moving as well."""
    if _is_full(tree):
        return
    tree.size[1] += 1
    n = len(rows)
    pushed = _in_the_way(field, rows, steps)
    if pushed < 0:
        _add(field, tree, queue, state, rows, steps)
        return
    j = pushed
    for edge in range(field.indptr[rows[j]], field.indptr[rows[j] + 1]):
        there = field.indices[edge]
        free = True
        for i in range(n):
            if steps[i] >= 0 and too_near(field, i, rows[i], steps[i], j, rows[j], there):
                free = False
                break
        if free:
            steps[j] = there
            _push(field, tree, queue, state, rows, steps)
            steps[j] = -1


@compiled
def finished(field: Field, tree: Tree, state: int) -> bool:
    """Return whether all errands are done and nobody has a way to go."""
    for i in range(len(field.counts)):
        if tree.done[state, i] < field.counts[i]:
            return False
        if field.to_go[tree.rows[state, i], tree.done[state, i]] > 0.0:
            return False
    return True


@compiled
def empty_tree(robots: int, most: int) -> Tree:
    """Return a tree with room for so many states."""
    slots = 2
    while slots < 2 * most:
        slots *= 2
    return Tree(
        np.empty((most, robots), np.int64),
        np.empty((most, robots), np.int64),
        np.empty(most, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(2, np.int64),
    )


@compiled
def search(field: Field, tree: Tree, starts: Ints) -> int:
    """Return the last state of a solution, −1 where there is none, −2 where the tree is full."""
    n = len(starts)
    queue = [(0.0, 0)][:0]
    steps = np.full(n, -1, np.int64)
    _add(field, tree, queue, -1, starts, steps)
    while len(queue) > 0:
        state = heapq.heappop(queue)[1]
        if finished(field, tree, state):
            return state
        if _is_full(tree):
            return -2
        rows = tree.rows[state].copy()
        for i in range(n):
            for edge in range(field.indptr[rows[i]], field.indptr[rows[i] + 1]):
                steps[i] = field.indices[edge]
                _push(field, tree, queue, state, rows, steps)
                steps[i] = -1
    return -2 if _is_full(tree) else -1
