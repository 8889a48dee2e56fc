"""Compiled Hough vote for the turn about the line through two objects, gravity unknown."""

from __future__ import annotations

import math

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.compiled import compiled
from commonground.localization.association._histogram import accumulate, span, vote
from commonground.localization.association.correspondences import AffinityGraph, Candidates


@compiled(fastmath=True)
def line_votes(
    edges1: Ints,
    edges2: Ints,
    graph: AffinityGraph,
    p1: Floats,
    p2: Floats,
    c: Candidates,
    bins: int,
    min_arm2: float,
) -> tuple[Floats, Floats]:
    """Return for each consistent pair the turn about its line that most others agree on, after its votes.

    Two objects and their images fix a transform up to a rotation about the line through them; each
    association consistent with both, and off the line, votes for one angle.
    """
    starts, cols, i1, i2 = graph.starts, graph.cols, c.i1, c.i2
    var, weight = c.var_h, c.weight
    scores, angles = np.empty(len(edges1)), np.empty(len(edges1))
    histogram = np.empty((1, bins + 1), np.float32)
    per_radian = bins / (2.0 * math.pi)
    f1, f2 = np.empty((3, 3)), np.empty((3, 3))
    for e in range(len(edges1)):
        k, m = edges1[e], edges2[e]
        histogram[:] = 0.0
        line_frame(p1[i1[k]], p1[i1[m]], f1)
        line_frame(p2[i2[k]], p2[i2[m]], f2)
        a, b = starts[k], starts[m]
        while a < starts[k + 1] and b < starts[m + 1]:
            if cols[a] < cols[b]:
                a += 1
            elif cols[a] > cols[b]:
                b += 1
            else:
                third = cols[a]
                a += 1
                b += 1
                y1, z1, r1 = around(p1[i1[third]], p1[i1[k]], f1)
                y2, z2, r2 = around(p2[i2[third]], p2[i2[k]], f2)
                if r1 < min_arm2 or r2 < min_arm2:
                    continue
                gap = math.sqrt(r1) - math.sqrt(r2)
                if gap * gap > 6.25 * 2.0 * (var[third] + var[k]):
                    continue
                spread = 1.5 * math.sqrt((var[third] + var[k]) / r1)
                if spread > 1.0:
                    continue
                angle = math.atan2(y1 * z2 - z1 * y2, y1 * y2 + z1 * z2) + math.pi
                low, high = span(angle, spread, bins)
                vote(histogram, 0, low, high, weight[third])
        best = accumulate(histogram, 0, bins)
        scores[e] = histogram[0, best] + weight[k] + weight[m]
        angles[e] = (best + 0.5) / per_radian - math.pi
    return scores, angles


@compiled(fastmath=True)
def line_frame(a: Floats, b: Floats, frame: Floats) -> None:
    """Write orthonormal rows: along the line a → b, and two across it."""
    norm = 0.0
    for c in range(3):
        frame[0, c] = b[c] - a[c]
        norm += frame[0, c] ** 2
    norm = math.sqrt(norm)
    least = 0
    for c in range(3):
        frame[0, c] /= norm
        if abs(frame[0, c]) < abs(frame[0, least]):
            least = c
    norm = math.sqrt(1.0 - frame[0, least] ** 2)
    for c in range(3):
        frame[1, c] = ((1.0 if c == least else 0.0) - frame[0, c] * frame[0, least]) / norm
    frame[2, 0] = frame[0, 1] * frame[1, 2] - frame[0, 2] * frame[1, 1]
    frame[2, 1] = frame[0, 2] * frame[1, 0] - frame[0, 0] * frame[1, 2]
    frame[2, 2] = frame[0, 0] * frame[1, 1] - frame[0, 1] * frame[1, 0]


@compiled(fastmath=True)
def around(p: Floats, origin: Floats, frame: Floats) -> tuple[float, float, float]:
    """Return the two coordinates of p across the line, and the squared distance from it."""
    y, z = 0.0, 0.0
    for c in range(3):
        y += (p[c] - origin[c]) * frame[1, c]
        z += (p[c] - origin[c]) * frame[2, c]
    return y, z, y * y + z * z


@compiled(fastmath=True)
def line_transforms(
    edges1: Ints, edges2: Ints, angles: Floats, p1: Floats, p2: Floats, c: Candidates
) -> Floats:
    """Return the transforms (e, 4, 4) that lay each line on its image, turned by the angle about it."""
    i1, i2, out = c.i1, c.i2, np.zeros((len(edges1), 4, 4))
    f1, f2 = np.empty((3, 3)), np.empty((3, 3))
    for e in range(len(edges1)):
        k, m = edges1[e], edges2[e]
        line_frame(p1[i1[k]], p1[i1[m]], f1)
        line_frame(p2[i2[k]], p2[i2[m]], f2)
        cos, sin = math.cos(angles[e]), math.sin(angles[e])
        for r in range(3):
            for q in range(3):
                y, z = f1[1, q], f1[2, q]
                out[e, r, q] = (
                    f2[0, r] * f1[0, q]
                    + f2[1, r] * (cos * y - sin * z)
                    + f2[2, r] * (sin * y + cos * z)
                )
        for r in range(3):
            out[e, r, 3] = 0.5 * (p2[i2[k], r] + p2[i2[m], r])
            for q in range(3):
                out[e, r, 3] -= 0.5 * out[e, r, q] * (p1[i1[k], q] + p1[i1[m], q])
        out[e, 3, 3] = 1.0
    return out
