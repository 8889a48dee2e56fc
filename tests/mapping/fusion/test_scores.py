"""What the table of fusion measures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.geometry import exp_se3
from commonground.mapping.fusion.evaluation.scores import joint_ate, team_ate


@given(st.integers(0, 1000))
def test_the_error_of_paths_is_that_of_evo(seed: int) -> None:
    metrics = pytest.importorskip("evo.core.metrics")
    PosePath3D = pytest.importorskip("evo.core.trajectory").PosePath3D
    rng = np.random.default_rng(seed)
    true = exp_se3(rng.normal(size=(20, 6)) * [5, 5, 1, 0.1, 0.1, 2])
    found = exp_se3(rng.normal(size=6)) @ true @ exp_se3(rng.normal(size=(20, 6)) * 0.1)
    estimate, reference = PosePath3D(poses_se3=list(found)), PosePath3D(poses_se3=list(true))
    estimate.align(reference)
    error = metrics.APE(metrics.PoseRelation.translation_part)
    error.process_data((reference, estimate))
    evo = error.get_statistic(metrics.StatisticsType.rmse)
    assert joint_ate([found], [true]) == pytest.approx(evo, abs=1e-9)


def test_robots_are_aligned_together_not_one_by_one() -> None:
    rng = np.random.default_rng(0)
    true = [exp_se3(rng.normal(size=(20, 6)) * [5, 5, 1, 0.1, 0.1, 2]) for _ in range(2)]
    moved = true[1].copy()
    moved[:, 0, 3] += 4.0
    assert joint_ate(true, true) == pytest.approx(0.0, abs=1e-9)
    assert joint_ate([true[0], moved], true) > 0.5


def test_a_robot_in_a_frame_of_its_own_shows_its_drift_and_not_where_it_began() -> None:
    rng = np.random.default_rng(1)
    true = [exp_se3(rng.normal(size=(20, 6)) * [5, 5, 1, 0.1, 0.1, 2]) for _ in range(2)]
    bent = true[0].copy()
    bent[10:, 0, 3] += 3.0
    away = exp_se3(np.array([30.0, -9.0, 1.0, 0.0, 0.0, 2.0])) @ true[1]
    apart = team_ate([bent, away], true, np.array([0, 1]))
    assert apart == pytest.approx(joint_ate([bent], true[:1]) / np.sqrt(2))
    assert team_ate([bent, away], true, np.array([0, 0])) > 3 * apart


def test_a_straight_path_has_an_error_too() -> None:
    true = np.tile(np.eye(4), (5, 1, 1))
    true[:, 0, 3] = np.arange(5)
    assert joint_ate([true], [true]) == pytest.approx(0.0, abs=1e-9)
