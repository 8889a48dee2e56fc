"""Teams of robots whose maps and true paths are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from commonground.geometry import inverse
from commonground.localization.evaluation.drives import Drive, drive, street_route
from commonground.localization.evaluation.worlds import World, campus
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.posegraph import Constraints
from commonground.scene import Boxes, Edges, Layer, LayerKey, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, SURFACE_PLACES
from commonground.symbols import node_ids

DRIFT = 0.015


class Team:
    """Robots of one world: their runs as fusion reads them, and the truth."""

    def __init__(self, seed: int, robots: int, submaps: int, extent_m: float = 160.0) -> None:
        rng = np.random.default_rng(seed)
        self.world: World = campus(rng, extent_m)
        routes = [street_route(rng, extent_m, submaps) for _ in range(robots)]
        self.drives: list[Drive] = [drive(self.world, r, rng, drift=DRIFT) for r in routes]
        self.runs = [run_of(f"robot{k}", d) for k, d in enumerate(self.drives)]


def run_of(name: str, driven: Drive) -> RobotRun:
    """Return what a robot's run directory would hold after this drive."""
    poses = np.array([s.T_map_submap for s in driven.objects.submaps])
    stamps = np.array([s.stamp_ns for s in driven.objects.submaps], np.int64)
    rows = np.c_[np.arange(len(poses) - 1), np.arange(1, len(poses))]
    T = inverse(poses[:-1]) @ poses[1:]
    C = np.diag([0.15, 0.15, 0.1, 0.01, 0.01, 0.02]) ** 2
    odometry = Constraints(rows, T, np.tile(C, (len(rows), 1, 1)))
    return RobotRun(
        name, Path(name), _graph(driven, poses, stamps), driven.objects, stamps, poses, odometry
    )


def _graph(driven: Drive, poses: np.ndarray, stamps: np.ndarray) -> SceneGraph:
    """A strip of ground under the path, an object layer, the path."""
    n = len(poses)
    square = np.array([[-5, -3, 0], [5, -3, 0], [5, 3, 0], [-5, 3, 0]])
    ground = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(n)),
        poses[:, :3, 3],
        labels=np.zeros(n),
        names=["road"] * n,
        edges=Edges.of([(i, i + 1) for i in range(n - 1)]),
        boundaries=Ragged.of([square @ T[:3, :3].T + T[:3, 3] for T in poses]),
        columns={"area_m2": np.full(n, 60.0), "first_seen_ns": stamps, "last_seen_ns": stamps},
    )
    m = len(driven.objects)
    things = Layer.of(
        OBJECTS,
        node_ids("O", np.arange(m)),
        driven.objects.centroids,
        boxes=Boxes.axis_aligned(driven.objects.centroids, driven.objects.boxes.sizes),
    )
    path = Layer.of(
        LayerKey(2, ord("a")),
        node_ids("a", np.arange(n)),
        poses[:, :3, 3],
        kind="AgentNodeAttributes",
        columns={"stamp_ns": stamps, "quat_wxyz": np.tile([1.0, 0, 0, 0], (n, 1))},
    )
    graph = SceneGraph(
        layers={"objects": things, "surface_places": ground, "agents[a]": path},
        labelspaces={"surface_places": {0: "road"}},
    )
    gaps = np.linalg.norm(driven.objects.centroids[:, None] - poses[None, :, :3, 3], axis=2)
    return graph.with_links("objects", "surface_places", np.c_[np.arange(m), gaps.argmin(axis=1)])


@pytest.fixture(scope="session")
def team() -> Team:
    """Three robots on one campus, 300 m each."""
    return Team(seed=3, robots=3, submaps=30)
