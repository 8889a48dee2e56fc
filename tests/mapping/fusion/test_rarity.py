"""How rarely chance comes near: counted where it can be, carried on truly where it cannot."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.geometry import exp_se3, from_xyz_yaw, inverse, log_se3, relative
from commonground.mapping.fusion.chance import Chance
from commonground.mapping.fusion.rarity import _count, _root, _tail, claimed, rarity


def test_the_tail_is_that_of_chi_square() -> None:
    from scipy.stats import chi2

    for k in (3, 6):
        limit = np.array([0.01, 0.1, 0.5])
        found = _tail(np.ones((3, k)), limit)
        np.testing.assert_allclose(found, -chi2.logcdf(limit, k), atol=0.15)
    # directions in which the map is narrow say nothing
    narrow = _tail(np.array([[100.0, 100.0, 100.0, 1e-6, 1e-6, 1e-6]]), np.array([1.0]))
    np.testing.assert_allclose(narrow, _tail(np.array([[100.0] * 3]), np.array([1.0])), atol=0.01)


@pytest.mark.parametrize("sigma", [1.0, 4.0])
def test_rarity_is_the_share_of_claims_that_come_as_near(sigma: float) -> None:
    rng = np.random.default_rng(0)
    # a map that is crowded in its middle: no box and no normal distribution
    poses = from_xyz_yaw(
        np.c_[
            rng.normal(size=(200, 2)) * rng.exponential(15, (200, 1)),
            np.zeros(200),
            rng.uniform(-3, 3, 200),
        ]
    )
    robot = np.zeros(200, np.int64)
    chance = Chance.of(poses, robot)
    p, q = claimed(robot, rng).T
    C = np.diag([sigma, sigma, 1e-3, 1e-3, 1e-3, 0.1 * sigma]) ** 2
    i, j = rng.integers(0, 200, (2, 20))
    estimated = relative(poses[i], poses[j])
    near2 = np.full(20, 3.0)
    told = rarity(estimated, near2, np.tile(C, (20, 1, 1)), relative(poses[p], poses[q]), chance)
    all_claims = relative(poses[:, None], poses[None]).reshape(-1, 4, 4)
    share = np.array(
        [
            (
                chance.distances2(
                    log_se3(relative(all_claims, T)), np.tile(C, (len(all_claims), 1, 1))
                )
                <= 3
            ).mean()
            for T in estimated
        ]
    )
    # one claim in all is the pair itself
    assert np.log(share.mean()) == pytest.approx(np.log(np.exp(-told).mean()), abs=0.7)


def test_claims_are_made_within_a_frame() -> None:
    group = np.array([0, 1, 0, 1, 1, 2])
    pairs = claimed(group, np.random.default_rng(1))
    assert (group[pairs[:, 0]] == group[pairs[:, 1]]).all()
    assert set(map(tuple, pairs.tolist())) >= {(0, 2), (2, 0), (1, 3), (4, 3), (5, 5)}


def test_passing_over_what_is_turned_too_far_changes_nothing() -> None:
    rng = np.random.default_rng(2)
    twists = rng.normal(size=(300, 6)) * [20, 20, 2, 0.2, 0.2, 1.0]
    claims, estimated = exp_se3(twists[:260]), exp_se3(twists[260:])
    axes = np.arange(6)
    A = rng.normal(size=(40, 6, 6)) * np.array([5, 5, 1, 0.1, 0.1, 0.3])[:, None]
    C = A @ np.swapaxes(A, 1, 2) + np.diag([1, 1, 1, 0.01, 0.01, 0.01])
    far = log_se3(inverse(claims) @ estimated[:, None])
    found2 = np.einsum("mki,mij,mkj->mk", far, np.linalg.inv(C), far)
    near2 = np.quantile(found2, 0.05, axis=1)
    white, loosest = np.linalg.inv(np.linalg.cholesky(C)), np.linalg.eigvalsh(C[:, 3:, 3:])[:, -1]
    count, reach2 = np.zeros(40, np.int64), np.empty((40, 10))
    _count(inverse(claims), estimated, white, loosest, axes, near2, count, reach2)
    assert (count == (found2 <= near2[:, None]).sum(axis=1)).all()
    np.testing.assert_allclose(reach2, np.sort(found2, axis=1)[:, :10], rtol=1e-7)


def test_a_covariance_that_rounding_left_without_a_root_is_taken_for_the_nearest_with_one() -> None:
    rng = np.random.default_rng(1)
    turned = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    wide, spoiled = np.array([1e8, 1e6, 1, 1e-2, 1e-3, 1e-4]), np.array([1e8, 1, 1, 1, 1, -1e-6])
    C = np.array([(turned * v) @ turned.T for v in (wide, spoiled)])
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(C)
    root = _root(C)
    np.testing.assert_allclose(root @ np.swapaxes(root, 1, 2), C, atol=1e-3)
