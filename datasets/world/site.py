"""The building site of a world: things are put where there is room, lanes and regions drawn beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Floats
from commonground.datasets.labels import NUMBER
from commonground.datasets.world.clearance import Clearance, Rect
from commonground.datasets.world.ground import Canvas, Ground, rolling_heights
from commonground.datasets.world.kinds import Kind
from commonground.datasets.world.model import Building, Interior, Region, Thing, World
from commonground.datasets.world.roads import lanes_of
from commonground.datasets.world.shapes import Shape
from commonground.geometry import from_xyz_yaw


class Site:
    """Collects what a world will have; one generator serves all choices, so their order is the world."""

    def __init__(
        self,
        size: tuple[float, float],
        base: str,
        kinds: Mapping[str, Kind],
        rng: np.random.Generator,
    ) -> None:
        self.size, self.kinds, self.rng = size, kinds, rng
        # a raster of more than 4,000 cells a side costs memory and shows nothing new at 10 m range
        self.canvas = Canvas(size, base, max(0.1, max(size) / 4000))
        self.regions: list[Region] = []
        self.structures: list[tuple[str, Shape, tuple[float, float]]] = []
        self.obstacles: list[Rect] = []
        self._level: list[Rect] = []
        self._interiors: list[tuple[Rect, float]] = []
        self._segments: list[tuple[Floats, Floats, float, float]] = []
        self._things: list[tuple[str, Shape, Floats]] = []
        self.clearance = Clearance()
        self._models: dict[str, list[Shape]] = {}

    # ---- ground ----

    def region(self, name: str, label: str) -> int:
        """Add a region and return its row; a name that is taken gets a number."""
        taken = {r.name for r in self.regions}
        unique, k = name, 2
        while unique in taken:
            unique, k = f"{name} {k}", k + 1
        self.regions.append(Region(unique, NUMBER[label]))
        return len(self.regions) - 1

    def path_region(self, where: str) -> int:
        """Return the region of the paths of a part of the site, made when first asked for."""
        name = f"{where} paths"
        for row, region in enumerate(self.regions):
            if region.name == name:
                return row
        return self.region(name, "path")

    def lane(
        self, start: ArrayLike, end: ArrayLike, width: float = 1.6, appeal: float = 1.0
    ) -> None:
        """Add a drivable line whose width stays free; robots go there the more the more it appeals."""
        a, b = np.asarray(start, float), np.asarray(end, float)
        self._segments.append((a, b, width, appeal))
        self.clearance.add_lane(a, b, width)

    def segments(self) -> list[tuple[Floats, Floats]]:
        """Return the ends of the lanes so far."""
        return [(a, b) for a, b, *_ in self._segments]

    def is_soft(self, xy: ArrayLike) -> bool:
        """Return whether a point is on ground where odd things may stand: no road, sidewalk or building."""
        x, y = np.asarray(xy, float)
        if any(a <= x <= c and b <= y <= d for (a, b, c, d), _ in self._interiors):
            return False
        i, j = np.floor(np.asarray(xy, float) / self.canvas.cell_m).astype(int)
        if not (0 <= i < self.canvas.surface.shape[0] and 0 <= j < self.canvas.surface.shape[1]):
            return False
        return int(self.canvas.surface[i, j]) not in (NUMBER["road"], NUMBER["sidewalk"])

    def keep_clear(self, xy: ArrayLike, radius: float) -> None:
        """Let no thing be put near a point."""
        self.clearance.add_discs(np.array([[*np.asarray(xy, float), radius]]))

    def structure(self, name: str, shape: Shape, xy: tuple[float, float]) -> None:
        """Add a building or another structure at a place; it is set on the ground there."""
        self.structures.append((name, shape.at(*xy, 0.0), xy))

    def interior(self, rect: Rect, height_m: float) -> None:
        """Make room for a building that can be entered: level ground, where floors are still to be laid."""
        self._interiors.append((rect, height_m))
        self._level.append(rect)
        self.canvas.rectangle(rect, "")

    def obstacle(self, rect: Rect, *, level: bool = True) -> None:
        """Keep things off a rectangle, let nobody drive there, and level the ground under it."""
        self.obstacles.append(rect)
        if level:
            self._level.append(rect)
        self.clearance.add_obstacle(rect)

    # ---- things ----

    def model(self, kind: str, number: int | None = None) -> Shape:
        """Return one of the few models of a kind: a given one, or any."""
        if kind not in self._models:
            made = self.kinds[kind]
            self._models[kind] = [made.make(self.rng) for _ in range(made.models)]
        models = self._models[kind]
        return models[
            int(self.rng.integers(len(models))) if number is None else number % len(models)
        ]

    def put(
        self,
        kind: str,
        xy: ArrayLike,
        yaw: float = 0.0,
        *,
        model: int | None = None,
        room: float = 0.25,
        lift: float = 0.0,
        force: bool = False,
    ) -> bool:
        """Put a thing at a place and heading if there is room; tell whether it stands now."""
        shape = self.model(kind, model)
        discs = footprint_discs(shape, np.asarray(xy, float), yaw)
        if not force and not self.free(discs, room):
            return False
        self._things.append((kind, shape, np.array([*np.asarray(xy, float), lift, yaw])))
        self.clearance.add_discs(discs)
        return True

    def free(self, discs: Floats, room: float = 0.25) -> bool:
        """Return whether discs (k, 3) of x, y, radius touch no thing, lane, obstacle or border."""
        p, r = discs[:, :2], discs[:, 2:] + room
        if (p < r).any() or (p > np.asarray(self.size) - r).any():
            return False
        return self.clearance.free(discs, room)

    @property
    def count(self) -> int:
        """How many things stand."""
        return len(self._things)

    def thin_out(self, most: int, keep: Sequence[str] = ()) -> None:
        """Take things away until there are ``most``: of the commonest kinds, those far from the lanes."""
        counts = Counter(kind for kind, *_ in self._things if kind not in keep)
        doomed: Counter[str] = Counter()
        for _ in range(self.count - most):
            kind = max(sorted(counts), key=lambda k: counts[k], default="")
            if not counts[kind]:
                break
            counts[kind] -= 1
            doomed[kind] += 1
        gone: set[int] = set()
        for kind, number in sorted(doomed.items()):
            rows = [i for i, (k, *_) in enumerate(self._things) if k == kind]
            away = [self.clearance.lane_distance(self._things[i][2][:2]) for i in rows]
            unseen = np.array(away) + self.rng.uniform(0, 4, len(rows))
            gone |= {rows[i] for i in np.argsort(-unseen)[:number]}
        self._things = [t for i, t in enumerate(self._things) if i not in gone]

    # ---- the finished world ----

    def finished(self, kind: str, seed: int, relief_m: float, step_m: float) -> World:
        """Return the world: heights rolled, footprints leveled, everything set on the ground."""
        shape = tuple(int(np.ceil(s / step_m)) + 1 for s in self.size)
        heights = rolling_heights((shape[0], shape[1]), step_m, relief_m, self.rng)
        for rect in self._level if relief_m > 0 else ():
            _level(heights, rect, step_m)
        for rect in self.obstacles:
            self.canvas.rectangle(rect, "")
        ground = Ground(
            origin=np.zeros(2),
            step_m=step_m,
            heights=heights,
            cell_m=self.canvas.cell_m,
            surface=self.canvas.surface,
            paint=self.canvas.paint,
            region=self.canvas.region,
        )
        return World(
            kind=kind,
            seed=seed,
            ground=ground,
            things=tuple(self._standing(ground)),
            buildings=tuple(
                Building(name, shape.at(0, 0, float(ground.height([xy])[0])))
                for name, shape, xy in self.structures
            ),
            regions=tuple(self.regions),
            lanes=lanes_of(self._segments),
            interiors=tuple(_standing_on(ground, *about) for about in self._interiors),
        )

    def _standing(self, ground: Ground) -> list[Thing]:
        out = []
        for index, (kind, shape, pose) in enumerate(self._things, start=1):
            out.append(standing(index, kind, self.kinds[kind], shape, pose, ground))
        return out


def standing(
    index: int, kind: str, made: Kind, shape: Shape, pose: Sequence[float] | Floats, ground: Ground
) -> Thing:
    """Return a thing set on the ground at x, y, lift, yaw, upright."""
    x, y, lift, yaw = pose
    z = float(ground.height([[x, y]])[0]) + lift
    return Thing(index, kind, NUMBER[made.label], shape, from_xyz_yaw([x, y, z, yaw]), made.movable)


def _standing_on(ground: Ground, rect: Rect, height_m: float) -> Interior:
    x0, y0, x1, y1 = rect
    z = float(ground.height([((x0 + x1) / 2, (y0 + y1) / 2)])[0])
    return Interior(np.array([x0, y0, z]), np.array([x1, y1, z + height_m]))


def footprint_discs(shape: Shape, xy: Floats, yaw: float) -> Floats:
    """Return discs (k, 3) of x, y, radius that cover a shape's footprint below 2 m along its longer side."""
    v = shape.vertices[shape.vertices[:, 2] < 2.0]
    low, high = v[:, :2].min(axis=0), v[:, :2].max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2
    radius = float(half.min())
    long = int(half.argmax())
    reach = max(0.0, float(half[long]) - radius)
    count = 1 + int(np.ceil(2 * reach / max(radius, 0.2)))
    local = np.tile(middle, (count, 1))
    local[:, long] += np.linspace(-reach, reach, count)
    c, s = np.cos(yaw), np.sin(yaw)
    world = local @ np.array([[c, s], [-s, c]]) + xy
    return np.concatenate([world, np.full((count, 1), radius)], axis=1)


def _level(heights: Floats, rect: Rect, step_m: float, apron_m: float = 3.0) -> None:
    """Level the height field under a rectangle, and blend it in around."""
    x = np.arange(heights.shape[0])[:, None] * step_m
    y = np.arange(heights.shape[1])[None, :] * step_m
    away = np.hypot(
        np.maximum(np.maximum(rect[0] - x, x - rect[2]), 0),
        np.maximum(np.maximum(rect[1] - y, y - rect[3]), 0),
    )
    # the corner squares that straddle the footprint's edge must be level too
    weight = np.clip(1 - (away - step_m) / apron_m, 0, 1)
    weight = weight * weight * (3 - 2 * weight)
    level = heights[weight >= 1].mean() if (weight >= 1).any() else heights.mean()
    heights += weight * (level - heights)
