"""Made-up sites for tests: regions in a grid, places, objects of many kinds, two robots."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import cKDTree

from commonground.geometry import from_xyz_yaw
from commonground.robots import Robot, Team
from commonground.scene import Boxes, Layer, LayerKey, SceneGraph
from commonground.symbols import node_ids

OBJECTS, SURFACE_PLACES, REGIONS = LayerKey(2), LayerKey(3, 1), LayerKey(4)
TILE_M, PLACE_M = 40.0, 5.0


@dataclass(frozen=True)
class Style:
    """What there is on a kind of site."""

    robots: tuple[str, str]
    """The first can pick things up, the second cannot."""
    regions: tuple[tuple[str, str], ...]
    """Class and proper name ('' for none) of each tile, row by row."""
    objects: tuple[tuple[str, int], ...]
    """Class and number."""
    colors: tuple[str, ...] = ()
    """Classes whose things have colours."""
    palette: tuple[str, ...] = ("red", "blue", "green", "white", "black", "yellow")


WAREHOUSE = Style(
    ("atlas", "rover"),
    (
        ("loading bay", "east loading bay"), ("loading bay", "west loading bay"), ("corridor", ""),
        ("office", "security office"), ("corridor", ""), ("workshop", ""),
        ("storeroom", "cold store"), ("kitchen", ""), ("stairs", ""),
    ),
    (
        ("pallet", 6), ("forklift", 3), ("shelf", 9), ("fire_extinguisher", 4), ("cone", 5),
        ("door", 5), ("chair", 6), ("desk", 2), ("box", 8), ("bin", 3), ("ladder", 1), ("computer", 2),
        ("plant", 4), ("printer", 1), ("tool", 3), ("bottle", 3), ("window", 4), ("lamp", 5),
    ),
    ("box", "chair", "bin"),
)  # fmt: skip
FARM = Style(
    ("spot", "jackal"),
    (
        ("field", "upper field"), ("field", "lower field"), ("field", ""), ("yard", ""),
        ("road", "farm road"), ("path", ""), ("parking", "visitor parking"), ("shore", ""),
        ("shelter", "old barn"),
    ),
    (
        ("tree", 20), ("fence", 8), ("tractor", 2), ("trailer", 2), ("barrel", 6), ("bag", 5), ("bucket", 3),
        ("sign", 6), ("boat", 1), ("rock", 9), ("bench", 4), ("gate", 3), ("horse", 2), ("bicycle", 1),
        ("flower", 5), ("tank", 2), ("car", 5), ("truck", 2),
    ),
    ("barrel", "bag", "car"),
)  # fmt: skip
HARBOUR = Style(
    ("anna", "bert"),
    (
        ("dock", "north pier"), ("dock", "south pier"), ("parking", ""), ("road", "harbour road"),
        ("sidewalk", ""), ("shelter", "bus shelter"), ("shore", ""), ("ground", ""), ("boundary", ""),
    ),
    (
        ("boat", 7), ("vehicle", 8), ("sign", 7), ("pole", 10), ("light", 6), ("box", 9), ("barrel", 4),
        ("seating", 6), ("trash", 3), ("flag", 2), ("storage", 3), ("rail", 4), ("signal", 2), ("bag", 3),
        ("decor", 1), ("food", 1), ("clothes", 1), ("rock", 6), ("appliance", 2),
    ),
    ("vehicle", "box", "bag", "boat"),
)  # fmt: skip
STYLES = {"warehouse": WAREHOUSE, "farm": FARM, "harbour": HARBOUR}


@dataclass(frozen=True)
class Site:
    """A scene graph with its team, and what is where for tests to ask by themselves."""

    graph: SceneGraph
    team: Team
    words: list[str]
    positions: np.ndarray
    """(n, 3) of the objects."""
    symbols: list[str]
    region: np.ndarray
    """(n,) region row of each object."""
    colors: list[str]
    regions: list[tuple[str, str, str]]
    """Symbol, class and name."""


def make_site(style: Style, seed: int, *, scale: int = 1, place_m: float = PLACE_M) -> Site:
    """Return a site; ``scale`` multiplies the number of objects, ``place_m`` is the size of places."""
    rng = np.random.default_rng(seed)
    n = len(style.regions)
    side = int(np.ceil(np.sqrt(n)))
    corners = np.array([[i % side * TILE_M, i // side * TILE_M] for i in range(n)])
    places, place_region = _places(corners, place_m)
    words = [word for word, count in style.objects for _ in range(count * scale)]
    rng.shuffle(words)
    region = rng.integers(0, n, len(words))
    at = corners[region] + rng.uniform(2, TILE_M - 2, (len(words), 2))
    positions = np.column_stack([at, rng.uniform(0.2, 1.0, len(words))])
    colors = [str(rng.choice(style.palette)) if w in style.colors else "" for w in words]
    graph = _graph(style, corners, places, place_region, words, positions, colors, rng)
    middle = TILE_M * side / 2
    first, second = style.robots
    team = Team(
        {
            first: Robot(
                first,
                from_xyz_yaw((middle - 15.0, middle + 3.0, 0.5, 0.3)),
                frozenset({"goto", "inspect", "pick", "place"}),
            ),
            second: Robot(
                second,
                from_xyz_yaw((middle + 21.0, middle - 8.0, 0.5, 2.0)),
                frozenset({"goto", "inspect"}),
            ),
        }
    )
    symbols = graph.objects.symbols
    named = [(s, *r) for s, r in zip(graph.regions.symbols, style.regions, strict=True)]
    return Site(graph, team, words, positions, symbols, region, colors, named)


def _places(corners: np.ndarray, place_m: float) -> tuple[np.ndarray, np.ndarray]:
    steps = np.arange(place_m / 2, TILE_M, place_m)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    at = (corners[:, None, :] + grid[None]).reshape(-1, 2)
    rows = np.repeat(np.arange(len(corners)), len(grid))
    return np.column_stack([at, np.zeros(len(at))]), rows


def _graph(
    style: Style,
    corners: np.ndarray,
    places: np.ndarray,
    place_region: np.ndarray,
    words: list[str],
    positions: np.ndarray,
    colors: list[str],
    rng: np.random.Generator,
) -> SceneGraph:
    space = {w: i for i, w in enumerate(dict.fromkeys(words))}
    areas = {w: i for i, w in enumerate(dict.fromkeys(w for w, _ in style.regions))}
    numbers = np.sort(rng.choice(np.arange(1, 20 * len(words)), len(words), replace=False))
    objects = Layer.of(
        OBJECTS,
        node_ids("O", numbers),
        positions,
        labels=[space[w] for w in words],
        names=words,
        boxes=Boxes.axis_aligned(positions, rng.uniform(0.3, 1.5, (len(words), 3))),
        extras=tuple({"metadata": {"color": c} if c else {}} for c in colors),
    )
    surface = Layer.of(
        SURFACE_PLACES,
        node_ids("P", np.arange(1, len(places) + 1)),
        places,
        names=["floor"] * len(places),
        boxes=Boxes.axis_aligned(places, np.tile([PLACE_M, PLACE_M, 0.1], (len(places), 1))),
    )
    centers = np.column_stack([corners + TILE_M / 2, np.zeros(len(corners))])
    regions = Layer.of(
        REGIONS,
        node_ids("R", np.arange(1, len(corners) + 1)),
        centers,
        labels=[areas[w] for w, _ in style.regions],
        names=[w for w, _ in style.regions],
        boxes=Boxes.axis_aligned(centers, np.tile([TILE_M, TILE_M, 3.0], (len(centers), 1))),
        extras=tuple({"metadata": {"name": name} if name else {}} for _, name in style.regions),
    )
    _, nearest = cKDTree(places[:, :2]).query(positions[:, :2])
    graph = SceneGraph(
        {"objects": objects, "surface_places": surface, "regions": regions},
        labelspaces={
            "objects": {i: w for w, i in space.items()},
            "regions": {i: w for w, i in areas.items()},
        },
    )
    graph = graph.with_links(
        "objects", "surface_places", np.column_stack([np.arange(len(words)), nearest])
    )
    return graph.with_links(
        "surface_places", "regions", np.column_stack([np.arange(len(places)), place_region])
    )
