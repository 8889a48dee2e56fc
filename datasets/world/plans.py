"""What fills the blocks of a campus: lots, lawns, halls, plazas, yards, twin dormitories, colleges."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from commonground.datasets.world.blocks import (
    RING_M,
    Block,
    furnish_path,
    put_door,
    put_house,
    tree_row,
    walk_around,
)
from commonground.datasets.world.clearance import Rect
from commonground.datasets.world.college import college
from commonground.datasets.world.ground import WHITE
from commonground.datasets.world.houses import pavilion
from commonground.datasets.world.site import Site

PARK_THINGS = (
    "bench", "path light", "broadleaf tree", "litter bin", "boulder", "planter", "conifer",
)  # fmt: skip
AROUND = (
    "planter", "bench", "litter bin", "bench", "planter", "bench", "information board", "barrel",
)  # fmt: skip
"""What stands around a plaza."""


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
    """Paint a row of stalls and park cars in some, well or less well."""
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
    put_house(
        site, f"{block.name} hall", (cx - w / 2, cy - d / 2, cx + w / 2, cy + d / 2), storeys=3
    )
    walk_around(site, block, (cx - w / 2, cy - d / 2, cx + w / 2, cy + d / 2))
    put_door(site, block, (cx - 0.2 * w, cy - d / 2), -1)
    put_door(site, block, (cx + 0.25 * w, cy + d / 2), 1)
    for k in range(4):
        site.put("bicycle", (cx + 0.1 * w + 0.8 * k, cy - d / 2 - 4.6), np.pi / 2, room=0.05)
    site.put("electrical cabinet", (cx + w / 2 + 1.0, cy), 0.0)
    tree_row(site, (x0 + 3, y0 + 4), (x1 - 3, y0 + 4), 8.0)
    tree_row(site, (x0 + 3, y1 - 4), (x1 - 3, y1 - 4), 8.0)


def dorms(site: Site, block: Block) -> None:
    """Two equal buildings with equal furniture in equal places: what wrong matches feed on."""
    x0, y0, x1, y1 = block.inner()
    w, d = 0.30 * (x1 - x0), 0.34 * (y1 - y0)
    cy = block.middle[1]
    for k, cx in enumerate((x0 + 0.25 * (x1 - x0), x0 + 0.75 * (x1 - x0))):
        rect = (cx - w / 2, cy - d / 2, cx + w / 2, cy + d / 2)
        put_house(site, f"{block.name} dormitory {'AB'[k]}", rect, storeys=2)
        front = -1 if block.roads[1] else 1
        put_door(site, block, (cx, cy + front * d / 2), front, model=0)
        walk_around(site, block, rect)
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
    cx, cy = block.middle
    path = site.path_region(block.name)
    angles = np.arange(8) * np.pi / 4 + np.pi / 8
    around = 5.0 * np.stack([np.cos(angles), np.sin(angles)], axis=1) + (cx, cy)
    for corner in block.reached_corners():
        site.canvas.strip(corner, (cx, cy), 2.2, "path", path)
        nearest = around[int(np.linalg.norm(around - corner, axis=1).argmin())]
        site.lane(corner, nearest, 2.0)
    site.canvas.disc((cx, cy), 6.5, "path", path)
    for k in range(8):
        site.lane(around[k], around[(k + 1) % 8], 2.0)
    for corner in block.reached_corners():
        furnish_path(site, corner, (cx, cy), PARK_THINGS)
    site.put("flagpole" if site.rng.random() < 0.6 else "statue", (cx, cy))
    for angle in np.arange(4) * np.pi / 2:
        site.put("bench", (cx + 7.3 * np.cos(angle), cy + 7.3 * np.sin(angle)), angle + np.pi)
        site.put("path light", (cx + 8.2 * np.cos(angle + 0.35), cy + 8.2 * np.sin(angle + 0.35)))
    x0, y0, x1, y1 = block.inner(3.0)
    border = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    for k in range(4):
        tree_row(site, border[k], border[(k + 1) % 4], 9.0)
    for _ in range(6):
        spot, kind = (
            site.rng.uniform((x0, y0), (x1, y1)),
            site.rng.choice(["boulder", "conifer", "planter"]),
        )
        site.put(str(kind), spot, float(site.rng.uniform(-3, 3)))


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
            furnish_path(
                site, starts[side], loop[k], ("broadleaf tree", "path light", "boulder", "bench")
            )
    site.canvas.rectangle((cx - 14, cy - 14, cx + 14, cy + 14), "sidewalk", paved)
    site.canvas.rectangle((cx - 5, cy - 4, cx + 5, cy + 4), "floor", shelter)
    site.lane((cx - 8, cy), (cx + 8, cy), 2.0)
    for x in (-2.6, 2.6):
        site.put("picnic table", (cx + x, cy + 2.2), np.pi / 2, model=0)
        site.put("picnic table", (cx + x, cy - 2.2), np.pi / 2, model=0)
    for k, kind in enumerate(AROUND):
        angle = k * np.pi / 4 + 0.2
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
        "box", "box", "box", "barrel", "barrel", "bag", "bag", "litter bin", "basket", "box",
        "barrel", "dumpster",
    )  # fmt: skip
    for kind in kinds * 3:
        spot = site.rng.uniform((cx - w + 1, cy - d + 1), (cx + w - 1, cy + d - 1))
        site.put(kind, spot, float(site.rng.uniform(-np.pi, np.pi)), room=0.15)


TEMPLATES: Mapping[str, Callable[[Site, Block], None]] = {
    "parking": parking,
    "hall": hall,
    "dorms": dorms,
    "lawn": lawn,
    "plaza": plaza,
    "yard": yard,
    "college": college,
}
"""Plan of a block → the function that builds it."""
