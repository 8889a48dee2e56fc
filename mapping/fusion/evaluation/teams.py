"""Teams of robots with known true paths: simulated without images, or mapped from data with ground truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.errors import MappingError
from commonground.geometry import inverse, quat_wxyz
from commonground.localization.evaluation.hybrid import hybrid
from commonground.localization.evaluation.traverses import (
    Traverse,
    hybrid_route,
    simulate_traverse,
    street_route,
)
from commonground.localization.evaluation.worlds import Perception, World, campus
from commonground.mapping.fusion.inputs import RobotRun, find_runs, load_runs
from commonground.mapping.fusion.posegraph import Constraints
from commonground.names import within
from commonground.objects import ObjectMap
from commonground.reading import read_arrays
from commonground.scene import Boxes, Edges, Layer, LayerKey, Ragged, SceneGraph, load_scene
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids
from commonground.tum import read_tum

WorldMaker = Callable[[np.random.Generator, float], World]
RouteMaker = Callable[[np.random.Generator, float, int], Floats]
WORLDS: Mapping[str, tuple[WorldMaker, RouteMaker]] = {
    "campus": (campus, street_route),
    "hybrid": (hybrid, hybrid_route),
}
"""Kind of made-up world → how it is made, and how robots drive there."""
EXTENT_M = 400.0
"""Edge length of a made-up world, unless told otherwise."""
SIGHT_M = 8.0
"""True objects this near to a true path can be asked of a map, where it is not known what was seen."""
LEAST_SIZE_M = 0.3
DRIFT, HEADING_WALK = 0.015, 0.0045
"""Of made-up odometry: 1.7 % of the distance over stretches of 100 m, as visual-inertial odometry drifts."""
ODOMETRY_SIGMA = np.array([0.15, 0.15, 0.1, 0.01, 0.01, 0.02])
"""Of made-up odometry, from one submap to the next."""
EYES = Perception(spurious=0.5, bias=0.1)
"""One object in ten of a made-up map is none, as in maps of simulated images with spoiled masks."""
SAME_TIME_S = 0.05
SEEN = "seen.npz"
"""Of a simulated drive: which true objects the images showed, and which of them well."""


@dataclass(frozen=True, slots=True, eq=False)
class Team:
    """Robots' maps, and the truth about them."""

    name: str
    runs: list[RobotRun]
    """By name."""
    paths: list[Floats]
    """Of each robot (k, 4, 4): where its keyframes really were."""
    boxes: Boxes
    """Of the true objects; none where they are unknown."""
    demanded: Bools
    """(n,) which of them were near enough to be asked of a map."""
    scene: SceneGraph | None = None
    """The true scene, where its ground and regions are known."""
    notes: tuple[str, ...] = ()
    """What could not be used of the maps."""


def made_up(
    seed: int, robots: int, submaps: int, extent_m: float = EXTENT_M, kind: str = "campus"
) -> Team:
    """Return robots in a world of objects: nothing is rendered, perception errs as on the simulator.

    Each map is in the frame in which its robot's odometry began, and nothing says how these frames lie.
    """
    rng = np.random.default_rng(seed)
    make, routing = WORLDS[kind]
    world = make(rng, extent_m)
    routes = [routing(rng, extent_m, submaps) for _ in range(robots)]
    traverses = [
        simulate_traverse(
            world,
            route,
            rng,
            robot=f"robot{k}",
            perception=EYES,
            drift=DRIFT,
            heading_walk=HEADING_WALK,
        )
        for k, route in enumerate(routes)
    ]
    seen = np.unique(np.concatenate([d.truth[d.truth >= 0] for d in traverses]))
    centers = world.centers[seen]
    return Team(
        name=f"{kind} {seed}",
        runs=[run_of(f"robot{k}", d) for k, d in enumerate(traverses)],
        paths=[d.T_world_submaps for d in traverses],
        boxes=Boxes.axis_aligned(centers, world.sizes[seen]),
        demanded=np.ones(len(seen), bool),
    )


def mapped(paths: Sequence[str | Path], scene: str | Path | None = None, name: str = "") -> Team:
    """Return robots mapped by ``commonground map`` from data with true poses; ``scene`` has true objects."""
    runs, notes = load_runs(find_runs(paths))
    truth = [_true_path(run) for run in runs]
    true_scene: SceneGraph | None = None
    boxes, demanded = Boxes.axis_aligned(np.empty((0, 3)), np.empty((0, 3))), np.empty(0, bool)
    if scene is not None:
        true_scene = load_scene(scene)
        objects = true_scene.objects
        if objects.boxes is None:
            raise MappingError(f"{scene}: its objects have no boxes to compare with")
        at = np.concatenate(truth)[:, :2, 3]
        boxes = objects.boxes
        gap = np.linalg.norm(boxes.centers[:, None, :2] - at[None], axis=2).min(axis=1)
        demanded = (gap < SIGHT_M) & (boxes.sizes.max(axis=1) > LEAST_SIZE_M)
        seen = [run.folder / SEEN for run in runs]
        if all(file.is_file() for file in seen):  # the simulator told what the images showed
            well = np.any([read_arrays(file)["well"] for file in seen], axis=0)
            demanded = well if well.any() else demanded
    return Team(name or str(paths[0]), runs, truth, boxes, demanded, true_scene, tuple(notes))


def _true_path(run: RobotRun) -> Floats:
    """Return where a run's keyframes really were (k, 4, 4), upright as they are."""
    files = [within(run.folder, name) for name in ("ground_truth.tum", "trajectory.tum")]
    missing = [str(f) for f in files if not f.is_file()]
    if missing:
        raise MappingError(f"{missing[0]} is missing: without true poses nothing can be scored")
    (true_ns, true), (odometry_ns, odometry) = map(read_tum, files)
    i = np.abs(odometry_ns[None] - run.stamps_ns[:, None]).argmin(axis=1)
    j = np.abs(true_ns[None] - odometry_ns[i][:, None]).argmin(axis=1)
    if np.abs(true_ns[j] - odometry_ns[i]).max() > SAME_TIME_S * 1e9:
        raise MappingError(f"{files[0]}: does not cover the times of {files[1].name}")
    return np.asarray(true[j] @ inverse(odometry[i]) @ run.poses)


def run_of(name: str, driven: Traverse) -> RobotRun:
    """Return what a robot's run directory would hold after a made-up drive, in a frame of its own."""
    begin = driven.objects.submaps[0].T_map_submap
    driven = replace(driven, objects=driven.objects.transformed(inverse(begin)))
    poses = np.array([s.T_map_submap for s in driven.objects.submaps])
    stamps = np.array([s.stamp_ns for s in driven.objects.submaps], np.int64)
    rows = np.c_[np.arange(len(poses) - 1), np.arange(1, len(poses))]
    T = inverse(poses[:-1]) @ poses[1:]
    C = np.tile(np.diag(ODOMETRY_SIGMA**2), (len(rows), 1, 1))
    graph = _strip(driven.objects, poses, stamps.tolist())
    return RobotRun(name, Path(name), graph, driven.objects, stamps, poses, Constraints(rows, T, C))


def so_far(run: RobotRun, submaps: int) -> RobotRun:
    """Return a made-up run as it was when it had so many submaps."""
    kept = run.objects.submaps[:submaps]
    rows = np.unique(np.concatenate([s.rows for s in kept]))
    objects = replace(run.objects, submaps=()).take(rows)
    moved = tuple(replace(s, rows=np.searchsorted(rows, s.rows)) for s in kept)
    poses, stamps = run.poses[:submaps], run.stamps_ns[:submaps]
    return replace(
        run,
        graph=_strip(objects, poses, stamps.tolist()),
        objects=replace(objects, submaps=moved),
        poses=poses,
        stamps_ns=stamps,
        odometry=run.odometry.take(run.odometry.rows[:, 1] < submaps),
    )


def _strip(objects: ObjectMap, poses: Floats, stamps: list[int]) -> SceneGraph:
    """Return a strip of ground under the path, an object layer, the path."""
    n, m = len(poses), len(objects)
    square = np.array([[-5, -3, 0], [5, -3, 0], [5, 3, 0], [-5, 3, 0]])
    times = np.array(stamps, np.int64)
    ground = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(n)),
        poses[:, :3, 3],
        labels=np.zeros(n),
        names=["road"] * n,
        edges=Edges.of([(i, i + 1) for i in range(n - 1)]),
        boundaries=Ragged.of([square @ T[:3, :3].T + T[:3, 3] for T in poses]),
        columns={"area_m2": np.full(n, 60.0), "first_seen_ns": times, "last_seen_ns": times},
    )
    centroids, sizes = objects.centroids, objects.boxes.sizes
    things = Layer.of(
        OBJECTS, node_ids("O", np.arange(m)), centroids, boxes=Boxes.axis_aligned(centroids, sizes)
    )
    path = Layer.of(
        LayerKey(OBJECTS.layer, ord("a")),
        node_ids("a", np.arange(n)),
        poses[:, :3, 3],
        kind="AgentNodeAttributes",
        columns={"stamp_ns": times, "quat_wxyz": quat_wxyz(poses[:, :3, :3])},
    )
    graph = SceneGraph(
        layers={"objects": things, "surface_places": ground, "agents[a]": path},
        labelspaces={"surface_places": {0: "road"}},
    )
    gaps = np.linalg.norm(centroids[:, None] - poses[None, :, :3, 3], axis=2)
    return graph.with_links("objects", "surface_places", np.c_[np.arange(m), gaps.argmin(axis=1)])
