"""Regions: areas of ground of one kind outdoors, rooms indoors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.mapping.space.areas import areas
from commonground.mapping.space.grid import grow, neighbors
from commonground.mapping.space.rooms import basins, openly_joined, without_corners
from commonground.mapping.space.settings import RegionSettings
from commonground.mapping.space.surface_places import SurfacePlaces
from commonground.mapping.surface.ground import GroundMap
from commonground.scene import Boxes, Layer
from commonground.scene.layer import REGIONS
from commonground.scene.parts import connected
from commonground.symbols import indices_of, node_ids

MIN_PLACES = 6
"""A room has at least so many places."""
ROOM_M2 = 3.0
"""Free space that is smaller than this in plan is a corner of a room, not a room."""

ROOM, AREA = "room", "open area"
"""Names of regions whose ground has no class: mostly narrower, or mostly wider than clearances are known."""


@dataclass(frozen=True, slots=True, eq=False)
class Kinds:
    """What the classes of the ground tell of regions; the last entry is for ground without a class."""

    words: tuple[str, ...]
    indoor: Bools
    """(c + 1,) ground that is cut into rooms."""
    unsure: Bools
    """(c + 1,) ground that may as well be outdoors: only what is around it tells."""
    roads: Bools
    """(c + 1,) ground that is cut into streets."""

    @staticmethod
    def of(words: Sequence[str], ground_words: Sequence[str], settings: RegionSettings) -> Kinds:
        """Return what is known of classes; the only class of ground that perception has tells nothing."""
        lower = [w.lower() for w in words]
        ground = [w in {g.lower() for g in ground_words} for w in lower]
        indoor = np.array([*(w in settings.indoor_words for w in lower), False])
        unsure = np.array([*(g and sum(ground) == 1 for g in ground), True]) & ~indoor
        roads = np.array([*(w in settings.street_words for w in lower), False])
        return Kinds(tuple(words), indoor | unsure, unsure, roads)


@dataclass(frozen=True, slots=True, eq=False)
class Grouping:
    """The region each surface place and each place belongs to, as the row of its eldest surface place."""

    surface: Ints
    """(n,)"""
    connected: Ints
    """(n,) the part of one class that hangs together: no gap and no other ground is in it."""
    places: Ints
    """(p,) −1 for none."""
    rooms: Bools
    """(n,) whether the surface place is part of a room."""
    place_on: Ints
    """(p,) the surface place each place is over; −1 for none."""


def grouped(
    ground: GroundMap,
    surface: SurfacePlaces,
    places: Layer,
    width: Floats,
    kinds: Kinds,
    settings: RegionSettings,
    max_step_m: float,
) -> Grouping:
    """Group the places of one stretch: rooms where the ground is a floor or has no class, else by class."""
    layer = surface.layer
    indoor = kinds.indoor[layer.labels]
    over = _cells_under(ground, surface, places)
    place_node = np.where(over >= 0, np.append(surface.node, -1)[over], -1)
    room = rooms(places, width, settings)
    of_room = _room_of_nodes(ground, surface, places, over, room, max_step_m)
    of_room[~indoor] = -1
    of_room = openly_joined(of_room, layer.edges, settings.opening_m)
    kind = np.where(of_room >= 0, len(kinds.words) + of_room, layer.labels)
    region = areas(layer, kind, kinds.roads[layer.labels] & (of_room < 0), settings)
    i, j = layer.edges.rows.T
    whole = connected(len(layer), layer.edges.rows[kind[i] == kind[j]])
    return Grouping(region, whole, np.append(region, -1)[place_node], of_room >= 0, place_node)


def _cells_under(ground: GroundMap, surface: SurfacePlaces, places: Layer) -> Ints:
    """Return which of the surface's cells (p,) each place is over; −1 for none."""
    cells = ground.cells
    index = np.full(len(cells) + 1, -1, np.int64)
    index[surface.rows] = np.arange(len(surface.rows))
    row = cells.heads_at(np.floor(places.positions[:, :2] / ground.cell_m).astype(np.int32))
    best = np.full(len(places), -1, np.int64)
    gap = np.full(len(places), np.inf)
    while (row >= 0).any():
        over = places.positions[:, 2] - cells.height[row]
        better = (row >= 0) & (index[row] >= 0) & (over > -0.5) & (over < gap)
        best[better], gap[better] = index[row[better]], over[better]
        row = np.where(row >= 0, cells.next[row], -1).astype(np.int32)
    return best


def rooms(places: Layer, width: Floats, settings: RegionSettings) -> Ints:
    """Return the room (p,) of each place."""
    order = np.lexsort((*places.edges.rows.T, -width))
    return basins(
        places.columns["clearance_m"],
        places.edges.rows[order],
        width[order],
        settings.narrow,
        MIN_PLACES,
    )


def _room_of_nodes(
    ground: GroundMap,
    surface: SurfacePlaces,
    places: Layer,
    over: Ints,
    room: Ints,
    max_step_m: float,
) -> Ints:
    """Return the room (n,) of each surface place: of the places nearest to its cells, around walls."""
    cells, n = ground.cells, len(surface.layer)
    seeds = np.flatnonzero(over >= 0)
    if len(seeds) == 0:
        return np.full(n, -1, np.int64)
    usable = np.zeros(len(cells), np.bool_)
    usable[surface.rows] = True
    near = neighbors(surface.rows, 8, max_step_m, cells.table, usable)
    index = np.full(len(cells) + 1, -1, np.int32)
    index[surface.rows] = np.arange(len(surface.rows))
    xy = ground.positions(surface.rows)[:, :2]
    kind = np.zeros(len(xy), np.int32)
    owner = grow(
        np.ascontiguousarray(xy), index[near], kind, np.ascontiguousarray(places.positions[seeds, :2]),
        over[seeds], np.inf,
    )  # fmt: skip
    mine = owner >= 0
    votes = np.stack([surface.node[mine], room[seeds[owner[mine]]]], axis=1)
    pairs, count = np.unique(votes, axis=0, return_counts=True)
    out = np.full(n, -1, np.int64)
    order = np.argsort(count, kind="stable")
    out[pairs[order, 0]] = pairs[order, 1]
    return out


def region_layer(
    surface: Layer, groups: Grouping, kinds: Kinds, wide: Bools, rim: tuple[Ints, Ints]
) -> tuple[Layer, Ints]:
    """Return the layer of regions, and the row (n,) of each surface place's region in it.

    The label of ROOM comes after the classes of the ground. ``wide`` (n,) tells which surface places have
    nothing near; ``rim`` how much of their edges is in the open, and at walls (``rims``).
    """
    words = kinds.words
    first, rows = np.unique(groups.surface, return_inverse=True)
    k, area = len(first), surface.columns["area_m2"]
    weight = np.bincount(rows, area, k)
    sums = [np.bincount(rows, area * surface.positions[:, c], k) for c in range(3)]
    low, high = np.full((k, 3), np.inf), np.full((k, 3), -np.inf)
    if surface.boundaries is not None and k:
        of = np.repeat(rows, np.diff(surface.boundaries.starts))
        np.minimum.at(low, of, surface.boundaries.points)
        np.maximum.at(high, of, surface.boundaries.points)
    seen_first, seen_last = np.full(k, np.iinfo(np.int64).max), np.zeros(k, np.int64)
    np.minimum.at(seen_first, rows, surface.columns["first_seen_ns"])
    np.maximum.at(seen_last, rows, surface.columns["last_seen_ns"])
    in_open, walled = (np.bincount(rows, ends, k) for ends in rim)
    open_ = (np.bincount(rows, area * wide, k) > 0.5 * weight) | (in_open > walled)
    label = most_of(rows, surface.labels.astype(np.int64), area)
    room = (np.bincount(rows, area * groups.rooms, k) > 0.5 * weight) & ~(
        kinds.unsure[label] & open_
    )
    labels = np.where(room, len(words), label)
    names = [ROOM if r else words[x] if x >= 0 else AREA for r, x in zip(room, labels, strict=True)]
    layer = Layer.of(
        REGIONS,
        node_ids("R", indices_of(surface.ids[first])),
        np.stack(sums, axis=1) / np.maximum(weight, 1e-9)[:, None],
        labels=labels,
        names=names,
        boxes=Boxes.axis_aligned((low + high) / 2, high - low) if k else None,
        columns={"area_m2": weight, "first_seen_ns": seen_first, "last_seen_ns": seen_last},
    )
    return layer, rows.astype(np.int64)


def most_of(rows: Ints, values: Ints, weight: Floats) -> Ints:
    """Return for each region (k,) the value that weighs most among its places, which are in ``rows`` (n,)."""
    kinds, of = np.unique(values, return_inverse=True)
    total = np.zeros((int(rows.max(initial=-1)) + 1, len(kinds)))
    np.add.at(total, (rows, of.ravel()), weight)
    return np.asarray(kinds[total.argmax(axis=1)]) if len(kinds) else np.empty(0, np.int64)


def rooms_in_space(
    places: Layer, width: Floats, first_id: int, label: int, settings: RegionSettings
) -> tuple[Layer, Ints]:
    """Return the rooms of free space over no ground that is known, and the row (p,) of each place's room.

    So is what a camera in a hand sees of a room when it never looks at the floor. A room's number is
    ``first_id`` and that of its roomiest place.
    """
    eldest = without_corners(rooms(places, width, settings), places, width, ROOM_M2)
    first, rows, count = np.unique(eldest, return_inverse=True, return_counts=True)
    large = count >= MIN_PLACES
    row_of = np.where(large, np.cumsum(large) - 1, -1)[rows.ravel()]
    first, k = first[large], int(large.sum())
    inside = np.flatnonzero(row_of >= 0)
    low, high = np.full((k, 3), np.inf), np.full((k, 3), -np.inf)
    reach = places.columns["clearance_m"][inside, None]
    np.minimum.at(low, row_of[inside], places.positions[inside] - reach)
    np.maximum.at(high, row_of[inside], places.positions[inside] + reach)
    seen_first, seen_last = np.full(k, np.iinfo(np.int64).max), np.zeros(k, np.int64)
    np.minimum.at(seen_first, row_of[inside], places.columns["first_seen_ns"][inside])
    np.maximum.at(seen_last, row_of[inside], places.columns["last_seen_ns"][inside])
    layer = Layer.of(
        REGIONS,
        node_ids("R", first_id + indices_of(places.ids[first])),
        (low + high) / 2,
        labels=np.full(k, label),
        names=[ROOM] * k,
        boxes=Boxes.axis_aligned((low + high) / 2, high - low) if k else None,
        columns={
            "area_m2": np.prod((high - low)[:, :2], axis=1),
            "first_seen_ns": seen_first,
            "last_seen_ns": seen_last,
        },
    )
    return layer, row_of.astype(np.int64)
