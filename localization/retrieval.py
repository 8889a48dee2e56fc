"""Place retrieval: which places of a map are worth matching, by appearance and a vote on the layout.

An atlas is a map cut into places. What a place's objects have in common with all objects of the map
is worked out once; a first sum ranks all its places by appearance at a cost of one addition an object, and
a vote on the layout's yaw ranks the best of them again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.blas import one_blas_thread
from commonground.localization.association.appearance import APPEARANCE, AppearanceSpace, sample
from commonground.localization.association.features import kernel_terms, log_density, ratios_of
from commonground.localization.places import Place
from commonground.localization.settings import RetrievalSettings
from commonground.objects import ObjectMap

if TYPE_CHECKING:
    from commonground.localization.association._prefilter import PlaceTables

POPULATION = 1024
"""Objects that show how common an appearance is."""
TELLING = 4.0
"""Log-likelihood ratio of appearance from which an object counts in the first sum."""
HINT = 0.5
"""The same for a vote."""
VOTES = 150
BINS = 90


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """A map's places and all that matching against them needs."""

    objects: ObjectMap
    places: Sequence[Place]
    space: AppearanceSpace | None
    """How appearance becomes vectors; None where the objects have none."""
    vectors: Floats
    """(n, d) of all objects of the map."""
    layouts: PlaceTables
    """Of all places."""

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True, eq=False)
class AppearanceRatios:
    """What the appearance of another map's objects say against all objects of an atlas.

    Single precision will do: the vectors are short by the way they are scaled.
    """

    atlas: Atlas
    vectors: Floats32
    atlas_vectors: Floats32
    terms: Floats32
    """(n, s) what each of the other map's objects adds to the exponent of each of the kernels; NaN where that
    will not be asked."""
    atlas_terms: Floats32
    population: int

    def between(self, rows: Ints, columns: Ints | None = None) -> Floats32:
        """Return the log-likelihood ratios (k, n) of some of the other map's objects.

        Against the atlas's objects in ``columns`` only, where these are given.
        """
        wanted = slice(None) if columns is None else columns
        y = self.atlas_vectors[wanted]
        if not self.population:
            return np.zeros((len(rows), len(y)), np.float32)
        along = self.vectors[rows] @ y.T
        return ratios_of(along, self.terms[rows], self.atlas_terms[wanted], self.population)


@one_blas_thread
def make_atlas(
    objects: ObjectMap, places: Sequence[Place], appearance: Collection[str] = APPEARANCE
) -> Atlas:
    """Return the atlas of a map, with the features that are to be compared."""
    from commonground.localization.association._prefilter import PlaceTables, polar

    space, vectors = _appearance_space(objects, appearance)
    rows = [place.rows for place in places]
    points = np.concatenate([np.empty((0, 3)), *(place.points for place in places)])
    columns = np.concatenate([np.empty(0, np.int64), *rows])
    ends = np.cumsum([0, *map(len, rows)])
    starts = np.cumsum([0, *(len(r) ** 2 for r in rows)])
    tables = polar(points, ends, starts)
    return Atlas(
        objects=objects,
        places=places,
        space=space,
        vectors=vectors,
        layouts=PlaceTables(columns, points[:, 2].copy(), ends, starts, *tables),
    )


def _appearance_space(
    objects: ObjectMap, names: Collection[str]
) -> tuple[AppearanceSpace | None, Floats]:
    """Return the space of those among the names that a map's objects have, and their vectors."""
    features = {name: column for name, column in _appearance(objects).items() if name in names}
    if not features or len(objects) < 2:
        return None, np.zeros((len(objects), 0))
    space = AppearanceSpace.fit([features])
    return space, space.vectors(features)


def compare_appearance(
    atlas: Atlas, objects: ObjectMap, among: tuple[Ints, Ints] | None = None
) -> AppearanceRatios:
    """Return what the appearance of another map's objects says, by the features that both maps have.

    ``among`` are the rows, rising, of the other map's objects and of the atlas's that will be asked for;
    all of them if not given.
    """
    features = _appearance(objects)
    if atlas.space is not None and not set(atlas.space.names) <= features.keys():
        space, vectors = _appearance_space(atlas.objects, features.keys())
        atlas = replace(atlas, space=space, vectors=vectors)
    if atlas.space is None:
        none = np.empty((len(atlas.objects), 0), np.float32)
        return AppearanceRatios(atlas, np.empty((len(objects), 0), np.float32), none, none, none, 0)
    x, y = (v.astype(np.float32) for v in (atlas.space.vectors(features), atlas.vectors))
    asked = (np.arange(len(x)), np.arange(len(y))) if among is None else among
    own1, own2 = sample(len(x), POPULATION), sample(len(y), POPULATION)
    if objects is atlas.objects:  # against itself, each object would stand at its own copy
        terms = _terms(x, x[own1], own1, 0, np.union1d(*asked))
        return AppearanceRatios(atlas, x, y, terms, terms, 2 * len(x))
    pool = np.vstack([x[own1], y[own2]])
    terms1 = _terms(x, pool, own1, 0, asked[0])
    terms2 = _terms(y, pool, own2, len(own1), asked[1])
    return AppearanceRatios(atlas, x, y, terms1, terms2, len(x) + len(y))


def _terms(x: Floats32, pool: Floats32, own: Ints, first: int, asked: Ints) -> Floats32:
    """Return the kernel terms (n, s) of vectors (n, d) at the rows asked for, NaN elsewhere.

    Rows ``own`` of the vectors stand in the pool, one after the other from its row ``first`` on.
    """
    pooled = np.flatnonzero(np.isin(own, asked))
    rows = np.searchsorted(asked, own[pooled])
    terms = kernel_terms(x[asked], log_density(x[asked], pool, rows, first + pooled))
    out = np.full((len(x), terms.shape[1]), np.nan, np.float32)
    out[asked] = terms
    return out


def _appearance(objects: ObjectMap) -> dict[str, Floats]:
    return {name: column for name, column in objects.features().items() if name in APPEARANCE}


def shortlist(
    atlas: Atlas, place: Place, ratios: Floats32, noise_m: float, settings: RetrievalSettings
) -> Ints:
    """Return the atlas's places most worth matching with a place, the most alike first.

    ``ratios`` (k, n) are those of the place's objects against all of the atlas's.
    """
    from commonground.localization.association._prefilter import VoteSettings, prefilter

    wanted = np.arange(len(atlas))
    most = settings.max_candidates
    if not len(wanted) or not most or len(wanted) <= most or not len(place):
        return wanted
    if len(wanted) > settings.prefilter_places:
        wanted = np.sort(
            np.argsort(-_alike(atlas, ratios), kind="stable")[: settings.prefilter_places]
        )
    how = VoteSettings(HINT, 4.0 * noise_m**2, BINS, VOTES)
    votes = prefilter(ratios, place.points, atlas.layouts, wanted, how, most)
    return wanted[np.argsort(-votes, kind="stable")[:most]]


def _alike(atlas: Atlas, ratios: Floats32) -> Floats:
    """Return for each place how much of the appearance is found there, as a sum over the objects."""
    telling = np.maximum(ratios - TELLING, 0.0)
    filled = np.diff(atlas.layouts.ends) > 0
    best = np.zeros((len(ratios), len(atlas)))
    if filled.any():
        starts = atlas.layouts.ends[:-1][filled]
        best[:, filled] = np.maximum.reduceat(telling[:, atlas.layouts.columns], starts, axis=1)
    return np.asarray(best.sum(axis=0) / np.sqrt(np.maximum(np.diff(atlas.layouts.ends), 1)))
