"""How good, how fast and how large one robot's map is, on simulated drives.

    python benchmarks/mapping.py [--seeds 101 102 103] [--robots husky spot] [--length 60] [--size 320x240]
    python benchmarks/mapping.py --speed [--size 640x480] [--length 40]
    python benchmarks/mapping.py --long 1000

The first compares maps with the truth, with true odometry and masks that are true, spoiled, or found by
geometry: objects seen well and found within 0.5 m, distance of the mesh from the true surfaces, share of the
ground seen (three images within 8 m) that surface places cover and name rightly, and ways on the graphs of
places and of surface places against the shortest true ways: a way is right if it is neither a tenth longer
nor, through things, a tenth shorter. Regions are right where they share half of their ground with a true
one. ``--speed`` prints the time per frame of each stage, wall and processor. ``--long`` prints how memory
grows over a drive.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from commonground.datasets import Simulation, SimulationSettings, make_world
from commonground.datasets.labels import LABELS, SURFACE_WORDS
from commonground.datasets.masks import degraded
from commonground.datasets.settings import MaskSettings
from commonground.datasets.world.truth import scene_of
from commonground.mapping import Mapper
from commonground.mapping.objects.evaluate import Visibility, evaluate_objects
from commonground.mapping.perception import Perception, PerceptionSettings, make_perception
from commonground.mapping.space.region_scores import evaluate_regions
from tools.scoring.ground import GroundSeen, evaluate_ground, evaluate_paths
from tools.scoring.mesh import evaluate_mesh

MASKS = ("true", "degraded", "classical")
STEP_M, BODY_M = 0.2, 1.0
"""What rises between these over the ground is in a robot's way."""


def main() -> None:
    """Print the tables asked for."""
    args = _arguments()
    if args.long:
        long_drive(args)
    elif args.speed:
        speed(args)
    else:
        quality(args)


def quality(args: argparse.Namespace) -> None:
    """Print a line a drive and kind of masks."""
    print(
        "| seed | robot | masks | objects P | R | found | center m | mesh mm | ground | named | "
        "ways over places: median | 95 % | right | over surface places: median | 95 % | right "
        "| regions: found | true | P | R | nodes |\n|" + "---|" * 21
    )
    sums: dict[str, Any] = {}
    for seed in args.seeds:
        for robot in args.robots:
            for masks in args.masks:
                s = one_drive(seed, robot, masks, args)
                sums[masks] = sums.get(masks, np.zeros(4)) + s
    for masks, (found, demanded, right, wrong) in sums.items():
        precision, recall = right / max(right + wrong, 1), found / max(demanded, 1)
        print(f"{masks}: precision {precision:.3f}, recall {recall:.3f} of {demanded:.0f} objects")


def one_drive(seed: int, robot: str, masks: str, args: argparse.Namespace) -> Any:
    """Map one drive and print its line; return objects found, demanded, right and wrong."""
    sim = simulation(seed, robot, args)
    truth, mapper = scene_of(sim.world), Mapper(perception(masks, seed), robot=robot)
    seen, ground = Visibility(truth), GroundSeen(LABELS, SURFACE_WORDS)
    for frame in sim.frames(robot):
        frame = replace(frame, T_odom_cam=frame.T_world_cam)
        seen.add(frame)
        ground.add(frame)
        mapper.integrate(frame)
    result, mesh, soup = mapper.finish(), mapper.mesh(), sim.world.soup()
    objects = evaluate_objects(result.objects, truth, seen)
    surface = evaluate_mesh(mesh.vertices, soup.vertices, soup.faces)
    named = evaluate_ground(result.graph.layers["surface_places"], ground.ground(), LABELS)
    ways = [
        evaluate_paths(
            result.graph.layers[name],
            ground.ground(),
            obstacles(sim),
            np.random.default_rng(seed),
            sources=100,
        )
        for name in ("places", "surface_places")
    ]
    regions = evaluate_regions(result.graph, truth)
    lengths = " | ".join(f"{w.median:.3f} | {w.p95:.3f} | {w.within_10_percent:.3f}" for w in ways)
    nodes = ", ".join(f"{len(layer)} {name}" for name, layer in result.graph.layers.items())
    print(
        f"| {seed} | {robot} | {masks} | {objects.precision:.2f} | {objects.recall:.2f} "
        f"| {objects.found}/{objects.demanded} | {objects.center_error_m:.2f} "
        f"| {1e3 * surface.mean_m:.1f} | {named.coverage:.3f} | {named.label_accuracy:.3f} "
        f"| {lengths} | {regions.found} | {regions.true} | {regions.precision:.2f} "
        f"| {regions.recall:.2f} | {nodes} |",
        flush=True,
    )
    return np.array([objects.found, objects.demanded, objects.right, objects.wrong])


def speed(args: argparse.Namespace) -> None:
    """Print milliseconds a frame and stage; frames are rendered beforehand, and a first run compiles."""
    for masks in ("true", "classical"):
        sim = simulation(args.seeds[0], args.robots[0], args)
        frames = list(sim.frames(args.robots[0]))
        run(perception(masks, 0), frames[:8])
        wall, cpu = time.perf_counter(), time.process_time()
        mapper = run(perception(masks, 0), frames)
        wall, cpu = (
            (time.perf_counter() - wall) / len(frames),
            (time.process_time() - cpu) / len(frames),
        )
        start = time.perf_counter()
        result, mesh = mapper.finish(), mapper.mesh()
        with tempfile.TemporaryDirectory() as folder:
            sizes = result.save(Path(folder), mesh)
        print(f"\n{args.size}, {masks} masks, {len(frames)} frames at 4 Hz")
        print("| stage | ms/frame | median ms a call | calls |\n|---|---|---|---|")
        for stage, times in mapper.seconds.items():
            each = 1e3 * sum(times) / len(frames)
            print(f"| {stage} | {each:.1f} | {1e3 * float(np.median(times)):.1f} | {len(times)} |")
        print(
            f"{1e3 * wall:.1f} ms/frame wall = {1 / wall:.1f} Hz, {1e3 * cpu:.1f} ms processor; finishing "
            f"{time.perf_counter() - start:.1f} s; files {sum(sizes.values()) / 1e6:.1f} MB; "
            f"peak {peak_mb():.0f} MB"
        )


def long_drive(args: argparse.Namespace) -> None:
    """Print memory and time a frame along one long drive, and what finishing it takes."""
    args.length = args.long
    robot = args.robots[0]
    sim, mapper = (
        simulation(args.seeds[0], robot, args),
        Mapper(perception("true", 0), robot=robot),
    )
    print(
        "| m | resident MB | blocks | ground cells | places | objects | ms/frame |\n|" + "---|" * 7
    )
    since = time.process_time()
    count, due = 0, 0.0
    mapping = 0.0
    for frame in sim.frames(robot):
        since = time.process_time()
        mapper.integrate(frame)
        mapping += time.process_time() - since
        count += 1
        if mapper.keyframes.travel_m >= due:
            segment = mapper.segments[-1]
            print(
                f"| {mapper.keyframes.travel_m:.0f} | {resident_mb():.0f} | {len(segment.field.blocks)} "
                f"| {len(segment.ground.cells)} | {len(segment.places.at)} | {len(mapper.objects.tracks)} "
                f"| {1e3 * mapping / count:.0f} |",
                flush=True,
            )
            due += 100.0
            mapping, count = 0.0, 0
    start, since = time.perf_counter(), time.process_time()
    result, mesh = mapper.finish(), mapper.mesh()
    with tempfile.TemporaryDirectory() as folder:
        result.save(Path(folder), mesh)
    print(
        f"finishing {time.perf_counter() - start:.1f} s, {time.process_time() - since:.1f} s processor; "
        f"peak {peak_mb():.0f} MB with the simulator"
    )


def run(see: Perception, frames: list[Any]) -> Mapper:
    """Map frames."""
    mapper = Mapper(see)
    for frame in frames:
        mapper.integrate(frame)
    return mapper


def simulation(seed: int, robot: str, args: argparse.Namespace) -> Simulation:
    """Return one robot's drive through a world of its own."""
    width, height = map(int, args.size.split("x"))
    settings = {
        "seed": seed,
        "world": {"kind": args.world, "seed": seed},
        "sensor": {"width": width, "height": height},
        "driving": {"length_m": args.length},
    }
    world = make_world(args.world, seed)
    return Simulation((robot,), SimulationSettings.model_validate(settings), world=world)


def perception(masks: str, seed: int) -> Perception:
    """Return what sees: true masks, true masks spoiled, or geometry."""
    backend = "classical" if masks == "classical" else "ground-truth"
    spoil = (
        (lambda frame: degraded(frame, MaskSettings.realistic(), seed))
        if masks == "degraded"
        else None
    )
    return make_perception(
        PerceptionSettings.model_validate({"backend": backend}), labels=LABELS, spoil=spoil
    )


def obstacles(sim: Simulation) -> Any:
    """Return points (n, 2) of what is in a robot's way: samples of all triangles that are not ground."""
    soup, rng = sim.world.soup(), np.random.default_rng(0)
    corners = soup.vertices[soup.faces[soup.labels >= 0]].astype(float)
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    area = np.linalg.norm(np.cross(a, b), axis=1) / 2
    which = np.repeat(
        np.arange(len(corners)), np.minimum(np.ceil(area / 0.0025), 20_000).astype(int) + 1
    )
    u, v = rng.random((2, len(which)))
    u, v = np.where(u + v > 1, 1 - u, u)[:, None], np.where(u + v > 1, 1 - v, v)[:, None]
    points = corners[which, 0] + u * a[which] + v * b[which]
    height = points[:, 2] - sim.world.ground.height(points[:, :2])
    return points[(height > STEP_M) & (height < BODY_M), :2]


def resident_mb() -> float:
    """Return the memory this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def peak_mb() -> float:
    """Return the most memory this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[101, 102, 103])
    parser.add_argument("--robots", nargs="+", default=["husky"])
    parser.add_argument("--masks", nargs="+", choices=MASKS, default=list(MASKS))
    parser.add_argument("--world", choices=("campus", "office", "hybrid"), default="campus")
    parser.add_argument("--length", type=float, default=60.0)
    parser.add_argument("--size", default="320x240")
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--long", type=float, default=0.0, metavar="METERS")
    return parser.parse_args()


if __name__ == "__main__":
    main()
