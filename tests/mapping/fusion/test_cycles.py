"""Going round two closures: as far off as stated, however the closures are written down."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.geometry import adjoint, exp_se3, from_xyz_yaw, inverse, relative
from commonground.mapping.fusion import Constraints, PoseGraph
from commonground.mapping.fusion.chance import Chance, Odometry
from commonground.mapping.fusion.consistency import Support, closure_support
from commonground.mapping.fusion.cycles import cycle_errors

SIGMA = np.array([0.05, 0.03, 0.02, 0.002, 0.003, 0.01])


def drive(rng: np.random.Generator, n: int = 80) -> tuple[np.ndarray, PoseGraph]:
    """A noisy drive round a block twice, up a slope, with closures between the rounds."""
    s = np.linspace(0, 4 * np.pi, n)
    true = from_xyz_yaw(np.c_[20 * np.cos(s), 12 * np.sin(s), 0.3 * s, s])
    steps = relative(true[:-1], true[1:]) @ exp_se3(rng.normal(size=(n - 1, 6)) * SIGMA)
    i = rng.integers(0, n // 2 - 3, 30)
    rows = np.c_[i, i + n // 2 + rng.integers(-2, 3, 30)]
    T = relative(true[rows[:, 0]], true[rows[:, 1]]) @ exp_se3(rng.normal(size=(30, 6)) * SIGMA)
    C = np.tile(np.diag(SIGMA**2), (n, 1, 1))
    odometry = Constraints(np.c_[: n - 1, 1:n].astype(np.int64), steps, C[: n - 1])
    closures = Constraints(rows.astype(np.int64), T, C[:30])
    return true, PoseGraph(np.arange(n), true, odometry, closures, np.zeros(n, np.int64))


def turned_round(closures: Constraints, which: np.ndarray) -> Constraints:
    """Return the same closures, some of them from their other end."""
    A = adjoint(closures.T[which])
    rows, T, C = closures.rows.copy(), closures.T.copy(), closures.covariances.copy()
    rows[which] = rows[which, ::-1]
    T[which] = inverse(T[which])
    C[which] = A @ C[which] @ np.swapaxes(A, -1, -2)
    return Constraints(rows, T, C)


@pytest.mark.parametrize("axes", [np.arange(6), np.array([0, 1, 5])])
def test_right_closures_are_as_far_off_as_stated(axes: np.ndarray) -> None:
    found = []
    for seed in range(40):
        _, graph = drive(np.random.default_rng(seed))
        poses = graph.chained()
        chance = Chance(axes, Chance.of(poses, graph.robot).spread2)
        a, b = np.random.default_rng(seed).integers(0, 30, (2, 20))
        pairs = np.stack([a, b], axis=1)[a != b]
        closures = graph.closures
        odometry = Odometry.of(graph, poses)
        found.append(cycle_errors(closures, closures.T, odometry, chance, pairs)[1])
    assert np.concatenate(found).mean() == pytest.approx(len(axes), rel=0.15)


def compared(
    rng: np.random.Generator,
) -> tuple[PoseGraph, np.ndarray, Odometry, Chance, np.ndarray]:
    """A drive with all pairs of its closures."""
    _, graph = drive(rng)
    poses = graph.chained()
    pairs = np.array([(a, b) for a in range(30) for b in range(a)])
    return graph, poses, Odometry.of(graph, poses), Chance.of(poses, graph.robot), pairs


def test_it_does_not_matter_from_which_end_a_closure_is_written() -> None:
    rng = np.random.default_rng(3)
    graph, _, odometry, chance, pairs = compared(rng)
    one = cycle_errors(graph.closures, graph.closures.T, odometry, chance, pairs)
    other = turned_round(graph.closures, rng.random(30) < 0.5)
    two = cycle_errors(other, other.T, odometry, chance, pairs)
    # the round is seen from another of its corners, so to first order only
    np.testing.assert_allclose(two[1], one[1], rtol=0.1, atol=0.05)


def test_a_wrong_closure_is_no_evidence() -> None:
    rng = np.random.default_rng(5)
    graph, poses, odometry, chance, pairs = compared(rng)
    right, _ = cycle_errors(graph.closures, graph.closures.T, odometry, chance, pairs)
    p, q = rng.integers(0, len(poses), (2, 30))
    wrong, _ = cycle_errors(graph.closures, relative(poses[p], poses[q]), odometry, chance, pairs)
    assert (right > 5).mean() > 0.9
    assert (wrong > 5).mean() < 0.02  # chance reaches t with a probability of at most exp(−t)


def test_one_submap_that_is_taken_for_a_place_is_not_borne_out_by_all_submaps_of_that_place() -> (
    None
):
    submaps = np.array([[3, 50], [7, 50], [4, 51], [20, 80]])
    pairs = np.array([[0, 1], [0, 2], [1, 3]])
    support = Support(pairs, np.full(3, 9.0), np.zeros(4))
    assert support.witnessed(submaps).tolist() == [True, False, True, False]
    # the agreement of the two that share an end is all there is for the second
    assert not Support(pairs[:1], np.full(1, 9.0), np.zeros(4)).witnessed(submaps).any()


def test_what_is_not_asked_about_shows_what_agreements_are_worth() -> None:
    rng = np.random.default_rng(3)
    _, graph = drive(rng)
    chained = graph.chained()
    odometry, chance = Odometry.of(graph, chained), Chance.of(chained, graph.robot)
    asked = np.zeros(len(graph.closures), bool)
    asked[:3] = True
    both = [
        closure_support(graph.closures, odometry, chance, True, np.random.default_rng(0), which)
        for which in (asked, np.ones_like(asked))
    ]
    np.testing.assert_allclose(*(support.link[asked] for support in both), atol=1e-9)
