"""Map a real 7-Scenes folder whole and in halves; print how far each result is from its poses and frames.

Run: python benchmarks/real_rooms.py FOLDER [--things FILE] [--others]

FILE names what a person counts, a line each: name, number of a frame, and its box there in pixels (left, top,
right, bottom). Halves are read by themselves, so that neither knows the other's frame, nor its vertical.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from commonground.arrays import Floats, Ints
from commonground.datasets.opening import open_dataset
from commonground.frame import Frame
from commonground.geometry import angle_between, apply, inverse
from commonground.mapping.color_fit import ColorFit, color_fit
from commonground.mapping.confirming import find_sights
from commonground.mapping.fusion.inputs import RobotRun, load_runs
from commonground.mapping.fusion.merge_mesh import vertex_normals
from commonground.mapping.fusion.run import fuse_runs
from commonground.mapping.locating import locate_mapped
from commonground.mapping.recorded import map_recording

ROBOT = "kinect"
CLOSE_M = 0.05
IN_VIEW, NEAR_M = 3, 0.15
"""A thing is in a part of the recording where so many images show it, so near to its depth."""
OFTEN, NEVER = 10, 1e3
"""Images that show a thing for it to be seen well; and what it costs to take an object for something else."""
CELL_M, REACH_M = 0.02, 4.0
"""Voxels of the mesh that Open3D makes of the same frames, and the depth that it takes."""


OTHERS = {
    "every second": slice(None, None, 2),
    "the others": slice(1, None, 2),
    "every third": slice(1, None, 3),
    "reversed": slice(None, None, -2),
}
"""Other frames, and another order of them."""


class Part(NamedTuple):
    """A part of the recording and its map."""

    run: RobotRun
    frames: list[Frame]
    T_part_whole: Floats
    """From the level frame of the whole recording to that of this part."""


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--things", type=Path)
    parser.add_argument("--others", action="store_true", help="map other selections of frames too")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        numbers = sorted(p.name.split(".")[0] for p in args.folder.glob("frame-*.color.*"))
        middle = len(numbers) // 2
        things = listed(args.folder, args.things) if args.things else []
        judge_map(mapped(args.folder, numbers, work / "whole"), things)
        for name, rows in OTHERS.items() if args.others else ():
            judge_map(mapped(args.folder, numbers[rows], work / name), things)
        halves = [
            mapped(args.folder, some, work / name)
            for name, some in (("first", numbers[:middle]), ("second", numbers[middle:]))
        ]
        for half in halves:
            judge_map(half, things)
        judge_join(halves, work)
        judge_localization(halves)


def mapped(source: Path, numbers: list[str], work: Path) -> Part:
    """Map some frames of a folder as a recording of their own."""
    folder = work / work.name
    folder.mkdir(parents=True)
    new = sorted(numbers)  # numbers tell the time
    for number, name in zip(numbers, new, strict=True):
        for file in sorted(source.glob(f"{number}.*")):
            shutil.copy(file, folder / file.name.replace(number, name))
    for file in source.glob("*.txt"):
        if not file.name.startswith("frame-"):
            shutil.copy(file, folder)
    reader = open_dataset(folder)
    begin, cpu = time.perf_counter(), time.process_time()
    done = map_recording(reader, work / "run")
    cpu, wall = time.process_time() - cpu, time.perf_counter() - begin
    runs, _ = load_runs([done.folder])
    frames = list(reader.frames(ROBOT))
    count = len(frames)
    print(f"{work.name}: {count} frames, {count / wall:.1f} Hz, {count / cpu:.1f} a CPU second")
    first = next(f for f in whole_frames(source) if number_of(f) == numbers[0])
    return Part(runs[0], frames, frames[0].T_odom_cam @ inverse(first.T_odom_cam))


def judge_map(part: Part, things: list[Thing]) -> None:
    """Print figures of a map against its own frames and poses."""
    run = part.run
    assert run.mesh is not None
    for looks in (1, 3):
        truth, faces = reference(part.frames, looks)
        off = surface(truth, faces).compute_distance(run.mesh.vertices.astype(np.float32)).numpy()
        own = surface(run.mesh.vertices, run.mesh.faces)
        gap = own.compute_distance(truth.astype(np.float32)).numpy()
        print(
            f"mesh: mean {100 * off.mean():.2f} cm from what was seen {looks} times or more, "
            f"median {100 * np.median(off):.2f} cm, complete {(gap < CLOSE_M).mean():.2f} within 5 cm"
        )
    n = vertex_normals(run.mesh)
    level = n[n[:, 2] > np.cos(np.radians(10))]
    print(
        f"up: {np.degrees(np.arccos(unit(np.median(level, axis=0))[2])):.2f}° from level surfaces"
    )
    regions = run.graph.layers["regions"]
    print(f"rooms: {len(regions)}; objects: {len(run.objects)}")
    if things:
        judge_things(part, things)


def judge_things(part: Part, things: list[Thing]) -> None:
    """Print which of the things that a person counts are objects, and how many objects are none."""
    boxes, objects = part.run.objects.boxes, part.run.objects
    sizes = np.linalg.norm(boxes.sizes, axis=1)
    shown: dict[str, int] = {}
    cost = np.full((len(things), len(objects)), NEVER)
    for row, thing in enumerate(things):
        at, size = apply(part.T_part_whole, thing.at), thing.size
        views = sum(in_view(frame, at) for frame in part.frames)
        if views >= IN_VIEW:
            shown[thing.name] = views
        far, reach = np.linalg.norm(objects.centroids - at, axis=1), max(0.12, 0.4 * size)
        good = (far < reach) & (sizes > 0.4 * size) & (sizes < 2.5 * size)
        cost[row, good] = far[good] / reach
    pairs = zip(*linear_sum_assignment(cost), strict=True)
    taken = {int(k): things[row].name for row, k in pairs if cost[row, k] < NEVER}
    found = set(taken.values())
    often = {name for name, views in shown.items() if views >= OFTEN}
    print(
        f"things: {len(found & shown.keys())} of {len(shown)} in view found, {len(found)} of {len(things)}; "
        f"of those in {OFTEN} images or more {len(found & often)} of {len(often)}; "
        f"{1 - len(taken) / max(len(objects), 1):.0%} of objects are none; "
        f"missing: {', '.join(sorted(shown.keys() - found))}"
    )


class Thing(NamedTuple):
    """What a person counts."""

    name: str
    at: Floats
    """(3,) in the frame of the whole recording."""
    size: float
    """Diagonal of its box in the image."""


def listed(source: Path, things: Path) -> list[Thing]:
    """Return the things of a list, placed by the frames that it names."""
    frames = whole_frames(source)
    fit = color_fit(frames[:: max(1, len(frames) // 24)]) or ColorFit()
    out = []
    for line in things.read_text().splitlines():
        words = line.split()
        if len(words) == 6 and words[1].isdigit():
            number, *box = map(int, words[1:])
            out.append(Thing(words[0], *placed(frames, number, box, fit)))
    return out


@cache
def whole_frames(source: Path) -> list[Frame]:
    """Return all frames of the recording."""
    return list(open_dataset(source).frames(ROBOT))


def number_of(frame: Frame) -> str:
    """Return the name of a frame's files."""
    return f"frame-{round(frame.stamp_ns * 30 / 1e9):06d}"


def in_view(frame: Frame, at: Floats) -> bool:
    """Return whether a frame shows a place."""
    x, y, z = apply(inverse(frame.T_odom_cam), at)
    fx, fy, cx, cy = frame.camera.intrinsics
    h, w = frame.depth_m.shape
    u, v = round(fx * x / max(z, 0.01) + cx), round(fy * y / max(z, 0.01) + cy)
    if z <= 0.2 or not (20 < u < w - 20 and 20 < v < h - 20):
        return False
    return bool(abs(frame.depth_m[v, u] - z) < NEAR_M)


def placed(frames: list[Frame], number: int, box: list[int], fit: ColorFit) -> tuple[Floats, float]:
    """Return where a box of a color image lies, and how long its diagonal is."""
    frame = min(frames, key=lambda f: abs(f.stamp_ns / 1e9 - number / 30.0))
    h, w = frame.depth_m.shape
    corners = fit.depth_pixels(np.array(box, float).reshape(2, 2), np.array([w / 2, h / 2]))
    (u0, v0), (u1, v1) = np.clip(np.rint(corners), 0, [w - 1, h - 1]).astype(int)
    du, dv = (u1 - u0) // 4, (v1 - v0) // 4
    z = float(np.nanmedian(positive(frame.depth_m[v0 + dv : v1 - dv + 1, u0 + du : u1 - du + 1])))
    fx, _, cx, cy = frame.camera.intrinsics
    at = z * np.array([((u0 + u1) / 2 - cx) / fx, ((v0 + v1) / 2 - cy) / fx, 1.0])
    return apply(frame.T_odom_cam, at), float(z * np.hypot(u1 - u0, v1 - v0) / fx)


def judge_join(halves: list[Part], work: Path) -> None:
    """Print whether halves are joined, and how far from the truth at the middle of the room."""
    fusion = fuse_runs([p.run.folder for p in halves], work / "fused")
    for note in fusion.notes:
        print("note:", note)
    if len(fusion.fused.joined) < 2:
        print("halves: not joined")
        return
    one, two = (
        fusion.fused.trajectory(r)[0] @ inverse(p.run.poses[0]) for r, p in enumerate(halves)
    )
    meters, degrees = error(halves, inverse(one) @ two)
    print(f"halves: joined, {100 * meters:.1f} cm and {degrees:.2f}° from the published poses")


def judge_localization(halves: list[Part]) -> None:
    """Print where the second half is localized in the map of the first."""
    first, second = (p.run.objects for p in halves)
    sights = find_sights(*(p.run.folder for p in halves))
    for k, fix in enumerate(locate_mapped(second, first, sights=sights)):
        found = fix.estimate
        line = f"localized, submap {k}: {found.state.value}, confidence {found.confidence:.3f}"
        if found.T_map_odom is not None and found.covariance_submap is not None:
            meters, degrees = error(halves, found.T_map_odom)
            sigma = np.sqrt(np.diagonal(found.covariance_submap))
            line += (
                f", {100 * meters:.1f} cm and {degrees:.2f}° off; stated "
                f"{100 * np.linalg.norm(sigma[:3]):.1f} cm, {np.degrees(np.linalg.norm(sigma[3:])):.2f}°"
            )
        print(line)


def error(halves: list[Part], T_1_2: Floats) -> tuple[float, float]:
    """Return how far a transform between the halves' frames is off, at the middle of the room."""
    true = halves[0].T_part_whole @ inverse(halves[1].T_part_whole)
    assert halves[1].run.mesh is not None
    middle = np.median(halves[1].run.mesh.vertices, axis=0).astype(float)
    apart = float(np.linalg.norm(apply(T_1_2, middle) - apply(true, middle)))
    return apart, float(np.degrees(angle_between(T_1_2, true)))


def reference(frames: list[Frame], looks: int) -> tuple[Floats, Ints]:
    """Return Open3D's own mesh of the frames with their published poses: corners (n, 3) and faces (m, 3)."""
    import open3d as o3d

    tensor: Any = o3d.core.Tensor
    one = ((1), (1))
    kinds = (o3d.core.float32, o3d.core.float32)
    grid = o3d.t.geometry.VoxelBlockGrid(("tsdf", "weight"), kinds, one, CELL_M, 16, 20_000)
    for frame in frames:
        depth = np.nan_to_num(positive(frame.depth_m), nan=0.0)
        image = o3d.t.geometry.Image(tensor(np.rint(1e3 * depth).astype(np.uint16)))
        K = tensor(np.ascontiguousarray(frame.camera.K, float))
        T_cam_odom = tensor(np.ascontiguousarray(inverse(frame.T_odom_cam)))
        seen = grid.compute_unique_block_coordinates(image, K, T_cam_odom, 1e3, REACH_M, 4.0)
        grid.integrate(seen, image, K, T_cam_odom, 1e3, REACH_M, 4.0)
    mesh = grid.extract_triangle_mesh(weight_threshold=looks - 0.5)
    return mesh.vertex.positions.numpy().astype(float), mesh.triangle.indices.numpy()


def surface(vertices: Floats, faces: Ints) -> Any:
    """Return triangles that distances are taken from."""
    import open3d as o3d

    tensor: Any = o3d.core.Tensor
    scene = o3d.t.geometry.RaycastingScene()
    corners = np.ascontiguousarray(vertices, np.float32)
    scene.add_triangles(tensor(corners), tensor(np.ascontiguousarray(faces, np.uint32)))
    return scene


def positive(depth: np.ndarray) -> Floats:
    """Return depth with NaN where there is none."""
    return np.where(np.isfinite(depth) & (depth > 0), depth, np.nan).astype(float)


def unit(v: Floats) -> Floats:
    """Return a vector of length 1."""
    return np.asarray(v / np.linalg.norm(v))


if __name__ == "__main__":
    main()
