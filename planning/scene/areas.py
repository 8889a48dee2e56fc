"""Areas become stops: of many places that would serve, those that can be on a best route."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Floats
from commonground.planning.scene.errand import Area, Errand, Stop, needed
from commonground.planning.scene.paths import ShortestPaths
from commonground.planning.scene.roadmap import Spot

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def choose_places(errand: Errand, start: Spot, paths: ShortestPaths) -> Errand:
    """Return the errand with a stop for each area; with a ``reason`` where an area has no place left."""
    if not errand.areas:
        return errand
    reach = paths.reach([start, *needed(errand.stops)])
    whole = replace(errand, stops=list(errand.stops), areas=[])
    metric = paths.roadmap.metric
    for area in errand.areas:
        if not area.rows and not area.spots:
            return replace(errand, reason=f"no place of {area.target} may be visited")
        useful = {*_useful(area, reach), *(_gates(area, metric) if len(errand.areas) > 1 else ())}
        chosen = [paths.roadmap.place(row) for row in sorted(useful)]
        spots = tuple(dict.fromkeys((*area.spots, *chosen)))
        targets = tuple(area.target or s.symbol for s in spots)
        whole.add(Stop("goto", targets, spots, last=area.last))
    whole.put_last_behind()
    return whole


def _useful(area: Area, reach: Floats) -> list[int]:
    """Return the places of an area that can be on a best route, from what the other spots reach (k, n).

    Between two other stops a and b the best place p of an area is the one with the least
    d(a, p) + d(p, b); before the end of the route the one nearest to a. Where another area comes before it,
    it is the gate by which it is entered.
    """
    if not area.rows:
        return []
    d = reach[:, list(area.rows)]
    best = set(d.argmin(axis=1).tolist())
    if not area.last:
        for from_a in d:
            best.update((from_a + d).argmin(axis=1).tolist())
    return [area.rows[j] for j in sorted(best)]


def _gates(area: Area, metric: csr_matrix) -> list[int]:
    """Return the places of an area that a step from beyond it leads to."""
    inside = np.zeros(metric.shape[0], bool)
    inside[list(area.rows)] = True
    beyond = metric @ (~inside).astype(float) > 0.0
    return [row for row in area.rows if beyond[row]]
