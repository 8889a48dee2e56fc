"""Map a robot's whole dataset into a run directory: checkpoints on the way, result files at the end."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from commonground.errors import MappingError
from commonground.frame import Frame
from commonground.mapping.checkpoint import MESH, Progress, load_checkpoint, save_checkpoint
from commonground.mapping.odometry import Verdict
from commonground.mapping.perception.segments import Perception
from commonground.mapping.pipeline import Mapper
from commonground.mapping.settings import MappingSettings

log = logging.getLogger(__name__)

FrameSource = Callable[[Progress | None], Iterator[Frame]]
"""Gives the frames in time order, all or those after what was done before."""
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
    fingerprint: str = "",
    on_frame: OnFrame | None = None,
    on_checkpoint: OnCheckpoint | None = None,
) -> Mapping[str, Any]:
    """Map what ``frames`` gives and write the files of a robot into ``folder``; return their metrics.

    Goes on from the checkpoint there if it is of the same ``fingerprint``.
    """
    folder = Path(folder)
    work = folder / CHECKPOINTS
    settings = settings or MappingSettings()
    mapper = Mapper(perception, settings, robot=robot)
    done = load_checkpoint(mapper, work, fingerprint)
    if done is None:
        mapper = Mapper(perception, settings, robot=robot, archive=work / MESH)
    else:
        log.info("%s: going on after frame %d", folder, done.frames)
    for progress, verdict in _integrated(mapper, frames, done):
        if on_frame is not None:
            on_frame(progress.frames, verdict)
        if _due(mapper, progress):
            save_checkpoint(mapper, work, progress, fingerprint)
            mapper.saved_ns = progress.stamp_ns
            if on_checkpoint is not None:
                on_checkpoint(mapper, progress)
    if mapper.frames == 0 or not mapper.keyframes.poses:
        raise MappingError(f"{folder}: robot '{robot}' has no frame that can be mapped")
    if not any(segment.field.frames for segment in mapper.segments):
        raise MappingError(
            f"{folder}: no frame of robot '{robot}' has depth; check the depth images and their units"
        )
    result = mapper.finish()
    sizes = result.save(folder, mapper.mesh())
    mapper.archive.close()
    shutil.rmtree(work, ignore_errors=True)
    return {**result.metrics, "bytes": sizes}


def _integrated(
    mapper: Mapper, frames: FrameSource, done: Progress | None
) -> Iterator[tuple[Progress, Verdict]]:
    at_stamp = 0 if done is None else done.at_stamp
    stamp = None if done is None else done.stamp_ns
    for frame in frames(done):
        verdict = mapper.integrate(frame)
        at_stamp = at_stamp + 1 if frame.stamp_ns == stamp else 1
        stamp = frame.stamp_ns
        yield Progress(stamp, at_stamp, mapper.frames), verdict


def _due(mapper: Mapper, progress: Progress) -> bool:
    if mapper.saved_ns is None:
        mapper.saved_ns = progress.stamp_ns
    return progress.stamp_ns - mapper.saved_ns >= mapper.settings.checkpoint_every_s * 1e9
