"""Room beside the points of places: where a robot of a radius stands at a place for sure."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.planning.scene.roadmap import Roadmap

HALVINGS = 8
"""So often the farthest point that fits is looked for between two."""
MOST_POINTS = 600
"""So many points of a place are looked at, as near to each other as that allows."""
FINEST_M = 0.05


class Room(NamedTuple):
    """Where a robot of a radius stands at a place for sure."""

    road: Roadmap
    open_: Bools
    """(n,) places it may use."""
    radius_m: float

    def fits(self, of: Ints, points: Floats) -> Bools:
        """Return which points (k, 3) are on free ground and at their places."""
        surely_m = self.radius_m + self.road.widths.doubt_m
        fits = self.open_[of] & (nearest_places(self.road, points) == of)
        fits[fits] = self.road.widths.is_free(points[fits], surely_m)
        banned = self.road.kept_out(~self.open_)
        if banned is not None:
            fits[fits] = ~banned.holds(points[fits])
        return np.asarray(fits)

    def shortened(self, of: Ints, out: Floats) -> Floats:
        """Return ways out (k, 2) from places as far as there is room."""
        at = self.road.positions[of]
        low, high = np.zeros(len(of)), np.ones(len(of))
        for k in range(HALVINGS):
            share = high if k == 0 else (low + high) / 2
            fits = self.fits(of, at + np.pad(share[:, None] * out, ((0, 0), (0, 1))))
            low, high = np.where(fits, share, low), np.where(fits, high, share)
        return np.asarray(low[:, None] * out)

    def all_over(self, place: int) -> Floats:
        """Return points (k, 3) all over a place at which the robot fits."""
        low, high = self._extent(place)
        step_m = max(FINEST_M, float(np.sqrt(np.prod(high - low) / MOST_POINTS)))
        counts = np.ceil((high - low) / step_m).astype(int) + 1
        x, y = (np.linspace(low[k], high[k], counts[k]) for k in (0, 1))
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        points = np.column_stack([grid, np.full(len(grid), self.road.positions[place, 2])])
        return np.asarray(points[self.fits(np.full(len(points), place), points)])

    def grid(self, place: int, spacing_m: float) -> Floats:
        """Return points (k, 3) of a grid all over a place, no nearer to each other than some meters."""
        low, high = self._extent(place)
        counts = np.floor((high - low) / spacing_m + 1e-9).astype(int) + 1
        x, y = (
            np.linspace(low[k], high[k], counts[k])
            if counts[k] > 1
            else (low[k : k + 1] + high[k]) / 2
            for k in (0, 1)
        )
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        return np.column_stack([grid, np.full(len(grid), self.road.positions[place, 2])])

    def _extent(self, place: int) -> tuple[Floats, Floats]:
        """Return the corners of a rectangle around all points at which the robot may be at a place."""
        at, outlines = self.road.positions[place, :2], self.road.places.boundaries
        inner_m = self.radius_m + self.road.widths.doubt_m
        if outlines is not None and self.road.widths.outlined[place]:
            corners = outlines[place][:, :2]
            low, high = corners.min(axis=0) + inner_m, corners.max(axis=0) - inner_m
            return np.minimum(low, at), np.maximum(high, at)
        reach_m = float(np.nan_to_num(self.road.widths.place_m[place])) - inner_m
        return at - max(reach_m, 0.0), at + max(reach_m, 0.0)


def nearest_places(road: Roadmap, points: Floats) -> Ints:
    """Return the rows of the places (k,) that points (k, 3) are next to."""
    if len(points) == 0:
        return np.empty(0, np.int64)
    return np.asarray(road.widths.tree.query(points)[1], np.int64)
