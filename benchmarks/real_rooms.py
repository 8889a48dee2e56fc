"""Map a real 7-Scenes folder whole and in halves; print how far each result is from its poses and frames.

Run: python benchmarks/real_rooms.py FOLDER [--things FILE]

FILE names what a person counts, a line each: name, number of a frame, and its box there in pixels (left, top,
right, bottom). Halves are read by themselves, so that neither knows the other's frame, nor its vertical.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

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
CELL_M, REACH_M = 0.02, 4.0
"""Voxels of the mesh that Open3D makes of the same frames, and the depth that it takes."""


class Part(NamedTuple):
    """A part of the recording and its map."""

    run: RobotRun
    frames: list[Frame]


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--things", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        numbers = sorted(p.name.split(".")[0] for p in args.folder.glob("frame-*.color.*"))
        middle = len(numbers) // 2
        whole = mapped(args.folder, numbers, work / "whole")
        judge_map(whole, args.things)
        halves = [
            mapped(args.folder, some, work / name)
            for name, some in (("first", numbers[:middle]), ("second", numbers[middle:]))
        ]
        judge_join(halves, work)
        judge_localization(halves)


def mapped(source: Path, numbers: list[str], work: Path) -> Part:
    """Map some frames of a folder as a recording of their own."""
    folder = work / work.name
    folder.mkdir(parents=True)
    for file in sorted(p for n in numbers for p in source.glob(f"{n}.*")):
        shutil.copy(file, folder)
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
    return Part(runs[0], frames)


def judge_map(part: Part, things: Path | None) -> None:
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
    if things is not None:
        judge_things(part, things)


def judge_things(part: Part, things: Path) -> None:
    """Print which of the things that a person counts are objects, and how many objects are none."""
    boxes, objects = part.run.objects.boxes, part.run.objects
    sizes = np.linalg.norm(boxes.sizes, axis=1)
    taken: dict[int, str] = {}
    fit = color_fit(part.frames[:: max(1, len(part.frames) // 24)]) or ColorFit()
    names = []
    for line in things.read_text().splitlines():
        words = line.split()
        if len(words) != 6 or not words[1].isdigit():
            continue
        names.append(words[0])
        number, *box = map(int, words[1:])
        at, size = placed(part.frames, number, box, fit)
        far = np.linalg.norm(objects.centroids - at, axis=1)
        good = (far < max(0.12, 0.4 * size)) & (sizes > 0.4 * size) & (sizes < 2.5 * size)
        for k in np.argsort(far):
            if good[k] and int(k) not in taken:
                taken[int(k)] = words[0]
                break
    missing = sorted(set(names) - set(taken.values()))
    print(
        f"things: {len(taken)} of {len(names)} found, {1 - len(taken) / max(len(objects), 1):.0%} of "
        f"objects are none; missing: {', '.join(missing)}"
    )


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
    published = Path(halves[0].run.folder).parents[2], Path(halves[1].run.folder).parents[2]
    worlds = []
    for part, folder in zip(halves, published, strict=True):
        number = round(part.frames[0].stamp_ns * 30 / 1e9)
        pose = np.loadtxt(folder / folder.name / f"frame-{number:06d}.pose.txt")
        worlds.append(part.frames[0].T_odom_cam @ inverse(pose))
    true = worlds[0] @ inverse(worlds[1])
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
