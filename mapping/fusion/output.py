"""Output of fusion: the files of a fused map, the provenance of its nodes, its table of closures."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.atomic import write_text
from commonground.crops import Crop, Crops, best_crops, save_crops
from commonground.errors import DataError
from commonground.geometry import gravity_aligned, interpolate, inverse, quat_xyzw
from commonground.mapping.fusion.fuse import FusedMap
from commonground.mapping.fusion.g2o import write_g2o
from commonground.mapping.fusion.recorded import recorded
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.fusion.undone import Undone
from commonground.mapping.surface.ply import write_mesh
from commonground.names import within
from commonground.objects import save_objects
from commonground.run_folder import OBJECTS, SCENE
from commonground.scene import save_scene
from commonground.symbols import symbol_of
from commonground.tum import write_tum

COLUMNS = (
    "robot_1", "keyframe_1", "stamp_1_ns", "robot_2", "keyframe_2", "stamp_2_ns",
    "x", "y", "z", "qx", "qy", "qz", "qw", "covariance",
    "shared_objects", "confidence", "chi2", "used", "why",
)  # fmt: skip
"""Of the table of closures; ``read_closures`` reads it."""


def save_fused(fused: FusedMap, folder: Path, undone: Sequence[Undone] = ()) -> None:
    """Write scene graph, object map, trajectories, pose graph, closures and metrics of a fused map.

    ``undone`` merges of the map that it was made onto go into the provenance.
    """
    save_scene(fused.graph, folder / SCENE)
    save_objects(fused.objects, folder / OBJECTS)
    write_g2o(fused.posegraph, folder / "posegraph.g2o", fused.optimized.poses)
    _save_trajectories(fused, folder)
    if fused.mesh is not None:
        write_mesh(fused.mesh, folder / "mesh.ply")
    write_text(folder / "loop_closures.csv", closure_table(fused))
    made_of = provenance(fused)
    save_crops(_crops(fused, made_of.get("objects", {})), folder)
    origin = {**made_of, "undone": [u.as_json() for u in undone]}
    write_text(folder / "provenance.json", json.dumps(origin) + "\n")
    write_text(folder / "metrics.json", json.dumps(fused.metrics(), indent=1) + "\n")


def _save_trajectories(fused: FusedMap, folder: Path) -> None:
    """Write the paths of the robots in the map; those of an earlier map there that are not in it go."""
    kept = set()
    for k in fused.joined:
        run = fused.runs[k]
        file = within(folder, "trajectories", f"{run.name}.tum")
        later = (r.stamps_ns[0] for r in fused.runs if r.folder == run.folder)
        ends = min((int(t) for t in later if t > run.stamps_ns[0]), default=np.iinfo(np.int64).max)
        write_tum(file, *driven_path(run, fused.trajectory(k), ends))
        kept.add(file)
    for file in (folder / "trajectories").glob("*.tum"):
        if file not in kept:
            file.unlink()


def provenance(fused: FusedMap) -> dict[str, Any]:
    """Return for each merged layer and fused node which nodes of which robots it was made of."""
    out: dict[str, Any] = {"schema_version": 1}
    for name, into in fused.sources.items():
        if name not in fused.graph.layers:
            continue
        symbols = [symbol_of(int(i)) for i in fused.graph.layers[name].ids]
        made_of: dict[str, list[list[str]]] = {symbol: [] for symbol in symbols}
        for robot, rows in zip(fused.joined, into, strict=True):
            run = fused.runs[robot]
            if not len(rows):
                continue
            for row, own in zip(rows.tolist(), run.graph.layers[name].ids, strict=True):
                made_of[symbols[row]].append([run.name, symbol_of(int(own))])
        out[name] = made_of
    return out


def _crops(
    fused: FusedMap, made_of: Mapping[str, Sequence[Sequence[str]]]
) -> dict[str, list[Crop]]:
    """Return the best pictures of each fused object of those of all robots; damaged files have none."""
    kept: dict[str, Crops] = {}
    for run in (fused.runs[k] for k in fused.joined):
        with contextlib.suppress(DataError):
            kept[run.name] = Crops(run.folder)
    most = max((kept[name].most for name in kept), default=0)
    out = {}
    for symbol, sources in made_of.items():
        with contextlib.suppress(DataError):
            own = [c for name, s in sources if name in kept for c in kept[name].of(s)]
            out[symbol] = best_crops(own, most)
    return out


def closure_table(fused: FusedMap) -> str:
    """Return the closures as CSV, as ``read_closures`` takes them: what each says, used or why not."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    for k, c in enumerate(fused.closures):
        ends: list[str | int] = []
        for r, i in zip(c.robots, c.keyframes, strict=True):
            ends += [fused.runs[r].name, i, int(fused.runs[r].stamps_ns[i])]
        pose = [f"{v:.9g}" for v in (*c.T[:3, 3], *quat_xyzw(c.T))]
        C = " ".join(f"{v:.9g}" for v in c.covariance[np.triu_indices(6)])
        used, chi2 = int(fused.optimized.accepted[k]), f"{fused.optimized.chi2[k]:.2f}"
        table.writerow(
            [*ends, *pose, C, c.shared, f"{c.confidence:.4f}", chi2, used, _why(fused, k)]
        )
    return out.getvalue()


def _why(fused: FusedMap, k: int) -> str:
    if fused.optimized.accepted[k]:
        return "fits the map and agrees with others"
    a, b = fused.closures[k].robots
    if fused.optimized.component[a] != fused.optimized.component[b]:
        return "too few closures agree on how these robots lie to one another"
    return "does not fit the map the other closures make"


def driven_path(run: RobotRun, corrected: Floats, before_ns: int) -> tuple[Ints, Floats]:
    """Return stamps (n,) and poses (n, 4, 4) of a robot up to a time, by its ``corrected`` keyframes.

    Those are all that were recorded; of a run without its recorded path, the keyframes.
    """
    keys, moved = run.stamps_ns, gravity_aligned(corrected) @ inverse(run.poses)
    stamps, T = recorded(run)
    mine = (stamps >= keys[0]) & (stamps < before_ns)
    stamps, T = stamps[mine], T[mine]
    one = np.clip(np.searchsorted(keys, stamps, side="right") - 1, 0, len(keys) - 1)
    two = np.minimum(one + 1, len(keys) - 1)
    share = np.clip((stamps - keys[one]) / np.maximum(keys[two] - keys[one], 1), 0.0, 1.0)
    return stamps, interpolate(moved[one] @ T, moved[two] @ T, share)
