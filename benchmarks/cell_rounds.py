"""The shortest makespan of a cell, found by walking through all arrangements of its blocks.

All moves of a cell take equally long, nothing in it forbids what holds, and what a move takes away it gives
back at its end. So a move that may begin later may begin as soon as what it waits for is there, and no
schedule is shorter than one of rounds in which arms move at the same time. Which arrangements are reached
after so many rounds is counted here; `shortest_s` in tests/grounding/prolog/cells.py, which walks through
seconds and assumes none of this, finds the same on the cells that are small enough for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit

from commonground.arrays import Ints

if TYPE_CHECKING:
    from cells import Cell

MOST = 3_000_000
"""Arrangements, with moves that were begun, after which it is given up."""


def shortest_s(cell: Cell) -> float | None:
    """Return the shortest makespan; infinite: there is no plan; None: there are too many arrangements."""
    reach = np.zeros(cell.arms, np.int64)
    for arm, spots in enumerate(cell.reach):
        reach[arm] = sum(1 << s for s in spots)
    below = np.array([s if s >= 0 else len(cell.init) - 1 - s for s in cell.init], np.int64)
    goal = np.full(len(below), -1, np.int64)
    pairs = dict(cell.goal)
    for block, on in pairs.items():
        goal[block] = on if on >= 0 else len(below) - 1 - on
    heavy = sum(1 << b for b in cell.heavy)
    rounds = _rounds(below, goal, reach, heavy, cell.spots, MOST)
    if rounds == -2:
        return None
    return float("inf") if rounds == -1 else float(rounds * (cell.pick_s + cell.put_s))


@njit(cache=True)  # type: ignore[untyped-decorator]
def _rounds(below: Ints, goal: Ints, reach: Ints, heavy: int, spots: int, most: int) -> int:
    """Return the number of rounds until the goal; -1: never, -2: too many arrangements."""
    blocks = len(below)
    layer = [_code(below)]
    seen = {layer[0]}
    rounds = 0
    while len(layer) > 0:
        for code in layer:
            if _done(code, goal, blocks):
                return rounds
        fresh = [layer[0]][:0]
        for code in layer:
            for after in _after(code, reach, heavy, blocks, spots):
                if after not in seen:
                    seen.add(after)
                    fresh.append(after)
            if len(seen) > most:
                return -2
        layer = fresh
        rounds += 1
    return -1


@njit(cache=True)  # type: ignore[untyped-decorator]
def _after(code: int, reach: Ints, heavy: int, blocks: int, spots: int) -> set[int]:
    """Return what one round may make of an arrangement."""
    # what it is at the end of the round, and what takes part in a move so far (bit 0: the tool)
    states = {(code, 0)}
    for allowed in reach:
        for end, taken in list(states):
            for block in range(blocks):
                if _may_take(code, taken, block, allowed, heavy, blocks):
                    for on in range(blocks + spots):
                        if _may_hold(code, taken, block, on, allowed, blocks):
                            held = taken | heavy >> block & 1
                            held |= 2 << block | 2 << on | 2 << _below(code, block)
                            states.add((_put(end, block, on), held))
    ends = {code}
    for end, _ in states:
        ends.add(end)  # numba compiles no set comprehension
    return ends


@njit(cache=True)  # type: ignore[untyped-decorator]
def _may_take(code: int, taken: int, block: int, allowed: int, heavy: int, blocks: int) -> bool:
    """Return whether an arm of some reach can take a block, the tool too where it needs that."""
    if heavy >> block & 1 and taken & 1:
        return False
    return _free(code, taken, block, blocks) and allowed >> _spot(code, block, blocks) & 1 == 1


@njit(cache=True)  # type: ignore[untyped-decorator]
def _may_hold(code: int, taken: int, block: int, on: int, allowed: int, blocks: int) -> bool:
    """Return whether an arm of some reach can put a block on something."""
    if on == block or not _free(code, taken, on, blocks):
        return False
    return allowed >> _spot(code, on, blocks) & 1 == 1


@njit(cache=True)  # type: ignore[untyped-decorator]
def _code(below: Ints) -> int:
    code = 0
    for block in range(len(below)):
        code |= below[block] << 4 * block
    return code


@njit(cache=True)  # type: ignore[untyped-decorator]
def _below(code: int, block: int) -> int:
    return code >> 4 * block & 15


@njit(cache=True)  # type: ignore[untyped-decorator]
def _put(code: int, block: int, on: int) -> int:
    return code & ~(15 << 4 * block) | on << 4 * block


@njit(cache=True)  # type: ignore[untyped-decorator]
def _spot(code: int, thing: int, blocks: int) -> int:
    while thing < blocks:
        thing = _below(code, thing)
    return thing - blocks


@njit(cache=True)  # type: ignore[untyped-decorator]
def _free(code: int, taken: int, thing: int, blocks: int) -> bool:
    """Return whether nothing stands on a thing and no move of this round has to do with it."""
    free = taken >> (thing + 1) & 1 == 0
    for block in range(blocks):
        free &= _below(code, block) != thing
    return free


@njit(cache=True)  # type: ignore[untyped-decorator]
def _done(code: int, goal: Ints, blocks: int) -> bool:
    done = True
    for block in range(blocks):
        done &= goal[block] < 0 or _below(code, block) == goal[block]
    return done
