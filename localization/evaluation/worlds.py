"""Simulated worlds of objects and a model of perception: submaps with known answers, no images.

A campus has what makes matching hard: rows of lamps and trees at equal spacing, modules that repeat
with the same layout, facades of equal windows, cars that move. Objects hide from some sides, their
visible centers lie towards the viewer, appearance changes with the side, and odometry bends inside a
submap.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import apply, exp_so3, from_xyz_yaw, inverse, transform

DIM = 64
"""Length of the embeddings."""
REACH_M = 15.0
"""Objects this far from the robot enter its submap."""

Spot = tuple[float, float, float, str]
"""x, y, height above the ground, kind."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A class of objects."""

    name: str
    size: tuple[float, float, float]
    variety: float
    """How much individuals differ in appearance, in units of how much classes differ."""
    moves: bool = False


KINDS = (
    Kind("tree", (1.6, 1.6, 4.0), 0.35),
    Kind("lamp", (0.3, 0.3, 4.0), 0.05),
    Kind("car", (4.2, 1.8, 1.5), 0.5, moves=True),
    Kind("bench", (1.6, 0.6, 0.8), 0.1),
    Kind("bin", (0.5, 0.5, 0.9), 0.1),
    Kind("bush", (1.2, 1.0, 0.8), 0.3),
    Kind("window", (1.2, 0.2, 1.4), 0.05),
    Kind("door", (1.0, 0.2, 2.1), 0.3),
    Kind("sign", (0.6, 0.1, 1.8), 0.5),
    Kind("rack", (2.0, 0.8, 0.9), 0.2),
    Kind("hydrant", (0.4, 0.4, 0.8), 0.1),
    Kind("bike", (1.7, 0.5, 1.1), 0.4, moves=True),
    Kind("rock", (0.9, 0.8, 0.6), 0.3),
    Kind("statue", (1.0, 1.0, 2.5), 0.8),
)


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Everything that stands in a place."""

    centers: Floats
    """(n, 3)"""
    sizes: Floats
    kinds: Ints
    appearance: Floats
    """(n, DIM)"""
    sides: Floats
    """(n, DIM) how appearance changes with the side they are seen from."""
    hidden: Floats
    """(n,) share of detections lost from the worst side."""
    open_side: Floats
    """(n,) direction in radians from which an object is seen best."""
    buildings: Floats = field(default_factory=lambda: np.empty((0, 4)))
    """(b, 4) x0, y0, x1, y1; their walls hide what is inside from outside, and the other way round."""

    def __len__(self) -> int:
        return len(self.centers)

    @property
    def moves(self) -> Bools:
        """(n,) which objects may be elsewhere another day."""
        return np.array([kind.moves for kind in KINDS])[self.kinds]

    def later(self, rng: np.random.Generator, share: float = 0.5) -> World:
        """Return the world another day: of what moves, ``share`` stands elsewhere."""
        gone = self.moves & (rng.random(len(self)) < share)
        centers = self.centers.copy()
        centers[gone, :2] = rng.permutation(centers[gone, :2]) + rng.normal(0, 2.0, (gone.sum(), 2))
        return replace(self, centers=centers)

    def building_at(self, xy: Floats) -> Ints:
        """Return the number (n,) of the building each of the points (n, 2) is in, from 1; 0 for none."""
        low, high = self.buildings[:, :2], self.buildings[:, 2:]
        inside = ((xy[:, None] > low) & (xy[:, None] < high)).all(axis=2)
        return np.asarray(inside @ np.arange(1, len(self.buildings) + 1), np.int64)


def campus(rng: np.random.Generator, extent_m: float = 160.0) -> World:
    """Return two crossing pairs of streets with rows, repeated modules, facades and odd things between."""
    return world_of(rng, campus_spots(rng, extent_m))


def campus_spots(rng: np.random.Generator, extent_m: float) -> list[Spot]:
    spots: list[Spot] = []
    module = [(name, *rng.uniform(-3, 3, 2)) for name in ("bench", "bin", "lamp", "bush", "rack")]
    half = extent_m / 2
    for level in (-extent_m / 5, extent_m / 5):
        for turned in (False, True):
            spots += [_turn(s, turned) for s in _street(rng, level, half, module)]
    odd = ("bush", "rock", "sign", "hydrant", "statue", "tree", "bike", "bin")
    for _ in range(int(extent_m**2 / 130)):
        x, y = rng.uniform(-half, half, 2)
        spots.append((x, y, 0.0, str(rng.choice(odd))))
    return spots


def _turn(spot: Spot, turned: bool) -> Spot:
    x, y, z, name = spot
    return (y, x, z, name) if turned else spot


def _street(
    rng: np.random.Generator, level: float, half: float, module: list[tuple[str, float, float]]
) -> list[Spot]:
    spots: list[Spot] = []
    spots += [(x, level + 5.0, 0.0, "lamp") for x in _every(rng, half, 18.0)]
    start = -half
    while start < half:  # houses, each with its own row of trees and of windows
        end = start + rng.uniform(20.0, 45.0)
        spots += [
            (x + rng.normal(0, 0.3), level - 6.0 + rng.normal(0, 0.3), 0.0, "tree")
            for x in np.arange(start + rng.uniform(2, 6), end - 2, rng.choice([7.0, 8.0, 9.5]))
        ]
        facade, apart = level + rng.choice([13.0, 14.0, 15.0]), rng.choice([3.0, 4.0, 5.0])
        windows = np.arange(start + 2, end - 2, apart)
        spots += [(x, facade, 1.0 + 3.0 * (k % 2), "window") for k, x in enumerate(windows)]
        spots.append((rng.uniform(start + 2, end - 2), facade, 0.0, "door"))
        start = end
    for x in _every(rng, half, 32.0):
        x += rng.uniform(-5, 5)
        spots += [(x + dx, level + 9.0 + dy, 0.0, name) for name, dx, dy in module]
    spots += [
        (x + rng.normal(0, 0.4), level + 3.0 + rng.normal(0, 0.1), 0.0, "car")
        for x in _every(rng, half, 6.0)
        if rng.random() < 0.45
    ]
    return spots


def _every(rng: np.random.Generator, half: float, apart: float) -> Floats:
    return np.arange(-half + rng.uniform(0, apart), half, apart)


def grid(rng: np.random.Generator, spacing_m: float = 6.0, extent_m: float = 80.0) -> World:
    """Return equal lamps on a square grid: a place that looks the same from every post."""
    ticks = np.arange(-extent_m / 2, extent_m / 2, spacing_m)
    return world_of(rng, [(float(x), float(y), 0.0, "lamp") for x in ticks for y in ticks])


def world_of(rng: np.random.Generator, spots: list[Spot], buildings: ArrayLike = ()) -> World:
    """Return the world of what stands where, with sizes, appearance and hidden sides drawn for each."""
    index = {kind.name: k for k, kind in enumerate(KINDS)}
    kinds = np.array([index[name] for *_, name in spots])
    n = len(spots)
    sizes = np.array([KINDS[k].size for k in kinds])
    variety = np.array([KINDS[k].variety for k in kinds])
    sizes = sizes * np.exp(rng.normal(0, 0.3, (n, 3)) * np.minimum(variety, 0.5)[:, None] * 2)
    words, base = rng.normal(size=(len(KINDS), DIM)), rng.normal(size=DIM)
    individual = rng.normal(size=(n, DIM)) * variety[:, None]
    return World(
        centers=np.array([(x, y, z) for x, y, z, _ in spots])
        + np.c_[np.zeros((n, 2)), sizes[:, 2] / 2],
        sizes=sizes,
        kinds=kinds,
        appearance=base + 0.9 * words[kinds] + 0.6 * individual,
        sides=rng.normal(size=(n, DIM)),
        hidden=rng.uniform(0.0, 0.8, n),
        open_side=rng.uniform(-np.pi, np.pi, n),
        buildings=np.asarray(buildings, float).reshape(-1, 4),
    )


@dataclass(frozen=True, slots=True)
class Perception:
    """How well a robot sees."""

    detects: float = 0.85
    """Share of what stands within reach and is not hidden that becomes an object."""
    noise_m: float = 0.12
    """Standard deviation of a center along each axis, besides the bias towards the viewer."""
    bias: float = 0.2
    """Share of an object's depth by which its visible center is nearer than its true one."""
    appearance_noise: float = 0.4
    side_share: float = 0.3
    """How much appearance depends on the side they are seen from."""
    size_noise: float = 0.2
    mislabels: float = 0.1
    spurious: float = 4.0
    """Objects per submap that are none."""
    stretch: float = 0.005
    """Standard deviation of the odometry's scale error."""
    bend: float = 0.0015
    """Standard deviation of the odometry's turn, in radians per meter driven."""
    tilt_deg: float = 0.5
    """Standard deviation of roll and pitch."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A submap as association gets it, and the truth about it."""

    points: Floats
    """(k, 3) in the submap's own upright frame."""
    features: dict[str, Floats]
    truth: Ints
    """(k,) the world's object, −1 for a spurious one."""
    T_world_view: Floats


def view(
    world: World, pose: tuple[float, float, float], perception: Perception, rng: np.random.Generator
) -> View:
    """Return what a robot that drives through (x, y, yaw) makes of the world within reach."""
    T = from_xyz_yaw(np.array([pose[0], pose[1], 0.0, pose[2]]))
    local = apply(inverse(T), world.centers)
    near = np.hypot(local[:, 0], local[:, 1]) < REACH_M
    near &= world.building_at(world.centers[:, :2]) == world.building_at(np.array([pose[:2]]))
    facing = pose[2] + np.pi  # the side an object turns to a robot that comes towards it
    away = 0.5 * (1.0 - np.cos(world.open_side - facing))
    seen = near & (rng.random(len(world)) < perception.detects * (1.0 - world.hidden * away))
    rows = np.flatnonzero(seen)
    towards = -_unit(local[rows] + [8.0, 0.0, 0.0])  # most is seen from some meters before
    depth = world.sizes[rows][:, :2].mean(axis=1, keepdims=True)
    points = local[rows] + perception.bias * depth * towards * [1, 1, 0]
    points += rng.normal(0, perception.noise_m, points.shape)
    lost = int(rng.poisson(perception.spurious))
    r, a = REACH_M * np.sqrt(rng.random(lost)), rng.uniform(-np.pi, np.pi, lost)
    ghosts = np.c_[r * np.cos(a), r * np.sin(a), rng.uniform(0.2, 2.0, lost)]
    points = _odometry(np.vstack([points, ghosts]), perception, rng)
    like = np.concatenate([rows, rng.integers(len(world), size=lost)])
    order = rng.permutation(len(like))
    return View(
        points=points[order],
        features={k: v[order] for k, v in _features(world, like, facing, perception, rng).items()},
        truth=np.concatenate([rows, np.full(lost, -1)])[order],
        T_world_view=T,
    )


def _unit(v: Floats) -> Floats:
    return np.asarray(v / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 1e-9))


def _odometry(points: Floats, perception: Perception, rng: np.random.Generator) -> Floats:
    """SurfacePatch, bend and tilt a submap as drift within it does."""
    bent = points[:, 0] * rng.normal(0, perception.bend)
    c, s = np.cos(bent), np.sin(bent)
    p = points * (1.0 + rng.normal(0, perception.stretch))
    p = np.c_[c * p[:, 0] - s * p[:, 1], s * p[:, 0] + c * p[:, 1], p[:, 2]]
    tilt = exp_so3(np.array([*rng.normal(0, np.radians(perception.tilt_deg), 2), 0.0]))
    return apply(transform(tilt, np.zeros(3)), p)


def _features(
    world: World, rows: Ints, facing: float, perception: Perception, rng: np.random.Generator
) -> dict[str, Floats]:
    n = len(rows)
    side = np.cos(facing - world.open_side[rows])[:, None] * world.sides[rows]
    appearance = world.appearance[rows] + perception.side_share * side
    appearance = appearance + perception.appearance_noise * rng.normal(size=(n, DIM))
    sizes = world.sizes[rows] * np.exp(rng.normal(0, perception.size_noise, (n, 3)))
    order = np.sort(sizes, axis=1)[:, ::-1]
    shape = np.c_[
        1 - order[:, 1] / order[:, 0],
        (order[:, 1] - order[:, 2]) / order[:, 0],
        order[:, 2] / order[:, 0],
        sizes.prod(axis=1),
    ]
    kinds = np.where(
        rng.random(n) < perception.mislabels, rng.integers(len(KINDS), size=n), world.kinds[rows]
    )
    return {
        "embedding": appearance / np.linalg.norm(appearance, axis=1, keepdims=True),
        "shape": shape,
        "size": sizes,
        "label": kinds.astype(float),
    }
