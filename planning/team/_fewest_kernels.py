"""Compiled search for the fewest steps of all robots at once: A* over their joint positions.

In a step every robot stays or goes on by one edge, all at the same time. What is found first is best.
"""

from __future__ import annotations

import heapq

import numpy as np

from commonground.arrays import Ints
from commonground.compiled import compiled
from commonground.planning.team._together_kernels import (
    Field,
    Tree,
    do_errands,
    finished,
    slot_of,
    too_near,
)

Queue = list[tuple[float, float, int]]


@compiled
def _reach(
    field: Field, tree: Tree, depth: Ints, queue: Queue, state: int, steps: Ints, most: float
) -> None:
    """Add the state after a step, or note that it is reached sooner."""
    known = tree.size[0]
    if known == len(tree.parent):
        return
    n = len(steps)
    for i in range(n):
        tree.rows[known, i] = steps[i]
        tree.done[known, i] = tree.done[state, i] if state >= 0 else 0
    do_errands(field, tree.rows[known], tree.done[known])
    now = depth[state] + 1 if state >= 0 else 0
    rest, total = 0.0, 0.0
    for i in range(n):
        own = field.to_go[tree.rows[known, i], tree.done[known, i]]
        rest = max(rest, own)
        total += own
    if now + rest > most:
        return
    slot = slot_of(tree, tree.rows[known], tree.done[known])
    if tree.slots[slot] > 0:
        known = tree.slots[slot] - 1
        if depth[known] <= now:
            return
    else:
        tree.slots[slot] = known + 1
        tree.size[0] = known + 1
    tree.parent[known] = state
    depth[known] = now
    heapq.heappush(queue, (now + rest, total, known))


@compiled
def _move(
    field: Field, tree: Tree, depth: Ints, queue: Queue, state: int, rows: Ints, most: float
) -> None:
    """Add the states after every step of all robots, one robot's choice after the other."""
    n = len(rows)
    steps, edge = rows.copy(), np.empty(n, np.int64)
    # compiled functions that call themselves with other types do not come back from disk
    i = 0
    edge[0] = field.indptr[rows[0]] - 2
    while i >= 0:
        edge[i] += 1
        if edge[i] == field.indptr[rows[i] + 1]:
            i -= 1
            continue
        stays = edge[i] < field.indptr[rows[i]]
        steps[i] = rows[i] if stays else field.indices[edge[i]]
        free = depth[state] + field.to_go[steps[i], tree.done[state, i]] <= most
        for j in range(i):
            if free and too_near(field, i, rows[i], steps[i], j, rows[j], steps[j]):
                free = False
        if free and i == n - 1:
            tree.size[1] += 1
            _reach(field, tree, depth, queue, state, steps, most)
        elif free:
            i += 1
            edge[i] = field.indptr[rows[i]] - 2


@compiled
def fewest(field: Field, tree: Tree, starts: Ints, most: float, most_moves: int) -> int:
    """Return the last state of a solution of at most so many steps, −1 for none, −2 for too much."""
    depth = np.zeros(len(tree.parent), np.int64)
    queue = [(0.0, 0.0, 0)][:0]
    _reach(field, tree, depth, queue, -1, starts, most)
    while len(queue) > 0:
        bound, _, state = heapq.heappop(queue)
        if finished(field, tree, state):
            return state
        if tree.size[0] == len(tree.parent) or tree.size[1] > most_moves:
            return -2
        rest = 0.0
        for i in range(len(starts)):
            rest = max(rest, field.to_go[tree.rows[state, i], tree.done[state, i]])
        if depth[state] + rest < bound - 0.5:  # reached sooner since, and done already
            continue
        _move(field, tree, depth, queue, state, tree.rows[state].copy(), most)
    return -1
