"""Which places are worth matching: those whose objects look alike, in a layout that looks alike.

An atlas is a map cut into places. What a place's objects have in common with all objects of the map
is worked out once; a first sum ranks all its places by looks at a cost of one addition an object, and
a poll of the layout's yaw ranks the best of them again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.localization.association.features import log_density, log_ratios
from commonground.localization.association.looks import LOOKS, LookSpace, sample
from commonground.localization.places import Place
from commonground.localization.settings import RetrievalSettings
from commonground.objects import ObjectMap

POPULATION = 1024
"""Objects that show how common looks are."""
TELLING = 4.0
"""Log-likelihood ratio of looks from which an object counts in the first sum."""
HINT = 0.5
"""The same for a vote in the poll."""
VOTES = 150
BINS = 90


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """A map's places and all that matching against them needs."""

    objects: ObjectMap
    places: Sequence[Place]
    space: LookSpace | None
    """How looks become vectors; None where the objects have none."""
    vectors: Floats
    """(n, d) of all objects of the map."""
    columns: Ints
    """(k,) the objects of all places, one place after the other."""
    ends: Ints
    """(p + 1,) where each place begins in ``columns``."""
    points: Floats
    """(k, 3) in their places' frames."""

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True, eq=False)
class Glossary:
    """What the looks of another map's objects say against all objects of an atlas."""

    atlas: Atlas
    vectors: Floats
    log_density: Floats
    """(n, s) of the other map's objects, for each of the kernels."""
    atlas_log_density: Floats
    population: int

    def ratios(self, rows: Ints, columns: Ints | None = None) -> Floats32:
        """Return the log-likelihood ratios (k, n) of some of the other map's objects.

        Against the atlas's objects in ``columns`` only, where these are given.
        """
        wanted = np.arange(len(self.atlas.objects)) if columns is None else columns
        if self.atlas.space is None:
            return np.zeros((len(rows), len(wanted)), np.float32)
        x, y = self.vectors[rows], self.atlas.vectors[wanted]
        between = (x**2).sum(axis=1)[:, None] + (y**2).sum(axis=1)[None, :] - 2.0 * (x @ y.T)
        ratios = log_ratios(
            between,
            self.log_density[rows, None],
            self.atlas_log_density[None, wanted],
            self.population,
        )
        return ratios.astype(np.float32)


def make_atlas(
    objects: ObjectMap, places: Sequence[Place], looks: Collection[str] = LOOKS
) -> Atlas:
    """Return the atlas of a map, with the looks that are to be compared."""
    space, vectors = _look_space(objects, looks)
    rows = [place.rows for place in places]
    points = [place.points for place in places]
    return Atlas(
        objects=objects,
        places=places,
        space=space,
        vectors=vectors,
        columns=np.concatenate([np.empty(0, np.int64), *rows]),
        ends=np.cumsum([0, *map(len, rows)]),
        points=np.concatenate([np.empty((0, 3)), *points]),
    )


def _look_space(objects: ObjectMap, names: Collection[str]) -> tuple[LookSpace | None, Floats]:
    """Return the space of the looks among the names that a map's objects have, and their vectors."""
    features = {name: column for name, column in _looks(objects).items() if name in names}
    if not features or len(objects) < 2:
        return None, np.zeros((len(objects), 0))
    space = LookSpace.fit([features])
    return space, space.vectors(features)


def make_glossary(atlas: Atlas, objects: ObjectMap) -> Glossary:
    """Return what the looks of another map's objects say against the atlas's, as far as both have them."""
    features = _looks(objects)
    if atlas.space is not None and not set(atlas.space.names) <= features.keys():
        space, vectors = _look_space(atlas.objects, features.keys())
        atlas = replace(atlas, space=space, vectors=vectors)
    if atlas.space is None:
        none = np.empty((0, 0))
        return Glossary(atlas, np.zeros((len(objects), 0)), none, none, 0)
    x = atlas.space.vectors(features)
    own1, own2 = sample(len(x), POPULATION), sample(len(atlas.vectors), POPULATION)
    if objects is atlas.objects:  # against itself, each object would stand at its own copy
        density = log_density(x, x[own1], own1, np.arange(len(own1)))
        return Glossary(atlas, x, density, density, 2 * len(x))
    pool = np.vstack([x[own1], atlas.vectors[own2]])
    density1 = log_density(x, pool, own1, np.arange(len(own1)))
    density2 = log_density(atlas.vectors, pool, own2, len(own1) + np.arange(len(own2)))
    return Glossary(atlas, x, density1, density2, len(x) + len(atlas.vectors))


def _looks(objects: ObjectMap) -> dict[str, Floats]:
    return {name: column for name, column in objects.features().items() if name in LOOKS}


def shortlist(
    atlas: Atlas, place: Place, ratios: Floats32, noise_m: float, settings: RetrievalSettings
) -> Ints:
    """Return the atlas's places most worth matching with a place, the most alike first.

    ``ratios`` (k, n) are those of the place's objects against all of the atlas's.
    """
    from commonground.localization.association._glance import glance

    wanted = np.arange(len(atlas))
    if not len(wanted) or not settings.most or len(wanted) <= settings.most or not len(place):
        return wanted
    if len(wanted) > settings.glances:
        wanted = np.sort(np.argsort(-_alike(atlas, ratios), kind="stable")[: settings.glances])
    layout = (place.points, atlas.columns, atlas.points, atlas.ends)
    polls = glance(ratios, *layout, wanted, HINT, 4.0 * noise_m**2, BINS, VOTES)
    return wanted[np.argsort(-polls, kind="stable")[: settings.most]]


def _alike(atlas: Atlas, ratios: Floats32) -> Floats:
    """Return for each place how much of the looks is found there, as a sum over the objects."""
    telling = np.maximum(ratios - TELLING, 0.0)
    filled = np.diff(atlas.ends) > 0
    best = np.zeros((len(ratios), len(atlas)))
    if filled.any():
        starts = atlas.ends[:-1][filled]
        best[:, filled] = np.maximum.reduceat(telling[:, atlas.columns], starts, axis=1)
    return np.asarray(best.sum(axis=0) / np.sqrt(np.maximum(np.diff(atlas.ends), 1)))
