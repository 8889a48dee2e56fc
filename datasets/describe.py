"""What a path holds and what is missing, found out without reading all of it."""

from __future__ import annotations

import logging
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from commonground.datasets.health import Health
from commonground.datasets.opening import open_dataset
from commonground.datasets.reader import Reader
from commonground.datasets.readers.bags import BagReader
from commonground.datasets.trajectory import Trajectory
from commonground.errors import DataError
from commonground.frame import Frame

SAMPLES = 5
"""Places in the recording where frames are read."""
SAMPLE_FRAMES = 4
"""Frames read at each."""
log = logging.getLogger(__name__)

GAP_S = 1.0
"""Odometry silent for longer is a gap."""
SILENT_S = 10.0
"""Odometry silent for longer is told as missing."""
JUMP_M, FAST_MPS = 2.0, 10.0
"""A step that is longer and faster is a jump of the odometry."""


def describe_data(path: str | Path) -> dict[str, Any]:
    """Return JSON values about a dataset, scene graph, object map or run; ``kind`` tells which it is."""
    place = Path(path)
    if not place.exists():
        raise DataError(f"{place}: there is no such file or folder")
    if place.suffix == ".npz":
        return _objects(place)
    if place.suffix in (".json", ".bson", ".sparkdsg") or (place / "manifest.json").is_file():
        return _scene(place)
    return describe_dataset(open_dataset(place, health=Health(max_share=1.0)), str(place))


def _scene(place: Path) -> dict[str, Any]:
    from commonground.scene import load_scene
    from commonground.scene.locate import scene_file
    from commonground.scene.summary import summarize

    file = scene_file(place)
    return {"kind": "scene graph", "path": str(file), **summarize(load_scene(file))}


def _objects(place: Path) -> dict[str, Any]:
    from commonground.objects import load_objects
    from commonground.scene.summary import MOST

    objects = load_objects(place)
    classes = Counter(word for word in objects.labels if word)
    about = {
        "nodes": len(objects),
        "classes": dict(sorted(classes.most_common(MOST), key=lambda x: (-x[1], x[0]))),
        "more_classes": max(len(classes) - MOST, 0),
        "embedding_size": int(objects.embeddings.shape[1]),
        "columns": sorted(objects.columns),
    }
    notes = [f"{len(objects.submaps)} submaps in frame '{objects.frame}'"]
    return {"kind": "object map", "path": str(place), "layers": {"objects": about}, "notes": notes}


def describe_dataset(reader: Reader, path: str) -> dict[str, Any]:
    """Return JSON values about a dataset; reads a few frames of each robot to see whether they are sound."""
    robots, unread = {}, {}
    for robot in reader.robots():
        try:
            robots[robot] = _robot(reader, robot)
        except DataError as error:
            unread[robot] = error
    if unread and not robots:
        raise next(iter(unread.values()))
    truth = reader.truth()
    missing = [] if truth is not None else ["no true scene graph: maps cannot be scored"]
    for robot, about in robots.items():
        missing += [f"{robot}: {what}" for what in about.pop("missing")]
    missing += [f"{robot}: nothing of it can be used: {error}" for robot, error in unread.items()]
    return {
        "kind": "dataset",
        "path": path,
        "format": reader.format,
        "robots": robots,
        "classes": len(reader.labels()),
        "truth": None if truth is None else {name: len(la) for name, la in truth.layers.items()},
        "usable": any((about["depth_m"] or {}).get("share") for about in robots.values()),
        "missing": missing,
        "notes": [*reader.notes, *filter(None, [reader.health.summary(), _unread(reader)])],
    }


def _robot(reader: Reader, robot: str) -> dict[str, Any]:
    cameras = reader.cameras(robot)
    whole = not (isinstance(reader, BagReader) and reader.large)
    trajectory = reader.trajectory(robot) if whole else None
    duration, count = reader.duration_s(robot), reader.length(robot)
    frames = _samples(reader, robot, duration) if count else []
    instants = count / max(1, len(cameras))
    return {
        "cameras": {
            c.name: {"width": c.width, "height": c.height, "fx": round(float(c.K[0, 0]), 2)}
            for c in cameras
        },
        "frames": count,
        "rate_hz": round((instants - 1) / duration, 2) if duration > 0 else None,
        "duration_s": round(duration, 2),
        "distance_m": None if trajectory is None else round(trajectory.distance_m, 2),
        "odometry": None if trajectory is None else _odometry(trajectory),
        "depth_m": _depth(frames),
        "missing": [*_missing(frames, count), *_unsound(trajectory)],
    }


def _unread(reader: Reader) -> str:
    if isinstance(reader, BagReader) and reader.large:
        return "the bag is large: its odometry was read only around the frames tried"
    return ""


def _samples(reader: Reader, robot: str, duration_s: float) -> list[Frame]:
    """Return frames of a few instants spread over the recording; a damaged stretch gives none."""
    found = []
    for start in np.linspace(0, duration_s, SAMPLES, endpoint=False):
        stop = start + max(1.0, 4 * duration_s / max(1, reader.length(robot)))
        try:
            found += list(islice(reader.frames(robot, start_s=start, stop_s=stop), SAMPLE_FRAMES))
        except DataError as error:
            log.warning("%s", error)
    return found


def _odometry(trajectory: Trajectory) -> dict[str, Any]:
    gaps = np.diff(trajectory.stamps_ns) / 1e9
    return {
        "poses": len(trajectory),
        "gaps": int((gaps > GAP_S).sum()),
        "longest_gap_s": round(float(gaps.max()), 3) if len(gaps) else 0.0,
    }


def _unsound(trajectory: Trajectory | None) -> list[str]:
    """Return lines where odometry jumps, for a map is cut there, and where it is silent."""
    if trajectory is None or len(trajectory) < 2:
        return []
    return [*_jumps(trajectory), *_silences(trajectory)]


def _silences(trajectory: Trajectory) -> list[str]:
    seconds = np.diff(trajectory.stamps_ns) / 1e9
    silent = np.flatnonzero(seconds > SILENT_S)
    if len(silent) == 0:
        return []
    k = silent[seconds[silent].argmax()]
    at_s = (trajectory.stamps_ns[k] - trajectory.stamps_ns[0]) / 1e9
    times = f", the longest of {len(silent)} times" if len(silent) > 1 else ""
    return [
        f"odometry throughout: it is silent for {seconds[k]:.0f} s from {at_s:.0f} s on{times}; "
        "was it switched off, or a clock set?"
    ]


def _jumps(trajectory: Trajectory) -> list[str]:
    steps = np.linalg.norm(np.diff(trajectory.T_odom_robot[:, :3, 3], axis=0), axis=1)
    seconds = np.diff(trajectory.stamps_ns) / 1e9
    jumps = np.flatnonzero((steps > JUMP_M) & (steps > FAST_MPS * seconds))
    if len(jumps) == 0:
        return []
    k = jumps[steps[jumps].argmax()]
    times = f", the farthest of {len(jumps)} times" if len(jumps) > 1 else ""
    mostly = "; are its positions in meters?" if 2 * len(jumps) > len(steps) else ""
    return [
        f"sound odometry: it jumps by {steps[k]:.1f} m within {seconds[k]:.2f} s{times}{mostly}"
    ]


def _depth(frames: list[Frame]) -> dict[str, Any] | None:
    """Return nearest, median and farthest depth, and the share of pixels that have one."""
    if not frames:
        return None
    values = np.concatenate([f.depth_m[::8, ::8].ravel() for f in frames])
    known = values[np.isfinite(values)]
    if len(known) == 0:
        return {"share": 0.0, "percentiles_1_50_99": None}
    spread = np.percentile(known, [1, 50, 99])
    share = len(known) / len(values)
    return {"share": round(share, 3), "percentiles_1_50_99": np.round(spread, 3).tolist()}


def _missing(frames: list[Frame], count: int) -> list[str]:
    out = []
    if count == 0:
        out.append("no frames")
    elif not frames:
        out.append("none of the frames tried can be used")
    if frames and all(f.T_world_cam is None for f in frames):
        out.append("no true poses: drift cannot be scored")
    if frames and all(f.instances is None for f in frames):
        out.append("no instance images: masks must come from a segmenter")
    if frames and all(f.labels is None for f in frames):
        alone = any(f.instances is not None for f in frames)
        unused = "the instance images are not used without, and masks and " if alone else ""
        out.append(f"no label images: {unused}classes must come from a model")
    return out
