"""How fast each reader gives frames, and at what memory.

    python benchmarks/readers.py [--size 640x480] [--frames 60] [--seed 0]

The same simulated drive is written in every format and read back, each in a process of its own. A
frame's time is that of the processor, so it is the figure of one core whatever else runs there.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from commonground.datasets import Simulation, SimulationSettings, open_dataset
from commonground.datasets.folder import write_folder
from commonground.datasets.images import encode, to_millimeters
from commonground.datasets.ros1bag import writing
from commonground.frame import Frame
from commonground.geometry import quat_xyzw


def main() -> None:
    """Write the formats, read each in a fresh process, print the table."""
    args = _arguments()
    if args.read:
        read(Path(args.read))
        return
    width, height = map(int, args.size.split("x"))
    seconds = args.frames / 4
    settings = {
        "seed": args.seed,
        "sensor": {"width": width, "height": height},
        "driving": {"length_m": max(1.0, seconds - 2.5), "frame_rate_hz": 4},
    }
    drive = Simulation(("husky",), SimulationSettings.model_validate(settings))
    print(f"{width}×{height}, {drive.length('husky')} frames of one camera, seed {args.seed}\n")
    print("| format | MB on disk | open ms | frames/s | every 10th, /s | peak MB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in written(drive, Path(folder)):
            size = sum(p.stat().st_size for p in _files(path)) / 1e6
            call = [sys.executable, __file__, "--read", str(path)]
            shown = subprocess.run(call, capture_output=True, text=True, check=True)
            print(f"| {name} | {size:.0f} | {shown.stdout.strip()} |")


def read(path: Path) -> None:
    """Read a dataset twice and print a row of figures."""
    warm(path)
    start = time.process_time()
    reader = open_dataset(path)
    robot = reader.robots()[0]
    reader.trajectory(robot)
    opened = time.process_time() - start
    rates = []
    for stride in (1, 10):
        start = time.process_time()
        count = sum(1 for _ in reader.frames(robot, stride=stride))
        rates.append(count / (time.process_time() - start))
    print(f"{1e3 * opened:.0f} | {rates[0]:.1f} | {rates[1]:.1f} | {peak_mb():.0f}")


def peak_mb() -> float:
    """Return the peak memory of this process; that of getrusage would count the parent's before exec."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def warm(path: Path) -> None:
    """Import and compile what reading needs."""
    reader = open_dataset(path)
    next(iter(reader.frames(reader.robots()[0])))


def written(drive: Simulation, folder: Path) -> list[tuple[str, Path]]:
    """Write the drive in every format; return names and paths."""
    write_folder(drive, folder / "folder")
    for _ in writing(drive, folder / "kimera"):
        pass
    frames = list(drive.frames("husky"))
    out = [("dataset folder", folder / "folder"), ("Kimera-Multi bag", folder / "kimera")]
    out.append(("7-Scenes", seven_scenes(frames, folder / "scenes")))
    out.append(("TUM RGB-D", tum(frames, folder / "tum")))
    for kind in ("sqlite3", "mcap"):
        out.append((f"ROS 2 {kind}, raw images", ros2(drive, frames, folder / kind, kind, False)))
    out.append(
        ("ROS 2 mcap, depth registered", ros2(drive, frames, folder / "apart", "mcap", True))
    )
    return out


def seven_scenes(frames: list[Frame], folder: Path) -> Path:
    """Write frames in the layout of 7-Scenes."""
    folder.mkdir()
    for k, frame in enumerate(frames):
        name = folder / f"frame-{k:06d}"
        Path(f"{name}.color.jpg").write_bytes(encode(frame.rgb, "jpg"))
        Path(f"{name}.depth.png").write_bytes(encode(to_millimeters(frame.depth_m), "png"))
        np.savetxt(f"{name}.pose.txt", frame.T_world_cam)
    np.savetxt(folder / "camera-intrinsics.txt", frames[0].camera.K)
    return folder


def tum(frames: list[Frame], folder: Path) -> Path:
    """Write frames in the layout of TUM RGB-D."""
    (folder / "rgb").mkdir(parents=True)
    (folder / "depth").mkdir()
    lists: dict[str, list[str]] = {"rgb": [], "depth": [], "groundtruth": []}
    for frame in frames:
        stamp, T = f"{frame.stamp_ns / 1e9:.6f}", frame.T_odom_cam
        depth = np.nan_to_num(frame.depth_m * 5000).astype(np.uint16)
        (folder / "rgb" / f"{stamp}.png").write_bytes(encode(frame.rgb, "png"))
        (folder / "depth" / f"{stamp}.png").write_bytes(encode(depth, "png"))
        for kind in ("rgb", "depth"):
            lists[kind].append(f"{stamp} {kind}/{stamp}.png")
        lists["groundtruth"].append(" ".join(map(str, [stamp, *T[:3, 3], *quat_xyzw(T)])))
    for name, lines in lists.items():
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    return folder


def ros2(drive: Simulation, frames: list[Frame], path: Path, kind: str, apart: bool) -> Path:
    """Write frames as a ROS 2 bag with its YAML; ``apart``: depth is that of a camera beside."""
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    types = store.types
    plugin = StoragePlugin.SQLITE3 if kind == "sqlite3" else StoragePlugin.MCAP
    image = "sensor_msgs/msg/Image"
    with Writer(path, version=9, storage_plugin=plugin) as bag:
        color, depth = (bag.add_connection(t, image, typestore=store) for t in ("/color", "/depth"))
        for frame in frames:
            for where, pixels, encoding in (
                (depth, to_millimeters(frame.depth_m), "16UC1"),
                (color, frame.rgb, "rgb8"),
            ):
                bag.write(
                    where,
                    frame.stamp_ns,
                    store.serialize_cdr(_image(types, frame, pixels, encoding), image),
                )
    _layout(drive, path, apart)
    return path


def _image(types: Any, frame: Frame, pixels: Any, encoding: str) -> Any:
    time_ = types["builtin_interfaces/msg/Time"](frame.stamp_ns // 10**9, frame.stamp_ns % 10**9)
    header = types["std_msgs/msg/Header"](time_, "cam")
    data = np.frombuffer(pixels.tobytes(), np.uint8)
    height, width = pixels.shape[:2]
    return types["sensor_msgs/msg/Image"](
        header, height, width, encoding, 0, len(data) // height, data
    )


def _layout(drive: Simulation, path: Path, apart: bool) -> None:
    from commonground.tum import write_tum

    camera, trajectory = drive.cameras("husky")[0], drive.trajectory("husky")
    (fx, _, cx), (_, fy, cy), _ = camera.K.tolist()
    lens = {"width": camera.width, "height": camera.height, "K": [fx, fy, cx, cy]}
    mount = {"matrix": drive.T_robot_cam("husky", camera.name).tolist()}
    about: dict[str, Any] = {
        "color": "/color",
        "depth": "/depth",
        "color_intrinsics": lens,
        "T_robot_color": mount,
    }
    if apart:
        about |= {"depth_intrinsics": lens, "T_color_depth": {"xyz": [-0.06, 0.0, 0.0]}}
    robots = {"husky": {"cameras": {"front": about}, "odometry": {"file": "odometry.tum"}}}
    (path / "bag.yaml").write_text(yaml.safe_dump({"robots": robots}))
    write_tum(path / "odometry.tum", trajectory.stamps_ns, trajectory.T_odom_robot)


def _files(path: Path) -> list[Path]:
    return [p for p in path.rglob("*") if p.is_file()]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--read", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
