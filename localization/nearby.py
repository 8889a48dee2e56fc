"""Association of two places whose relative pose is roughly known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.geometry import inverse, wrap_angle, yaw_of
from commonground.localization.association.decide import center_covariance
from commonground.localization.association.match import solve_near
from commonground.localization.association.problem import Problem, all_to_all
from commonground.localization.places import Place

FOUR = np.ix_([0, 1, 2, 5], [0, 1, 2, 5])
"""Of a covariance, what gravity leaves free: position and yaw."""
REACH_SIGMAS, LEAST_REACH_M, MOST_REACH_M = 3.0, 2.0, 15.0


@dataclass(frozen=True, slots=True, eq=False)
class NearbyMatch:
    """One way in which two places show the same objects."""

    T_2_1: Floats
    """(4, 4) from place 1 to place 2."""
    covariance: Floats
    """(6, 6) of ξ in T_2_1 exp(ξ): translation first, in place 1."""
    log_evidence: float
    """Log Bayes factor against unrelated places, as of places with no known pose."""
    nearness: float
    """What it gains by lying where it was expected."""
    pairs: Ints
    """(k, 2) rows of the two maps' objects that are probably the same."""

    @property
    def total(self) -> float:
        """Log Bayes factor, given where the places are expected to lie to one another."""
        return self.log_evidence + self.nearness


def match_nearby(
    one: Place, two: Place, ratios: Floats32, T_2_1: Floats, covariance: Floats, noise_m: float
) -> list[NearbyMatch]:
    """Return the ways in which two places may show the same, near the expected pose, the likeliest first.

    ``T_2_1`` (4, 4) is expected with ``covariance`` (6, 6) in place 1; ``ratios`` (k1, k2) are those of
    the appearance of the places' objects.
    """
    from commonground.localization.association._answer import as_given, log_nearness

    problem = all_to_all(one.side, two.side, len(two), True, noise_m)
    guess = two.side.T_side_given @ T_2_1 @ inverse(one.side.T_side_given)
    spread = float(np.sqrt(np.linalg.eigvalsh(covariance[:3, :3])[-1]))
    turn = float(np.sqrt(covariance[5, 5])) * one.side.radius
    reach = float(np.clip(REACH_SIGMAS * np.hypot(spread, turn), LEAST_REACH_M, MOST_REACH_M))
    found, modes = solve_near(problem, ratios.astype(float).ravel(), guess, reach)
    matches = []
    for mode in modes:
        sure = mode.probability
        centered = center_covariance(found, mode, sure)
        T, own = as_given(one.side.T_side_given, two.side.T_side_given, mode.T, centered)
        matches.append(
            NearbyMatch(
                T_2_1=T,
                covariance=own,
                log_evidence=mode.log_evidence,
                nearness=log_nearness(T_2_1, T, covariance + own) - mode.log_prior,
                pairs=_seen_again(mode.rows[sure > 0.5], problem, one, two),
            )
        )
    return sorted(matches, key=lambda match: -match.total)


def _seen_again(rows: Ints, problem: Problem, one: Place, two: Place) -> Ints:
    own = one.rows[one.side.kept[problem.i1[rows]]]
    theirs = two.rows[two.side.kept[problem.i2[rows]]]
    return np.stack([own, theirs], axis=1)


def upright_gap(T_map_a: Floats, T_map_b: Floats) -> Floats:
    """Return position and yaw (4,) of b in a, both upright; for near poses that is the twist's."""
    xyz = T_map_a[:3, :3].T @ (T_map_b[:3, 3] - T_map_a[:3, 3])
    return np.append(xyz, wrap_angle(yaw_of(T_map_b) - yaw_of(T_map_a)))
