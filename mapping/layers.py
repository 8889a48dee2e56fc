"""The layers of one stretch of driving, and several stretches as one graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.mapping.segment import Segment
from commonground.mapping.settings import MappingSettings
from commonground.mapping.space.distances import MAX_CLEARANCE_M
from commonground.mapping.space.place_layer import place_layer
from commonground.mapping.space.regions import Kinds, grouped, region_layer, rooms_in_space
from commonground.mapping.space.rims import rims
from commonground.mapping.space.surface_places import surface_places
from commonground.scene import Layer


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Places, surface places and regions, and the region (n,) each of the others belongs to; −1 for none."""

    places: Layer
    surface: Layer
    regions: Layer
    region_of_place: Ints
    region_of_surface: Ints


def layers_of(segment: Segment, words: Sequence[str], settings: MappingSettings) -> Layers:
    space, step_m = settings.space, settings.surface.max_step_m
    surface = surface_places(segment.ground, segment.patches, words, space.surface_places, step_m)
    places, width = place_layer(segment.places, space.places.min_nodes)
    kinds = Kinds.of(words, settings.surface.ground_words, space.regions)
    if not segment.distances.grounded:
        return _in_space(segment, surface.layer, places, width, len(words), settings)
    groups = grouped(segment.ground, surface, places, width, kinds, space.regions, step_m)
    wide = _wide(len(surface.layer), groups.place_on, places, MAX_CLEARANCE_M)
    regions, parent = region_layer(surface.layer, groups, kinds, wide, rims(surface.layer, places))
    row_of = np.full(len(surface.layer) + 1, -1, np.int64)
    row_of[groups.surface] = parent
    surface = surface.joined(groups.connected, space.surface_places)
    return Layers(places, surface.layer, regions, row_of[groups.places], parent)


def _in_space(
    segment: Segment,
    surface: Layer,
    places: Layer,
    width: Floats,
    label: int,
    settings: MappingSettings,
) -> Layers:
    """Return the layers where hardly any ground was seen: a scrap of floor is in the room over it."""
    from scipy.spatial import cKDTree

    first_id = len(segment.patches.kind)
    regions, room = rooms_in_space(places, width, first_id, label, settings.space.regions)
    of_surface = np.full(len(surface), -1, np.int64)
    inside = np.flatnonzero(room >= 0)
    if len(inside) and len(surface):
        _, nearest = cKDTree(places.positions[inside]).query(surface.positions)
        of_surface = room[inside[nearest]]
    return Layers(places, surface, regions, room, of_surface)


def _wide(n: int, place_on: Ints, places: Layer, most_m: float) -> Bools:
    """Return which surface places (n,) have nothing near most of the places on them."""
    on = place_on >= 0
    wide = places.columns["clearance_m"][on] >= 0.99 * most_m
    share = np.bincount(place_on[on], wide, n) / np.maximum(
        np.bincount(place_on[on], minlength=n), 1
    )
    return np.asarray(share > 0.5)


def joined(parts: Sequence[Layers], offsets: Sequence[tuple[int, int]]) -> Layers:
    """Return the layers of several stretches as one; ``offsets`` keep their symbols apart.

    They are how many places and surface places came before; a region is named after one or the other.
    """
    starts = np.cumsum([0, *(len(p.regions) for p in parts)])
    moved = [
        np.where(getattr(p, name) >= 0, getattr(p, name) + start, -1)
        for name in ("region_of_place", "region_of_surface")
        for p, start in zip(parts, starts[:-1], strict=True)
    ]
    k = len(parts)
    return Layers(
        places=_stretches([p.places for p in parts], [a for a, _ in offsets]),
        surface=_stretches([p.surface for p in parts], [b for _, b in offsets]),
        regions=_stretches([p.regions for p in parts], [a + b for a, b in offsets]),
        region_of_place=np.concatenate(moved[:k]),
        region_of_surface=np.concatenate(moved[k:]),
    )


def _stretches(layers: Sequence[Layer], offsets: Sequence[int]) -> Layer:
    """Return the layers of several stretches as one, with a column ``segment`` of whence each node is."""
    moved = [replace(x, ids=x.ids + np.uint64(o)) for x, o in zip(layers, offsets, strict=True)]
    out = Layer.joined(moved)
    segment = np.repeat(np.arange(len(layers)), [len(x) for x in layers])
    return replace(out, columns={**out.columns, "segment": segment})
