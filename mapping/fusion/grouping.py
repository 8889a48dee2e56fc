"""Which things of several maps are one: the best pairs first, where no two members contradict."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled


def grouped(pairs: Ints, cost: Floats, robot: Ints) -> Ints:
    """Return the group (n,) of each thing, numbered from 0, given of which robot (n,) it is.

    Pairs (k, 2) may be one thing, the lower row first, at a cost (k,). Two things of one robot are different
    ones, unless they are such a pair: that robot may have made two of one.
    """
    own = robot[pairs[:, 0]] == robot[pairs[:, 1]]
    twins = np.sort(pairs[own, 0] * len(robot) + pairs[own, 1])
    order = np.lexsort((pairs[:, 1], pairs[:, 0], np.round(cost, 6)))
    _, rows = np.unique(_grouped(pairs[order], robot, twins), return_inverse=True)
    return rows.astype(np.int64)


@compiled
def _grouped(pairs: Ints, robot: Ints, twins: Ints) -> Ints:
    """Return the lowest member of the group (n,) of each thing, pairs in the order in which they are joined.

    Members of a group follow one another in a list that begins with the lowest.
    """
    n = len(robot)
    group, last, following = np.arange(n), np.arange(n), np.full(n, -1)
    for k in range(len(pairs)):
        a, b = group[pairs[k, 0]], group[pairs[k, 1]]
        if a == b or _contradict(a, b, following, robot, twins):
            continue
        keep, drop = min(a, b), max(a, b)
        member = drop
        while member >= 0:
            group[member] = keep
            member = following[member]
        following[last[keep]] = drop
        last[keep] = last[drop]
    return group


@compiled
def _contradict(a: int, b: int, following: Ints, robot: Ints, twins: Ints) -> bool:
    """Return whether some robot has two different things among the members of two groups."""
    i = a
    while i >= 0:
        j = b
        while j >= 0:
            if robot[i] == robot[j]:
                key = min(i, j) * len(robot) + max(i, j)
                at = np.searchsorted(twins, key)
                if at == len(twins) or twins[at] != key:
                    return True
            j = following[j]
        i = following[i]
    return False
