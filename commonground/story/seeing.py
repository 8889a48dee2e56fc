"""What robots see: each maps its drive, the maps are fused, and later each finds itself in the fused map."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.atomic import write_text
from commonground.errors import ConfigError, DataError, did_you_mean
from commonground.runs import Run
from commonground.story.spec import Drive, Story
from commonground.workers import worker_pool

if TYPE_CHECKING:
    from commonground.datasets import Reader
    from commonground.frame import Frame
    from commonground.mapping.checkpoint import Progress
    from commonground.mapping.objects.evaluate import Visibility

SEEN = "seen.npz"
FIXES = "relocalization"


def reader_of(drive: Drive) -> Reader:
    """Return the frames of a drive, recorded or simulated."""
    if drive.simulate is not None:
        from commonground.datasets import Simulation

        return Simulation(drive.robots, drive.simulate)
    from commonground.datasets import open_dataset

    if drive.data is None:
        raise ConfigError("a drive needs data or simulate")
    return open_dataset(drive.data)


def robots_of(drive: Drive, reader: Reader) -> tuple[str, ...]:
    """Return the robots of a drive; DataError if one is not in the data."""
    there = reader.robots()
    for robot in drive.robots:
        if robot not in there:
            known = ", ".join(there) or "none"
            hint = did_you_mean(robot, there)
            raise DataError(f"the data holds no robot '{robot}'; it has {known}.{hint}")
    return drive.robots or there


def map_robots(story: Story, run: Run) -> Mapping[str, Any]:
    """Map each robot's drive, in a process each."""
    robots = robots_of(story.see, reader_of(story.see))
    calls = [(story, robot, run.robot(robot)) for robot in robots]
    return dict(zip(robots, _each(_map_one, calls), strict=True))


def _map_one(story: Story, robot: str, folder: Path) -> Mapping[str, Any]:
    from commonground.mapping.perception import make_perception
    from commonground.mapping.run import map_robot

    reader = reader_of(story.see)
    settings = story.settings.mapping
    perception = make_perception(settings.perception, labels=reader.labels())
    source = _Source(reader, robot, story.see)
    fingerprint = f"{robot} {story.model_dump_json()}"
    metrics = map_robot(source, perception, folder, settings, robot=robot, fingerprint=fingerprint)
    source.save_seen(folder / SEEN)
    return metrics


class _Source:
    """Frames of a drive; counts on the way how much of each true object they show."""

    def __init__(self, reader: Reader, robot: str, drive: Drive) -> None:
        self.reader, self.robot, self.drive = reader, robot, drive
        self.seen: Visibility | None = None
        truth = reader.truth()
        if truth is not None:
            from commonground.mapping.objects.evaluate import Visibility

            self.seen = Visibility(truth)

    def __call__(self, done: Progress | None) -> Iterator[Frame]:
        """Yield the frames not mapped before; where there is a truth, those are counted all the same."""
        if self.seen is None:
            from commonground.mapping.source import RecordedFrames

            span = (self.drive.start_s, self.drive.stop_s)
            yield from RecordedFrames(self.reader, self.robot, span)(done)
            return
        frames = self.reader.frames(
            self.robot, start_s=self.drive.start_s, stop_s=self.drive.stop_s
        )
        for number, frame in enumerate(frames, 1):
            self.seen.add(frame)
            if done is None or number > done.frames:
                yield frame

    def save_seen(self, file: Path) -> None:
        """Keep which true objects were seen, and which seen well."""
        if self.seen is not None:
            from commonground.atomic import replacing

            with replacing(file) as new, new.open("wb") as stream:
                np.savez(stream, seen=self.seen.seen, well=self.seen.well)


def fuse_robots(story: Story, run: Run, rng: np.random.Generator) -> Mapping[str, Any]:
    """Fuse the maps of all robots, so that more can be added with ``fuse --onto``."""
    from commonground.mapping.fusion.run import fuse_into

    fusion = fuse_into(run.fused, [run.folder], story.settings.localization, rng)
    return fusion.metrics()


def localize_robots(story: Story, run: Run) -> Mapping[str, Any]:
    """Localize each robot of the later drives in the fused map, in a process each."""
    if story.again is None:
        return {}
    robots = robots_of(story.again, reader_of(story.again))
    calls = [(story, robot, run.folder) for robot in robots]
    return dict(zip(robots, _each(_localize_one, calls), strict=True))


def _localize_one(story: Story, robot: str, folder: Path) -> Mapping[str, Any]:
    from commonground.mapping.locating import Locator, find_objects
    from commonground.mapping.perception import make_perception

    drive = story.again
    if drive is None:
        raise ConfigError("there is no later drive")
    reader = reader_of(drive)
    perception = make_perception(story.settings.mapping.perception, labels=reader.labels())
    locator = Locator(
        perception,
        find_objects(folder / "fused"),
        story.settings.mapping,
        story.settings.localization,
    )
    fixes, stamp_ns = [], 0
    for frame in reader.frames(robot, start_s=drive.start_s, stop_s=drive.stop_s):
        fix, stamp_ns = locator.integrate(frame), frame.stamp_ns
        if fix is not None:
            fixes.append({**fix.as_json(), **_there(reader, robot, stamp_ns)})
    write_text(folder / FIXES / f"{robot}.jsonl", "".join(json.dumps(f) + "\n" for f in fixes))
    if not fixes:
        return {"state": "lost", "after_m": None}
    after_m = next((f["travel_m"] for f in fixes if f["state"] == "localized"), None)
    end = _there(reader, robot, stamp_ns)
    T_map_robot = None
    if fixes[-1]["state"] == "localized":
        T_map_robot = (np.array(fixes[-1]["T_map_odom"]) @ end["T_odom_robot"]).tolist()
    return {"state": fixes[-1]["state"], "after_m": after_m, "T_map_robot": T_map_robot, **end}


def _there(reader: Reader, robot: str, stamp_ns: int) -> dict[str, Any]:
    """Return where the robot believes to be at a stamp in its own frame, and where it is if that is known."""
    trajectory = reader.trajectory(robot)
    true = trajectory.world_at([stamp_ns])
    return {
        "T_odom_robot": trajectory.odom_at([stamp_ns])[0].tolist(),
        "T_world_robot": None if true is None else true[0].tolist(),
    }


def _each(work: Callable[..., Mapping[str, Any]], calls: Iterable[tuple[Any, ...]]) -> list[Any]:
    """Return the results of calls made in as many processes as there are cores."""
    todo = list(calls)
    if len(todo) == 1:
        return [work(*todo[0])]
    workers = min(len(todo), os.cpu_count() or 1)
    with worker_pool(workers) as pool:
        return [future.result() for future in [pool.submit(work, *call) for call in todo]]
