"""The phases that work on frames: maps, the map they are fused into, and later drives localized in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from commonground.atomic import write_text
from commonground.errors import ConfigError
from commonground.names import within
from commonground.runs import Run
from commonground.story.drives import reader_of, robots_of
from commonground.story.progress import Diary, frames_of
from commonground.story.spec import Drive, Story

if TYPE_CHECKING:
    from commonground.datasets import Reader
    from commonground.frame import Frame
    from commonground.mapping.checkpoint import Progress
    from commonground.mapping.locating import Lookout
    from commonground.mapping.objects.evaluate import Visibility
    from commonground.objects import ObjectMap
    from commonground.story.frame_work import FrameWork

Seen: TypeAlias = "tuple[Lookout, Mapping[str, Any]]"
"""What a robot knows of at one moment, and where it believes to be then, and is."""
SEEN = "seen.npz"
FIXES = "relocalization"


def map_robots(story: Story, work: FrameWork) -> Mapping[str, Any]:
    """Map each robot's drive, in a process each."""
    return {robot: work.result("map", robot) for robot in robots_of(story.see)}


def map_one(story: Story, robot: str, folder: Path) -> Mapping[str, Any]:
    from commonground.mapping.perception import make_perception
    from commonground.mapping.run import map_robot

    reader = reader_of(story.see)
    settings = story.settings.mapping
    perception = make_perception(settings.perception, labels=reader.labels())
    source = _Source(reader, robot, story.see)
    fingerprint = f"{story.model_dump_json()} {reader.fingerprint(robot)}"
    diary = source.diary = Diary(diary_of(folder), frames_of(reader, robot, story.see))
    metrics = map_robot(
        source,
        perception,
        folder,
        settings,
        robot=robot,
        fingerprint=fingerprint,
        on_frame=lambda frames, _: diary.note(frames),
    )
    source.save_seen(folder / SEEN)
    return metrics


def diary_of(folder: Path) -> Path:
    """Return where a robot's process notes how far its map is; the file goes with its checkpoints."""
    from commonground.mapping.run import CHECKPOINTS

    return folder / CHECKPOINTS / "progress.json"


class _Source:
    """Frames of a drive; counts on the way how much of each true object they show."""

    def __init__(self, reader: Reader, robot: str, drive: Drive) -> None:
        self.reader, self.robot, self.drive = reader, robot, drive
        self.seen: Visibility | None = None
        self.diary: Diary | None = None
        truth = reader.truth()
        if truth is not None:
            from commonground.mapping.objects.evaluate import Visibility

            self.seen = Visibility(truth)

    def __call__(self, done: Progress | None) -> Iterator[Frame]:
        """Yield the frames not mapped before; where there is a truth, those are counted all the same."""
        if self.diary is not None and done is not None:
            self.diary.before = done.frames
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


def localize_robots(story: Story, run: Run, work: FrameWork) -> Mapping[str, Any]:
    """Localize each robot of the later drives in the fused map."""
    if story.again is None:
        return {}
    from commonground.mapping.locating import find_objects

    objects = find_objects(run.fused)
    out = {}
    for robot in robots_of(story.again):
        seen, end = work.result("observe", robot)
        fixes = _fixes(story, objects, seen)
        text = "".join(json.dumps(fix) + "\n" for fix in fixes)
        write_text(within(run.folder, FIXES, f"{robot}.jsonl"), text)
        out[robot] = _found(fixes, end)
    return out


def _fixes(story: Story, objects: ObjectMap, seen: Sequence[Seen]) -> list[dict[str, Any]]:
    from commonground.localization import Relocalizer
    from commonground.mapping.locating import fix_of

    relocalizer = Relocalizer(objects, story.settings.localization)
    return [{**fix_of(relocalizer, lookout).as_json(), **there} for lookout, there in seen]


def _found(fixes: Sequence[Mapping[str, Any]], end: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of a robot after its last fix; ``end`` is where its drive ends."""
    if not fixes:
        return {"state": "lost", "after_m": None}
    after_m = next((f["travel_m"] for f in fixes if f["state"] == "localized"), None)
    T_map_robot = None
    if fixes[-1]["state"] == "localized":
        T_map_robot = (np.array(fixes[-1]["T_map_odom"]) @ end["T_odom_robot"]).tolist()
    return {"state": fixes[-1]["state"], "after_m": after_m, "T_map_robot": T_map_robot, **end}


def observe_one(story: Story, robot: str) -> tuple[list[Seen], Mapping[str, Any]]:
    """Return what a robot of a later drive knows of whenever it may localize, and where its drive ends."""
    from commonground.mapping.locating import Observer
    from commonground.mapping.perception import make_perception

    drive = story.again
    if drive is None:
        raise ConfigError("there is no later drive")
    reader = reader_of(drive)
    perception = make_perception(story.settings.mapping.perception, labels=reader.labels())
    observer = Observer(perception, story.settings.mapping)
    seen: list[Seen] = []
    stamp_ns = None
    for frame in reader.frames(robot, start_s=drive.start_s, stop_s=drive.stop_s):
        lookout, stamp_ns = observer.integrate(frame), frame.stamp_ns
        if lookout is not None:
            seen.append((lookout, _there(reader, robot, stamp_ns)))
    return seen, {} if stamp_ns is None else _there(reader, robot, stamp_ns)


def _there(reader: Reader, robot: str, stamp_ns: int) -> dict[str, Any]:
    """Return where the robot believes to be at a stamp in its own frame, and where it is if that is known."""
    trajectory = reader.trajectory(robot)
    true = trajectory.world_at([stamp_ns])
    return {
        "T_odom_robot": trajectory.odom_at([stamp_ns])[0].tolist(),
        "T_world_robot": None if true is None else true[0].tolist(),
    }
