"""A campus: crossing roads with sidewalks, and blocks of lots, lawns, halls and yards between them.

A hybrid one has buildings that robots drive through.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from commonground.arrays import Floats
from commonground.datasets.world.blocks import Block
from commonground.datasets.world.clearance import Rect
from commonground.datasets.world.ground import WHITE, YELLOW
from commonground.datasets.world.indoor import INDOOR
from commonground.datasets.world.model import World
from commonground.datasets.world.outdoor import OUTDOOR
from commonground.datasets.world.plans import TEMPLATES
from commonground.datasets.world.site import Site

ROAD_M, WALK_M, MARGIN_M = 6.5, 2.4, 5.0
BLOCK_M = 66.0
"""About this far from road to road."""
SMALLEST_M = 34.0
"""Blocks with a shorter side are too small for lots and yards."""
RELIEF_M = 0.5
"""Standard deviation of the height of the ground."""
PLANS = ("parking", "hall", "lawn", "parking", "plaza", "dorms", "yard", "lawn", "hall")
"""What blocks become, in a shuffled order; with more blocks they repeat."""
HYBRID_PLANS = (
    "college", "parking", "college", "lawn", "dorms", "college", "plaza", "hall", "yard",
)  # fmt: skip
ALONG_ROADS = (
    "street light", "broadleaf tree", "broadleaf tree", "speed sign", "hydrant", "litter bin",
    "bench", "utility pole", "information board",
)  # fmt: skip


def make_campus(seed: int, size_m: float, objects: int) -> World:
    """Return a campus of about ``objects`` things on a square site."""
    site = Site((size_m, size_m), "grass", OUTDOOR, np.random.default_rng([seed, 0xCA]))
    return _made("campus", site, PLANS, seed, objects)


def make_hybrid(seed: int, size_m: float, objects: int) -> World:
    """Return a campus with colleges, in and out of which the lanes lead."""
    kinds = {**INDOOR, **OUTDOOR}
    site = Site((size_m, size_m), "grass", kinds, np.random.default_rng([seed, 0xCB]))
    return _made("hybrid", site, HYBRID_PLANS, seed, objects)


def _made(kind: str, site: Site, wanted: tuple[str, ...], seed: int, objects: int) -> World:
    rng, size_m = site.rng, site.size[0]
    columns, rows = _cuts(size_m, rng), _cuts(size_m, rng)
    blocks = _blocks(size_m, columns, rows)
    _roads(site, columns, rows)
    plans = _plans(blocks, wanted, rng)
    for block, plan in zip(blocks, plans, strict=True):
        _grass(site, block, plan)
        _sidewalks(site, block)
    for block, plan in zip(blocks, plans, strict=True):
        TEMPLATES[plan](site, block)
    _street_furniture(site, columns, rows, blocks)
    _fill(site, objects)
    site.thin_out(objects, keep=("desk",))  # screens stand on them
    return site.finished(kind, seed, RELIEF_M, step_m=1.0)


def _cuts(size_m: float, rng: np.random.Generator) -> Floats:
    """Return the center lines of the roads of one direction, about a block apart."""
    n = max(1, round(size_m / BLOCK_M) - 1)
    even = size_m * (np.arange(n) + 1) / (n + 1)
    return np.asarray(even + rng.uniform(-0.07, 0.07, n) * size_m / (n + 1))


def _plans(blocks: list[Block], wanted: tuple[str, ...], rng: np.random.Generator) -> list[str]:
    """Return what each block becomes: every plan in turn, in any order; small blocks become lawns."""
    order = rng.permutation([wanted[i % len(wanted)] for i in range(len(blocks))])
    return [
        str(plan) if min(block.sides) >= SMALLEST_M else "lawn"
        for block, plan in zip(blocks, order, strict=True)
    ]


def compass(xy: tuple[float, float], size_m: float) -> str:
    """Return ``north west`` and the like for a point of a square site, ``central`` for its middle."""
    x, y = (c / size_m - 0.5 for c in xy)
    ns = "north" if y > 1 / 6 else "south" if y < -1 / 6 else ""
    ew = "east" if x > 1 / 6 else "west" if x < -1 / 6 else ""
    return f"{ns}{ew}" or "central"


def _roads(site: Site, columns: Floats, rows: Floats) -> None:
    size = site.size[0]
    for axis, cuts in enumerate((columns, rows)):
        for k, c in enumerate(cuts):
            start, end = (np.array([c, 0.0]), np.array([c, size]))
            if axis:
                start, end = start[::-1], end[::-1]
            region = site.region(_road_name(axis, k, len(cuts)), "road")
            site.canvas.strip(start, end, ROAD_M, "road", region)
            inset = (end - start) / size * MARGIN_M
            site.lane(
                start + inset, end - inset, 3.0, appeal=0.3
            )  # there is little to see from there
    for axis, cuts in enumerate((columns, rows)):
        for c in cuts:
            _center_line(site, axis, float(c), size)


def _road_name(axis: int, k: int, n: int) -> str:
    low, high = ("west", "east") if axis == 0 else ("south", "north")
    side = (
        low
        if k == 0
        else high
        if k == n - 1
        else f"middle {low}"
        if k < n / 2
        else f"middle {high}"
    )
    return ("main " if n == 1 else f"{side} ") + ("avenue" if axis == 0 else "road")


def _center_line(site: Site, axis: int, c: float, size: float) -> None:
    for start in np.arange(0.0, size, 6.0):
        a, b = np.array([c, start]), np.array([c, start + 3.0])
        if axis:
            a, b = a[::-1], b[::-1]
        site.canvas.strip(a, b, 0.16, paint=YELLOW)


def _blocks(size: float, columns: Floats, rows: Floats) -> list[Block]:
    half = ROAD_M / 2
    xs, ys = [0.0, *columns, size], [0.0, *rows, size]
    out = []
    for i, j in product(range(len(xs) - 1), range(len(ys) - 1)):
        roads = (i > 0, j > 0, i < len(xs) - 2, j < len(ys) - 2)  # west, south, east, north
        low = (xs[i] + (half if roads[0] else MARGIN_M), ys[j] + (half if roads[1] else MARGIN_M))
        high = (
            xs[i + 1] - (half if roads[2] else MARGIN_M),
            ys[j + 1] - (half if roads[3] else MARGIN_M),
        )
        middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
        out.append(Block(compass(middle, size), (*low, *high), roads))
    return out


def _grass(site: Site, block: Block, plan: str) -> None:
    word = {"lawn": "lawn", "plaza": "park", "yard": "meadow"}.get(plan, "green")
    x0, y0, x1, y1 = block.rect
    out = MARGIN_M
    whole = (
        x0 if block.roads[0] else x0 - out,
        y0 if block.roads[1] else y0 - out,
        x1 if block.roads[2] else x1 + out,
        y1 if block.roads[3] else y1 + out,
    )
    site.canvas.rectangle(whole, "grass", site.region(f"{block.name} {word}", "grass"))


def _sidewalks(site: Site, block: Block) -> None:
    """Draw the sidewalks of a block along its roads, and the crossings to the next blocks."""
    x0, y0, x1, y1 = block.rect
    walk = site.region(f"{block.name} sidewalk", "sidewalk")
    m = WALK_M / 2
    corners = np.array([(x0 + m, y0 + m), (x1 - m, y0 + m), (x1 - m, y1 - m), (x0 + m, y1 - m)])
    for side, (i, j) in enumerate(((3, 0), (0, 1), (1, 2), (2, 3))):
        if block.roads[side]:
            site.canvas.strip(corners[i], corners[j], WALK_M, "sidewalk", walk)
            site.lane(corners[i], corners[j], 2.0)
    reach = ROAD_M + WALK_M
    for corner, (dx, dy) in zip(corners, ((-1, -1), (1, -1), (1, 1), (-1, 1)), strict=True):
        if dx > 0 and block.roads[2]:
            _crossing(site, corner, corner + [reach, 0])
        if dy > 0 and block.roads[3]:
            _crossing(site, corner, corner + [0, reach])


def _crossing(site: Site, start: Floats, end: Floats) -> None:
    """Draw a zebra crossing and let robots use it."""
    site.lane(start, end, 2.0)
    along = (end - start) / np.linalg.norm(end - start)
    across = np.array([-along[1], along[0]])
    for d in np.arange(WALK_M / 2 + 0.5, np.linalg.norm(end - start) - WALK_M / 2, 1.0):
        middle = start + d * along
        site.canvas.strip(middle - 0.8 * across, middle + 0.8 * across, 0.45, paint=WHITE)


def _street_furniture(site: Site, columns: Floats, rows: Floats, blocks: list[Block]) -> None:
    """Put lights, trees, signs, bins, hydrants and signals along the sidewalks."""
    for block in blocks:
        for side in np.flatnonzero(block.roads):
            _along_sidewalk(site, block.rect, int(side))
    for x, y in product(columns, rows):
        for sx, sy in product((-1, 1), (-1, 1)):
            kind = "traffic light" if sx == sy else "stop sign"
            corner = np.array([x + sx * (ROAD_M / 2 + 3.0), y + sy * (ROAD_M / 2 + 3.0)])
            site.put(kind, corner, float(np.arctan2(-sy, -sx)))


def _along_sidewalk(site: Site, rect: Rect, side: int) -> None:
    """Furnish one side of a block: things stand on the inner edge of the sidewalk, facing it."""
    x0, y0, x1, y1 = rect
    inner = WALK_M + 0.55
    start, end, yaw = (
        ((x0 + inner, y1), (x0 + inner, y0), np.pi),
        ((x0, y0 + inner), (x1, y0 + inner), -np.pi / 2),
        ((x1 - inner, y0), (x1 - inner, y1), 0.0),
        ((x1, y1 - inner), (x0, y1 - inner), np.pi / 2),
    )[side]
    a, b = np.array(start), np.array(end)
    length = float(np.linalg.norm(b - a))
    d, rng = 6.0, site.rng
    while d < length - 5:
        kind = str(rng.choice(ALONG_ROADS))
        inward = -np.array([np.cos(yaw), np.sin(yaw)]) * (0.9 if "tree" in kind else 0.0)
        site.put(kind, a + (b - a) * d / length + inward, yaw + float(rng.normal(0, 0.05)))
        d += float(rng.uniform(3.5, 7.0))


def _fill(site: Site, objects: int) -> None:
    """Scatter small things near the lanes until the site has about as many as asked for."""
    kinds = [
        "box", "barrel", "bag", "boulder", "planter", "path light", "bollard", "basket", "bicycle",
        "conifer", "broadleaf tree", "litter bin",
    ]  # fmt: skip
    segments = site.segments()
    for _ in range(40 * objects):
        if site.count >= objects:
            return
        a, b = segments[int(site.rng.integers(len(segments)))]
        along = b - a
        normal = np.array([-along[1], along[0]]) / max(float(np.linalg.norm(along)), 1e-9)
        offset = float(site.rng.choice([-1, 1]) * site.rng.uniform(1.2, 3.5))
        place = a + site.rng.random() * along + offset * normal
        if site.is_soft(place):
            site.put(str(site.rng.choice(kinds)), place, float(site.rng.uniform(-np.pi, np.pi)))
