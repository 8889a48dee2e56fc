"""Which masks of many views are one thing: those that views put under one mask wherever they show both.

Masks err: from afar two things are one mask, before a wall a thing is none, and tracking believes what comes
first. Here every view is asked about every mask, and only the shares count, after Yan et al.,
"MaskClustering: View Consensus based Mask Graph Clustering" (CVPR 2024). Views tell in the same way whether
a mask is a thing at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints, Ints32
from commonground.frame import Intrinsics
from commonground.geometry import apply, inverse
from commonground.mapping.depth_pieces import DepthSensor
from commonground.mapping.objects._judging import BARE, PASSED, SEVERAL, THING, UNSEEN, Limits
from commonground.mapping.objects._voxels import SegmentedImage
from commonground.mapping.objects.album import Page
from commonground.mapping.objects.settings import ClosingSettings, EvidenceSettings

LEAST_ONE = 0.7
"""Share of what a view shows of a mask that is under one of its own, for that to be all of it."""
MOST_SEVERAL = 0.4
"""A mask that is several things in more than this share of the views is none."""

JUDGED = 120
"""Points of a mask that are looked for in other views, at most."""
PART = 0.15
"""Share of a mask under another that makes that one of several."""
LEVELS = (0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0)
"""Pairs that many views show are joined first: quantiles of how many do."""


class Verdicts(NamedTuple):
    """What each of m views says of each of n masks."""

    status: Ints32
    """(n, m)"""
    into: Ints32
    """(n, m) under which mask of the view it is, where it is under one."""

    def counts(self, *kinds: int) -> Floats:
        """Return how many views (n,) say one of these."""
        return np.asarray(np.isin(self.status, kinds).sum(axis=1), float)

    def take(self, rows: Ints) -> Verdicts:
        """Return those on some of the masks."""
        return Verdicts(self.status[rows], self.into[rows])


def image_of(page: Page, sensor: DepthSensor) -> SegmentedImage:
    """Return a view as compiled loops take it."""
    K = Intrinsics(*page.intrinsics.tolist())
    return SegmentedImage(page.depth, page.masks, K, inverse(page.T_odom_cam), sensor)


def verdicts_of(
    pages: Sequence[Page], sensor: DepthSensor, voxel_m: float, settings: ClosingSettings
) -> Verdicts:
    """Return what every view says of every mask, in the order of pages and their members."""
    from commonground.mapping.objects import _judging

    points = [_few(m.sighting.points) for page in pages for m in page.members]
    n, m = len(points), len(pages)
    status, into = np.full((n, m), UNSEEN, np.int32), np.zeros((n, m), np.int32)
    if n == 0:
        return Verdicts(status, into)
    starts = np.cumsum([0, *map(len, points)])
    low = np.array([p.min(axis=0) for p in points])
    high = np.array([p.max(axis=0) for p in points])
    middle, radius = 0.5 * (low + high), 0.5 * np.linalg.norm(high - low, axis=1)
    everything = np.concatenate(points)
    limits = Limits(settings.least_seen, LEAST_ONE, PART)
    for j, page in enumerate(pages):
        rows = np.flatnonzero(_in_view(page, middle, radius))
        one, under = np.full(n, UNSEEN, np.int32), np.zeros(n, np.int32)
        _judging.judge_members(
            everything, starts, rows, image_of(page, sensor), page.count, voxel_m, limits, one,
            under,
        )  # fmt: skip
        status[:, j], into[:, j] = one, under
    return Verdicts(status, into)


def groups_of(
    verdicts: Verdicts, settings: ClosingSettings, evidence: EvidenceSettings
) -> list[Ints]:
    """Return the masks that are things, those of one thing together."""
    thing, several = verdicts.counts(THING), verdicts.counts(SEVERAL)
    whole = several < MOST_SEVERAL * (thing + several)
    rows = np.flatnonzero(whole & (support(verdicts, evidence) > 0))
    return [rows[group] for group in _clustered(verdicts.take(rows), settings.agree)]


def support(verdicts: Verdicts, evidence: EvidenceSettings) -> Floats:
    """Return the log-odds (n,) that views give each mask of being a thing."""
    against = evidence.missed * verdicts.counts(BARE, SEVERAL)
    gone = evidence.gone * verdicts.counts(PASSED)
    return np.asarray(evidence.seen * verdicts.counts(THING) - against - gone)


def _few(points: Floats) -> Floats:
    return points[:: max(1, -(-len(points) // JUDGED))]


def _in_view(page: Page, middle: Floats, radius: Floats) -> Bools:
    """Return which balls (n,) may be in view."""
    fx, fy, cx, cy = page.intrinsics
    h, w = page.depth.shape
    x, y, z = apply(inverse(page.T_odom_cam), middle).T
    near = np.maximum(z, 0.1)
    u, v, reach = fx * x / near + cx, fy * y / near + cy, max(fx, fy) * radius / near
    inside = (u > -reach) & (u < w + reach) & (v > -reach) & (v < h + reach)
    return np.asarray(inside & (z > -radius))


def _clustered(verdicts: Verdicts, agree: float) -> list[Ints]:
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    n, m = verdicts.status.shape
    if n == 0:
        return []
    under = verdicts.status == THING
    width = int(verdicts.into.max()) + 1
    rows, pages = np.nonzero(under)
    columns = pages * width + verdicts.into[rows, pages]
    same = sparse.csr_array((np.ones(len(rows)), (rows, columns)), (n, m * width))
    shown = (under | (verdicts.status == SEVERAL)).astype(float)
    together, seen, label = same, shown, np.arange(n)
    both = shown @ shown.T
    for level in np.quantile(both[both > 0], LEVELS) if (both > 0).any() else ():
        while True:
            pairs = _agreeing(together, seen, float(level), agree)
            if not len(pairs[0]):
                break
            graph = sparse.coo_array((np.ones(len(pairs[0]), bool), pairs), (len(seen),) * 2)
            count, new = connected_components(graph, directed=False)
            label = new[label]
            member = sparse.csr_array((np.ones(n), (label, np.arange(n))), (count, n))
            together, seen = _mostly(member @ same, member @ shown, width)
    return [np.flatnonzero(label == k) for k in range(int(label.max()) + 1)]


def _mostly(under: Any, shown: Any, width: int) -> tuple[Any, Any]:
    """Return under which masks most of what is shown of each group is, and which views show it.

    ``under`` (g, m · width) counts its masks under each mask of the views, ``shown`` (g, m) those in view.
    """
    from scipy import sparse

    found = under.tocoo()
    group, column = found.coords
    most = found.data >= 0.5 * shown[group, column // width]
    ones = np.ones(int(most.sum()))
    return sparse.csr_array((ones, (group[most], column[most])), under.shape), (shown > 0) * 1.0


def _agreeing(same: Any, shown: Any, level: float, agree: float) -> tuple[Ints, Ints]:
    """Return the pairs that enough views show, nearly always under one mask."""
    together = (same @ same.T).tocoo()
    a, b = together.coords
    both = (shown @ shown.T)[a, b]
    good = (a < b) & (both >= max(level, 1.0)) & (together.data >= agree * both)
    return a[good], b[good]
