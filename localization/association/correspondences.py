"""Putative correspondences of two point sets: what is known of them before any transform."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats, Floats32, Ints, Ints32
from commonground.localization.association.problem import Problem

DRIFT = 0.005
"""Distances between objects of one map are wrong by this share: odometry drifts inside a map."""
TILT = 0.0175
"""Standard deviation in radians (1°) of the vertical: heights slip with the horizontal distance."""


class Correspondences(NamedTuple):
    """All putative correspondences, with what their log-likelihood ratio needs besides the transform."""

    p1: Floats
    """(n1, 3) positions on side 1."""
    p2: Floats
    i1: Ints32
    """(m,) object of side 1 of each correspondence."""
    i2: Ints32
    var_h: Floats
    """(m,) summed variance of the two positions along a horizontal axis."""
    var_v: Floats
    base: Floats
    """(m,) all of the ratio that does not depend on the residual."""
    upright: bool
    """Gravity is known: only yaw and translation are free."""


class Candidates(NamedTuple):
    """Correspondences worth a guess, in single precision, as the loops over pairs of them read them."""

    rows: Ints
    """(m,) rows of all correspondences."""
    i1: Ints32
    i2: Ints32
    xyz1: Floats32
    """(3, m) the first object's position."""
    xyz2: Floats32
    var_h: Floats32
    var_v: Floats32
    weight: Floats32
    """(m,) what the correspondence would add to the evidence where it fits; positive."""
    upright: bool


class Tolerance(NamedTuple):
    """How far the distances between two objects may differ in two maps."""

    drift2: np.float32
    """Squared share of the distance that odometry may be off within a map."""
    tilt2: np.float32
    """Variance of the vertical, in rad²."""
    gate2: np.float32
    """Squared standard deviations up to which distances agree."""

    @staticmethod
    def of(gate: float) -> Tolerance:
        """Return the tolerance of so many standard deviations."""
        return Tolerance(np.float32(DRIFT**2), np.float32(TILT**2), np.float32(gate**2))


class AffinityGraph(NamedTuple):
    """Symmetric affinity of candidates in compressed rows; the unit diagonal is not stored."""

    starts: Ints
    """(m + 1,)"""
    cols: Ints32
    vals: Floats32
    """In (0, 1]: exp(−½ c²/σ²) of the difference c of two distances."""


def correspondences_of(problem: Problem, appearance: Floats) -> Correspondences:
    """Return a problem's correspondences, given the log-likelihood ratio (m,) of each one's appearance."""
    from commonground.localization.association._search import likelihoods

    one, two = problem.side1, problem.side2
    spreads = (one.var_h, one.var_v, two.var_h, two.var_v)
    terms = likelihoods(problem.i1, problem.i2, *spreads, two.log_clutter, appearance)
    return Correspondences(
        one.points, two.points, problem.i1, problem.i2, *terms, upright=problem.upright
    )
