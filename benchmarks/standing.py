"""Which free-standing things of made rooms become objects: recall, precision and boxes, and the room found.

    python benchmarks/standing.py [--seeds 100 101 102] [--see geometry things all] [--frames 80]

Rooms hold boxes on the ground, at walls and on one another, plain, checkered or speckled, of 0.15 to 1.3 m,
seen from among them by a camera that turns about; depth noise and heights differ by seed. ``things`` are
true masks with labels that name no floor, as of a detector; ``all`` name floor and walls too.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linear_sum_assignment

from commonground.arrays import Floats, Ints
from commonground.frame import Camera, Frame
from commonground.geometry import exp_so3, transform
from commonground.mapping.fusion.inputs import load_runs
from commonground.mapping.recorded import map_recording

ROBOT = "hand"
SEEN_PX, SEEN_IN = 300, 5
"""A thing is asked for where so many frames show so many of its pixels."""
NEVER = 1e3
NAMES = {1: "box", 2: "floor", 3: "wall"}


class Solid(NamedTuple):
    """A box: its middle, its size, how it is turned, what is on its faces."""

    middle: Floats
    size: Floats
    yaw: float
    color: Floats
    pattern: str


class Room(NamedTuple):
    """A room with its middle at the origin and its floor at z = 0."""

    size: Floats
    solids: list[Solid]
    noise: float
    """Standard deviation of depth at one meter; it grows with the square."""
    eye_m: float


def room_of(seed: int) -> Room:
    """Return a made room."""
    rng = np.random.default_rng(seed)
    size = np.array([rng.uniform(4.0, 7.5), rng.uniform(3.5, 6.0), rng.uniform(2.4, 3.0)])
    solids: list[Solid] = []
    for _ in range(200):
        if len(solids) >= 5 + seed % 5:
            break
        extent = rng.uniform([0.15, 0.15, 0.15], [1.3, 0.9, 1.3])
        yaw = rng.choice([0.0, rng.uniform(0, np.pi / 2)])
        at = rng.uniform(-0.5, 0.5, 2) * (size[:2] - 1.1 * np.hypot(*extent[:2]))
        if rng.random() < 0.35:  # against a wall
            yaw, axis = 0.0, rng.integers(2)
            at[axis] = rng.choice([-0.5, 0.5]) * (size[axis] - extent[axis])
        reach = [0.5 * np.hypot(*s.size[:2]) + 0.5 * np.hypot(*extent[:2]) + 0.15 for s in solids]
        far = [float(np.hypot(*(s.middle[:2] - at))) for s in solids]
        if np.hypot(*at) < 0.6 + 0.5 * np.hypot(*extent[:2]) or (np.array(far) < reach).any():
            continue
        color, pattern = rng.uniform(20, 235, 3), str(rng.choice(["plain", "checks", "specks"]))
        solids.append(Solid(np.r_[at, extent[2] / 2], extent, float(yaw), color, pattern))
        if min(extent[:2]) > 0.4 and 0.4 < extent[2] < 0.9 and rng.random() < 0.5:  # one on it
            small = rng.uniform(0.1, 0.3, 3)
            spot = np.r_[at, extent[2] + small[2] / 2]
            solids.append(Solid(spot, small, float(yaw), rng.uniform(20, 235, 3), "plain"))
    return Room(size, solids, float(rng.choice([0.0005, 0.0015, 0.003])), rng.uniform(0.7, 1.5))


class Rooms:
    """A recording of one room, as mapping reads it."""

    def __init__(self, seed: int, frames: int, see: str) -> None:
        self.room, self.count, self.see, self.seed = room_of(seed), frames, see, seed
        K = np.array([[270.0, 0, 159.5], [0, 270.0, 119.5], [0, 0, 1]])
        self.camera = Camera("rgb", K, 320, 240)
        self._frames: list[Any] = [self._frame(k) for k in range(frames)]

    def robots(self) -> tuple[str, ...]:
        """Return the one robot."""
        return (ROBOT,)

    def labels(self) -> Mapping[int, str]:
        """Return what the label images name."""
        few = {1: NAMES[1]} if self.see == "things" else NAMES
        return {} if self.see == "geometry" else few

    def fingerprint(self, robot: str) -> str:
        """Return what tells this recording from others."""
        return f"{self.seed} {self.count} {self.see}"

    def first_ns(self, robot: str) -> int:
        """Return the first stamp."""
        return self._frames[0].stamp_ns

    def length(self, robot: str) -> int:
        """Return how many frames there are."""
        return self.count

    def frames(
        self,
        robot: str,
        *,
        start_s: float = 0.0,
        stop_s: float | None = None,
        stride: int = 1,
        images: Callable[[], bool] | None = None,
    ) -> Iterator[Frame]:
        """Yield the frames; all of them, whatever seconds are asked for."""
        yield from self._frames[::stride]

    def seen(self) -> Ints:
        """Return in how many frames each solid is seen (n,)."""
        numbers = np.arange(1, len(self.room.solids) + 1)
        shown = [np.bincount(f.instances.ravel(), minlength=len(numbers) + 1) for f in self._frames]
        return np.asarray((np.array(shown)[:, numbers] >= SEEN_PX).sum(axis=0))

    def _frame(self, k: int) -> Frame:
        turn = 2 * np.pi * k / self.count
        reach = 0.12 * self.room.size[:2]
        eye = np.array([reach[0] * np.cos(turn), reach[1] * np.sin(turn), self.room.eye_m])
        eye[2] += 0.1 * np.sin(3 * turn)
        down = -0.1 - 0.25 * self.room.eye_m * (1 + 0.3 * np.sin(5 * turn))
        ahead = np.array([np.cos(turn), np.sin(turn), np.tan(down)])
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, [0, 0, 1.0])
        right /= np.linalg.norm(right)
        T = transform(np.stack([right, np.cross(ahead, right), ahead], axis=1), eye)
        rgb, depth, owner, label = rendered(self.room, self.camera, T)
        rng = np.random.default_rng([self.seed, k])
        depth = depth + self.room.noise * depth**2 * rng.standard_normal(depth.shape)
        depth = np.round(depth, 3).astype(np.float32)
        labels = np.where(label == 1, 1, 0 if self.see == "things" else label).astype(np.int32)
        stamp = 1_700_000_000_000_000_000 + k * 66_666_667
        color = np.clip(rgb + rng.normal(0, 2, rgb.shape), 0, 255).astype(np.uint8)
        return Frame(stamp, ROBOT, self.camera, color, depth, T, T, owner, labels)


def rendered(room: Room, camera: Camera, T: Floats) -> tuple[Floats, Floats, Ints, Ints]:
    """Return color, depth, number and label of what a camera sees."""
    rays = camera.rays().reshape(-1, 3).astype(float) @ T[:3, :3].T
    shell = Solid(
        np.array([0, 0, room.size[2] / 2]), room.size, 0.0, np.array([190.0] * 3), "specks"
    )
    depth, inner = _hits(shell, rays, T[:3, 3], outside=False)
    owner, label = np.zeros(len(rays), np.int32), np.where(inner[:, 2] < 1e-6, 2, 3)
    rgb = _painted(shell, inner)
    for number, solid in enumerate(room.solids, start=1):
        far, at = _hits(solid, rays, T[:3, 3], outside=True)
        near = far < depth
        depth, owner, label = np.where(near, far, depth), owner, np.where(near, 1, label)
        owner[near] = number
        rgb[near] = _painted(solid, at[near])
    size = (camera.height, camera.width)
    return (
        rgb.reshape(*size, 3), depth.reshape(size), owner.reshape(size),
        label.reshape(size).astype(np.int32),
    )  # fmt: skip


def _hits(solid: Solid, rays: Floats, eye: Floats, *, outside: bool) -> tuple[Floats, Floats]:
    """Return how far along rays a box is met, and where, from its lowest corner."""
    R = exp_so3(np.array([0, 0, solid.yaw]))
    way, start = rays @ R, R.T @ (eye - solid.middle)
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    one, other = (-solid.size / 2 - start) / way, (solid.size / 2 - start) / way
    into, out = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
    far = np.where((into < out) & (into > 0.05), into, np.inf) if outside else out
    safe = np.where(np.isfinite(far), far, 0.0)
    return far, start + way * safe[:, None] + solid.size / 2


def _painted(solid: Solid, at: Floats) -> Floats:
    """Return the color (n, 3) at places on a box."""
    cells = np.floor(at / 0.15 + 1e-4).astype(np.int64)
    shade = np.ones(len(at))
    if solid.pattern == "checks":
        shade = np.where(cells.sum(axis=1) % 2, 0.55, 1.0)
    elif solid.pattern == "specks":
        hashed = (cells @ np.array([73856093, 19349663, 83492791])) & 1023
        shade = 0.85 + 0.3 * hashed / 1023
    # light from above and from one side: faces differ
    edge = np.minimum(at, solid.size - at)
    face = np.array([0.75, 0.9, 1.0])[np.argmin(edge, axis=1)]
    return np.asarray(solid.color * (shade * face)[:, None])


class Score(NamedTuple):
    """What became of a room's things."""

    found: int
    wanted: int
    objects: int
    right: int
    off_m: list[float]
    room: list[Floats]
    places: int
    warnings: Sequence[str]
    missed: list[int]


def score(recording: Rooms, folder: str) -> Score:
    """Map a recording and hold it against its room."""
    done = map_recording(recording, folder)
    runs, _ = load_runs([done.folder])
    objects, graph = runs[0].objects, runs[0].graph
    solids, seen = recording.room.solids, recording.seen()
    cost = np.full((len(solids), len(objects)), NEVER)
    for row, solid in enumerate(solids):
        size = float(np.linalg.norm(solid.size))
        far = np.linalg.norm(objects.boxes.centers - solid.middle, axis=1)
        ratio = np.linalg.norm(objects.boxes.sizes, axis=1) / size
        good = (far < max(0.12, 0.3 * size)) & (ratio > 0.5) & (ratio < 1.8)
        cost[row, good] = far[good]
    pairs = [
        (i, j) for i, j in zip(*linear_sum_assignment(cost), strict=True) if cost[i, j] < NEVER
    ]
    wanted = seen >= SEEN_IN
    found = {int(i) for i, _ in pairs if wanted[i]}
    rooms = [graph.layers["regions"].boxes.sizes] if graph.has("regions") else []
    places = len(graph.layers["surface_places"]) if graph.has("surface_places") else 0
    return Score(
        len(found), int(wanted.sum()), len(objects), len(pairs), [cost[p] for p in pairs], rooms,
        places, done.metrics.get("warnings", []), sorted({*np.flatnonzero(wanted).tolist()} - found),
    )  # fmt: skip


def main() -> None:
    """Print a line a room, and sums."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[100, 101, 102])
    parser.add_argument("--see", nargs="+", default=["geometry", "things", "all"])
    parser.add_argument("--frames", type=int, default=80)
    args = parser.parse_args()
    for see in args.see:
        scores = []
        for seed in args.seeds:
            recording = Rooms(seed, args.frames, see)
            with tempfile.TemporaryDirectory() as folder:
                s = score(recording, folder)
            scores.append(s)
            sizes = "; ".join(str(np.round(r[0], 1)) for r in s.room if len(r))
            print(
                f"{see} {seed}: {s.found} of {s.wanted} found, {s.right} of {s.objects} objects right, "
                f"missed {s.missed}, room {sizes} of {np.round(recording.room.size[:2], 1)}, "
                f"{s.places} places {list(s.warnings)}",
                flush=True,
            )
        found, wanted, objects, right = (
            sum(getattr(s, name) for s in scores)
            for name in ("found", "wanted", "objects", "right")
        )
        off = np.median([d for s in scores for d in s.off_m]) if right else np.nan
        print(
            f"{see}: recall {found / max(wanted, 1):.2f} ({found} of {wanted}), precision "
            f"{right / max(objects, 1):.2f} ({right} of {objects}), middles {100 * off:.1f} cm off"
        )


if __name__ == "__main__":
    main()
