"""How fast frames are simulated, at what memory, on one core; and how much odometry drifts.

    python benchmarks/rendering.py [--size 640x480] [--frames 60] [--seed 0]

Each line is the median over frames spread along a drive of two robots on the default world. A frame's time
is that of the processor, all threads together, so it is the figure of one core whatever else runs there.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from commonground.datasets import Simulation, SimulationSettings, World, make_world
from commonground.datasets.folder import write_frame
from commonground.frame import Frame
from tools.scoring.drift import relative_drift_percent

PARTS = {
    "plain": {"depth_noise": 0, "edge_dropout": 0, "flying_pixels": 0, "color_noise": 0},
    "default": {},
    "motion blur": {"motion_blur_ms": 20},
}


def main() -> None:
    """Print the tables."""
    args = _arguments()
    width, height = map(int, args.size.split("x"))
    print(f"{width}×{height}, seed {args.seed}, medians of {args.frames} frames\n")
    print("| world | objects | triangles | sensor | frames/s | with writing | peak MB |")
    print("|---|---|---|---|---|---|---|")
    for kind in ("campus", "office"):
        world = make_world(kind, args.seed)
        for name, sensor in PARTS.items():
            rate, written = rates(world, {**sensor, "width": width, "height": height}, args)
            triangles = len(world.soup().faces)
            print(
                f"| {kind} | {len(world.things)} | {triangles} | {name} | {rate:.1f} "
                f"| {written:.1f} | {peak_mb():.0f} |"
            )
    scale(args)
    drift(args)


def rates(world: World, sensor: dict[str, float], args: argparse.Namespace) -> tuple[float, float]:
    """Return frames a second, rendered only and with writing of the images."""
    settings = {"seed": args.seed, "sensor": sensor, "driving": {"length_m": 200}}
    drive = Simulation(("husky", "spot"), SimulationSettings.model_validate(settings), world=world)
    stream, seen = spread(drive, "spot", args.frames), []
    next(stream)  # compiles and builds
    rendered, written = [], []
    with tempfile.TemporaryDirectory() as folder:
        for frame in timed(stream, rendered):
            start = time.process_time()
            write_frame(frame, Path(folder))
            written.append(time.process_time() - start)
            seen.append(frame.stamp_ns)
    render = statistics.median(rendered)
    return 1 / render, 1 / (render + statistics.median(written))


def spread(drive: Simulation, robot: str, count: int) -> Iterator[Frame]:
    """Yield about ``count`` frames along the whole drive."""
    return drive.frames(robot, stride=max(1, drive.length(robot) // count))


def timed(stream: Iterator[Frame], seconds: list[float]) -> Iterator[Frame]:
    """Yield frames, noting how long each took."""
    while True:
        start = time.process_time()
        frame = next(stream, None)
        if frame is None:
            return
        seconds.append(time.process_time() - start)
        yield frame


def scale(args: argparse.Namespace) -> None:
    """Print how making a world grows with its size."""
    print("\n| campus m | objects | lanes m | made in s | true graph in s | surface places |")
    print("|---|---|---|---|---|---|")
    from commonground.datasets import scene_of

    for size, objects in ((100, 150), (200, 380), (400, 1500)):
        start = time.perf_counter()
        world = make_world("campus", args.seed, size_m=size, objects=objects)
        made = time.perf_counter()
        graph = scene_of(world)
        done = time.perf_counter()
        meters = world.lanes.lengths.sum()
        print(
            f"| {size} | {len(world.things)} | {meters:.0f} | {made - start:.2f} "
            f"| {done - made:.2f} | {len(graph.surface_places)} |"
        )


def drift(args: argparse.Namespace) -> None:
    """Print the drift asked for and the drift measured, over 100 m stretches of 12 drives of 500 m."""
    print("\n| drift asked for % | measured: mean | lowest | highest |")
    print("|---|---|---|---|")
    world = make_world("campus", args.seed)
    for percent in (0.5, 1.5, 3.0):
        found = []
        for seed in range(12):
            settings = {"seed": seed, "driving": {"length_m": 500, "drift_percent": percent}}
            drive = Simulation(("husky",), SimulationSettings.model_validate(settings), world=world)
            path = drive.trajectory("husky")
            assert path.T_world_robot is not None
            found.append(relative_drift_percent(path.T_world_robot, path.T_odom_robot))
        print(f"| {percent} | {np.mean(found):.2f} | {min(found):.2f} | {max(found):.2f} |")


def peak_mb() -> float:
    """Return the peak memory of this process in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", default="640x480")
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
