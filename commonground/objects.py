"""The object map: what a robot, or a whole team, knows of the things around, in columns."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Floats, Floats32, Ids, Ints
from commonground.atomic import write_with
from commonground.errors import SceneError
from commonground.geometry import apply
from commonground.given import vectors
from commonground.reading import parse_json, read_arrays
from commonground.reasons import reason
from commonground.scene.layer import Boxes
from commonground.scene.moved import moved_boxes, moved_columns, moved_points, moved_spread
from commonground.symbols import node_ids

SCHEMA = 1
"""Version of the npz layout; a file from the future is refused."""

_UNREADABLE = (
    ValueError, OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError, TypeError, IndexError,
)  # fmt: skip
"""What NumPy and zipfile raise for damaged files; a RuntimeError if a flipped bit says it is encrypted."""


@dataclass(frozen=True, slots=True, eq=False)
class Submap:
    """The objects near one stretch of a robot's path: what is matched against other submaps."""

    stamp_ns: int
    T_map_submap: Floats
    """(4, 4) gravity-aligned pose of the submap's origin in the object map's frame."""
    rows: Ints
    """Rows of the object map's objects seen from here."""
    robot: str = ""

    def points(self, objects: ObjectMap) -> Floats:
        """Return the centroids (k, 3) of the submap's objects in the submap's own frame."""
        from commonground.geometry import inverse

        return apply(inverse(self.T_map_submap), objects.centroids[self.rows])


@dataclass(frozen=True, slots=True, eq=False)
class ObjectMap:
    """Objects in columns, row i of each being object i, and the submaps they were seen in.

    All positions are in one frame, named by ``frame`` ("odom" of one robot, or "map").
    """

    ids: Ids
    """(n,) node ids, ``O`` symbols."""
    centroids: Floats
    """(n, 3)"""
    covariances: Floats
    """(n, 3, 3) of the centroids, in square meters."""
    boxes: Boxes
    shapes: Floats32
    """(n, 4) linearity, planarity, scattering in [0, 1], and volume in cubic meters."""
    embeddings: Floats32
    """(n, d) unit vectors; d = 0 where the perception gives none; NaN rows are unknown."""
    label_scores: Floats32
    """(n, c) probability of each word of ``vocabulary``; c = 0 where there are no class names."""
    observations: Ints
    """(n,) number of frames each object was seen in."""
    first_seen_ns: Ints
    last_seen_ns: Ints
    existence: Floats32
    """(n,) probability that the object is there."""
    vocabulary: tuple[str, ...] = ()
    embedding_model: str = ""
    """What made the embeddings; maps of different models cannot be compared by them."""
    frame: str = "map"
    submaps: tuple[Submap, ...] = ()
    columns: Mapping[str, Any] = field(default_factory=dict)
    """Further columns by name, first axis n."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """JSON values: robot, provenance, settings."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def labels(self) -> list[str]:
        """The most likely word of each object, '' where there is none."""
        if not self.vocabulary or len(self) == 0:
            return [""] * len(self)
        best = np.nan_to_num(self.label_scores, nan=0.0).argmax(axis=1)
        known = np.nan_to_num(self.label_scores, nan=0.0).max(axis=1) > 0
        return [self.vocabulary[i] if k else "" for i, k in zip(best, known, strict=True)]

    def features(self, rows: Any = None) -> dict[str, Any]:
        """Return what association compares, for all or the chosen rows: embedding, shape, label."""
        chosen = np.arange(len(self)) if rows is None else np.asarray(rows)
        out: dict[str, Any] = {"shape": self.shapes[chosen], "size": self.boxes.sizes[chosen]}
        if self.embeddings.shape[1]:
            out["embedding"] = self.embeddings[chosen]
        if self.vocabulary:
            out["label"] = self.label_scores[chosen]
        return out

    def take(self, rows: Any) -> ObjectMap:
        """Return the map of the chosen rows (indices or mask); submaps keep those of their objects."""
        chosen = np.arange(len(self))[rows]
        new = np.full(len(self), -1, np.int64)
        new[chosen] = np.arange(len(chosen))
        submaps = tuple(replace(s, rows=new[s.rows][new[s.rows] >= 0]) for s in self.submaps)
        picked = {name: getattr(self, name)[chosen] for name in _ROWS}
        columns = {name: column[chosen] for name, column in self.columns.items()}
        return replace(
            self, **picked, boxes=self.boxes.take(chosen), submaps=submaps, columns=columns
        )

    def transformed(self, T_new_old: Floats, frame: str | None = None) -> ObjectMap:
        """Return the map expressed in another frame."""
        return self.moved_by(
            T_new_old,
            [T_new_old @ s.T_map_submap for s in self.submaps],
            self.frame if frame is None else frame,
        )

    def moved_by(self, T: Floats, submap_poses: Sequence[Floats], frame: str) -> ObjectMap:
        """Return the map moved by T (4, 4), or each object by its own (n, 4, 4), submaps to their poses."""
        return replace(
            self,
            centroids=moved_points(T, self.centroids),
            covariances=moved_spread(T, self.covariances),
            boxes=moved_boxes(self.boxes, T),
            columns=moved_columns(self.columns, T),
            submaps=tuple(
                replace(s, T_map_submap=pose)
                for s, pose in zip(self.submaps, submap_poses, strict=True)
            ),
            frame=frame,
        )

    @staticmethod
    def of(centroids: Any, *, sizes: Any = None, **more: Any) -> ObjectMap:
        """Return a map made from centroids (n, 3) and whatever else is known; the rest is neutral.

        Where nobody says when they were seen, that was at 0 ns; with a real clock, give ``last_seen_ns``.
        """
        p = vectors(centroids, 3, "centroids")
        n = len(p)
        size = np.full((n, 3), 0.5) if sizes is None else sizes
        defaults: dict[str, Any] = {
            "ids": node_ids("O", np.arange(n)),
            "covariances": np.tile(np.eye(3) * 0.01, (n, 1, 1)),
            "boxes": Boxes.axis_aligned(p, size),
            "shapes": np.zeros((n, 4), np.float32),
            "embeddings": np.empty((n, 0), np.float32),
            "label_scores": np.empty((n, 0), np.float32),
            "observations": np.ones(n, np.int64),
            "first_seen_ns": np.zeros(n, np.int64),
            "last_seen_ns": np.zeros(n, np.int64),
            "existence": np.ones(n, np.float32),
        }
        return ObjectMap(centroids=p, **{**defaults, **more})


_ROWS = (
    "ids", "centroids", "covariances", "shapes", "embeddings", "label_scores", "observations",
    "first_seen_ns", "last_seen_ns", "existence",
)  # fmt: skip


# ---- files ----


def save_objects(objects: ObjectMap, path: str | Path) -> None:
    """Write one compressed npz without pickled parts; embeddings in 8 bits a number and one scale a row."""
    _check(objects, Path(path))
    submaps = objects.submaps
    quantized, scale = _quantize(objects.embeddings)
    header = {
        "schema": SCHEMA,
        "vocabulary": objects.vocabulary,
        "embedding_model": objects.embedding_model,
        "frame": objects.frame,
        "metadata": objects.metadata,
        "submap_robots": [s.robot for s in submaps],
    }
    arrays: dict[str, Any] = {
        "header": np.frombuffer(json.dumps(header).encode(), np.uint8),
        "ids": objects.ids,
        "centroids": objects.centroids.astype(np.float32),
        "covariances": _upper(objects.covariances).astype(np.float32),
        "box_centers": objects.boxes.centers.astype(np.float32),
        "box_sizes": objects.boxes.sizes.astype(np.float32),
        "box_quats_wxyz": objects.boxes.quat_wxyz.astype(np.float32),
        "shapes": objects.shapes.astype(np.float32),
        "embeddings": quantized,
        "embedding_scales": scale,
        "label_scores": objects.label_scores.astype(np.float16),
        "observations": objects.observations.astype(np.int32),
        "first_seen_ns": objects.first_seen_ns,
        "last_seen_ns": objects.last_seen_ns,
        "existence": objects.existence.astype(np.float16),
        "submap_stamps_ns": np.array([s.stamp_ns for s in submaps], np.int64),
        "submap_poses": np.array([s.T_map_submap for s in submaps], float).reshape(-1, 4, 4),
        "submap_rows": np.concatenate([*(s.rows for s in submaps), np.empty(0, np.int64)]).astype(
            np.int32
        ),
        "submap_starts": np.cumsum([0, *(len(s.rows) for s in submaps)]).astype(np.int32),
    }
    arrays |= {f"column_{name}": np.asarray(column) for name, column in objects.columns.items()}
    write_with(path, lambda file: np.savez_compressed(file, allow_pickle=False, **arrays))


def load_objects(path: str | Path) -> ObjectMap:
    """Read an object map; SceneError says in one line what is wrong with a file that is none."""
    file = Path(path)
    if not file.exists():
        raise SceneError(f"{file}: there is no such file")
    try:
        arrays = read_arrays(file)
        header = parse_json(arrays["header"].tobytes(), file)
        if header["schema"] > SCHEMA:
            raise SceneError(
                f"{file}: written with object map schema {header['schema']}, this version reads up to "
                f"{SCHEMA}; upgrade commonground"
            )
        objects = _from_arrays(arrays, header)
    except KeyError as error:
        raise SceneError(f"{file}: no object map: {reason(error)}") from error
    except _UNREADABLE as error:
        why = (
            "no npz file" if "pickle" in str(error) else reason(error)
        )  # which numpy would unpickle
        raise SceneError(
            f"{file}: not a readable object map (npz): {why}; is it cut off?"
        ) from error
    _check(objects, file)
    return objects


def _check(objects: ObjectMap, file: Path) -> None:
    """Refuse a map that no file can hold, before it is written or after it is read."""
    if not np.isfinite(objects.centroids).all():
        raise SceneError(f"{file}: the object map holds a centroid that is not finite")
    boxes, n = objects.boxes, len(objects)
    counts = {name: len(getattr(objects, name)) for name in _ROWS}
    counts |= {"box_centers": len(boxes.centers), "box_sizes": len(boxes.sizes)}
    counts |= {"box_quats_wxyz": len(boxes.quat_wxyz)}
    counts |= {f"column_{name}": len(column) for name, column in objects.columns.items()}
    for name, count in counts.items():
        if count != n:
            raise SceneError(f"{file}: no object map: '{name}' has {count} rows, not {n}")
    if any(len(s.rows) and not 0 <= s.rows.min() <= s.rows.max() < n for s in objects.submaps):
        raise SceneError(f"{file}: no object map: a submap names an object that is not there")


def _from_arrays(arrays: Mapping[str, Any], header: Mapping[str, Any]) -> ObjectMap:
    starts, rows = arrays["submap_starts"], arrays["submap_rows"].astype(np.int64)
    submaps = tuple(
        Submap(int(stamp), pose, rows[starts[i] : starts[i + 1]], header["submap_robots"][i])
        for i, (stamp, pose) in enumerate(
            zip(arrays["submap_stamps_ns"], arrays["submap_poses"], strict=True)
        )
    )
    return ObjectMap(
        ids=arrays["ids"].astype(np.uint64),
        centroids=arrays["centroids"].astype(float),
        covariances=_full(arrays["covariances"].astype(float)),
        boxes=Boxes(
            arrays["box_centers"].astype(float),
            arrays["box_sizes"].astype(float),
            arrays["box_quats_wxyz"].astype(float),
        ),
        shapes=arrays["shapes"].astype(np.float32),
        embeddings=arrays["embeddings"].astype(np.float32) * arrays["embedding_scales"][:, None],
        label_scores=arrays["label_scores"].astype(np.float32),
        observations=arrays["observations"].astype(np.int64),
        first_seen_ns=arrays["first_seen_ns"].astype(np.int64),
        last_seen_ns=arrays["last_seen_ns"].astype(np.int64),
        existence=arrays["existence"].astype(np.float32),
        vocabulary=tuple(header["vocabulary"]),
        embedding_model=header["embedding_model"],
        frame=header["frame"],
        submaps=submaps,
        columns={
            k.removeprefix("column_"): v for k, v in arrays.items() if k.startswith("column_")
        },
        metadata=header["metadata"],
    )


def _quantize(vectors: Floats32) -> tuple[Any, Floats32]:
    """Return int8 rows and the scale (n,) of each: cosine error about 1e-4 at 768 dimensions."""
    top = np.abs(vectors).max(axis=1, initial=0.0)
    scale = np.where(
        np.isfinite(top) & (top > 0), top / 127, np.where(np.isfinite(top), 1.0, np.nan)
    )
    safe = np.where(np.isfinite(scale), scale, 1.0)[:, None]
    rows = np.nan_to_num(np.round(vectors / safe), nan=0.0).astype(np.int8)
    return rows, scale.astype(np.float32)


def _upper(covariances: Floats) -> Floats:
    i, j = np.triu_indices(3)
    return np.asarray(covariances[:, i, j])


def _full(upper: Floats) -> Floats:
    i, j = np.triu_indices(3)
    out = np.zeros((len(upper), 3, 3))
    out[:, i, j] = out[:, j, i] = upper
    return out
