"""Moves of several robots at the same time: what must wait for what, and the earliest times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.datasets.household.footprints import footprints, orderings
from commonground.datasets.household.house import House
from commonground.datasets.household.moves import Move
from commonground.planning.temporal import Link, TemporalNetwork

MOVE_S = 1.0
"""Every action takes one unit of time."""


def scheduled(
    moves: Sequence[Move],
    house: House,
    start_s: float = 0.0,
    waits: Sequence[tuple[int, int]] = (),
) -> list[Move]:
    """Return moves with the earliest times that keep their effects, in order of start.

    The house is what is believed before the first move; it is changed. ``waits`` are places of moves of which
    the second has to wait for the first for reasons the house does not show.
    """
    prints = footprints(house, moves)
    if prints is None:  # the belief does not carry the plan; one after the other is always safe
        return _in_turn(moves, start_s)
    names = [f"{i} {move}" for i, move in enumerate(moves)]
    links = [
        Link(names[i], names[j], MOVE_S, reason="order of the plan")
        for i, j in {*orderings(prints, moves), *waits}
    ]
    earliest = TemporalNetwork.of(links, names).earliest() if links else dict.fromkeys(names, 0.0)
    timed = [
        replace(move, start_s=start_s + earliest[name], end_s=start_s + earliest[name] + MOVE_S)
        for move, name in zip(moves, names, strict=True)
    ]
    return sorted(timed, key=lambda move: move.start_s or 0.0)


def _in_turn(moves: Sequence[Move], start_s: float) -> list[Move]:
    return [
        replace(move, start_s=start_s + i * MOVE_S, end_s=start_s + (i + 1) * MOVE_S)
        for i, move in enumerate(moves)
    ]
