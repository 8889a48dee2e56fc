"""Scale correction of odometry by the measured depth of objects the robot approaches.

Odometry's scale wanders by some percent, and loop closures cannot see it: robots that drove one way agree
with one another whatever its length. But a thing straight ahead is one meter nearer after one meter of
driving, and depth cameras measure that. Each thing that was approached gives the scale of a stretch; a
Gaussian process with the memory of wheel slip makes of them the scale along the whole path.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import yaw_of
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.posegraph import Constraints

MEMORY_M = 25.0
"""Meters over which the scale stays about the same."""
SCALE_SHARE = 0.2
"""Standard deviation of the scale before anything is measured, as a share of the error after one meter.

Odometry whose distances were corrected while driving errs less, and approaches have less to say of it.
"""
SURE = 0.0025
"""Odometry whose scale errs less than this knows it better than approaches do."""
STANDING_M = 0.1
"""Edges shorter than this say nothing of how distances err."""
LEAST_SIGHTINGS = 6
NEAREST_M, FARTHEST_M = 1.5, 8.5
"""Nearer, things leave the image; farther, parts of them are beyond the depth camera's reach."""
LEAST_SPAN_M = 2.0
"""Approaches shorter than this say little."""
MOST_TURN = 0.3
"""Radians that the robot may turn meanwhile."""
MOST_SIZE_M = 3.0
"""Of larger things each image shows another part."""
RESIDUAL_M = 0.05
"""Residual from which a observation counts half as much."""
FIT_M = 0.08
"""Approaches that fit worse are of things seen from changing sides."""
OWN_SIGMA, SIZE_SIGMA = 0.008, 0.006
"""Standard deviation of a measured scale, and what each meter of the thing's size adds."""


@dataclass(frozen=True, slots=True, eq=False)
class Approaches:
    """Scales of the odometry on stretches where a robot drove towards something."""

    stretch: Ints
    """(m, 2) first and last keyframe."""
    scale: Floats
    """(m,) odometry's distance as a share of the true one."""
    sigma: Floats


def ranged(run: RobotRun) -> Constraints:
    """Return the odometry with its distances corrected by what was measured on the way."""
    found = approaches(run)
    odometry = run.odometry
    if not len(found.scale) or not len(odometry) or np.median(_scale_sigmas(run)) < SURE:
        return odometry
    scale, left = _along(run, found)
    T = odometry.T.copy()
    T[:, :3, 3] /= scale[:, None]
    covariances = odometry.covariances.copy()
    covariances[:, :3, :3] *= left[:, None, None]
    return replace(odometry, T=T, covariances=covariances)


def approaches(run: RobotRun) -> Approaches:
    """Return what a run's object map holds of approaches; nothing if it has no history of ranges."""
    columns = run.objects.columns
    stretch, scale, sigma = [], [], []
    if {"history_stamp_ns", "history_range_m"} <= columns.keys() and len(run.poses) > 1:
        size = np.nan_to_num(run.objects.boxes.sizes, nan=np.inf).max(axis=1)
        pitch = _pitch(run)
        for row in np.flatnonzero(size < MOST_SIZE_M):
            stamps, ranges = columns["history_stamp_ns"][row], columns["history_range_m"][row]
            known = np.isfinite(ranges) & (stamps > 0)
            center = run.objects.centroids[row]
            found = _approach(run, center, stamps[known], ranges[known].astype(float), pitch)
            if found is not None:
                stretch.append(found[0])
                scale.append(found[1])
                sigma.append(OWN_SIGMA + SIZE_SIGMA * size[row])
    return Approaches(np.array(stretch, np.int64).reshape(-1, 2), np.array(scale), np.array(sigma))


def _pitch(run: RobotRun) -> float:
    """Return by how much the camera looks down, in radians; keyframes are upright, the path need not be."""
    agents = next(iter(run.graph.agents.values()))
    w, x, y, z = agents.columns["quat_wxyz"].T
    return float(np.arcsin(np.clip(np.median(2.0 * (w * y - z * x)), -0.99, 0.99)))


def _approach(
    run: RobotRun, center: Floats, stamps: Ints, ranges: Floats, pitch: float
) -> tuple[tuple[int, int], float] | None:
    """Return the keyframes of an approach and the scale it shows: odometry's meters for one of depth."""
    if len(stamps) < LEAST_SIGHTINGS:
        return None
    heading = np.interp(stamps, run.stamps_ns, np.unwrap(yaw_of(run.poses)))
    at = np.stack([np.interp(stamps, run.stamps_ns, run.poses[:, c, 3]) for c in range(3)], axis=1)
    gap = center - at
    level = gap[:, 0] * np.cos(heading) + gap[:, 1] * np.sin(heading)
    aside = gap[:, 1] * np.cos(heading) - gap[:, 0] * np.sin(heading)
    ahead = level * np.cos(pitch) - gap[:, 2] * np.sin(pitch)
    good: Bools = (ranges > NEAREST_M) & (ranges < FARTHEST_M)
    good &= (np.abs(aside) < 0.7 * level) & (np.abs(ranges - ahead) < 1.2)
    if good.sum() < LEAST_SIGHTINGS:
        return None
    ahead, heading, ranges, stamps = ahead[good], heading[good], ranges[good], stamps[good]
    if np.ptp(ahead) < LEAST_SPAN_M or np.ptp(heading) > MOST_TURN:
        return None
    slope, fit = _line(ahead, ranges)
    if fit > FIT_M or not 0.8 < slope < 1.25:
        return None
    first, last = np.abs(run.stamps_ns[:, None] - stamps[[0, -1]]).argmin(axis=0)
    return (int(min(first, last)), int(max(first, last))), 1.0 / slope


def _line(x: Floats, y: Floats) -> tuple[float, float]:
    """Return the slope of a line through points by Cauchy-weighted least squares, and how well it fits."""
    A = np.stack([x, np.ones_like(x)], axis=1)
    w: Floats = np.ones(len(x))
    r: Floats = y
    q: Floats = np.zeros(2)
    for _ in range(10):
        q = np.asarray(np.linalg.solve((A * w[:, None]).T @ A, (A * w[:, None]).T @ y), np.float64)
        r = np.asarray(y - A @ q, np.float64)
        w = np.asarray(1.0 / (1.0 + (r / RESIDUAL_M) ** 2), np.float64)
    return float(q[0]), float(1.48 * np.median(np.abs(r)))


def _along(run: RobotRun, found: Approaches) -> tuple[Floats, Floats]:
    """Return the scale of each odometry edge (m,), and the share of its variance that is left."""
    middle = run.travel_m[run.odometry.rows].mean(axis=1)
    seen = run.travel_m[found.stretch].mean(axis=1)

    sigma = _scale_sigmas(run)
    at = np.argsort(middle, kind="stable")
    of_seen = np.interp(seen, middle[at], sigma[at])

    def prior(a: Floats, b: Floats) -> Floats:
        return np.asarray(np.exp(-np.abs(a[:, None] - b[None]) / MEMORY_M))

    K = prior(seen, seen) * of_seen[:, None] * of_seen[None] + np.diag(found.sigma**2)
    cross = prior(middle, seen) * sigma[:, None] * of_seen[None]
    gain = np.linalg.solve(K, cross.T).T
    scale = 1.0 + gain @ (found.scale - 1.0)
    left = 1.0 - np.einsum("em,em->e", gain, cross) / sigma**2
    return scale, np.maximum(left, 0.1)


def _scale_sigmas(run: RobotRun) -> Floats:
    """Return the standard deviation of the scale on each odometry edge (m,), from its covariance."""
    way = run.odometry.T[:, :3, 3]
    meters = np.linalg.norm(way, axis=1)
    ahead = way / np.maximum(meters, 1e-9)[:, None]
    variance = np.einsum("ea,eab,eb->e", ahead, run.odometry.covariances[:, :3, :3], ahead)
    moving = meters > STANDING_M
    typical = float(np.median(variance[moving] / meters[moving])) if moving.any() else 0.01
    each = np.where(moving, variance / np.maximum(meters, STANDING_M), typical)
    return np.asarray(SCALE_SHARE * np.sqrt(np.maximum(each, 1e-8)))
