"""Checkpoints of a mapper: all its state in one file, so that a killed run goes on as if never stopped."""

from __future__ import annotations

import json
import logging
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from commonground.atomic import write_with
from commonground.crops import Crop
from commonground.digest import digest
from commonground.errors import MALFORMED, MappingError
from commonground.frame import Frame
from commonground.mapping.objects.album import Member, Page
from commonground.mapping.objects.cloud import VoxelCloud
from commonground.mapping.objects.lifting import Sighting
from commonground.mapping.objects.track import Motion, Track
from commonground.mapping.objects.travel import Stop
from commonground.mapping.packing import kept_of, packed, restore, unpacked
from commonground.mapping.pipeline import Mapper
from commonground.mapping.segment import Segment
from commonground.mapping.surface.archive import MeshArchive
from commonground.mapping.tracking.reference import Reference
from commonground.reading import parse_json, read_arrays
from commonground.reasons import reason

log = logging.getLogger(__name__)
SCHEMA = 9
FILE = "checkpoint.npz"
MESH = "mesh.parts"
CHECKPOINT_MB = 16_384
"""Of a mapper's state; it is this program's own file."""
KINDS = (Crop, Member, Motion, Page, Reference, Sighting, Stop, Track, VoxelCloud)
"""What stands in lists of a mapper's state."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of the data a mapper has taken in."""

    stamp_ns: int
    """Stamp of the last frame."""
    at_stamp: int
    """How many frames of that stamp were taken, one a camera."""
    frames: int
    """How many frames in all."""
    seen: str = ""
    """What tells these frames from others."""

    def and_then(self, frame: Frame, frames: int) -> Progress:
        """Return the progress with one more frame, when so many were taken in."""
        at_stamp = self.at_stamp + 1 if self.frames and frame.stamp_ns == self.stamp_ns else 1
        return Progress(frame.stamp_ns, at_stamp, frames, _seen(self.seen, frame))


NOTHING = Progress(0, 0, 0)
COARSELY = slice(None, None, 8)
"""Of an image's rows and columns, those by which it is told from another."""


def _seen(before: str, frame: Frame) -> str:
    """Return what tells all frames up to this one from others."""
    images = (frame.rgb, frame.depth_m, frame.instances, frame.labels)
    some = [None if image is None else image[COARSELY, COARSELY] for image in images]
    about = frame.stamp_ns, frame.robot, frame.camera, frame.T_odom_cam, frame.T_world_cam
    return digest(before, *about, *some)


def save_checkpoint(mapper: Mapper, folder: Path, progress: Progress, made_of: str) -> None:
    """Write the state of a mapper whose mesh archive lies in ``folder``, complete or not at all.

    ``made_of`` names data and settings; a checkpoint of others is not gone on with.
    """
    length = mapper.archive.sync()
    segments = [segment.state() for segment in mapper.segments]
    arrays, state = packed({"mapper": kept_of(mapper), "segments": segments})
    header = {
        "schema": SCHEMA,
        "made_of": made_of,
        "progress": asdict(progress),
        "archive_length": length,
        "state": state,
    }
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    write_with(folder / FILE, lambda file: np.savez(file, allow_pickle=False, **arrays))


def load_checkpoint(mapper: Mapper, folder: Path, made_of: str) -> Progress | None:
    """Bring a new mapper to the state of the checkpoint in ``folder``; None if there is none of this kind."""
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        arrays = read_arrays(file, CHECKPOINT_MB)
        header = parse_json(arrays.pop("header").tobytes(), file)
        if header["schema"] != SCHEMA or header["made_of"] != made_of:
            log.warning("%s: is of other data, settings or version, and not gone on with", file)
            return None
        state = unpacked(arrays, header["state"], KINDS)
        mapper.archive.close()
        mapper.archive = MeshArchive(folder / MESH, header["archive_length"])
        restore(mapper, state["mapper"])
        mapper.segments = [Segment(mapper.settings, mapper.archive) for _ in state["segments"]]
        for segment, kept in zip(mapper.segments, state["segments"], strict=True):
            segment.restore(kept)
        return Progress(**header["progress"])
    except (OSError, EOFError, zipfile.BadZipFile, *MALFORMED) as error:
        raise MappingError(
            f"{file}: the checkpoint is damaged ({reason(error)}); remove it to map from the start"
        ) from error
