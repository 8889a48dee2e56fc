"""Pose graphs in 3D of robots that drive on a floor, whose edges say nothing of what is out of its plane."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from commonground.geometry import align_points, exp_se3, from_xyz_yaw, inverse, quat_xyzw
from commonground.mapping.fusion import optimize, read_g2o


@pytest.mark.parametrize("known", ["0", "1e-5", "3e-5"])
def test_a_robot_on_a_floor_whose_edges_say_nothing_of_what_is_out_of_its_plane(
    tmp_path: Path, known: str
) -> None:
    """Poses in 3D with a little noise in height, roll and pitch, whose information is next to none."""
    rng = np.random.default_rng(3)
    s = np.linspace(0, 6 * np.pi, 120)
    path = from_xyz_yaw(np.c_[12 * np.cos(s), 12 * np.sin(s), 0 * s, s + np.pi / 2])
    sigma = np.array([0.05, 0.05, 0.03, 0.004, 0.004, 0.02])
    right = [(k, k + 40) for k in range(3, 75, 6)]
    wrong = [(k, 110 - k) for k in range(2, 32, 6)]
    upper = np.diag([400.0, 400, -1, -1, -1, 2500])[np.triu_indices(6)]
    information = " ".join(known if v < 0 else f"{v:g}" for v in upper)
    lines = []
    for i, j in [*((k, k + 1) for k in range(119)), *right, *wrong]:
        T = inverse(path[i]) @ path[j] @ exp_se3(rng.normal(size=6) * sigma)
        if (i, j) in wrong:
            T = from_xyz_yaw([*rng.uniform(-8, 8, 2), 0.0, rng.uniform(-3, 3)])
        numbers = " ".join(f"{v:.9f}" for v in (*T[:3, 3], *quat_xyzw(T)))
        lines.append(f"EDGE_SE3:QUAT {i} {j} {numbers} {information}")
    file = tmp_path / "floor.g2o"
    file.write_text("\n".join(lines) + "\n")
    result = optimize(read_g2o(file), np.random.default_rng(0))
    assert not result.accepted[len(right) :].any()
    if known == "0":
        assert result.accepted[: len(right)].all()
        T = align_points(result.poses[:, :3, 3], path[:, :3, 3])
        off = (T @ result.poses)[:, :2, 3] - path[:, :2, 3]
        assert np.sqrt((off**2).sum(axis=1).mean()) < 0.5
