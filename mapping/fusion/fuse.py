"""Fusion of a team's maps: align the paths, deform each map along its path, merge the layers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.blas import one_blas_thread
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.absent import seen_absent, told_absent
from commonground.mapping.fusion.align import Aligned, align
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.deform import Deformation, deform_graph, deform_objects
from commonground.mapping.fusion.exchanged import Exchange, exchanged
from commonground.mapping.fusion.inputs import RobotRun
from commonground.mapping.fusion.merge_graphs import merge_graphs
from commonground.mapping.fusion.merge_mesh import deformed, merge_meshes
from commonground.mapping.fusion.merge_objects import merge_objects
from commonground.mapping.fusion.posegraph import PoseGraph
from commonground.mapping.fusion.refused import Refused
from commonground.mapping.fusion.robust import Optimized, summary
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.objects import ObjectMap
from commonground.scene import SceneGraph


@dataclass(frozen=True, slots=True, eq=False)
class FusedMap:
    """One map of a team, and how it came about."""

    graph: SceneGraph
    objects: ObjectMap
    runs: list[RobotRun]
    posegraph: PoseGraph
    optimized: Optimized
    closures: list[Closure]
    notes: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    mesh: MeshPart | None = None
    sources: dict[str, list[Ints]] = field(default_factory=dict)
    """For each merged layer, the row in it of each joined robot's nodes."""
    refused: Sequence[Refused] = ()
    """The best candidates for joins that do not hold."""
    exchanged: Sequence[Exchange] = ()
    """Pairs of things of which one stood in the other's place."""
    unused: tuple[str, ...] = ()
    """Names of robots whose maps could not be used at all."""

    def trajectory(self, robot: int) -> Floats:
        """Return the corrected keyframes (k, 4, 4) of a robot in the map frame."""
        return np.asarray(self.optimized.poses[self.posegraph.robot == robot])

    @property
    def joined(self) -> list[int]:
        """Robots in the frame of the map: the largest group that closures join."""
        return largest_group(self.optimized, self.posegraph)

    @property
    def left_out(self) -> list[str]:
        """Names of the robots that nothing joins to those in the map, or whose maps could not be used."""
        joined = set(self.joined)
        return [*(run.name for r, run in enumerate(self.runs) if r not in joined), *self.unused]

    def metrics(self) -> dict[str, Any]:
        """Return JSON values: counts, closures, times, notes."""
        return {
            "robots": [r.name for r in self.runs],
            "joined": [self.runs[r].name for r in self.joined],
            "left_out": self.left_out,
            "refused": [candidate.as_json() for candidate in self.refused],
            "objects": len(self.objects),
            "objects_before": sum(len(self.runs[r].objects) for r in self.joined),
            "changed": int(self.objects.columns["seen_absent_by"].any(axis=1).sum()),
            "surface_places": len(self.graph.surface_places),
            **summary(self.posegraph, self.optimized),
            "exchanged": [found.as_json() for found in self.exchanged],
            "seconds": {k: round(v, 3) for k, v in self.seconds.items()},
            "notes": list(self.notes),
        }


@one_blas_thread
def fuse(
    runs: Sequence[RobotRun],
    settings: LocalizationSettings,
    rng: np.random.Generator,
    aligned: Aligned | None = None,
) -> FusedMap:
    """Fuse the maps of robots into one frame, gravity up; robots nothing joins to the others stay out.

    ``aligned`` paths are taken as they are, for runs in the order of their names.
    """
    runs = sorted(runs, key=lambda run: run.name)
    aligned = aligned or align(runs, settings, rng)
    posegraph, optimized = aligned.posegraph, aligned.optimized
    joined = largest_group(optimized, posegraph)
    team = [runs[r] for r in joined]
    times = [time.perf_counter()]
    # each robot's map follows its corrected path
    paths = [
        Deformation(run.poses, optimized.poses[posegraph.robot == r], run.stamps_ns)
        for r, run in zip(joined, team, strict=True)
    ]
    graphs = [deform_graph(run.graph, path) for run, path in zip(team, paths, strict=True)]
    maps = [deform_objects(run.objects, path) for run, path in zip(team, paths, strict=True)]
    times.append(time.perf_counter())
    # what several robots saw becomes one
    names = [run.name for run in team]
    objects = merge_objects(maps, names)
    own = zip((run.mesh for run in team), paths, strict=True)
    meshes = [None if mesh is None else deformed(mesh, path) for mesh, path in own]
    absent = {"seen_absent_by": seen_absent(objects.objects, meshes, paths)}
    seen = replace(objects.objects, columns={**objects.objects.columns, **absent})
    swaps = exchanged(seen, names)
    graph, sources = merge_graphs(graphs, seen, objects.into, names)
    times.append(time.perf_counter())
    mesh = merge_meshes([mesh for mesh in meshes if mesh is not None])
    times.append(time.perf_counter())
    stages = zip(("deformation", "merging", "mesh"), np.diff(times).tolist(), strict=True)
    return FusedMap(
        graph=graph,
        objects=seen,
        runs=list(runs),
        posegraph=posegraph,
        optimized=optimized,
        closures=aligned.closures,
        notes=(*aligned.notes, *optimized.notes, *map(str, swaps), *told_absent(seen, names)),
        seconds={"alignment": aligned.seconds, **dict(stages)},
        mesh=mesh,
        sources=sources,
        refused=aligned.refused,
        exchanged=tuple(swaps),
    )


def largest_group(optimized: Optimized, graph: PoseGraph) -> list[int]:
    """Return the robots of the group with the most keyframes."""
    best = graph.largest(optimized.component)
    return [int(r) for r in np.flatnonzero(optimized.component == best)]
