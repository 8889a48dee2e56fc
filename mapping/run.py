"""Map a robot's whole dataset into a run directory: checkpoints on the way, result files at the end."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from commonground.digest import digest
from commonground.errors import MappingError
from commonground.frame import Frame
from commonground.mapping.checkpoint import (
    MESH,
    NOTHING,
    Progress,
    load_checkpoint,
    save_checkpoint,
)
from commonground.mapping.odometry import Verdict
from commonground.mapping.perception.segments import Perception
from commonground.mapping.pipeline import Mapper
from commonground.mapping.settings import MappingSettings

log = logging.getLogger(__name__)

FrameSource = Callable[[Progress | None], Iterator[Frame]]
"""Gives the frames in time order: all if asked with None, else those after what was done before."""
OnFrame = Callable[[int, Verdict], None]
"""Called after each frame with how many were taken in, and what became of it."""
OnCheckpoint = Callable[[Mapper, Progress], None]
"""Called after each checkpoint: what was taken in up to here is not lost any more."""
CHECKPOINTS = "checkpoint"


def map_robot(
    frames: FrameSource,
    perception: Perception,
    folder: str | Path,
    settings: MappingSettings | None = None,
    *,
    robot: str = "",
    fingerprint: str | None = None,
    on_frame: OnFrame | None = None,
    on_checkpoint: OnCheckpoint | None = None,
    warnings: Callable[[], Iterable[str]] = tuple,
) -> Mapping[str, Any]:
    """Map what ``frames`` gives and write the files of a robot into ``folder``; return their metrics.

    Goes on from the checkpoint there if it is of the same settings and the same frames. A ``fingerprint``
    tells these from others; without one, ``frames`` gives them all again, and those up to there have to
    look the same. ``warnings`` are asked at the end, for what became of the frames before they came here.
    """
    folder = Path(folder)
    work = folder / CHECKPOINTS
    settings = settings or MappingSettings()
    sight = (perception.name, perception.vocabulary, perception.embedding_model)
    made_of = digest(robot, settings, sight, fingerprint)
    mapper = Mapper(perception, settings, robot=robot)
    done = load_checkpoint(mapper, work, made_of)
    given = _following(frames, done, looked_at=fingerprint is None)
    if done is None or given is None:
        mapper.archive.close()
        mapper = Mapper(perception, settings, robot=robot, archive=work / MESH)
        done, given = None, frames(None)
    else:
        log.info("%s: going on after frame %d", folder, done.frames)
    for progress, verdict in _integrated(mapper, given, done or NOTHING):
        if on_frame is not None:
            on_frame(progress.frames, verdict)
        if _due(mapper, progress):
            save_checkpoint(mapper, work, progress, made_of)
            mapper.saved_ns = progress.stamp_ns
            if on_checkpoint is not None:
                on_checkpoint(mapper, progress)
    if mapper.frames == 0 or not mapper.keyframes.poses:
        raise MappingError(f"{folder}: robot '{robot}' has no frame that can be mapped")
    if not any(segment.field.frames for segment in mapper.segments):
        raise MappingError(
            f"{folder}: no frame of robot '{robot}' has depth; check the depth images and their units"
        )
    mapper.intake.warnings[:] = dict.fromkeys([*warnings(), *mapper.intake.warnings])
    result = mapper.finish()
    sizes = result.save(folder, mapper.mesh())
    mapper.archive.close()
    shutil.rmtree(work, ignore_errors=True)
    return {**result.metrics, "bytes": sizes}


def _following(
    frames: FrameSource, done: Progress | None, *, looked_at: bool
) -> Iterator[Frame] | None:
    """Return the frames after those that were taken in; None if there are none, or these were others."""
    if done is None or not looked_at:
        return None if done is None else frames(done)
    rest, begun = frames(None), NOTHING
    for number, frame in enumerate(islice(rest, done.frames), 1):
        begun = begun.and_then(frame, number)
    if begun == done:
        return rest
    log.warning("the frames are not those of the checkpoint, and mapped from the start")
    return None


def _integrated(
    mapper: Mapper, frames: Iterator[Frame], progress: Progress
) -> Iterator[tuple[Progress, Verdict]]:
    for frame in frames:
        verdict = mapper.integrate(frame)
        progress = progress.and_then(frame, mapper.frames)
        yield progress, verdict


def _due(mapper: Mapper, progress: Progress) -> bool:
    if mapper.saved_ns is None:
        mapper.saved_ns = progress.stamp_ns
    return progress.stamp_ns - mapper.saved_ns >= mapper.settings.checkpoint_every_s * 1e9
