"""How a map grows while robots drive: delays, drops, what live mapping loses, what joining and sending cost.

    python benchmarks/live.py grow [--kilometers 10] [--extent 350] [--seed 4]
    python benchmarks/live.py drives [--seeds 601 602 603] [--length 150] [--rates 1 0] [--send]
    python benchmarks/live.py team [--seeds 610] [--length 500] [--rates 4 0]

``grow`` fuses made-up drives of two robots as live fusion does, 6 % at a time: processor time for each new
submap in the first kilometer, in the second half and in the last kilometer. ``drives`` simulates a campus for
each seed, maps it live at each rate, and compares with ``map`` and ``fuse`` of the same drives; it says when
robots were joined, when they could have been, and what would travel. ``team`` maps four robots and prints
what comes of it. Both print delays and drops by quarters of the drive. Times by the clock hold for the
machine as loaded as it is. At rate 0 every image is mapped, and the processor time of each says what delays
a core, or half of one, for each robot would give. With ``--send`` maps are made once more beside the robots,
and what goes over the wire is counted.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.datasets import open_dataset
from commonground.datasets.making import write_dataset
from commonground.datasets.settings import (
    DrivingSettings,
    SensorSettings,
    SimulationSettings,
    WorldSettings,
)
from commonground.live.team import LiveTeam, load_live_team, read_team, run_team
from commonground.live.team.acknowledged import TOKEN
from commonground.live.team.folder import LiveFolder
from commonground.live.team.fusing import GROWN
from commonground.live.team.post import Receiver
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.evaluation.scores import score
from commonground.mapping.fusion.evaluation.teams import Team, made_up, mapped, so_far
from commonground.mapping.fusion.fuse import FusedMap, fuse
from commonground.mapping.fusion.growing import Growing
from commonground.mapping.fusion.inputs import RobotRun, load_runs
from commonground.mapping.perception import make_perception
from commonground.mapping.run import map_robot
from commonground.mapping.source import RecordedFrames
from commonground.reading import read_json
from commonground.reporter import Silent
from commonground.scores import team_ate

EVERY_M = 10.0
FPS = 5.0
ROBOTS = ("husky", "bear", "spot", "jackal")
SETTINGS = LocalizationSettings()
SHOWN = ("ATE m", "precision 0.5 m", "recall 0.5 m", "objects", "closures", "wrong")
WAITING = 8
POSE_S = 0.011
"""What a frame takes whose images were dropped after they were read."""
NEXT_S = 5.0
"""What is in a submap was seen this long after its origin at most."""


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=["grow", "drives", "team"])
    parser.add_argument("--kilometers", type=float, default=10.0)
    parser.add_argument("--extent", type=float, default=350.0)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--seeds", type=int, nargs="+")
    parser.add_argument("--length", type=float)
    parser.add_argument("--rates", type=float, nargs="+")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--send", action="store_true")
    args = parser.parse_args()
    if args.what == "grow":
        grow(args.kilometers, args.extent, args.seed)
        return
    two = args.what == "drives"
    robots = ROBOTS[:2] if two else ROBOTS
    out = args.out or Path("live-drives" if two else "live-team")
    for seed in args.seeds or ([601, 602, 603] if two else [610]):
        folder = out / str(seed)
        simulated(folder / "data", seed, robots, args.length or (150.0 if two else 500.0))
        for rate in args.rates or ([1.0, 0.0] if two else [4.0, 0.0]):
            lived(folder, seed, robots, rate)
            if rate == 0:
                free(folder / "live-0", robots, (1.0, 2.0, 4.0))
        if two:
            offline(folder, robots)
        scored(folder)
        if args.send:
            sent(folder, robots)


# ---- cost of what is added ----


def grow(kilometers: float, extent_m: float, seed: int) -> None:
    """Print what a new submap costs in the first kilometer, in the last, and in the half before the end."""
    whole = round(kilometers * 1000 / EVERY_M / 2)
    team = made_up(seed, 2, _grown(whole), extent_m)
    _added(team, 8, Growing())  # compiles
    growing, submaps, spent = Growing(), 4, []
    _added(team, submaps, growing)
    while submaps < whole:
        before, submaps = submaps, _grown(submaps)
        matching, merging, fused = _added(team, submaps, growing)
        reached = 2 * submaps * EVERY_M / 1000
        spent.append((reached, 2 * (submaps - before), matching, merging))
        if len(spent) % 8 == 0 or submaps >= whole:
            print(
                f"{reached:5.2f} km: {len(fused.closures)} closures, ATE {_ate(team, submaps, fused):.2f} m"
            )
    rows, costs = np.array(spent), []
    for begin, end in ((0.0, 1.0), (kilometers / 2, np.inf), (kilometers - 1.0, np.inf)):
        of_span = rows[(rows[:, 0] > begin) & (rows[:, 0] <= end)]
        matching, merging = of_span[:, 2:].sum(axis=0) / of_span[:, 1].sum()
        costs.append(matching + merging)
        print(
            f"{begin:4.1f} to {min(end, rows[-1, 0]):4.1f} km: {costs[-1]:.3f} s a submap "
            f"({matching:.3f} matching, {merging:.3f} merging) in {len(of_span)} fusions, "
            f"{costs[-1] / costs[0]:.2f} times the first"
        )


def _grown(submaps: int) -> int:
    return max(submaps + 1, int(np.ceil(submaps * (1.0 + GROWN))))


def _added(team: Team, submaps: int, growing: Growing) -> tuple[float, float, FusedMap]:
    """Return the processor time that matching and merging take, and what comes of it."""
    runs, rng = [so_far(run, submaps) for run in team.runs], np.random.default_rng(0)
    begin = time.process_time()
    aligned = align(runs, SETTINGS, rng, growing=growing)
    middle = time.process_time()
    fused = fuse(runs, SETTINGS, rng, aligned)
    return middle - begin, time.process_time() - middle, fused


def _ate(team: Team, submaps: int, fused: FusedMap) -> float:
    paths = [fused.trajectory(r) for r in range(len(fused.runs))]
    return team_ate(paths, [path[:submaps] for path in team.paths], fused.optimized.component)


# ---- drives ----


def simulated(folder: Path, seed: int, robots: Sequence[str], length_m: float) -> None:
    """Write drives on a campus of this seed, unless they are there."""
    if folder.exists():
        return
    settings = SimulationSettings(
        seed=seed,
        world=WorldSettings(seed=seed),
        sensor=SensorSettings(width=320, height=240),
        driving=DrivingSettings(length_m=length_m, frame_rate_hz=FPS),
    )
    for _ in write_dataset(settings, ",".join(robots), "folder", folder, 1).steps:
        pass


class Said(Silent):
    """Prints what a run notes."""

    def note(self, text: str) -> None:
        """Print a line."""
        print(f"    {text}", flush=True)


def lived(folder: Path, seed: int, robots: Sequence[str], rate: float) -> None:
    """Map the drives live at a rate and print what was late, dropped, and used."""
    out = folder / f"live-{rate:g}"
    began = time.monotonic()
    run_team(_team(folder, robots), out, rate=rate, reporter=Said())
    print(f"{seed} at rate {rate:g}: {time.monotonic() - began:.0f} s by the clock")
    for robot in read_team(out).robots:
        hz = FPS * (rate or 1.0)
        print(
            f"  {robot.name}: {robot.frames} frames, {robot.dropped} dropped "
            f"({100 * robot.dropped / max(1, robot.frames):.0f} %), {robot.rate_hz:.1f} Hz; delay "
            f"{robot.delay_s or 0.0:.2f} s, 95 % {robot.delay_95_s or 0.0:.2f} s; "
            f"{robot.cpu_s_per_frame:.3f} s CPU a frame, utilization "
            f"{robot.cpu_s_per_frame * hz:.2f} at {hz:g} Hz; {robot.peak_memory_mb:.0f} MB"
        )
        if robot.state == "done":
            by_quarters(LiveFolder(out).times(robot.name))
    for fusion in LiveFolder(out).fusions():
        meters = sum(fusion["travel_m"].values())
        print(
            f"  {meters:6.0f} m: {len(fusion['joined'])} joined, {fusion['closures']} closures, "
            f"{fusion['objects']} objects, {fusion['cpu_s']:.1f} s CPU"
        )


def by_quarters(times: Mapping[str, Any]) -> None:
    """Print how late images were in each quarter of a drive, and how many were dropped."""
    for number, rows in enumerate(np.array_split(np.arange(len(times["stamp_ns"])), 4), start=1):
        late, dropped = times["late_s"][rows], times["dropped"][rows].mean()
        late = late[~np.isnan(late)]
        median, most = np.quantile(late, (0.5, 0.95)) if len(late) else (np.nan, np.nan)
        print(
            f"    quarter {number}: delay {median:.2f} s, 95 % {most:.2f} s, "
            f"{100 * dropped:.1f} % of {len(rows)} dropped"
        )


def free(run: Path, robots: Sequence[str], rates: Sequence[float]) -> None:
    """Print delays and drops with a core, or half of one, for each robot, by the time its frames took."""
    for robot in robots:
        times = LiveFolder(run).times(robot)
        took = np.array(times["took_s"])
        took[0] = np.median(took)  # the first one compiles
        for rate, share in itertools.product(rates, (1.0, 0.5)):
            came = (times["stamp_ns"] - times["stamp_ns"][0]) / 1e9 / rate
            late, dropped = _queued(came, took / share, POSE_S / share)
            quarters = ", ".join(f"{np.median(part):.2f}" for part in np.array_split(late, 4))
            print(
                f"  {robot} with {share:g} core at {FPS * rate:g} Hz: delay {np.median(late):.3f} s, "
                f"95 % {np.quantile(late, 0.95):.3f} s, by quarters {quarters} s, dropped "
                f"{100 * dropped / len(took):.1f} %, utilization "
                f"{took.sum() / share / (came[-1] - came[0]):.2f}"
            )


def _queued(came: Floats, took: Floats, pose_s: float) -> tuple[Floats, int]:
    """Return delays of frames that are taken one after the other, and how many find the line full."""
    line: deque[float] = deque()
    end, late, dropped = 0.0, [], 0
    for at, cost in zip(came, took, strict=True):
        while line and line[0] <= at:
            line.popleft()
        full = len(line) > WAITING
        end = max(end, at) + (pose_s if full else cost)
        dropped += full
        if not full:
            line.append(end)
            late.append(end - at)
    return np.array(late), dropped


def _team(folder: Path, robots: Sequence[str]) -> LiveTeam:
    file = folder / "team.yaml"
    recordings = "".join(f"  {robot}: {{recording: data}}\n" for robot in robots)
    file.write_text(f"robots:\n{recordings}hand_over_s: 5\n")
    return load_live_team(file)


def sent(folder: Path, robots: Sequence[str]) -> None:
    """Map the drives beside the robots, send them to a base, and print what went over the wire."""
    os.environ.setdefault(TOKEN, "a-token-for-this-benchmark")
    base, out = LiveFolder(folder / "base"), folder / "sending"
    receiver = Receiver(base, robots, "127.0.0.1:0")
    run_team(_team(folder, robots), out, rate=0.0, base=f"127.0.0.1:{receiver.port}")
    receiver.close()
    for robot in robots:
        told = read_json(out / "live" / "sent" / f"{robot}.json")
        meters = LiveFolder(out).told(robot)["travel_m"]
        kb = told["bytes"] / 1000
        print(
            f"  {robot}: {kb:.0f} kB over the wire for {meters:.0f} m, {1000 * kb / meters:.0f} a km"
        )


def offline(folder: Path, robots: Sequence[str]) -> None:
    """Map the drives as ``map`` does, unless that was done, and print when robots could have been joined."""
    recording = open_dataset(folder / "data")
    for robot in robots:
        out = folder / "offline" / "robots" / robot
        if not (out / "metrics.json").exists():
            frames = RecordedFrames(recording, robot)
            map_robot(frames, make_perception(labels=recording.labels()), out, robot=robot)
    print(f"  offline they could be joined after {could_join(folder / 'offline'):.0f} m of both")


def scored(folder: Path) -> None:
    """Print the scores of live maps, and of offline ones if there are any, and when robots were joined."""
    for one in (*sorted(folder.glob("live-*")), *folder.glob("offline")):
        team = mapped([one], folder / "data" / "scene.json")
        found = score(fuse(team.runs, SETTINGS, np.random.default_rng(0)), team)
        shown = (f"{k} {found[k]:.3g}" for k in SHOWN if found.get(k) is not None)
        print(f"  {one.name:8}" + ", ".join(shown))
    for one in sorted(folder.glob("live-*")):
        for a, b, at_s, meters in LiveFolder(one).told_team().get("joins", []):
            print(f"  {one.name}: {a} and {b} joined after {meters:.0f} m of all, {at_s:.0f} s")


def could_join(offline: Path) -> float:
    """Return after how many meters of both robots their finished maps, cut there, are joined offline."""
    runs, _ = load_runs(sorted((offline / "robots").iterdir()))
    for submaps in range(2, 1 + max(len(run.objects.submaps) for run in runs)):
        early = [_cut(run, submaps) for run in runs]
        aligned = align(early, SETTINGS, np.random.default_rng(0))
        if len(set(aligned.optimized.component.tolist())) == 1:
            return sum(_meters(run) for run in early)
    return float("inf")


def _cut(run: RobotRun, submaps: int) -> RobotRun:
    """Return a mapped run up to where it closed so many submaps."""
    kept = run.objects.submaps[:submaps]
    n = int((run.stamps_ns <= kept[-1].stamp_ns + round(NEXT_S * 1e9)).sum())
    return replace(
        run,
        objects=replace(run.objects, submaps=kept),
        poses=run.poses[:n],
        stamps_ns=run.stamps_ns[:n],
        odometry=run.odometry.take(run.odometry.rows.max(axis=1) < n),
    )


def _meters(run: RobotRun) -> float:
    return float(np.linalg.norm(np.diff(run.poses[:, :3, 3], axis=0), axis=1).sum())


if __name__ == "__main__":
    main()
