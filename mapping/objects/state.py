"""Checkpoints of an object mapper: plain arrays and JSON values, nothing pickled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.crops import Crop
from commonground.errors import MALFORMED, MappingError
from commonground.mapping.objects.cloud import VoxelCloud
from commonground.mapping.objects.settings import ObjectSettings
from commonground.mapping.objects.track import EYES, Motion, Track
from commonground.mapping.objects.travel import Stop
from commonground.reasons import reason

if TYPE_CHECKING:
    from commonground.mapping.objects.mapper import ObjectMapper

SCHEMA = 7

_SCALARS = {
    "number": np.int64,
    "logit": np.float64,
    "first_ns": np.int64,
    "last_ns": np.int64,
    "last_travel_m": np.float64,
    "sightings": np.int64,
    "confirmed": np.bool_,
    "archived": np.bool_,
    "sealed": np.bool_,
    "embedding_weight": np.float64,
    "label_weight": np.float64,
    "farthest_m": np.float64,
    "change": np.float64,
    "several": np.float64,
    "structure": np.float64,
    "flat": np.float64,
    "history_step": np.int64,
    "version": np.int64,
}
_VECTORS = ("label_logs", "embedding", "views", "glances", "glanced", "eye", "low", "high")
_MOTION = {
    "anchor_ns": np.int64,
    "stamp_ns": np.int64,
    "score": np.float64,
    "moving": np.bool_,
    "rest_ns": np.int64,
}
_MOTION_VECTORS = ("anchor", "center", "velocity")


def mapper_state(mapper: ObjectMapper) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return arrays for an npz file and values for JSON that hold all the mapper knows."""
    tracks = list(mapper.tracks.values())
    arrays = {**_track_arrays(tracks), **_cloud_arrays(tracks), **_pair_arrays(mapper)}
    arrays["assigned"] = mapper.assigned
    pictures = b"".join(c.jpeg for t in tracks for c in t.crops)
    arrays["crops"] = np.frombuffer(pictures, np.uint8)
    album_arrays, album_values = mapper.album.state()
    arrays |= album_arrays
    odometer = mapper.odometer
    arrays["stop_poses"] = np.array([s.T_odom_submap for s in odometer.stops], float).reshape(
        -1, 4, 4
    )
    arrays["stop_stamps_ns"] = np.array([s.stamp_ns for s in odometer.stops], np.int64)
    arrays["stop_travels_m"] = np.array([s.travel_m for s in odometer.stops], float)
    values = {
        "schema": SCHEMA,
        "robot": mapper.robot,
        "vocabulary": None if mapper.vocabulary is None else list(mapper.vocabulary),
        "embedding_model": mapper.embedding_model,
        "embedding_size": mapper.embedding_size,
        "next_number": mapper.next_number,
        "frames": mapper.frames,
        "glances": [mapper.glances.left, mapper.glances.stamp_ns],
        "odometer": {
            "every_m": odometer.every_m,
            "travel_m": odometer.travel_m,
            "leader": odometer.leader,
            "leader_ns": odometer.leader_ns,
            "last": {name: p.tolist() for name, p in odometer.last.items()},
            "path": dict(odometer.path),
        },
        "album": album_values,
        "spans": [t.spans for t in tracks],
        "history": [t.history for t in tracks],
        "crops": [[(c.worth, c.stamp_ns, c.side, len(c.jpeg)) for c in t.crops] for t in tracks],
    }
    return arrays, values


def restored_mapper(
    arrays: Mapping[str, Any], values: Mapping[str, Any], settings: ObjectSettings | None
) -> ObjectMapper:
    """Return the mapper whose state was taken; MappingError if the checkpoint does not fit."""
    from commonground.mapping.objects.mapper import ObjectMapper

    try:
        if values["schema"] != SCHEMA:
            raise MappingError(
                f"the checkpoint of the object map has schema {values['schema']}, this version reads "
                f"{SCHEMA}; start the run anew"
            )
        mapper = ObjectMapper(settings, values["robot"])
        words = values["vocabulary"]
        mapper.vocabulary = None if words is None else tuple(words)
        mapper.embedding_model = values["embedding_model"]
        mapper.embedding_size = values["embedding_size"]
        mapper.next_number, mapper.frames = values["next_number"], values["frames"]
        mapper.glances.left, mapper.glances.stamp_ns = values["glances"]
        mapper.assigned = np.array(arrays["assigned"])
        _restore_odometer(mapper, arrays, values["odometer"])
        for row in range(len(arrays["number"])):
            track = _restored_track(arrays, values, row, mapper.settings)
            mapper.tracks[track.number] = track
        _restore_crops(mapper, arrays, values)
        mapper.album.restore(arrays, values["album"])
        keys = zip(arrays["pairs"].tolist(), arrays["pair_scores"].tolist(), strict=True)
        mapper.pairs.scores = {(a, b): score for (a, b), score in keys}
    except MALFORMED as error:
        raise MappingError(
            f"the checkpoint of the object map is damaged ({reason(error)}); start the run anew"
        ) from error
    return mapper


def _track_arrays(tracks: list[Track]) -> dict[str, Any]:
    out: dict[str, Any] = {
        name: np.array([getattr(t, name) for t in tracks], kind) for name, kind in _SCALARS.items()
    }
    for name in _VECTORS:
        out[name] = _rows([getattr(t, name) for t in tracks])
    out["eyes"] = np.array([t.eyes for t in tracks], float).reshape(-1, EYES, 3)
    for name, kind in _MOTION.items():
        out[f"motion_{name}"] = np.array([getattr(t.motion, name) for t in tracks], kind)
    for name in _MOTION_VECTORS:
        out[f"motion_{name}"] = _rows([getattr(t.motion, name) for t in tracks])
    return out


def _rows(vectors: list[Any]) -> Any:
    return np.array(vectors, float).reshape(len(vectors), len(vectors[0]) if vectors else 0)


def _cloud_arrays(tracks: list[Track]) -> dict[str, Any]:
    clouds = [t.cloud for t in tracks]
    empty = VoxelCloud(1.0, 1)
    return {
        "cloud_starts": np.cumsum([0, *(c.count for c in clouds)]),
        "cloud_voxel_m": np.array([c.voxel_m for c in clouds], float),
        "cloud_keys": np.concatenate([empty.keys, *(c.keys for c in clouds)]),
        "cloud_points": np.concatenate([empty.points, *(c.points for c in clouds)]),
        "cloud_facts": np.concatenate([empty.facts, *(c.facts for c in clouds)]),
    }


def _pair_arrays(mapper: ObjectMapper) -> dict[str, Any]:
    scores = mapper.pairs.scores
    return {
        "pairs": np.array(list(scores), np.int64).reshape(-1, 2),
        "pair_scores": np.array(list(scores.values()), float),
    }


def _restored_track(
    arrays: Mapping[str, Any], values: Mapping[str, Any], row: int, settings: ObjectSettings
) -> Track:
    moves: dict[str, Any] = {name: arrays[f"motion_{name}"][row].item() for name in _MOTION}
    moves |= {name: np.array(arrays[f"motion_{name}"][row]) for name in _MOTION_VECTORS}
    fields: dict[str, Any] = {name: arrays[name][row].item() for name in _SCALARS}
    fields |= {name: np.array(arrays[name][row]) for name in (*_VECTORS, "eyes")}
    cloud = VoxelCloud(settings.lifting.voxel_m, settings.voxels_per_object)
    rows = slice(int(arrays["cloud_starts"][row]), int(arrays["cloud_starts"][row + 1]))
    cloud.restore(
        arrays["cloud_keys"][rows],
        arrays["cloud_points"][rows],
        arrays["cloud_facts"][rows],
        float(arrays["cloud_voxel_m"][row]),
    )
    return Track(
        **fields,
        cloud=cloud,
        motion=Motion(**moves),
        spans=[[float(a), float(b)] for a, b in values["spans"][row]],
        history=[(int(t), float(r), float(a)) for t, r, a in values["history"][row]],
    )


def _restore_crops(
    mapper: ObjectMapper, arrays: Mapping[str, Any], values: Mapping[str, Any]
) -> None:
    pictures, at = np.asarray(arrays["crops"], np.uint8).tobytes(), 0
    for track, kept in zip(mapper.tracks.values(), values["crops"], strict=True):
        for worth, stamp_ns, side, size in kept:
            track.crops.append(Crop(pictures[at : at + size], worth, stamp_ns, side))
            at += size


def _restore_odometer(
    mapper: ObjectMapper, arrays: Mapping[str, Any], values: Mapping[str, Any]
) -> None:
    odometer = mapper.odometer
    odometer.travel_m, odometer.leader = float(values["travel_m"]), values["leader"]
    odometer.leader_ns = int(values["leader_ns"])
    odometer.last = {name: np.array(p, float) for name, p in values["last"].items()}
    odometer.path = {name: float(p) for name, p in values["path"].items()}
    odometer.stops = [
        Stop(int(stamp), float(travel), np.array(pose))
        for stamp, travel, pose in zip(
            arrays["stop_stamps_ns"], arrays["stop_travels_m"], arrays["stop_poses"], strict=True
        )
    ]
