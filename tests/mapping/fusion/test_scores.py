"""What the table of fusion measures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import DataError
from commonground.geometry import exp_se3, from_xyz_yaw, inverse
from commonground.scene import Boxes
from commonground.scores import ate, closure_scores, joint_ate, object_scores, team_ate
from commonground.tum import read_tum, write_tum


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


def test_a_path_is_held_against_the_true_poses_nearest_in_time() -> None:
    rng = np.random.default_rng(2)
    true = exp_se3(rng.normal(size=(40, 6)) * [5, 5, 1, 0.1, 0.1, 2])
    stamps = np.arange(40) * 10**8
    T = exp_se3(np.array([30.0, -9.0, 1.0, 0.0, 0.0, 2.0]))
    mixed = rng.permutation(40)
    score = ate((stamps[::2] + 10**7, T @ true[::2]), (stamps[mixed], true[mixed]))
    assert score.ate_m == pytest.approx(0.0, abs=1e-9) and (score.poses, score.of) == (20, 20)
    assert score.T_true_found @ T == pytest.approx(np.eye(4), abs=1e-9)
    bent = true.copy()
    bent[20:, 0, 3] += 2.0
    found = ate((stamps, bent), (stamps, true))
    assert (
        found.ate_m == pytest.approx(joint_ate([bent], [true])) and found.worst_m > found.median_m
    )
    late = ate((stamps + 4 * 10**7, true), (stamps[:30], true[:30]))
    assert (late.poses, late.of) == (30, 40), "nothing is compared beyond the end of the truth"
    with pytest.raises(DataError, match="0 of 40 poses have a true one within 0.05 s"):
        ate((stamps + 10**12, true), (stamps, true))
    for path, other in (
        ((stamps, true), (stamps[:0], true[:0])),
        ((stamps[:0], true[:0]), (stamps, true)),
    ):
        with pytest.raises(DataError, match="no poses|0 of 0 poses"):
            ate(path, other)


def test_objects_are_matched_one_to_one_and_those_out_of_sight_are_not_missed() -> None:
    true = np.array([[0.0, 0.0, 0.0], [5.0, 0.0, 0.0], [9.0, 0.0, 0.0]])
    found = np.array([[0.1, 0.0, 0.0], [0.5, 0.0, 0.0], [5.0, 0.3, 0.0], [20.0, 0.0, 0.0]])
    score = object_scores(found, true)
    assert (score.precision, score.recall, score.doubled) == pytest.approx((0.5, 2 / 3, 0.25))
    assert score.pairs.tolist() == [[0, 0], [2, 1]] and score.iou is None
    seen = np.array([True, True, False])
    assert object_scores(found, true, demanded=seen).recall == 1.0
    sizes, upright = np.ones((3, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (3, 1))
    boxes = Boxes(true, sizes, upright)
    same = object_scores(true, true, boxes=(boxes, boxes))
    assert same.iou == pytest.approx(1.0) and same.precision == same.recall == 1.0
    nothing = object_scores(np.zeros((0, 3)), true)
    assert (nothing.precision, nothing.recall) == (0.0, 0.0)


def test_closures_are_scored_with_what_they_state() -> None:
    rng = np.random.default_rng(4)
    true = from_xyz_yaw(rng.normal(0, 3, (400, 4)))
    covariance = np.diag([0.04, 0.01, 0.01, 1e-4, 1e-4, 4e-4])
    xi = rng.normal(size=(400, 6)) * np.sqrt(np.diag(covariance))
    found = true @ inverse(exp_se3(xi))
    found[:40, 0, 3] += 50.0
    score = closure_scores(found, true, np.tile(covariance, (400, 1, 1)))
    assert score.precision == 0.9 and not score.right[:40].any()
    assert score.nees == pytest.approx(3.0, abs=0.4)
    assert score.median_m == pytest.approx(0.2, abs=0.1)
    sure = closure_scores(found, true, np.tile(0.1 * covariance, (400, 1, 1)))
    assert sure.nees is not None and sure.nees > 20.0
    assert closure_scores(found[:0], true[:0]).precision is None


def test_a_closure_is_off_by_the_way_between_places_however_it_is_turned() -> None:
    true = np.tile(np.eye(4), (3, 1, 1))
    found = from_xyz_yaw(
        [[4.0, 0, 0, 0.99 * np.pi], [1.999, 0, 0, np.radians(9.9)], [0, 2.001, 0, 0]]
    )
    score = closure_scores(found[:1], true[:1])
    assert score.median_m == pytest.approx(4.0) and score.median_deg == pytest.approx(178.2)
    assert closure_scores(found, true).right.tolist() == [False, True, False]


def test_poses_that_are_not_finite_are_not_compared_and_count_as_not_found() -> None:
    rng = np.random.default_rng(5)
    true = exp_se3(rng.normal(size=(40, 6)) * [5, 5, 1, 0.1, 0.1, 2])
    stamps, lost = np.arange(40) * 10**8, np.array(true)
    lost[::2] = np.nan
    for found, known in ((lost, true), (true, lost)):
        score = ate((stamps, found), (stamps, known))
        assert (score.poses, score.of, score.ate_m) == (20, 40, pytest.approx(0.0, abs=1e-9))
    bent = np.array(true)
    bent[10:, 0, 3] += 1.0
    assert "(root mean square of 20 of 40 poses" in str(ate((stamps, bent), (stamps, lost)))
    assert "(root mean square of 40 poses" in str(ate((stamps, bent), (stamps, true)))
    nothing = np.full_like(true, np.nan)
    with pytest.raises(DataError, match="0 of 40 poses have a true one"):
        ate((stamps, nothing), (stamps, true))
    with pytest.raises(DataError, match="no poses"):
        ate((stamps, true), (stamps, nothing))
    with pytest.raises(DataError, match="not finite"):
        joint_ate([lost], [true])


def test_rows_of_a_file_that_are_no_poses_are_told_or_count(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    true = from_xyz_yaw([[k, k % 3, 0, 0] for k in range(10)])
    file = tmp_path / "found.tum"
    write_tum(file, np.arange(10) * 10**9, true)
    lines = file.read_text().splitlines()
    lines[3] = lines[3].split()[0] + " nan" * 7
    lines[5] = lines[5].split()[0] + " 1 1 1 0 0 0 0"
    file.write_text("\n".join(lines) + "\n")
    every = read_tum(file, every=True)
    assert len(every[0]) == 10 and not caplog.text
    score = ate(every, (np.arange(10) * 10**9, true))
    assert (score.poses, score.of) == (8, 10)
    assert len(read_tum(file)[0]) == 8
    assert "found.tum: 2 of 10 poses are not finite with a unit quaternion" in caplog.text
