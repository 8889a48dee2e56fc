"""Mapping's distance field and tracking beside Open3D's: the figures of docs/by_hand.md.

    python benchmarks/by_hand_mapping.py [campus | office] [--meters 40]

A husky drives through a simulated world; all time is that of a processor, of all threads together.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import open3d as o3d
from open3d.t.pipelines import odometry

from commonground.arrays import Floats
from commonground.datasets import Simulation
from commonground.datasets.settings import SimulationSettings
from commonground.frame import Frame
from commonground.geometry import angle_between, inverse
from commonground.mapping.settings import MappingSettings
from commonground.mapping.surface.blocks import UNUSED
from commonground.mapping.surface.field import DistanceField
from commonground.mapping.tracking.tracker import Tracker

SETTINGS = MappingSettings()
FREE_M = 0.29
"""Voxels so far from any surface are free."""


def frames_of(kind: str, meters: float) -> list[Frame]:
    """Return what one camera sees on a drive."""
    settings = {
        "world": {"kind": kind},
        "sensor": {"width": 320, "height": 240},
        "driving": {"length_m": meters, "frame_rate_hz": 4},
    }
    drive = Simulation(("husky",), SimulationSettings.model_validate(settings))
    return list(drive.frames("husky", cameras=[drive.cameras("husky")[0].name]))


def intrinsics(frame: Frame) -> o3d.core.Tensor:
    """Return a camera as Open3D takes it."""
    k = frame.camera.intrinsics
    return o3d.core.Tensor(np.array([[k.fx, 0, k.cx], [0, k.fy, k.cy], [0, 0, 1.0]]))


def images(frame: Frame) -> tuple[o3d.t.geometry.Image, o3d.t.geometry.Image]:
    """Return color in [0, 1] and depth in meters as Open3D takes them."""
    depth = np.nan_to_num(frame.depth_m, nan=0.0, posinf=0.0).astype(np.float32)
    color = frame.rgb.astype(np.float32) / 255
    return tuple(o3d.t.geometry.Image(o3d.core.Tensor(image)) for image in (color, depth))


def fields(frames: Sequence[Frame]) -> None:
    """Fuse all frames into both fields."""
    s = SETTINGS.surface
    DistanceField(s).integrate(frames[0])
    field, whole, most = DistanceField(s), DistanceField(s), 0
    begun = time.process_time()
    for frame in frames:
        field.integrate(frame)
        field.blocks.freeze_beyond(frame.T_odom_cam[:3, 3])
        field.blocks.mark_read(field.blocks.readable())
        most = max(most, len(field.blocks))
    ours = time.process_time() - begun
    grid = o3d.t.geometry.VoxelBlockGrid(
        ("tsdf", "weight", "color"), (o3d.core.float32,) * 3, ((1), (1), (3)), s.voxel_m, 8, 40_000
    )
    K, limits, theirs = intrinsics(frames[0]), (1.0, s.max_range_m, 3.0), 0.0
    for frame in frames:
        whole.integrate(frame)
        begun = time.process_time()
        color, depth = images(frame)
        T = o3d.core.Tensor(inverse(frame.T_odom_cam))
        near = grid.compute_unique_block_coordinates(depth, K, T, *limits)
        grid.integrate(near, depth, color, K, K, T, *limits)
        theirs += time.process_time() - begun
    rows = grid.hashmap().active_buf_indices().to(o3d.core.int64)
    known = {tuple(key) for key in grid.hashmap().key_tensor()[rows].numpy().tolist()}
    used = whole.blocks.state != UNUSED
    free = ((whole.blocks.weight > 0) & (whole.blocks.distance > FREE_M))[used].sum(axis=1)
    there = np.array([tuple(key) in known for key in whole.blocks.keys[used].tolist()])
    print(f"fields: ours {1e3 * ours / len(frames):.1f} ms a frame, at most {most} blocks")
    print(
        f"Open3D {1e3 * theirs / len(frames):.1f} ms a frame, {len(known)} blocks in the end, with "
        f"{free[there].sum() / free.sum():.0%} of the voxels that were seen to be free"
    )


def movements(frames: Sequence[Frame]) -> None:
    """Follow the camera from the same odometry, by both."""
    true = inverse(frames[0].T_world_cam) @ frames[-1].T_world_cam

    def told(name: str, T: Floats, seconds: float = 0.0) -> None:
        off = float(np.linalg.norm((T - true)[:3, 3]))
        turned = float(np.rad2deg(angle_between(T, true)))
        print(
            f"{name}: {off:.2f} m and {turned:.1f}° off, {1e3 * seconds / len(frames):.1f} ms a frame"
        )

    first = frames[0].T_odom_cam
    told("odometry", inverse(first) @ frames[-1].T_odom_cam)
    Tracker(SETTINGS.tracking, SETTINGS.odometry).track(frames[0])
    tracker, begun = Tracker(SETTINGS.tracking, SETTINGS.odometry), time.process_time()
    for frame in frames:
        tracked = tracker.track(frame)
        tracker.keep(tracked)
    told("ours", inverse(first) @ tracked.T_odom_cam, time.process_time() - begun)
    K, rounds = intrinsics(frames[0]), [odometry.OdometryConvergenceCriteria(n) for n in (10, 5, 3)]
    for method in (odometry.Method.Hybrid, odometry.Method.PointToPlane):
        T, begun = np.eye(4), time.process_time()
        for before, now in pairwise(frames):
            step = o3d.core.Tensor(inverse(before.T_odom_cam) @ now.T_odom_cam)
            pair = (o3d.t.geometry.RGBDImage(*images(frame)) for frame in (now, before))
            found = odometry.rgbd_odometry_multi_scale(*pair, K, step, 1.0, 9.0, rounds, method)
            T = T @ found.transformation.numpy()
        told(f"Open3D {method}", T, time.process_time() - begun)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", nargs="?", default="campus", choices=("campus", "office"))
    parser.add_argument("--meters", type=float, default=40.0)
    asked = parser.parse_args()
    seen = frames_of(asked.kind, asked.meters)
    fields(seen)
    movements(seen)
