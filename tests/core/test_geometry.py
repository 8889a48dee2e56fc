"""The group laws of SE(3), and alignment that undoes any motion."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from commonground import geometry as g

angles = st.floats(-3.1, 3.1)
coordinates = st.floats(-100, 100)
points = arrays(float, (8, 3), elements=st.floats(-50, 50))


@st.composite
def poses(draw: st.DrawFn) -> np.ndarray:
    axis = draw(arrays(float, 3, elements=st.floats(-1, 1)))
    length = np.linalg.norm(axis)
    turn = axis / length * draw(angles) if length > 1e-3 else np.zeros(3)
    t = draw(arrays(float, 3, elements=coordinates))
    return g.transform(g.exp_so3(turn), t)


@given(poses(), poses(), poses())
def test_poses_form_a_group(A: np.ndarray, B: np.ndarray, C: np.ndarray) -> None:
    np.testing.assert_allclose((A @ B) @ C, A @ (B @ C), atol=1e-9)
    np.testing.assert_allclose(A @ g.inverse(A), np.eye(4), atol=1e-9)
    np.testing.assert_allclose(g.inverse(A @ B), g.inverse(B) @ g.inverse(A), atol=1e-8)
    assert g.is_rigid(A @ B, 1e-9)


@given(poses())
def test_exp_and_log_are_inverse(T: np.ndarray) -> None:
    np.testing.assert_allclose(g.exp_se3(g.log_se3(T)), T, atol=1e-8)


@given(
    arrays(float, 3, elements=st.floats(-1, 1)),
    st.sampled_from([0, 1e-12, 1e-8, 1e-5, 9e-5, 1.1e-4, 1e-2]),
)
def test_log_of_small_turns_keeps_its_digits(axis: np.ndarray, size: float) -> None:
    w = axis * size
    np.testing.assert_allclose(g.log_so3(g.exp_so3(w)), w, rtol=1e-7, atol=1e-15)


@given(poses(), arrays(float, 6, elements=st.floats(-1, 1)))
def test_adjoint_moves_twists_between_frames(T: np.ndarray, xi: np.ndarray) -> None:
    np.testing.assert_allclose(
        g.exp_se3(g.adjoint(T) @ xi), T @ g.exp_se3(xi) @ g.inverse(T), atol=1e-6
    )


@given(poses(), points)
def test_alignment_undoes_any_motion(T: np.ndarray, p: np.ndarray) -> None:
    if np.linalg.svd(p - p.mean(0), compute_uv=False)[1] < 1e-2:
        return  # on a line: many motions do it
    np.testing.assert_allclose(
        g.apply(g.align_points(p, g.apply(T, p)), p), g.apply(T, p), atol=1e-6
    )


@given(arrays(float, 4, elements=st.floats(-3, 3)), points)
def test_alignment_with_gravity_undoes_any_upright_motion(pose: np.ndarray, p: np.ndarray) -> None:
    T = g.from_xyz_yaw(pose)
    if (
        np.linalg.norm(p - p.mean(0), axis=1)[:].max() < 1e-2
        or np.ptp(p[:, :2], axis=0).max() < 1e-2
    ):
        return
    found = g.align_points_yaw(p, g.apply(T, p))
    np.testing.assert_allclose(g.apply(found, p), g.apply(T, p), atol=1e-6)
    assert g.tilt_of(found) == pytest.approx(0, abs=1e-7)


def test_alignment_listens_to_weights() -> None:
    rng = np.random.default_rng(0)
    p = rng.normal(size=(10, 3))
    T = g.from_xyz_yaw([1, 2, 3, 0.5])
    q = g.apply(T, p)
    q[0] += 100
    w = np.ones(10)
    w[0] = 0
    np.testing.assert_allclose(g.align_points(p, q, w), T, atol=1e-9)
    assert np.abs(g.align_points(p, q) - T).max() > 1


@pytest.mark.parametrize("align", [g.align_points, g.align_points_yaw])
def test_alignment_refuses_what_it_cannot_use(align: object) -> None:
    with pytest.raises(ValueError, match=r"\(n, 3\)"):
        align(np.zeros((3, 3)), np.zeros((4, 3)))  # type: ignore[operator]
    with pytest.raises(ValueError, match="weight"):
        align(np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3))  # type: ignore[operator]


@given(poses())
def test_gravity_aligned_is_upright_and_stays_in_place(T: np.ndarray) -> None:
    up = g.gravity_aligned(T)
    assert g.tilt_of(up) == pytest.approx(0, abs=1e-7)
    np.testing.assert_allclose(up[:3, 3], T[:3, 3])
    np.testing.assert_allclose(g.gravity_aligned(up), up, atol=1e-9)


@given(poses(), poses(), st.floats(0, 1))
def test_interpolation_meets_its_ends(A: np.ndarray, B: np.ndarray, s: float) -> None:
    np.testing.assert_allclose(g.interpolate(A, B, [0.0, 1.0]), np.stack([A, B]), atol=1e-7)
    middle = g.interpolate(A, B, [s])[0]
    turned = float(g.angle_between(A, B))
    assert g.angle_between(A, middle) == pytest.approx(s * turned, abs=1e-6)


@given(poses(), st.integers(0, 2**31))
def test_averages_find_the_center_of_a_symmetric_cloud(T: np.ndarray, seed: int) -> None:
    xi = np.random.default_rng(seed).normal(0, 0.1, (5, 6))
    cloud = T @ g.exp_se3(np.concatenate([xi, -xi]))
    np.testing.assert_allclose(g.karcher_mean(cloud), T, atol=1e-6)
    assert g.angle_between(g.chordal_mean(cloud), T) < 0.02


def test_averages_need_poses() -> None:
    with pytest.raises(ValueError, match="at least one"):
        g.karcher_mean(np.empty((0, 4, 4)))


@given(poses())
def test_quaternions_come_back(T: np.ndarray) -> None:
    np.testing.assert_allclose(g.from_quat_wxyz(g.quat_wxyz(T)), T[:3, :3], atol=1e-9)
    np.testing.assert_allclose(g.from_quat_xyzw(g.quat_xyzw(T)), T[:3, :3], atol=1e-9)
    np.testing.assert_allclose(g.from_quat_xyzw(3 * g.quat_xyzw(T)), T[:3, :3], atol=1e-9)


@pytest.mark.parametrize("bad", [[0, 0, 0, 0], [np.nan, 0, 0, 1]])
def test_a_quaternion_without_length_is_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="length 0"):
        g.from_quat_wxyz([[1.0, 0, 0, 0], bad])


def test_rigid_means_finite_orthonormal_and_right_handed() -> None:
    bad = np.stack([np.eye(4)] * 5)
    bad[0, 0, 0] = np.nan
    bad[1, 0, 0] = -1
    bad[2, 0, 1] = 0.1
    bad[3, 3, 0] = 1
    assert g.is_rigid(bad).tolist() == [False, False, False, False, True]


def test_stacks_work_where_one_pose_does() -> None:
    T = g.exp_se3(np.random.default_rng(1).normal(size=(4, 6)))
    p = np.random.default_rng(2).normal(size=(7, 3))
    for i in range(4):
        np.testing.assert_allclose(g.apply(T, p)[i], g.apply(T[i], p))
        np.testing.assert_allclose(g.inverse(T)[i], g.inverse(T[i]))
        np.testing.assert_allclose(g.rotate(T, p)[i], g.rotate(T[i], p))
