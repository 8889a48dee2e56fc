"""What fills the blocks of a campus: lots, lawns, halls, plazas, yards, twin dormitories."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from commonground.datasets.world.clearance import Rect
from commonground.datasets.world.ground import WHITE
from commonground.datasets.world.houses import house, pavilion
from commonground.datasets.world.site import Site

Point = tuple[float, float]

RING_M = 2.4
"""Width of the walk around a block."""


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle between roads; ``roads`` tells which of its west, south, east, north sides face one."""

    name: str
    """Where it is: ``northwest``, ``central``, …"""
    rect: Rect
    roads: tuple[bool, bool, bool, bool]

    def inner(self, gap: float = 0.0) -> Rect:
        """Return the rectangle inside the walk around the block."""
        x0, y0, x1, y1 = self.rect
        g = RING_M + gap
        return x0 + g, y0 + g, x1 - g, y1 - g

    @property
    def sides(self) -> tuple[float, float]:
        """The lengths of the sides."""
        return self.rect[2] - self.rect[0], self.rect[3] - self.rect[1]

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        x0, y0, x1, y1 = self.rect
        return (x0 + x1) / 2, (y0 + y1) / 2


def parking(site: Site, block: Block) -> None:
    """Two double rows of stalls with cars, an aisle each that leads to both walks, lamps between the rows."""
    x0, y0, x1, y1 = block.inner(2.0)
    region = site.region(f"{block.name} parking lot", "parking")
    lot = (x0, max(y0, (y0 + y1) / 2 - 17.5), x1, min(y1, (y0 + y1) / 2 + 17.5))
    site.canvas.rectangle(lot, "parking", region)
    rx0, _, rx1, _ = block.rect
    west = rx0 + RING_M / 2 if block.roads[0] else lot[0] + 2.0
    east = rx1 - RING_M / 2 if block.roads[2] else lot[2] - 2.0
    for aisle in ((lot[1] * 3 + lot[3]) / 4, (lot[1] + lot[3] * 3) / 4):
        drive = (max(west, rx0 + RING_M), aisle - 2.5, min(east, rx1 - RING_M), aisle + 2.5)
        site.canvas.rectangle(drive, "parking", region)
        site.lane((west, aisle), (east, aisle), 4.2)
        for side in (-1, 1):
            _stall_row(site, lot, aisle + side * 5.4, -side * np.pi / 2)
    across = (lot[0] + 2.0, lot[2] - 2.0)
    for x in across:
        site.lane((x, (lot[1] * 3 + lot[3]) / 4), (x, (lot[1] + lot[3] * 3) / 4), 2.5)
    for x in np.linspace(lot[0] + 8, lot[2] - 8, 3):
        site.put("street light", (x, (lot[1] + lot[3]) / 2), np.pi / 2, room=0.0)
    for corner in ((lot[0] - 1, lot[1] - 1), (lot[2] + 1, lot[3] + 1)):
        site.put("information board", corner, float(site.rng.uniform(-np.pi, np.pi)))
    site.put("dumpster", (lot[0] + 1.5, lot[3] + 1.6), -np.pi / 2)
    for kind in ("box", "barrel", "bag", "litter bin"):
        site.put(
            kind, (site.rng.uniform(lot[0], lot[2]), lot[1] - 1.2), float(site.rng.uniform(0, 6))
        )


def _stall_row(site: Site, lot: Rect, y: float, yaw: float) -> None:
    for k, x in enumerate(np.arange(lot[0] + 5.5, lot[2] - 5.5, 2.7)):
        site.canvas.strip((x - 1.35, y - 2.4), (x - 1.35, y + 2.4), 0.12, paint=WHITE)
        if site.rng.random() < 0.42:
            wobble = site.rng.normal(0, [0.08, 0.15, 0.02])
            turn = np.pi if site.rng.random() < 0.25 else 0.0
            kind = "van" if site.rng.random() < 0.1 else "car"
            site.put(kind, (x + wobble[0], y + wobble[1]), yaw + turn + wobble[2], room=0.1)
        elif k % 7 == 3:
            site.put("bollard", (x, y + np.sign(y - (lot[1] + lot[3]) / 2) * 2.0), room=0.1)


def hall(site: Site, block: Block) -> None:
    """One large building with doors on two sides, walks to them, and what stands by doors."""
    cx, cy = block.middle
    x0, y0, x1, y1 = block.inner()
    w, d = 0.55 * (x1 - x0), 0.42 * (y1 - y0)
    _house(site, f"{block.name} hall", (cx - w / 2, cy - d / 2, cx + w / 2, cy + d / 2), storeys=3)
    _walk_around(site, block, (cx - w / 2, cy - d / 2, cx + w / 2, cy + d / 2))
    _door(site, block, (cx - 0.2 * w, cy - d / 2), -1)
    _door(site, block, (cx + 0.25 * w, cy + d / 2), 1)
    for k in range(4):
        site.put("bicycle", (cx + 0.1 * w + 0.8 * k, cy - d / 2 - 4.6), np.pi / 2, room=0.05)
    site.put("electrical cabinet", (cx + w / 2 + 1.0, cy), 0.0)
    _tree_row(site, (x0 + 3, y0 + 4), (x1 - 3, y0 + 4), 8.0)
    _tree_row(site, (x0 + 3, y1 - 4), (x1 - 3, y1 - 4), 8.0)


def dorms(site: Site, block: Block) -> None:
    """Two equal buildings with equal furniture in equal places: what wrong matches feed on."""
    x0, y0, x1, y1 = block.inner()
    w, d = 0.30 * (x1 - x0), 0.34 * (y1 - y0)
    cy = block.middle[1]
    for k, cx in enumerate((x0 + 0.25 * (x1 - x0), x0 + 0.75 * (x1 - x0))):
        rect = (cx - w / 2, cy - d / 2, cx + w / 2, cy + d / 2)
        _house(site, f"{block.name} dormitory {'AB'[k]}", rect, storeys=2)
        front = -1 if block.roads[1] else 1
        _door(site, block, (cx, cy + front * d / 2), front, model=0)
        _walk_around(site, block, rect)
        for dx, dy, kind, yaw in (
            (-5.0, -7.5, "bench", np.pi / 2),
            (5.0, -7.5, "bench", np.pi / 2),
            (-6.5, -6.5, "broadleaf tree", 0.0),
            (6.5, -6.5, "broadleaf tree", 0.0),
            (-2.8, -3.8, "litter bin", 0.0),
            (3.2, -4.2, "planter", 0.0),
            (-6.0, 5.2, "picnic table", 0.0),
            (4.5, 5.5, "bicycle", 0.3),
        ):
            side = d / 2 if dy > 0 else -d / 2
            site.put(kind, (cx + dx, cy - front * (side + dy)), -front * yaw, model=0)


def lawn(site: Site, block: Block) -> None:
    """Grass with crossing paths, a round place with a flag in the middle, rows of trees, benches."""
    x0, y0, x1, y1 = block.rect
    cx, cy = block.middle
    path = site.path_region(block.name)
    m = RING_M / 2
    west, south, east, north = block.roads
    corners = [
        corner
        for corner, reached in (
            ((x0 + m, y0 + m), west or south),
            ((x1 - m, y1 - m), east or north),
            ((x0 + m, y1 - m), west or north),
            ((x1 - m, y0 + m), east or south),
        )
        if reached
    ]
    for corner in corners:
        site.canvas.strip(corner, (cx, cy), 2.2, "path", path)
    around = 5.0 * np.c_[
        np.cos(np.arange(8) * np.pi / 4 + np.pi / 8), np.sin(np.arange(8) * np.pi / 4 + np.pi / 8)
    ] + (cx, cy)
    site.canvas.disc((cx, cy), 6.5, "path", path)
    for k in range(8):
        site.lane(around[k], around[(k + 1) % 8], 2.0)
    for corner in corners:
        nearest = around[int(np.linalg.norm(around - corner, axis=1).argmin())]
        site.lane(corner, nearest, 2.0)
        _beside(
            site,
            corner,
            (cx, cy),
            (
                "bench",
                "path light",
                "broadleaf tree",
                "litter bin",
                "boulder",
                "planter",
                "conifer",
            ),
        )
    site.put("flagpole" if site.rng.random() < 0.6 else "statue", (cx, cy))
    for k in range(4):
        angle = k * np.pi / 2
        site.put("bench", (cx + 7.3 * np.cos(angle), cy + 7.3 * np.sin(angle)), angle + np.pi)
        site.put("path light", (cx + 8.2 * np.cos(angle + 0.35), cy + 8.2 * np.sin(angle + 0.35)))
    ix0, iy0, ix1, iy1 = block.inner(3.0)
    for a, b in (
        ((ix0, iy0), (ix1, iy0)),
        ((ix1, iy0), (ix1, iy1)),
        ((ix1, iy1), (ix0, iy1)),
        ((ix0, iy1), (ix0, iy0)),
    ):
        _tree_row(site, a, b, 9.0)
    for _ in range(6):
        spot = site.rng.uniform((ix0, iy0), (ix1, iy1))
        site.put(
            str(site.rng.choice(["boulder", "conifer", "planter"])),
            spot,
            float(site.rng.uniform(-3, 3)),
        )


def plaza(site: Site, block: Block) -> None:
    """A paved place with an open shelter, tables under it, planters and bins around."""
    cx, cy = block.middle
    x0, y0, x1, y1 = block.rect
    paved = site.region(f"{block.name} plaza", "sidewalk")
    site.canvas.rectangle((cx - 14, cy - 14, cx + 14, cy + 14), "sidewalk", paved)
    shelter = site.region(f"{block.name} shelter", "shelter")
    site.canvas.rectangle((cx - 5, cy - 4, cx + 5, cy + 4), "floor", shelter)
    posts = pavilion(10.0, 8.0, 3.2)
    for x in (-4.6, 4.6):
        for y in (-3.6, 3.6):
            site.keep_clear((cx + x, cy + y), 0.3)
    site.structure(f"{block.name} shelter", posts, (cx, cy))
    m = RING_M / 2
    walk = site.path_region(block.name)
    loop = [(cx - 8, cy - 8), (cx + 8, cy - 8), (cx + 8, cy + 8), (cx - 8, cy + 8)]
    for k in range(4):
        site.lane(loop[k], loop[(k + 1) % 4], 2.0)
    starts = ((x0 + m, cy + 8), (cx - 8, y0 + m), (x1 - m, cy - 8), (cx + 8, y1 - m))
    for side, k in enumerate((3, 0, 1, 2)):
        if block.roads[side]:
            site.canvas.strip(starts[side], loop[k], 2.2, "path", walk)
            site.lane(starts[side], loop[k], 2.0)
            _beside(
                site, starts[side], loop[k], ("broadleaf tree", "path light", "boulder", "bench")
            )
    site.canvas.rectangle((cx - 14, cy - 14, cx + 14, cy + 14), "sidewalk", paved)
    site.canvas.rectangle((cx - 5, cy - 4, cx + 5, cy + 4), "floor", shelter)
    site.lane((cx - 8, cy), (cx + 8, cy), 2.0)
    for x in (-2.6, 2.6):
        site.put("picnic table", (cx + x, cy + 2.2), np.pi / 2, model=0)
        site.put("picnic table", (cx + x, cy - 2.2), np.pi / 2, model=0)
    for k in range(8):
        angle = k * np.pi / 4 + 0.2
        kind = (
            "planter",
            "bench",
            "litter bin",
            "bench",
            "planter",
            "bench",
            "information board",
            "barrel",
        )[k]
        site.put(kind, (cx + 11.5 * np.cos(angle), cy + 11.5 * np.sin(angle)), angle + np.pi)
    for _ in range(8):
        spot = site.rng.uniform(block.inner(3.0)[:2], block.inner(3.0)[2:])
        site.put("broadleaf tree", spot)


def yard(site: Site, block: Block) -> None:
    """A service yard on bare ground: containers, boxes, barrels and bags inside a fence with two gates."""
    cx, cy = block.middle
    rx0, _, rx1, _ = block.rect
    region = site.region(f"{block.name} yard", "ground")
    w, d = 15.0, 12.0
    site.canvas.rectangle((cx - w, cy - d, cx + w, cy + d), "ground", region)
    drive = site.path_region(block.name)
    m = RING_M / 2
    west = rx0 + m if block.roads[0] else cx - 10
    east = rx1 - m if block.roads[2] else cx + 10
    for a, b in (((west, cy), (cx - w, cy)), ((cx + w, cy), (east, cy))):
        if b[0] > a[0]:
            site.canvas.strip(a, b, 3.0, "path", drive)
    site.lane((west, cy), (east, cy), 3.0)
    loop = [
        (cx - 10, cy),
        (cx - 10, cy + 7),
        (cx + 10, cy + 7),
        (cx + 10, cy),
        (cx + 10, cy - 7),
        (cx - 10, cy - 7),
    ]
    for k in range(6):
        site.lane(loop[k], loop[(k + 1) % 6], 2.0)
    for y in (cy - d, cy + d):
        for x in np.arange(cx - w + 1, cx + w, 2.05):
            site.put("fence", (x, y), np.pi / 2, model=0, room=-0.2)
    for x in (cx - w, cx + w):
        for y in np.arange(cy - d + 1, cy + d, 2.05):
            site.put("fence", (x, y), 0.0, model=0, room=-0.2)
    for x in (-6.0, -2.5, 3.0):
        site.put("container", (cx + x, cy + 3.2), 0.0, room=0.0)
    kinds = (
        "box",
        "box",
        "box",
        "barrel",
        "barrel",
        "bag",
        "bag",
        "litter bin",
        "basket",
        "box",
        "barrel",
        "dumpster",
    )
    for kind in kinds * 3:
        spot = site.rng.uniform((cx - w + 1, cy - d + 1), (cx + w - 1, cy + d - 1))
        site.put(kind, spot, float(site.rng.uniform(-np.pi, np.pi)), room=0.15)


def _house(site: Site, name: str, rect: Rect, storeys: int) -> None:
    w, d = rect[2] - rect[0], rect[3] - rect[1]
    shape = house(w, d, storeys, site.rng)
    site.structure(name, shape, ((rect[0] + rect[2]) / 2, (rect[1] + rect[3]) / 2))
    site.obstacle(rect)


def _door(
    site: Site, block: Block, xy: tuple[float, float], facing: int, model: int | None = None
) -> None:
    """Put a door into a wall facing south (−1) or north (1), a lamp, a bin and a plant beside.

    A walk leads to it from the sidewalk where there is one on that side.
    """
    out, yaw = np.array([0.0, facing]), facing * np.pi / 2
    side = np.array([-out[1], out[0]])
    p = np.array(xy)
    site.put("house door", p + 0.02 * out, yaw, model=model, force=True)
    target = p + 2.6 * out
    if block.roads[1 if facing < 0 else 3]:
        y0, y1 = block.rect[1] + RING_M / 2, block.rect[3] - RING_M / 2
        target = np.array([p[0], y0 if facing < 0 else y1])
    site.canvas.strip(p + 0.8 * out, target, 2.0, "path", site.path_region(block.name))
    site.lane(p + 1.5 * out, target, 2.0)
    for offset, kind in (
        (1.9, "litter bin"),
        (-1.9, "planter"),
        (3.2, "path light"),
        (-3.4, "barrel"),
    ):
        site.put(kind, p + 1.0 * out + offset * side, yaw, model=model)


def _walk_around(site: Site, block: Block, rect: Rect, gap: float = 2.6) -> None:
    """Lay a path around a building; the entrance paths cross it."""
    x0, y0, x1, y1 = rect[0] - gap, rect[1] - gap, rect[2] + gap, rect[3] + gap
    region = site.path_region(block.name)
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    for k in range(4):
        site.canvas.strip(corners[k], corners[(k + 1) % 4], 2.0, "path", region)
        site.lane(corners[k], corners[(k + 1) % 4], 2.0)
    site.put("bench", ((x0 + x1) / 2 + 3.0, y1 + 1.8), -np.pi / 2)


def _beside(site: Site, a: Point, b: Point, kinds: tuple[str, ...], gap: float = 4.5) -> None:
    """Put things on alternate sides of a path, facing it."""
    p, q = np.array(a), np.array(b)
    length = float(np.linalg.norm(q - p))
    along = (q - p) / length
    for k, d in enumerate(np.arange(4.0, length - 3.0, gap)):
        side = (1 if k % 2 else -1) * np.array([-along[1], along[0]])
        kind = str(site.rng.choice(kinds))
        off = 2.6 if "tree" in kind else 1.9
        yaw = float(np.arctan2(-side[1], -side[0]))
        site.put(
            kind, p + (d + float(site.rng.uniform(-1, 1))) * along + off * side, yaw, room=0.05
        )


def _tree_row(site: Site, a: Point, b: Point, gap: float) -> None:
    p, q = np.array(a), np.array(b)
    length = float(np.linalg.norm(q - p))
    for d in np.arange(gap / 2, length, gap):
        site.put("broadleaf tree", p + (q - p) * d / length, float(site.rng.uniform(0, 6)), model=0)


TEMPLATES: Mapping[str, Callable[[Site, Block], None]] = {
    "parking": parking,
    "hall": hall,
    "dorms": dorms,
    "lawn": lawn,
    "plaza": plaza,
    "yard": yard,
}
"""Plan of a block → the function that builds it."""
