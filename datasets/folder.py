"""Writer of the dataset folder: ordinary images, TUM poses, YAML cameras, a Spark-DSG graph."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import as_completed
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from commonground.atomic import write_error, write_text
from commonground.datasets.images import encode, to_millimeters
from commonground.datasets.readers.folder import MARKER, SCHEMA
from commonground.datasets.settings import SimulationSettings
from commonground.datasets.simulator.simulation import Simulation
from commonground.errors import DataError
from commonground.frame import Camera, Frame
from commonground.names import within
from commonground.reading import read_text
from commonground.tum import write_tum
from commonground.workers import worker_pool

SHARE = 16
"""Instants rendered by a process at a time."""


def write_folder(simulation: Simulation, out: str | Path, *, jobs: int = 1) -> Path:
    """Write a simulated dataset; see ``writing`` for what happens on the way."""
    for _ in writing(simulation, out, jobs=jobs):
        pass
    return Path(out)


def writing(simulation: Simulation, out: str | Path, *, jobs: int = 1) -> Iterator[int]:
    """Write a simulated dataset; yields once for every frame that was written or found there.

    Frames already there are kept, so a stopped run goes on where it was. With several jobs they are
    rendered in parallel processes; the bytes are the same.
    """
    folder = Path(out)
    claim(folder / MARKER, about(simulation))
    write_truth(simulation, folder)
    shares = []
    for robot in simulation.robots():
        _write_robot(simulation, robot, within(folder, robot))
        stamps = simulation.stamps_ns(robot).tolist()
        shares += [(robot, stamps[k : k + SHARE]) for k in range(0, len(stamps), SHARE)]
    if jobs < 2 or not simulation.from_settings:
        for robot, stamps in shares:
            for stamp in stamps:
                yield from range(_write_share(simulation, folder, robot, [stamp]))
        return
    recipe = (simulation.settings.model_dump_json(), simulation.robots())
    with worker_pool(jobs, __name__) as pool:
        tasks = [pool.submit(_share_elsewhere, *recipe, folder, *share) for share in shares]
        for task in as_completed(tasks):
            yield from range(task.result())


def claim(marker: Path, content: dict[str, Any]) -> None:
    """Write the marker file of a dataset, or check that its folder was begun with the same settings."""
    text, folder = yaml.safe_dump(content, sort_keys=False), marker.parent
    if marker.is_file():
        if read_text(marker) != text:
            raise DataError(
                f"{folder}: holds a dataset of other settings; name another folder or delete it"
            )
        return
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DataError(
            f"{folder}: is not empty and holds no dataset of this format; name another folder"
        )
    write_text(marker, text)


def about(simulation: Simulation) -> dict[str, Any]:
    """Return what made a dataset, as its marker file tells."""
    world = simulation.world
    return {
        "schema_version": SCHEMA,
        "robots": {robot: simulation.length(robot) for robot in simulation.robots()},
        "depth_units_per_meter": 1000.0,
        "world": world.kind,
        "seed": world.seed,
        "session": world.session,
        "labels": dict(simulation.labels()),
        "simulation": simulation.settings.model_dump(mode="json"),
    }


def write_truth(simulation: Simulation, folder: Path) -> None:
    """Write the true scene graph, and what changed since session 0."""
    from commonground.datasets.world.truth import scene_of
    from commonground.scene import save_scene

    save_scene(scene_of(simulation.world), folder / "scene.json")
    if simulation.world.changes:
        write_text(folder / "changes.txt", "\n".join(simulation.world.changes) + "\n")


def _write_robot(simulation: Simulation, robot: str, folder: Path) -> None:
    cameras = {
        camera.name: camera_entry(camera, simulation.T_robot_cam(robot, camera.name).tolist())
        for camera in simulation.cameras(robot)
    }
    text = yaml.safe_dump(cameras, sort_keys=False, default_flow_style=None)
    write_text(folder / "cameras.yaml", text)
    trajectory = simulation.trajectory(robot)
    write_tum(folder / "odometry.tum", trajectory.stamps_ns, trajectory.T_odom_robot)
    if trajectory.T_world_robot is not None:
        write_tum(folder / "groundtruth.tum", trajectory.stamps_ns, trajectory.T_world_robot)


def camera_entry(camera: Camera, T_robot_cam: list[list[float]]) -> dict[str, Any]:
    """Return a camera as ``cameras.yaml`` describes it."""
    (fx, _, cx), (_, fy, cy), _ = camera.K.tolist()
    size = {"width": camera.width, "height": camera.height}
    return {**size, "K": [fx, fy, cx, cy], "T_robot_cam": T_robot_cam}


def _share_elsewhere(
    settings_json: str, robots: tuple[str, ...], folder: Path, robot: str, stamps: list[int]
) -> int:
    return _write_share(simulation_of(settings_json, robots), folder, robot, stamps)


@lru_cache(maxsize=1)
def simulation_of(settings_json: str, robots: tuple[str, ...]) -> Simulation:
    """Return the simulation of a worker process, built once for all its shares."""
    return Simulation(robots, SimulationSettings.model_validate_json(settings_json))


def _write_share(simulation: Simulation, folder: Path, robot: str, stamps: list[int]) -> int:
    for stamp in stamps:
        for camera in simulation.cameras(robot):
            if not within(folder, robot, camera.name, "rgb", f"{stamp}.jpg").is_file():
                write_frame(simulation.frame(robot, camera.name, stamp), within(folder, robot))
    return len(stamps) * len(simulation.cameras(robot))


def write_frame(frame: Frame, folder: Path) -> None:
    """Write the images of one frame below a robot's folder; color comes last, as readers go by it."""
    images = {"depth": ("png", encode(to_millimeters(frame.depth_m), "png"))}
    if frame.instances is not None:
        images["instances"] = ("png", encode(frame.instances.astype(np.uint16), "png"))
    if frame.labels is not None:
        images["labels"] = ("png", encode(frame.labels.astype(np.uint8), "png"))
    images["rgb"] = ("jpg", encode(frame.rgb, "jpg"))
    for kind, (ending, data) in images.items():
        _put(within(folder, frame.camera.name, kind, f"{frame.stamp_ns}.{ending}"), data)


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
