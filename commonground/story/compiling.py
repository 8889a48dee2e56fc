"""The compiled loops, made ready before they are needed: each part's main path on something tiny.

numba compiles a loop when it is first called, with the types it is called with, and keeps the result beside
the module for every later process. Calling all of them once, in as many processes as there are cores, takes
about as long as the pauses of a first run would, but at a time when people expect to wait.
"""

from __future__ import annotations

import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.errors import MissingDependencyError
from commonground.run_folder import RunFolder
from commonground.workers import worker_pool

if TYPE_CHECKING:
    from commonground.datasets import Simulation
    from commonground.frame import Frame
    from commonground.mapping.run import FrameSource

FRAMES = 24
"""Enough to register images, to update the space, and to finish a map."""
CARRYING = """
arm(r). ll_arm(r). resources(arm(_)).
spot(s). spot(t). block(b).
init_state([idle(r), on(b, s), clear(t), ll_free(r)]).
goal_state([on(b, t)]).
action(carry_start(A, B, F, T), [idle(A), on(B, F), clear(T)], [], [arm(A), block(B), spot(F), spot(T)],
    [del(idle(A)), del(on(B, F)), del(clear(T)), add(carrying(A, B, F, T))]).
action(carry_end(A, B, F, T), [carrying(A, B, F, T)], [], [arm(A)],
    [del(carrying(A, B, F, T)), add(on(B, T)), add(clear(F)), add(idle(A))]).
ll_action(go_start(A), [ll_free(A)], [], [ll_arm(A)], [del(ll_free(A)), add(ll_going(A))]).
ll_action(go_end(A), [ll_going(A)], [], [ll_arm(A)], [del(ll_going(A)), add(ll_free(A))]).
mapping(carry_start(A, _, _, _), [go_start(A), go_end(A)]).
duration(go, 1, 1).
"""
"""All actions take equally long, so that rounds are all there is."""


def compile_loops(tell: Callable[[str], None] = lambda line: None) -> dict[str, float]:
    """Compile what is not compiled yet; return the seconds that each part of it took.

    Each part is told when it is done, with how many of all are.
    """
    tell(f"compiling the loops of {', '.join(PARTS)}: minutes, where none is compiled yet")
    took: dict[str, float] = {}
    with worker_pool(min(len(PARTS), os.cpu_count() or 1), "numba") as pool:
        calls = {pool.submit(_timed, work): name for name, work in PARTS.items()}
        for call in as_completed(calls):
            name = calls[call]
            took[name] = call.result()
            tell(f"{len(took)} of {len(PARTS)}: {name}, {took[name]:.1f} s")
    return {name: took[name] for name in PARTS}


def _timed(work: Callable[[], None]) -> float:
    logging.getLogger("commonground.compiled").setLevel(
        logging.ERROR
    )  # it is no pause, but the work
    start = time.perf_counter()
    with suppress(MissingDependencyError):  # what is not installed is not used either
        work()
    return round(time.perf_counter() - start, 3)


def _simulation() -> Simulation:
    from commonground.datasets import Simulation
    from commonground.datasets.settings import (
        DrivingSettings,
        SensorSettings,
        SimulationSettings,
        WorldSettings,
    )

    settings = SimulationSettings(
        world=WorldSettings(size_m=60, objects=60),
        sensor=SensorSettings(width=320, height=240),
        driving=DrivingSettings(length_m=20, frame_rate_hz=2, overlap=1),
    )
    return Simulation(("husky", "spot"), settings)


def mapping() -> None:
    """Map two short drives and fuse their maps."""
    import numpy as np

    from commonground.localization import LocalizationSettings
    from commonground.mapping.fusion.run import fuse_into
    from commonground.mapping.objects.settings import ClosingSettings, ObjectSettings
    from commonground.mapping.perception import make_perception
    from commonground.mapping.run import map_robot
    from commonground.mapping.settings import MappingSettings

    simulation = _simulation()
    perception = make_perception(labels=simulation.labels())
    objects = ObjectSettings(closing=ClosingSettings(views=FRAMES))  # as in rooms
    settings = MappingSettings(objects=objects)
    with tempfile.TemporaryDirectory() as folder:
        for robot in simulation.robots():
            camera = simulation.cameras(robot)[0].name
            frames = simulation.frames(robot, stop_s=FRAMES / 2, cameras=[camera])
            out = RunFolder(Path(folder)).robot(robot)
            map_robot(_all(frames), perception, out, settings, robot=robot)
        fuse_into(
            RunFolder(Path(folder)).fused,
            [Path(folder)],
            LocalizationSettings(),
            np.random.default_rng(0),
        )


def _all(frames: Iterator[Frame]) -> FrameSource:
    """Return the frames as a mapper asks for them."""
    return lambda _: frames


def surfaces() -> None:
    """Lay a surface over itself, and keep an object of more voxels than it may have."""
    import numpy as np
    from scipy.spatial import cKDTree

    from commonground.mapping.fusion.patches import SurfacePatch
    from commonground.mapping.fusion.surface_registration import register_patches
    from commonground.mapping.objects._voxels import FACTS
    from commonground.mapping.objects.cloud import VoxelCloud

    rng = np.random.default_rng(0)
    points = rng.uniform(-2, 2, (400, 3)) * [1, 1, 0]
    normals = np.tile([0.0, 0.0, 1.0], (len(points), 1))
    patch = SurfacePatch(0, 0.0, points, normals, cKDTree(points), np.zeros(3))
    register_patches(patch, patch, np.eye(4), np.eye(6) * 1e-4)
    cloud = VoxelCloud(0.05, most=100)
    cloud.insert(points, np.ones((len(points), FACTS), np.float32))
    cloud.claim(points, 0.1, np.zeros(len(points), np.int32), 1)


def segmentation() -> None:
    """Segment an image without weights."""
    from commonground.mapping.perception import make_perception
    from commonground.mapping.perception.settings import PerceptionSettings

    for flat_things in (False, True):
        settings = {"backend": "classical", "classical": {"flat_things": flat_things}}
        perception = make_perception(PerceptionSettings.model_validate(settings))
        for frame in _simulation().frames("husky", stop_s=0.6):
            perception.segment(frame)


def matching() -> None:
    """Fuse two made-up maps, and localize a robot in one of them."""
    import numpy as np

    from commonground.localization import LocalizationSettings
    from commonground.mapping.fusion.align import align
    from commonground.mapping.fusion.evaluation.teams import made_up
    from commonground.mapping.fusion.fuse import fuse
    from commonground.mapping.locating import locate_mapped

    rng = np.random.default_rng(0)
    runs = made_up(0, robots=2, submaps=10, extent_m=100.0).runs
    fused = fuse(runs, LocalizationSettings(), rng, align(runs, LocalizationSettings(), rng))
    for _ in locate_mapped(runs[0].objects, fused.objects):
        pass


def tilted() -> None:
    """Match objects with themselves, up and down unknown."""
    import numpy as np

    from commonground.localization.association import associate

    points = np.random.default_rng(0).uniform(0, 20, (20, 3))
    associate(points, points)


def recordings() -> None:
    """Move depth into the image of a camera beside."""
    import numpy as np

    from commonground.datasets.readers.registration import Registration
    from commonground.frame import Camera

    depth, color = (Camera(name, np.diag([8.0, 8.0, 1.0]), 8, 8) for name in ("depth", "color"))
    beside = np.eye(4)
    beside[0, 3] = 0.1
    Registration(depth, color, beside).apply(np.ones((8, 8), np.float32))


def planning() -> None:
    """Plan for one robot, and for two that share the ground or cannot."""
    from dataclasses import replace

    import numpy as np

    from commonground.demo import sample_scene, sample_team
    from commonground.geometry import from_xyz_yaw
    from commonground.planning import plan_scene
    from commonground.robots import Robot, Team
    from commonground.scene import Edges, Layer, Ragged, SceneGraph
    from commonground.scene.layer import SURFACE_PLACES
    from commonground.symbols import node_ids

    scene, team = sample_scene(), sample_team()
    objects = [f"(visited-object {symbol})" for symbol in scene.objects.symbols]
    plan_scene(scene, team, {"spot": objects[0]})
    plan_scene(scene, team, {"spot": f"(and {' '.join(objects[:16])})", "husky": objects[16]})
    plan_scene(scene, team, dict.fromkeys(("spot", "husky"), objects[0]))  # they meet there
    row = np.arange(4)
    at = np.column_stack([row, 0.0 * row, 0.0 * row])
    edges = Edges.of(np.column_stack([row[:-1], row[1:]]))
    places = Layer.of(SURFACE_PLACES, node_ids("P", row), at, edges=edges)
    ends = zip(("spot", "husky"), (at[0], at[3]), strict=True)
    both = Team({n: Robot(n, from_xyz_yaw([*p, 0.0])) for n, p in ends})
    swap = {"spot": "(at-place P3)", "husky": "(at-place P0)"}
    plan_scene(SceneGraph(layers={"surface_places": places}), both, swap)  # they cannot
    cell = np.array([[-0.5, -0.3, 0.0], [0.5, -0.3, 0.0], [0.5, 0.3, 0.0], [-0.5, 0.3, 0.0]])
    narrow = replace(places, boundaries=Ragged.of([p + cell for p in at]))
    graph = SceneGraph(layers={"surface_places": narrow})
    plan_scene(graph, Team({"spot": both["spot"]}), {"spot": "(at-place P3)"})  # it is too wide


def sharing_out() -> None:
    """Find a route past many points, and share tasks out among a team."""
    import numpy as np

    from commonground.planning import solve_team
    from commonground.planning.routing import RouteProblem, solve_route
    from commonground.planning.temporal import scattered_tasks

    points = np.random.default_rng(0).uniform(0, 100, (41, 2))
    cost = np.linalg.norm(points[:, None] - points[None], axis=-1)
    solve_route(RouteProblem.visiting(cost, deliveries=[(1, 2), (3, 4)]))
    few = RouteProblem.visiting(cost[:31, :31])
    solve_route(few, iterations=1)
    solve_team(scattered_tasks(20, 3), iterations=100)


def assembling() -> None:
    """Carry a block by rounds, and in time, where something is forbidden."""
    from commonground.grounding.prolog.solve import solve_program

    for forbidden in ("[]", "[carrying(_, B, _, _)]"):
        solve_program(CARRYING.replace("clear(T)], [],", f"clear(T)], {forbidden},"), "carrying")


PARTS = {
    "mapping": mapping,
    "matching": matching,
    "planning": planning,
    "sharing out": sharing_out,
    "segmentation": segmentation,
    "assembling": assembling,
    "surfaces": surfaces,
    "tilted": tilted,
    "recordings": recordings,
}
