"""Checkpoints of a mapper: all its state in one file, so that a killed run goes on as if never stopped."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from commonground.atomic import write_with
from commonground.errors import MappingError
from commonground.mapping.objects.mapper import ObjectMapper
from commonground.mapping.pipeline import Mapper
from commonground.mapping.segment import Segment
from commonground.mapping.surface.archive import MeshArchive
from commonground.reading import parse_json, read_arrays
from commonground.reasons import reason

SCHEMA = 6
FILE = "checkpoint.npz"
MESH = "mesh.parts"
CHECKPOINT_MB = 16_384
"""Of a mapper's state; it is this program's own file."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of the data a mapper has taken in."""

    stamp_ns: int
    """Stamp of the last frame."""
    at_stamp: int
    """How many frames of that stamp were taken, one a camera."""
    frames: int
    """How many frames in all."""


def save_checkpoint(mapper: Mapper, folder: Path, progress: Progress, fingerprint: str) -> None:
    """Write the state of a mapper whose mesh archive lies in ``folder``, complete or not at all.

    ``fingerprint`` names data and settings; a checkpoint of others is not gone on with.
    """
    length = mapper.archive.sync()
    object_arrays, object_values = mapper.objects.state()
    intake_arrays, intake_values = mapper.intake.state()
    key_arrays, key_values = mapper.keyframes.state()
    tracker_arrays, tracker_values = mapper.tracker.state()
    look_arrays, look_values = mapper.looking.state()
    header = {
        "schema": SCHEMA,
        "fingerprint": fingerprint,
        "progress": asdict(progress),
        "archive_length": length,
        "frames": mapper.frames,
        "updated_ns": mapper.updated_ns,
        "segments": len(mapper.segments),
        "objects": object_values,
        "intake": intake_values,
        "keyframes": key_values,
        "tracker": tracker_values,
        "looking": look_values,
    }
    groups = {"objects": object_arrays, "intake": intake_arrays, "keyframes": key_arrays}
    groups |= {"tracker": tracker_arrays, "looking": look_arrays}
    groups |= {f"segment{i}": segment.state() for i, segment in enumerate(mapper.segments)}
    arrays = {f"{name}/{key}": a for name, group in groups.items() for key, a in group.items()}
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    write_with(folder / FILE, lambda file: np.savez(file, allow_pickle=False, **arrays))


def load_checkpoint(mapper: Mapper, folder: Path, fingerprint: str) -> Progress | None:
    """Bring a new mapper to the state of the checkpoint in ``folder``; None if there is none of this kind."""
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        arrays = read_arrays(file, CHECKPOINT_MB)
        header = parse_json(arrays.pop("header").tobytes(), file)
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise MappingError(
            f"{file}: the checkpoint is damaged ({reason(error)}); remove it to map from the start"
        ) from error
    if header["schema"] != SCHEMA or header["fingerprint"] != fingerprint:
        return None
    _restore(mapper, folder, header, dict(_groups(arrays)))
    return Progress(**header["progress"])


def _groups(arrays: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    names = {name.partition("/")[0] for name in arrays}
    for group in sorted(names):
        start = f"{group}/"
        yield group, {k.removeprefix(start): v for k, v in arrays.items() if k.startswith(start)}


def _restore(
    mapper: Mapper, folder: Path, header: Mapping[str, Any], groups: Mapping[str, dict[str, Any]]
) -> None:
    mapper.archive = MeshArchive(folder / MESH, header["archive_length"])
    mapper.frames, mapper.updated_ns = header["frames"], header["updated_ns"]
    mapper.objects = ObjectMapper.from_state(
        groups.get("objects", {}), header["objects"], mapper.settings.objects
    )
    mapper.intake.restore(groups["intake"], header["intake"])
    mapper.keyframes.restore(groups["keyframes"], header["keyframes"])
    mapper.tracker.restore(groups["tracker"], header["tracker"])
    mapper.looking.restore(groups["looking"], header["looking"])
    mapper.segments = []
    for i in range(header["segments"]):
        segment = Segment(mapper.settings, mapper.archive)
        segment.restore(groups[f"segment{i}"])
        mapper.segments.append(segment)
