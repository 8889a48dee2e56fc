"""Moves of several robots at the same time: what must wait for what, and the earliest times."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from graphlib import TopologicalSorter

from commonground.datasets.household.footprints import footprints, orderings
from commonground.datasets.household.house import House
from commonground.datasets.household.moves import Move

MOVE_S = 1.0
"""Every action takes one unit of time."""


def order_of(moves: Sequence[Move], house: House) -> set[tuple[int, int]]:
    """Return the places of moves of which the second has to wait for the first, so that effects are kept.

    The house is what is believed before the first move; it is changed.
    """
    prints = footprints(house, moves)
    if prints is None:  # the belief does not carry the plan; one after the other is always safe
        return set(itertools.pairwise(range(len(moves))))
    return set(orderings(prints, moves))


def starts_s(count: int, order: Iterable[tuple[int, int]]) -> list[float]:
    """Return when each of so many moves can begin at the earliest, in seconds."""
    before: dict[int, set[int]] = {move: set() for move in range(count)}
    for first, second in order:
        before[second].add(first)
    begins: dict[int, float] = {}
    for move in TopologicalSorter(before).static_order():
        begins[move] = max((begins[first] + MOVE_S for first in before[move]), default=0.0)
    return [begins[move] for move in range(count)]
