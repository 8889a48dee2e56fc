"""Hough votes for the transform between two submaps.

Gravity known: an association and a yaw are a transform, so each association takes
votes for its yaw. Gravity unknown: the densest consistent set of the affinity graph, and, for each of the
strongest consistent pairs, a vote on the turn about the line through the pair.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.geometry import align_points
from commonground.localization.association.correspondences import (
    AffinityGraph,
    Candidates,
    Tolerance,
)
from commonground.localization.association.problem import Problem

BINS = 180
"""Bins of a full turn, 2° each; votes spread over their own noise."""
LOOSE_GATE = 2.5
"""Standard deviations of a consistent distance when voting: a missed vote costs more than a wrong one."""
SEEDS = 160
"""Guesses kept of a vote before near-duplicates are dropped."""
LINES = 8000
"""Consistent pairs that vote for a turn about their line."""
LINE_WORK = 3_000_000
"""Entries of the graph that voting may look at."""


def vote_for_yaw(problem: Problem, c: Candidates) -> Floats:
    """Return transforms (h, 4, 4), the most agreed on first: each association's favorite yaw."""
    from commonground.localization.association._yaw_votes import yaw_transforms, yaw_votes

    scores, yaws = yaw_votes(c, Tolerance.of(LOOSE_GATE), BINS)
    best = np.argsort(-scores, kind="stable")[:SEEDS]
    return yaw_transforms(best, yaws, problem.side1.points, problem.side2.points, c)


def fit_members(problem: Problem, c: Candidates, members: Ints) -> Floats:
    """Return the transform (1, 4, 4) that best fits the members of a consistent set; none below three."""
    if len(members) < 3:
        return np.empty((0, 4, 4))
    a, b = problem.side1.points[c.i1[members]], problem.side2.points[c.i2[members]]
    return align_points(a, b)[None]


def vote_about_lines(
    problem: Problem, c: Candidates, graph: AffinityGraph, known: Ints, lines: int = LINES
) -> Floats:
    """Return transforms (h, 4, 4), the most agreed on first: each strong edge's favorite turn.

    Edges among the ``known`` candidates are left out: what they say has been heard.
    """
    from commonground.localization.association._line_votes import line_transforms, line_votes

    k, m = _strongest_edges(graph, c.weight, known, lines)
    if not len(k):
        return np.empty((0, 4, 4))
    p1, p2 = problem.side1.points, problem.side2.points
    arm2 = 4.0 * problem.noise_m**2
    scores, angles = line_votes(k, m, graph, p1, p2, c, BINS, arm2)
    best = np.argsort(-scores, kind="stable")[:SEEDS]
    return line_transforms(k[best], m[best], angles[best], p1, p2, c)


def _strongest_edges(
    graph: AffinityGraph, weight: Floats32, known: Ints, lines: int
) -> tuple[Ints, Ints]:
    """Return the edges (each once, none within the known set) that promise most, spread over the rows."""
    from commonground.localization.association._pairwise import best_edges

    rows = len(graph.starts) - 1
    inside = np.zeros(rows, bool)
    inside[known] = True
    degree = max(1, len(graph.cols) // rows)
    limit = min(lines, LINE_WORK // (2 * degree))
    per_row = 1 + 2 * limit // rows
    k, m, promise = best_edges(graph, weight, inside, per_row)
    best = np.argsort(-promise, kind="stable")[:limit]
    return k[best], m[best]
