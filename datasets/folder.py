"""Writer of the dataset folder: ordinary images, TUM poses, YAML cameras, a Spark-DSG graph."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from commonground.atomic import write_error, write_text
from commonground.datasets.images import encode, to_millimetres
from commonground.datasets.readers.folder import MARKER, SCHEMA
from commonground.datasets.simulator.simulation import Simulation
from commonground.datasets.tum import write_tum
from commonground.frame import Frame


def write_folder(simulation: Simulation, out: str | Path, *, jobs: int = 1) -> Path:
    """Write a simulated dataset; frames that are already there are kept, so a stopped run goes on.

    With several jobs the robots are rendered in parallel processes.
    """
    from commonground.datasets.world.truth import scene_of
    from commonground.scene import save_scene

    folder = Path(out)
    write_text(folder / MARKER, _about(simulation))
    save_scene(scene_of(simulation.world), folder / "scene.json")
    for robot in simulation.robots():
        _write_robot(simulation, robot, folder / robot)
    robots: Sequence[str] = simulation.robots()
    if jobs > 1 and len(robots) > 1:
        with ProcessPoolExecutor(min(jobs, len(robots))) as pool:
            list(
                pool.map(_write_frames, [simulation] * len(robots), robots, [folder] * len(robots))
            )
    else:
        for robot in robots:
            _write_frames(simulation, robot, folder)
    return folder


def _about(simulation: Simulation) -> str:
    world = simulation.world
    content: dict[str, Any] = {
        "schema_version": SCHEMA,
        "robots": {robot: simulation.length(robot) for robot in simulation.robots()},
        "depth_units_per_metre": 1000.0,
        "world": world.kind,
        "seed": world.seed,
        "session": world.session,
        "labels": dict(simulation.labels()),
    }
    return yaml.safe_dump(content, sort_keys=False)


def _write_robot(simulation: Simulation, robot: str, folder: Path) -> None:
    cameras = {}
    for camera in simulation.cameras(robot):
        K = camera.K
        cameras[camera.name] = {
            "width": camera.width,
            "height": camera.height,
            "K": [float(K[0, 0]), float(K[1, 1]), float(K[0, 2]), float(K[1, 2])],
            "T_robot_cam": simulation.T_robot_cam(robot, camera.name).tolist(),
        }
    write_text(
        folder / "cameras.yaml", yaml.safe_dump(cameras, sort_keys=False, default_flow_style=None)
    )
    trajectory = simulation.trajectory(robot)
    write_tum(folder / "odometry.tum", trajectory.stamps_ns, trajectory.T_odom_robot)
    if trajectory.T_world_robot is not None:
        write_tum(folder / "groundtruth.tum", trajectory.stamps_ns, trajectory.T_world_robot)


def _write_frames(simulation: Simulation, robot: str, folder: Path) -> None:
    for frame in simulation.frames(robot):
        write_frame(frame, folder / robot)


def write_frame(frame: Frame, folder: Path) -> None:
    """Write the images of one frame below a robot's folder; the colour image last, as readers go by it."""
    images: dict[str, tuple[str, bytes]] = {
        "depth": ("png", encode(to_millimetres(frame.depth_m), "png"))
    }
    if frame.instances is not None:
        images["instances"] = ("png", encode(frame.instances.astype(np.uint16), "png"))
    if frame.labels is not None:
        images["labels"] = ("png", encode(frame.labels.astype(np.uint8), "png"))
    images["rgb"] = ("jpg", encode(frame.rgb, "jpg"))
    for kind, (ending, data) in images.items():
        _put(folder / frame.camera.name / kind / f"{frame.stamp_ns}.{ending}", data)


def _put(path: Path, data: bytes) -> None:
    """Write a file under a temporary name and rename it: no half image, no wait for the disk."""
    temporary = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(data)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise write_error(path, error) from error
