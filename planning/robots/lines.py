"""Lines that robots drive along, by meters from their beginning."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats


def length(line: Floats) -> float:
    """Return how long a line (k, d) is."""
    return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())


def meters_of(line: Floats) -> Floats:
    """Return how far along a line (k, d) each of its points is (k,)."""
    gone: Floats = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
    return gone


def along(line: Floats, meters: float | Floats) -> Floats:
    """Return the point (d,), or points (n, d), so many meters along a line; its ends beyond them."""
    gone = meters_of(line)
    return np.stack([np.interp(meters, gone, line[:, c]) for c in range(line.shape[1])], axis=-1)


def part(line: Floats, begin_m: float, end_m: float, step_m: float = 0.1) -> Floats:
    """Return a part of a line (n, d), its corners among points that are at most a step apart."""
    gone = meters_of(line)
    end_m = min(end_m, float(gone[-1]))
    begin_m = min(begin_m, end_m)
    count = max(1, int(np.ceil((end_m - begin_m) / step_m)))
    inner = gone[(gone > begin_m) & (gone < end_m)]
    at = np.union1d(np.linspace(begin_m, end_m, count + 1), inner)
    return along(line, at)


def nearest(line: Floats, point: Floats, begin_m: float, end_m: float) -> tuple[float, float]:
    """Return how far along a part of a line (k, 3) a point (2,) is nearest to it, and how far away."""
    at = np.union1d(np.arange(begin_m, end_m, 0.05), [begin_m, end_m])
    points = along(line, at)
    away = np.linalg.norm(points[:, :2] - point, axis=1)
    best = int(away.argmin())
    return float(at[best]), float(away[best])
