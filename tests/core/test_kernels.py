"""Compiled algebra says what NumPy and the geometry of stacks say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

pytest.importorskip("numba")

from commonground import geometry as g
from commonground.geometry import kernels as k

twists = arrays(float, 6, elements=st.floats(-1.7, 1.7))
"""Turns stay under π: √3 · 1.7 is 2.94."""
far = arrays(float, 3, elements=st.floats(-500, 500))
poses = st.builds(lambda xi, t: g.transform(g.exp_so3(xi[3:]), t), twists, far)
squares = arrays(float, (6, 6), elements=st.floats(-2, 2))


def _filled(function: object, *args: np.ndarray) -> np.ndarray:
    out = np.eye(4)
    function(*args, out)  # type: ignore[operator]
    return out


@given(poses, poses, poses)
def test_motions_form_a_group(A: np.ndarray, B: np.ndarray, C: np.ndarray) -> None:
    AB, BC = _filled(k.multiply, A, B), _filled(k.multiply, B, C)
    np.testing.assert_allclose(AB, A @ B, atol=1e-9)
    np.testing.assert_allclose(_filled(k.multiply, AB, C), _filled(k.multiply, A, BC), atol=1e-8)
    back = _filled(k.invert, A)
    np.testing.assert_allclose(_filled(k.multiply, back, A), np.eye(4), atol=1e-9)
    np.testing.assert_allclose(_filled(k.between, A, B), back @ B, atol=1e-8)
    np.testing.assert_allclose(_filled(k.between, A, A), np.eye(4), atol=1e-12)


@given(poses, poses)
def test_points_go_there_and_directions_back(A: np.ndarray, B: np.ndarray) -> None:
    p = B[:3, 3]
    np.testing.assert_allclose(k.transformed(A, *p), (A @ [*p, 1])[:3], atol=1e-9)
    np.testing.assert_allclose(k.rotated_back(A, *p), A[:3, :3].T @ p, atol=1e-9)


@given(twists)
def test_the_twist_of_a_motion_makes_it_again(xi: np.ndarray) -> None:
    out = np.empty(6)
    k.log_twist(g.exp_se3(xi), out)
    np.testing.assert_allclose(out, xi, atol=1e-9)


@given(poses, st.sets(st.integers(0, 5), min_size=1))
def test_errors_are_seen_from_elsewhere_as_the_adjoint_says(
    T: np.ndarray, chosen: set[int]
) -> None:
    axes = np.array(sorted(chosen))
    out = np.full((len(axes), len(axes)), np.nan)
    k.adjoint_of_inverse(T, axes, out)
    np.testing.assert_allclose(out, g.adjoint(g.inverse(T))[np.ix_(axes, axes)], atol=1e-9)


@given(squares, squares)
def test_covariances_are_carried_and_factored(A: np.ndarray, B: np.ndarray) -> None:
    C = B @ B.T + np.eye(6)
    out = np.eye(6)
    k.add_carried(A, C, np.empty((6, 6)), out)
    np.testing.assert_allclose(out, np.eye(6) + A @ C @ A.T, atol=1e-9)
    factor, y = out.copy(), A[0].copy()
    log_det = k.cholesky(factor)
    np.testing.assert_allclose(np.tril(factor), np.linalg.cholesky(out), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(log_det, np.linalg.slogdet(out)[1], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        k.mahalanobis2(factor, y), A[0] @ np.linalg.solve(out, A[0]), rtol=1e-7, atol=1e-9
    )


@given(squares, arrays(float, 6, elements=st.floats(-2, 2)))
def test_residuals_add_up_to_normal_equations(J: np.ndarray, r: np.ndarray) -> None:
    H, gradient = np.zeros((6, 6)), np.zeros(6)
    for row, value in zip(J, r, strict=True):
        k.add_residual(row, value, 0.5, H, gradient)
    np.testing.assert_allclose(H, 0.5 * J.T @ J, atol=1e-9)
    np.testing.assert_allclose(gradient, 0.5 * J.T @ r, atol=1e-9)


@given(
    arrays(float, 3, elements=st.floats(-0.01, 0.01)),
    st.integers(2, 6),
    st.integers(2, 6),
    st.sampled_from([1, 2]),
)
def test_a_plane_is_found_again_and_what_is_beside_it_left_out(
    slope: np.ndarray, i: int, j: int, step: int
) -> None:
    rows, columns = np.mgrid[:9, :9]
    inverse = (0.5 + slope[0] + slope[1] * columns + slope[2] * rows).astype(np.float32)
    inverse[j % 2 :: 4, 0] = 0.0  # no depth
    beside = inverse.copy()
    beside[:, 8] = 2.0  # another surface
    for image in (inverse, beside):
        n, offset, across, down, squares = k.plane_around(image, i, j, step, 5)
        assert n >= 5
        np.testing.assert_allclose([offset, across, down], [0, *slope[1:]], atol=1e-5)
        assert squares < 1e-9


def test_no_plane_goes_through_a_line_or_too_few_pixels() -> None:
    line = np.zeros((9, 9), np.float32)
    line[4] = 0.5
    assert k.plane_around(line, 4, 4, 1, 3)[0] == 0
    assert k.plane_around(np.full((9, 9), 0.5, np.float32), 4, 4, 2, 10)[0] == 0
