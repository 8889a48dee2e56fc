"""Whether what agrees on a transform between two maps is what one rigid body would show twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.arrays import Floats
from commonground.geometry import apply
from commonground.localization.association.result import Verdict
from commonground.localization.matching import Match
from commonground.localization.places import Place

MOST = 0.5
"""Share of the evidence that comes from matches which show a mirror image, a stretch or a lean."""
FEWEST = 8
"""Fewer pairs of objects say nothing of how residuals lie."""
ROUND = 6.0
"""By so much the mean squared residual along one axis may exceed what is stated, and that along the others.

Objects seen from two sides are off by more than stated, but not along one axis of the map alone.
"""


def is_rigid(matches: Sequence[Match], places1: Sequence[Place], places2: Sequence[Place]) -> bool:
    """Return whether the maps that agreeing matches lay on one another can be one rigid body.

    However alike things look, a mirror image, a stretched map or one that leans is none: most matches say so
    each by itself, or what is left between the objects lies along one axis.
    """
    evidence = np.array([m.association.log_evidence for m in matches])
    bent = np.array([m.association.verdict is Verdict.INCONSISTENT for m in matches])
    if evidence[bent].sum() > MOST * evidence.sum():
        return False
    left = _left_over(matches, places1, places2)
    if len(left) < FEWEST:
        return True
    *others, widest = np.linalg.eigvalsh(left.T @ left / len(left)).tolist()
    return bool(widest <= ROUND * max(1.0, *others))


def _left_over(
    matches: Sequence[Match], places1: Sequence[Place], places2: Sequence[Place]
) -> Floats:
    """Return the residuals (k, 3) of all pairs of objects, each once, in stated standard deviations."""
    seen: set[tuple[int, int]] = set()
    out = [np.empty((0, 3))]
    for match in sorted(matches, key=lambda m: -m.association.log_evidence):
        one, two = places1[match.place1], places2[match.place2]
        own = dict(zip(one.rows.tolist(), range(len(one)), strict=True))
        theirs = dict(zip(two.rows.tolist(), range(len(two)), strict=True))
        fresh = [pair for pair in map(tuple, match.association.pairs.tolist()) if pair not in seen]
        seen.update(fresh)
        i, j = [own[a] for a, _ in fresh], [theirs[b] for _, b in fresh]
        gap = apply(match.association.T_2_1, one.points[i]) - two.points[j]
        across = one.side.var_h[i] + two.side.var_h[j]
        up = one.side.var_v[i] + two.side.var_v[j]
        out.append(gap / np.sqrt(np.stack([across, across, up], axis=1)))
    return np.concatenate(out)
