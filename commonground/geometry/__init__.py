"""Rigid motions as 4×4 float64 arrays.

``T_a_b`` maps coordinates in frame b to frame a: ``p_a = T_a_b @ p_b``, so inner names cancel in a
product. The functions take stacks: every ``(..., 4, 4)`` works where ``(4, 4)`` does. A twist is
``(..., 6)``: translation part first, then rotation part. Gravity points along −z of gravity-aligned
frames. Quaternions are ``quat_wxyz`` or ``quat_xyzw``, never "quat".
"""

from commonground.geometry.align import align_points, align_points_yaw
from commonground.geometry.average import chordal_mean, karcher_mean
from commonground.geometry.se3 import (
    adjoint,
    angle_between,
    apply,
    exp_se3,
    exp_so3,
    from_quat_wxyz,
    from_quat_xyzw,
    from_xyz_yaw,
    from_yaw,
    gravity_aligned,
    interpolate,
    inverse,
    is_rigid,
    log_se3,
    log_so3,
    nearest_rotation,
    quat_wxyz,
    quat_xyzw,
    relative,
    rotate,
    tilt_of,
    transform,
    wrap_angle,
    yaw_of,
)

__all__ = [
    "adjoint", "align_points", "align_points_yaw", "angle_between", "apply", "chordal_mean",
    "exp_se3", "exp_so3", "from_quat_wxyz", "from_quat_xyzw", "from_xyz_yaw", "from_yaw",
    "gravity_aligned", "interpolate", "inverse", "is_rigid", "karcher_mean", "log_se3", "log_so3",
    "nearest_rotation", "quat_wxyz", "quat_xyzw", "relative", "rotate", "tilt_of", "transform",
    "wrap_angle", "yaw_of",
]  # fmt: skip
