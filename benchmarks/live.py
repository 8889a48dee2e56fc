"""How a map grows while robots drive: what joining costs, what live mapping drops, what it loses.

    python benchmarks/live.py grow [--kilometers 10] [--extent 350] [--seed 3]
    python benchmarks/live.py drives [--seeds 41 42 43] [--length 150] [--rate 1] [--out live-drives]

``grow`` fuses made-up drives of two robots, of so many kilometers together, at 1 km and at the last one,
as live fusion does it: processor time of what is added, for each new submap, and the error of the paths
beside that of all fused at once. ``drives`` simulates a campus for each seed, maps it live at ``rate``,
and compares the result with ``map`` and ``fuse`` of the same drives.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from commonground.datasets import open_dataset
from commonground.datasets.making import Wishes, simulate_dataset
from commonground.live.team import load_live_team, read_team, run_team
from commonground.live.team.folder import LiveFolder
from commonground.live.team.fusing import GROWN
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.evaluation.ate import team_ate
from commonground.mapping.fusion.evaluation.scores import score
from commonground.mapping.fusion.evaluation.teams import Team, made_up, mapped, so_far
from commonground.mapping.fusion.fuse import fuse
from commonground.mapping.fusion.growing import Growing
from commonground.mapping.fusion.robust import Optimized
from commonground.mapping.perception import make_perception
from commonground.mapping.run import map_robot
from commonground.mapping.source import RecordedFrames

EVERY_M = 10.0
ROBOTS = ("husky", "bear")
SETTINGS = LocalizationSettings()


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=["grow", "drives"])
    parser.add_argument("--kilometers", type=float, default=10.0)
    parser.add_argument("--extent", type=float, default=350.0)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--seeds", type=int, nargs="+", default=[41, 42, 43])
    parser.add_argument("--length", type=float, default=150.0)
    parser.add_argument("--rate", type=float, default=1.0)
    parser.add_argument("--out", type=Path, default=Path("live-drives"))
    args = parser.parse_args()
    if args.what == "grow":
        grow(args.kilometers, args.extent, args.seed)
    else:
        for seed in args.seeds:
            drive(args.out / str(seed), seed, args.length, args.rate)


def grow(kilometers: float, extent_m: float, seed: int) -> None:
    """Print what a new submap costs in the first kilometer and in the last, and how well the map lies."""
    whole = round(kilometers * 1000 / EVERY_M / 2)
    team = made_up(seed, 2, whole, extent_m)
    _aligned(team, 8, Growing())  # compiles
    costs = []
    for submaps in (round(1000 / EVERY_M / 2), whole):
        growing, less = Growing(), int(submaps / (1.0 + GROWN))
        _aligned(team, less, growing)
        begin = time.process_time()
        grown = _aligned(team, submaps, growing)
        costs.append((time.process_time() - begin) / (2 * (submaps - less)))
        anew = _aligned(team, submaps)
        print(
            f"{2 * submaps * EVERY_M / 1000:5.1f} km: {costs[-1]:.2f} s a submap, "
            f"ATE {_ate(team, submaps, grown):.2f} m, all at once {_ate(team, submaps, anew):.2f} m"
        )
    print(f"cost of a submap grows by a factor of {costs[1] / costs[0]:.2f}")


def _aligned(team: Team, submaps: int, growing: Growing | None = None) -> Optimized:
    runs = [so_far(run, submaps) for run in team.runs]
    return align(runs, SETTINGS, np.random.default_rng(0), growing=growing).optimized


def _ate(team: Team, submaps: int, found: Optimized) -> float:
    paths = np.split(found.poses, len(team.runs))
    return team_ate(paths, [path[:submaps] for path in team.paths], found.component)


def drive(folder: Path, seed: int, length_m: float, rate: float) -> None:
    """Print what was late and lost when two robots are mapped live, and both maps' scores."""
    data = folder / "data"
    if not data.exists():
        wishes = Wishes(length_m=length_m, size="320x240", seed=seed)
        simulate_dataset(data, ",".join(ROBOTS), wishes, processes=1)
    file = folder / "team.yaml"
    file.write_text("robots:\n" + "".join(f"  {r}: {{recording: data}}\n" for r in ROBOTS))
    run_team(load_live_team(file), folder / "live", rate=rate)
    recording = open_dataset(data)
    for robot in ROBOTS:
        out = folder / "offline" / "robots" / robot
        if not out.exists():
            frames = RecordedFrames(recording, robot)
            map_robot(frames, make_perception(labels=recording.labels()), out, robot=robot)
    for robot in read_team(folder / "live").robots:
        print(
            f"{seed} {robot.name}: {robot.frames} frames, {robot.dropped} dropped, "
            f"{robot.rate_hz:.1f} Hz, delay {robot.delay_s:.2f} s"
        )
    for fusion in LiveFolder(folder / "live").fusions():
        meters = sum(fusion["travel_m"].values())
        print(
            f"  {meters:6.0f} m: {len(fusion['joined'])} joined, {fusion['closures']} closures, "
            f"{fusion['objects']} objects, {fusion['seconds']:.1f} s"
        )
    for name in ("live", "offline"):
        team = mapped([folder / name], data / "scene.json")
        found = score(fuse(team.runs, SETTINGS, np.random.default_rng(0)), team)
        print(f"  {name:8}" + ", ".join(f"{k} {v:.3g}" for k, v in found.items() if v is not None))


if __name__ == "__main__":
    main()
