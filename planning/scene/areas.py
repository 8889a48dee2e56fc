"""Areas become stops: of many places that would serve, those that can be on a best route."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.arrays import Floats
from commonground.planning.scene.errand import Area, Errand, Stop, needed
from commonground.planning.scene.paths import ShortestPaths
from commonground.planning.scene.roadmap import Spot

MOST_IN_A_ROW = 4
"""So many areas may follow one another before what is chosen may not be the best, and is not called so."""


def choose_places(errand: Errand, start: Spot, paths: ShortestPaths) -> Errand:
    """Return the errand with a stop for each area; with a ``reason`` where an area has no place left."""
    if not errand.areas:
        return errand
    for area in errand.areas:
        if not area.rows and not area.spots:
            return replace(errand, reason=f"no place of {area.target} may be visited")
    whole = replace(errand, stops=list(errand.stops), areas=[])
    others = [start, *needed(errand.stops), *(s for area in errand.areas for s in area.spots)]
    for area, rows in zip(errand.areas, _useful(errand.areas, others, paths), strict=True):
        spots = tuple(dict.fromkeys((*area.spots, *map(paths.roadmap.place, rows))))
        targets = tuple(area.target or s.symbol for s in spots)
        least: tuple[Spot, ...] = ()
        if len(errand.areas) > MOST_IN_A_ROW:
            every = map(paths.roadmap.place, paths.entries(area.rows, others))
            least = (*area.spots, *every)
        whole.add(Stop("goto", targets, spots, last=area.last, least=least))
    whole.put_last_behind()
    return whole


def _useful(areas: Sequence[Area], others: Sequence[Spot], paths: ShortestPaths) -> list[list[int]]:
    """Return the places of each area that can be on a best route.

    Between two other stops such a route may lead through several areas, in any order: the places are those
    of the shortest way from each stop through each row of areas to each stop, or to the end of the route.
    """
    rows = [paths.entries(area.rows, others) for area in areas]
    held = [k for k, area in enumerate(areas) if area.rows]
    near = [paths.reach(others)[:, of] for of in rows]
    across: dict[tuple[int, int], Floats] = {}
    for a, b in itertools.permutations(held, 2):
        if not areas[a].last:
            across[a, b] = paths.reach(list(map(paths.roadmap.place, rows[a])))[:, rows[b]]
    useful: list[set[int]] = [set() for _ in areas]
    for row in _in_a_row(areas, held):
        for k, chosen in _on_the_way(row, near, across, ends_there=areas[row[-1]].last):
            useful[k] |= chosen
    return [[of[j] for j in sorted(chosen)] for of, chosen in zip(rows, useful, strict=True)]


def _in_a_row(areas: Sequence[Area], held: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield which areas may follow one another."""
    for count in range(1, min(len(held), MOST_IN_A_ROW) + 1):
        for row in itertools.permutations(held, count):
            if not any(areas[k].last for k in row[:-1]):
                yield row


def _on_the_way(
    row: tuple[int, ...],
    near: Sequence[Floats],
    across: Mapping[tuple[int, int], Floats],
    *,
    ends_there: bool,
) -> Iterator[tuple[int, set[int]]]:
    """Yield for each of some areas that follow one another where shortest ways through them all meet it."""
    meters, before = near[row[0]], []
    for pair in itertools.pairwise(row):
        sums = meters[:, :, None] + across[pair]
        before.append(sums.argmin(axis=1))
        meters = sums.min(axis=1)
    at = meters.argmin(axis=1)[:, None]
    if not ends_there:
        at = np.c_[at, (meters[:, None] + near[row[-1]]).argmin(axis=2)]
    yield row[-1], set(at.ravel().tolist())
    for k, came in zip(row[-2::-1], reversed(before), strict=True):
        at = np.take_along_axis(came, at, axis=1)
        yield k, set(at.ravel().tolist())
