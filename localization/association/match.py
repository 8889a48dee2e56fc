"""Object association: from two point sets with features to correspondences and a transform."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.blas import one_blas_thread
from commonground.errors import LocalizationError
from commonground.localization.association.affinity import build_graph, choose_candidates
from commonground.localization.association.appearance import APPEARANCE, checked_features
from commonground.localization.association.correspondences import (
    Candidates,
    Correspondences,
    correspondences_of,
)
from commonground.localization.association.decide import decide, nothing
from commonground.localization.association.densest import densest_set
from commonground.localization.association.features import feature_evidence
from commonground.localization.association.modes import Mode, find_modes
from commonground.localization.association.problem import Problem, pose_problem
from commonground.localization.association.result import Association
from commonground.localization.association.votes import (
    LINES,
    fit_members,
    vote_about_lines,
    vote_for_yaw,
)

NOISE_M = 0.15
OVERWHELMING = 50.0
"""Log evidence that no chance reaches: only a rival of like size is then looked for."""
RIVAL_LINES = 300
TYPICAL_COST = 3.2
"""What a fitting association has less than the best: mean squared residual (1.5) and the odds of ρ = 0.15."""


@one_blas_thread
def associate(
    points1: Any,
    points2: Any,
    pairs: Any = None,
    *,
    features1: Mapping[str, Any] | None = None,
    features2: Mapping[str, Any] | None = None,
    gravity: bool | None = None,
    noise_m: float = NOISE_M,
    rng: np.random.Generator | None = None,
    threads: int = 0,
) -> Association:
    """Find the objects that two maps share and the transform between them, with p2 = T_2_1 p1.

    ``points1`` (n1, 3), ``points2`` (n2, 3); ``pairs`` (m, 2) of rows that may be the same object, or
    None for all to all. ``gravity``: whether z is known to be up in both maps. ``noise_m`` is the standard
    deviation of a position along each axis in each map. Features are arrays of n rows: ``embedding``
    (n, d), ``shape`` and ``size`` (n, k) positive measures, ``label`` (n,) words or numbers or (n, c)
    scores, and ``covariance`` (n, 3, 3) of the positions beyond ``noise_m``. The answer is the same in every
    run; ``rng`` orders what is otherwise a tie where a map has more associations than are looked at.
    """
    one = checked_features(features1, len(points1), "features1")
    two = checked_features(features2, len(points2), "features2")
    told = sorted((one.keys() | two.keys()) & set(APPEARANCE))
    if told and (features1 is None or features2 is None):
        raise LocalizationError(
            f"{', '.join(told)}: given for one map and not the other, so there is nothing to compare with; "
            "give features1 and features2"
        )
    problem = pose_problem(
        points1,
        points2,
        pairs,
        bool(gravity),
        noise_m,
        one.get("covariance"),
        two.get("covariance"),
    )
    if len(problem) < 2:
        return nothing(noise_m)
    kept = (problem.side1.kept, problem.side2.kept)
    appearance = feature_evidence(one, two, *kept, problem.i1, problem.i2)
    return solve(problem, appearance, threads=threads, rng=rng)


def solve(
    problem: Problem,
    appearance: Floats,
    *,
    threads: int = 1,
    rng: np.random.Generator | None = None,
) -> Association:
    """Return the answer to a posed problem, given what appearance says of each association (m,)."""
    if len(problem) < 2:
        return nothing(problem.noise_m)
    matches = correspondences_of(problem, appearance)
    weight = matches.base - TYPICAL_COST
    candidates = choose_candidates(matches, weight, appearance, rng)
    if len(candidates.rows) < 2:
        return nothing(problem.noise_m)
    modes = _upright_modes if problem.upright else _free_modes
    return decide(problem, matches, modes(problem, matches, candidates, threads), appearance)


def solve_near(
    problem: Problem, appearance: Floats, guess: Floats, reach_m: float
) -> tuple[Correspondences, list[Mode]]:
    """Return the modes of a problem with known gravity whose objects move little from the guess (4, 4).

    ``guess`` maps side 1 to side 2; only associations that it brings within ``reach_m`` vote.
    """
    matches = correspondences_of(problem, appearance)
    moved = problem.side1.points @ guess[:3, :3].T + guess[:3, 3]
    apart = np.linalg.norm(moved[problem.i1] - problem.side2.points[problem.i2], axis=1)
    near = np.where(apart < reach_m, appearance, -np.inf)
    weight = matches.base - TYPICAL_COST
    candidates = choose_candidates(matches, weight, near)
    if len(candidates.rows) < 2:
        return matches, []
    return matches, find_modes(problem, matches, candidates, vote_for_yaw(problem, candidates))


def _upright_modes(
    problem: Problem, matches: Correspondences, c: Candidates, threads: int
) -> list[Mode]:
    return find_modes(problem, matches, c, vote_for_yaw(problem, c))


def _free_modes(
    problem: Problem, matches: Correspondences, c: Candidates, threads: int
) -> list[Mode]:
    """Return the modes near the densest consistent set, and near what the rest of the graph says."""
    graph = build_graph(c, threads)
    members = densest_set(graph, c.weight)
    first = find_modes(problem, matches, c, fit_members(problem, c, members))
    clear = bool(first) and first[0].log_evidence > OVERWHELMING
    known = np.flatnonzero(np.isin(c.rows, first[0].rows)) if clear else members
    rest = vote_about_lines(problem, c, graph, known, RIVAL_LINES if clear else LINES)
    found = np.array([mode.T for mode in first]).reshape(-1, 4, 4)
    return find_modes(problem, matches, c, np.concatenate([found, rest]))
