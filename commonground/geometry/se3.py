"""SE(3) and SO(3): build, invert, exponentiate, interpolate."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Bools, Floats

SMALL_ANGLE = 1e-4
"""Below this many radians the series are used: their fourth-order remainder is under 1e-17."""


def transform(R: ArrayLike, t: ArrayLike) -> Floats:
    """Return T (..., 4, 4) from rotation R (..., 3, 3) and translation t (..., 3)."""
    R_, t_ = np.asarray(R, float), np.asarray(t, float)
    shape = R_.shape[:-2]
    if shape != t_.shape[:-1]:
        shape = np.broadcast_shapes(shape, t_.shape[:-1])
    T = np.zeros((*shape, 4, 4))
    T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = R_, t_, 1.0
    return T


def inverse(T: Floats) -> Floats:
    """Return T_b_a of T_a_b, exactly rigid: Rᵀ and −Rᵀt."""
    Rt = np.swapaxes(T[..., :3, :3], -1, -2)
    return transform(Rt, -(Rt @ T[..., :3, 3:])[..., 0])


def apply(T: Floats, points: ArrayLike) -> Floats:
    """Return the points (..., n, 3) given in b, expressed in a, for T = T_a_b (..., 4, 4)."""
    p = np.asarray(points, float)
    if T.ndim == 2:
        return np.asarray(p @ T[:3, :3].T + T[:3, 3])
    return np.asarray(p @ np.swapaxes(T[..., :3, :3], -1, -2) + T[..., None, :3, 3])


def rotate(T: Floats, vectors: ArrayLike) -> Floats:
    """Return directions (..., n, 3) rotated by T: no translation."""
    return np.asarray(np.asarray(vectors, float) @ np.swapaxes(T[..., :3, :3], -1, -2))


def relative(T_w_a: Floats, T_w_b: Floats) -> Floats:
    """Return T_a_b of two poses in one frame."""
    return np.asarray(inverse(T_w_a) @ T_w_b)


def hat(w: Floats) -> Floats:
    """Return the cross-product matrices (..., 3, 3) of vectors (..., 3)."""
    out = np.zeros((*w.shape[:-1], 3, 3))
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -w[..., 2], w[..., 1], -w[..., 0]
    return out - np.swapaxes(out, -1, -2)


def _series(theta: Floats) -> tuple[Floats, Floats, Floats]:
    """Return sin θ/θ, (1 − cos θ)/θ² and (θ − sin θ)/θ³, accurate down to θ = 0."""
    small = theta < SMALL_ANGLE
    t = np.where(small, 1.0, theta)
    t2 = theta**2
    a = np.where(small, 1 - t2 / 6, np.sin(t) / t)
    b = np.where(small, 0.5 - t2 / 24, 2 * np.sin(t / 2) ** 2 / t**2)
    c = np.where(small, 1 / 6 - t2 / 120, (t - np.sin(t)) / t**3)
    return a[..., None, None], b[..., None, None], c[..., None, None]


def exp_so3(w: ArrayLike) -> Floats:
    """Return the rotations (..., 3, 3) of rotation vectors (..., 3) (Rodrigues)."""
    w_ = np.asarray(w, float)
    a, b, _ = _series(np.linalg.norm(w_, axis=-1))
    W = hat(w_)
    return np.asarray(np.eye(3) + a * W + b * (W @ W))


def log_so3(R: ArrayLike) -> Floats:
    """Return the rotation vectors (..., 3), of length at most π, of rotations (..., 3, 3)."""
    q = quat_xyzw(np.asarray(R, float))
    q = np.where(q[..., 3:] < 0, -q, q)
    n = np.linalg.norm(q[..., :3], axis=-1)
    angle = 2 * np.arctan2(n, q[..., 3])
    w = q[..., 3].clip(0.5)  # only read where n is small, that is where w is near 1
    scale = np.where(n < SMALL_ANGLE, 2 / w - 2 * n**2 / (3 * w**3), angle / np.where(n > 0, n, 1))
    return np.asarray(q[..., :3] * scale[..., None])


def exp_se3(xi: ArrayLike) -> Floats:
    """Return T (..., 4, 4) of twists (..., 6): translation part first, then rotation part."""
    x = np.asarray(xi, float)
    rho, w = x[..., :3], x[..., 3:]
    _, b, c = _series(np.linalg.norm(w, axis=-1))
    W = hat(w)
    V = np.eye(3) + b * W + c * (W @ W)
    return transform(exp_so3(w), (V @ rho[..., None])[..., 0])


def log_se3(T: ArrayLike) -> Floats:
    """Return the twists (..., 6) of transforms (..., 4, 4); inverse of exp_se3."""
    T_ = np.asarray(T, float)
    w = log_so3(T_[..., :3, :3])
    theta = np.linalg.norm(w, axis=-1)
    a, b, _ = _series(theta)
    t2 = (theta**2)[..., None, None]
    small = t2 < SMALL_ANGLE**2
    k = np.where(small, 1 / 12 + t2 / 720, (1 - a / (2 * b)) / np.where(small, 1.0, t2))
    W = hat(w)
    V_inv = np.eye(3) - 0.5 * W + k * (W @ W)
    return np.concatenate([(V_inv @ T_[..., :3, 3:])[..., 0], w], axis=-1)


def adjoint(T: Floats) -> Floats:
    """Return Ad_T (..., 6, 6) with ``exp(Ad_T ξ) = T exp(ξ) T⁻¹`` (translation first)."""
    R, t = T[..., :3, :3], T[..., :3, 3]
    out = np.zeros((*T.shape[:-2], 6, 6))
    out[..., :3, :3] = out[..., 3:, 3:] = R
    out[..., :3, 3:] = hat(t) @ R
    return out


def interpolate(T_w_a: Floats, T_w_b: Floats, s: ArrayLike) -> Floats:
    """Return poses at fractions s (n,) of the way from a to b: geodesic turn, straight path."""
    s_ = np.asarray(s, float)[..., None]
    turn = log_so3(np.swapaxes(T_w_a[..., :3, :3], -1, -2) @ T_w_b[..., :3, :3])
    R = T_w_a[..., :3, :3] @ exp_so3(s_ * turn)
    return transform(R, (1 - s_) * T_w_a[..., :3, 3] + s_ * T_w_b[..., :3, 3])


def from_yaw(yaw: ArrayLike) -> Floats:
    """Return rotations (..., 3, 3) about z by ``yaw`` radians, counter-clockwise from +x."""
    y = np.asarray(yaw, float)
    return exp_so3(np.stack([np.zeros_like(y), np.zeros_like(y), y], axis=-1))


def from_xyz_yaw(pose: ArrayLike) -> Floats:
    """Return T (..., 4, 4) of poses (..., 4) given as x, y, z, yaw: how robots.yaml writes them."""
    p = np.asarray(pose, float)
    return transform(from_yaw(p[..., 3]), p[..., :3])


def yaw_of(T: Floats) -> Floats:
    """Return the heading (...) in radians of the x axis of T (or R), seen from above."""
    return np.asarray(np.arctan2(T[..., 1, 0], T[..., 0, 0]))


def tilt_of(T: Floats) -> Floats:
    """Return the angle (...) in radians between the z axis of T (or R) and the vertical."""
    return np.asarray(np.arccos(np.clip(T[..., 2, 2], -1.0, 1.0)))


def gravity_aligned(T_w_b: Floats) -> Floats:
    """Return T_w_b without its roll and pitch: the same position, upright, nearest in rotation."""
    # argmax over yaw of trace(Rz(yaw)ᵀ R) is atan2(R10 − R01, R00 + R11)
    R = T_w_b[..., :3, :3]
    yaw = np.arctan2(R[..., 1, 0] - R[..., 0, 1], R[..., 0, 0] + R[..., 1, 1])
    return transform(from_yaw(yaw), T_w_b[..., :3, 3])


def angle_between(A: Floats, B: Floats) -> Floats:
    """Return the rotation angle (...) in radians between the rotations of A and B."""
    R = np.swapaxes(A[..., :3, :3], -1, -2) @ B[..., :3, :3]
    return np.asarray(np.linalg.norm(log_so3(R), axis=-1))


def wrap_angle(angle: ArrayLike) -> Floats:
    """Return angles wrapped to [−π, π)."""
    return np.asarray((np.asarray(angle, float) + np.pi) % (2 * np.pi) - np.pi)


def nearest_rotation(M: ArrayLike) -> Floats:
    """Return the rotation (..., 3, 3) nearest to M in the Frobenius norm (SVD)."""
    U, _, Vt = np.linalg.svd(np.asarray(M, float))
    U[..., :, 2] *= np.sign(np.linalg.det(U @ Vt))[..., None]
    return np.asarray(U @ Vt)


def is_rigid(T: ArrayLike, tolerance: float = 1e-4) -> Bools:
    """Return which of T (..., 4, 4) are finite, orthonormal, right-handed, with last row 0 0 0 1."""
    T_ = np.asarray(T, float)
    R = T_[..., :3, :3]
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(axis=(-1, -2))
        row = np.abs(T_[..., 3, :] - [0, 0, 0, 1]).max(axis=-1)
        finite = np.isfinite(T_).all(axis=(-1, -2))
        hand = np.linalg.det(np.where(np.isfinite(R), R, 0.0)) > 0
        return np.asarray(finite & hand & (gap < tolerance) & (row < tolerance))


def quat_xyzw(R: ArrayLike) -> Floats:
    """Return unit quaternions (..., 4) in x, y, z, w order of rotations (..., 3, 3) or (..., 4, 4)."""
    from scipy.spatial.transform import Rotation

    R_ = np.asarray(R, float)[..., :3, :3]
    flat = Rotation.from_matrix(R_.reshape(-1, 3, 3)).as_quat()
    return np.asarray(flat).reshape(*R_.shape[:-2], 4)


def quat_wxyz(R: ArrayLike) -> Floats:
    """Return unit quaternions (..., 4) in w, x, y, z order of rotations (..., 3, 3) or (..., 4, 4)."""
    return np.roll(quat_xyzw(R), 1, axis=-1)


def from_quat_xyzw(quat: ArrayLike) -> Floats:
    """Return rotations (..., 3, 3) of quaternions (..., 4) in x, y, z, w order, of any length."""
    q = np.asarray(quat, float)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    if not (length > 0).all():  # not a number is none either
        raise ValueError("a quaternion of length 0 is no rotation")
    x, y, z, w = np.moveaxis(q / length, -1, 0)
    R = np.array(
        [
            [x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), y * y - x * x - z * z + w * w, 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), z * z - x * x - y * y + w * w],
        ]
    )
    return np.ascontiguousarray(np.moveaxis(R, (0, 1), (-2, -1)))


def from_quat_wxyz(quat: ArrayLike) -> Floats:
    """Return rotations (..., 3, 3) of quaternions (..., 4) in w, x, y, z order, of any length."""
    return from_quat_xyzw(np.roll(np.asarray(quat, float), -1, axis=-1))
