"""What travels of a robot's map, as tables, and the map that is made of them where they arrive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import exp_so3, from_xyz_yaw, log_so3, transform, yaw_of
from commonground.live.team.tables import COARSE_M, Table, columns_of, grouped, table
from commonground.mapping.fusion.g2o import write_g2o
from commonground.mapping.fusion.posegraph import Constraints, PoseGraph
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.objects.looks import looks_made_by
from commonground.mapping.result import object_layer, standing_on
from commonground.objects import ObjectMap, Submap, save_objects
from commonground.scene import Boxes, Edges, Layer, LayerKey, Ragged, SceneGraph, save_scene
from commonground.symbols import indices_of, node_ids, symbol_of
from commonground.tum import write_tum

Tables = dict[str, Table]
OBJECTS, KEYFRAMES, SUBMAPS, LAYER = "objects", "keyframes", "submaps", "layer "
GROUND = {"surface_places": True, "places": False}
"""Layers that travel, and whether with their edges. Of free space it is enough to know that it is free, which
tells what is gone; rooms are left where they were mapped."""
EVERY = {"points": 4, "history_stamp_ns": 2, "history_range_m": 2}
"""Of so many points of an object, and of so many times it was seen, one travels."""
GLANCE_TICK_NS = 20 * 10**6
"""To what the times at which objects were seen are rounded."""
LEFT = ("history_area_px",)
"""Columns of objects that nobody asks for where they arrive."""
SETTLED_NS = 10 * 10**9
"""Ground and space that were not seen for so long stay as they are, and only then travel."""
GROUND_TICK_NS = 5 * 10**9
"""To what the times of ground and space are rounded."""
AXES = {"x": COARSE_M, "y": COARSE_M, "z": 2 * COARSE_M}
"""To what outlines are rounded along each."""
OWN = ("centroids", "covariances", "shapes", "embeddings", "label_scores", "observations",
       "first_seen_ns", "last_seen_ns", "existence")  # fmt: skip
UPPER = np.triu_indices(6, 1)


class _Path(NamedTuple):
    """Keyframes, and the odometry between them."""

    stamps_ns: Ints
    poses: Floats
    odometry: Constraints
    quat_wxyz: Floats
    """(k, 4) as the camera looked, which keyframes, upright, do not tell."""


def tables_of(run: RobotRun, ended: bool) -> Tables:
    """Return all of a map that travels; of ground and space, unless it has ended, what will not change."""
    epoch, out = int(run.stamps_ns[0]), sketch_of(run)
    settled = int(run.stamps_ns[-1]) - SETTLED_NS
    for name, edges in GROUND.items():
        if run.graph.has(name):
            layer = run.graph.layers[name]
            kept = np.full(len(layer), ended) | (layer.columns["last_seen_ns"] <= settled)
            words = run.graph.labelspaces.get(name, {})
            out[LAYER + name] = _ground(
                layer if edges else replace(layer, edges=Edges.of()), words, kept, epoch
            )
    return out


def sketch_of(run: RobotRun) -> Tables:
    """Return what travels of the objects and the path of a map."""
    epoch = int(run.stamps_ns[0])
    return {
        KEYFRAMES: _keyframes(run, epoch),
        SUBMAPS: _submaps(run.objects, epoch),
        OBJECTS: _objects(run.objects, epoch),
    }


def save_tables(tables: Tables, name: str, folder: Path) -> None:
    """Write the map that tables tell of into a folder, as a robot's map without its mesh."""
    path = _path_of(tables[KEYFRAMES])
    objects = _objects_of(tables[OBJECTS], tables[SUBMAPS], name)
    save_scene(_graph_of(tables, name, objects, path), folder / "scene.json")
    save_objects(objects, folder / "objects.npz")
    n = len(path.poses)
    one = PoseGraph(
        np.arange(n), path.poses, path.odometry, Constraints.none(), np.zeros(n, np.int64), (name,)
    )
    write_g2o(one, folder / "posegraph.g2o")
    write_tum(folder / "trajectory.tum", path.stamps_ns, path.poses)


def _keyframes(run: RobotRun, epoch: int) -> Table:
    """Return keyframes with the odometry from their predecessors, if there is any, in the same row."""
    n, edges = len(run.poses), run.odometry
    ends = edges.rows[:, 1]
    before = np.full(n, -1, np.int64)
    before[ends] = edges.rows[:, 0]
    move, turn = np.zeros((n, 3)), np.zeros((n, 3))
    log_sigma, correlation = np.zeros((n, 6)), np.zeros((n, 15))
    sigma = np.sqrt(np.diagonal(edges.covariances, axis1=1, axis2=2))
    move[ends], turn[ends] = edges.T[:, :3, 3], log_so3(edges.T[:, :3, :3])
    log_sigma[ends] = np.log(sigma)
    correlation[ends] = (edges.covariances / (sigma[:, :, None] * sigma[:, None, :]))[
        :, UPPER[0], UPPER[1]
    ]
    columns = {
        "stamp_ns": run.stamps_ns, "place": run.poses[:, :3, 3], "yaw": yaw_of(run.poses),
        "before": before, "move": move, "turn": turn,
        "log_sigma": log_sigma, "correlation": correlation,
        "quat_wxyz": next(iter(run.graph.agents.values())).columns["quat_wxyz"],
    }  # fmt: skip
    return table(range(n), columns, epoch_ns=epoch)


def _path_of(found: Table) -> _Path:
    """Return stamps, poses, and odometry of keyframes."""
    _, c, _ = columns_of(found)
    ends = np.flatnonzero(c["before"] >= 0)
    sigma = np.exp(c["log_sigma"][ends])
    correlation = np.tile(np.eye(6), (len(ends), 1, 1))
    correlation[:, UPPER[0], UPPER[1]] = c["correlation"][ends]
    correlation += np.swapaxes(np.triu(correlation, 1), 1, 2)
    covariances = _definite(correlation) * sigma[:, :, None] * sigma[:, None, :]
    T = transform(exp_so3(c["turn"][ends]), c["move"][ends])
    edges = Constraints(np.stack([c["before"][ends], ends], axis=1), T, covariances)
    poses = from_xyz_yaw(np.concatenate([c["place"], c["yaw"][:, None]], axis=1))
    return _Path(c["stamp_ns"], poses, edges, _unit(c["quat_wxyz"]))


def _definite(correlation: Floats) -> Floats:
    """Return correlations (m, 6, 6) that rounding may have made impossible, as near as they can be."""
    values, vectors = np.linalg.eigh(correlation)
    values = np.maximum(values, 1e-3)
    return np.asarray(vectors * values[:, None, :] @ np.swapaxes(vectors, 1, 2))


def _submaps(objects: ObjectMap, epoch: int) -> Table:
    T = np.array([s.T_map_submap for s in objects.submaps]).reshape(-1, 4, 4)
    numbers = indices_of(objects.ids).astype(np.int64)
    columns = {
        "stamp_ns": np.array([s.stamp_ns for s in objects.submaps], np.int64),
        "place": T[:, :3, 3],
        "turn": log_so3(T[:, :3, :3]),
    }
    rows = [numbers[s.rows] for s in objects.submaps]
    return table(range(len(T)), columns, {"objects": rows}, epoch_ns=epoch)


def _objects(objects: ObjectMap, epoch: int) -> Table:
    boxes = objects.boxes
    columns = {name: getattr(objects, name) for name in OWN}
    columns |= {"centers": boxes.centers, "sizes": boxes.sizes, "quat_wxyz": boxes.quat_wxyz}
    more = {k: v for k, v in objects.columns.items() if k not in LEFT}
    columns |= {k: v[:, :: EVERY[k]] if k in EVERY else v for k, v in more.items()}
    return table(
        indices_of(objects.ids).tolist(),
        columns,
        at=objects.centroids,
        epoch_ns=epoch,
        tick_ns=GLANCE_TICK_NS,
        vocabulary=list(objects.vocabulary),
        embedding_model=objects.embedding_model,
        more={k: v.shape[1:2] for k, v in more.items()},
    )


def _objects_of(found: Table, submaps: Table, robot: str) -> ObjectMap:
    numbers, c, _ = columns_of(found, "centroids")
    _, s, lists = columns_of(submaps)
    T = transform(exp_so3(s["turn"]), s["place"])
    rows = [np.flatnonzero(np.isin(numbers, own)) for own in lists["objects"]]
    return ObjectMap(
        ids=node_ids("O", numbers),
        boxes=Boxes(c["centers"], c["sizes"], _unit(c["quat_wxyz"])),
        **{name: c[name] for name in OWN},
        vocabulary=tuple(found.meta["vocabulary"]),
        embedding_model=found.meta["embedding_model"],
        frame="odom",
        submaps=tuple(
            Submap(int(at), pose, own, robot)
            for at, pose, own in zip(s["stamp_ns"], T, rows, strict=True)
        ),
        columns={name: _filled(c[name], *width) for name, width in found.meta["more"].items()},
        metadata={"robot": robot},
    )


def _filled(column: Any, width: int = 0) -> Any:
    """Return a column (n, k, …) as wide as it was, with nothing where something did not travel."""
    missing = width - column.shape[1] if width else 0
    if missing <= 0:
        return column
    nothing = np.nan if column.dtype.kind == "f" else 0
    return np.pad(
        column, [(0, 0), (0, missing), *[(0, 0)] * (column.ndim - 2)], constant_values=nothing
    )


def _unit(quats: Floats) -> Floats:
    length = np.linalg.norm(quats, axis=1, keepdims=True)
    return np.asarray(np.where(length > 0, quats / np.maximum(length, 1e-9), [1.0, 0, 0, 0]))


def _ground(layer: Layer, words: Mapping[int, str], kept: Bools, epoch: int) -> Table:
    """Return a layer of ground or space; a row has those of its neighbors that have lower numbers."""
    own = indices_of(layer.ids).astype(np.int64)
    rows = np.flatnonzero(kept)
    i, j = layer.edges.rows[kept[layer.edges.rows].all(axis=1)].T
    high, low = np.where(own[i] > own[j], i, j), np.where(own[i] > own[j], j, i)
    lists = {
        "neighbors": [np.diff(v, prepend=0) for v in grouped(high, own[high] - own[low], rows)]
    }
    if layer.boundaries is not None:
        lists |= _corners(layer.boundaries, layer.positions, rows)
    columns = {"positions": layer.positions, "labels": layer.labels, **layer.columns}
    return table(
        own[rows].tolist(),
        {k: np.asarray(v)[rows] for k, v in columns.items()},
        lists,
        epoch_ns=epoch,
        tick_ns=GROUND_TICK_NS,
        key=list(layer.key),
        letter=symbol_of(int(layer.ids[0]))[0] if len(layer) else "",
        kind=layer.kind,
        words={str(k): v for k, v in words.items()},
        more=list(layer.columns),
    )


def _corners(outlines: Ragged, at: Floats, rows: Ints) -> dict[str, list[Ints]]:
    """Return for each axis the steps along the outlines, from where their row is."""
    out: dict[str, list[Ints]] = {axis: [] for axis in AXES}
    for k in rows:
        for axis, step, line, begin in zip(AXES, AXES.values(), outlines[k].T, at[k], strict=True):
            ticks = np.round(np.r_[begin, line] / step).astype(np.int64)
            out[axis].append(np.diff(ticks))
    return out


def _outlines(lists: Mapping[str, list[Ints]], at: Floats) -> Ragged | None:
    if not AXES.keys() <= lists.keys():
        return None
    return Ragged.of(
        [
            np.stack(
                [
                    (np.round(begin / step) + np.cumsum(lists[axis][k])) * step
                    for axis, step, begin in zip(AXES, AXES.values(), at[k], strict=True)
                ],
                axis=1,
            )
            for k in range(len(at))
        ]
    )


def _ground_of(found: Table) -> tuple[Layer, dict[int, str]]:
    numbers, c, lists = columns_of(found)
    words = {int(k): str(v) for k, v in found.meta["words"].items()}
    high = np.repeat(np.arange(len(numbers)), [len(own) for own in lists["neighbors"]])
    steps = [np.cumsum(own) for own in lists["neighbors"]]
    wanted = numbers[high] - np.concatenate([np.empty(0, np.int64), *steps])
    low = np.minimum(np.searchsorted(numbers, wanted), max(len(numbers) - 1, 0))
    there = numbers[low] == wanted
    i, j = low[there], high[there]
    at = c["positions"]
    layer = Layer.of(
        LayerKey(*found.meta["key"]),
        node_ids(found.meta["letter"] or "p", numbers),
        at,
        labels=c["labels"],
        names=[words.get(int(label), "") for label in c["labels"]],
        edges=Edges.of(np.stack([i, j], axis=1), np.linalg.norm(at[i] - at[j], axis=1)),
        boundaries=_outlines(lists, at),
        columns={name: c[name] for name in found.meta["more"]},
        kind=found.meta["kind"],
    )
    return layer, words


def _graph_of(tables: Tables, robot: str, objects: ObjectMap, path: _Path) -> SceneGraph:
    """Return the scene graph: objects, ground and space, what stands on what, and the path."""
    graph = SceneGraph(metadata={"robot": robot, "frame": "odom", **looks_made_by(objects)})
    words = dict(enumerate(objects.vocabulary))
    graph = graph.with_layer(OBJECTS, object_layer(objects), words)
    for name in GROUND:
        if LAYER + name in tables:
            graph = graph.with_layer(name, *_ground_of(tables[LAYER + name]))
    if graph.has("surface_places"):
        ground = standing_on(objects, graph.surface_places)
        rows = np.flatnonzero(ground >= 0)
        graph = graph.with_links(OBJECTS, "surface_places", np.stack([rows, ground[rows]], axis=1))
    return graph.with_layer("agents[a]", _agents(path))


def _agents(path: _Path) -> Layer:
    rows, n = path.odometry.rows, len(path.poses)
    follows = np.zeros(n, bool)
    follows[rows[:, 1]] = True
    return Layer.of(
        LayerKey(2, ord("a")),
        node_ids("a", np.arange(n)),
        path.poses[:, :3, 3],
        edges=Edges.of(rows),
        kind="AgentNodeAttributes",
        extras=tuple({"external_key": row} for row in range(n)),
        columns={
            "stamp_ns": path.stamps_ns,
            "quat_wxyz": path.quat_wxyz,
            "segment": np.cumsum(~follows) - 1,
        },
    )
