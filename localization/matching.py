"""Place matching between two maps: retrieval, association of each pair, rival explanations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from commonground.arrays import Bools, Floats, Floats32
from commonground.blas import one_blas_thread
from commonground.compiled import compiled
from commonground.geometry import inverse
from commonground.localization.association.match import solve
from commonground.localization.association.problem import all_to_all
from commonground.localization.association.result import Association
from commonground.localization.association.side import Side
from commonground.localization.places import Place
from commonground.localization.retrieval import Atlas, compare_appearance, shortlist
from commonground.localization.settings import MatchingSettings
from commonground.objects import ObjectMap


@compiled(fastmath=True)
def apart2(A: Floats, B: Floats, spot: Floats) -> float:
    """Return the squared distance between a spot's images under two transforms."""
    total = 0.0
    for r in range(3):
        d = A[r, 3] - B[r, 3]
        for q in range(3):
            d += (A[r, q] - B[r, q]) * spot[q]
        total += d * d
    return total


@compiled(fastmath=True)
def agreement(
    T: Floats,
    spots: Floats,
    travel1: Floats,
    travel2: Floats,
    same_m: float,
    same_deg: float,
    drift: float,
) -> Bools:
    """Return which transforms (m, 4, 4) between two maps agree (m, m), each at the spots (m, 3) of both.

    What is allowed grows with the travel (m,) in either map between the two.
    """
    n = len(T)
    out = np.ones((n, n), np.bool_)
    for k in range(n):
        for m in range(k):
            slip = drift * (abs(travel1[k] - travel1[m]) + abs(travel2[k] - travel2[m]))
            reach, turn = same_m + slip, same_deg + slip
            trace = 0.0
            for r in range(3):
                for q in range(3):
                    trace += T[k, r, q] * T[m, r, q]
            like = turn >= 180.0 or 0.5 * (trace - 1.0) > math.cos(math.radians(turn))
            if like:
                like = apart2(T[k], T[m], spots[k]) < reach * reach
            if like:
                like = apart2(T[k], T[m], spots[m]) < reach * reach
            out[k, m] = out[m, k] = like
    return out


Solved: TypeAlias = dict[tuple[Side, Side], Association]
"""Two places, each the very object it was, and how they were associated; pairs are rows of the places."""
SAME_M, SAME_DEG = 4.0, 12.0
"""Two transforms between maps that differ by less, besides drift, say the same."""
DRIFT = 0.03
"""Bound of odometry's error as a share of the travel."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """Two places that may show one spot, and what that says of their maps."""

    place1: int
    place2: int
    association: Association
    """Its T_2_1 maps place 1 to place 2, its covariance is in place 1; its pairs are rows of the two maps."""
    T_map2_map1: Floats
    lead: float = np.inf
    """How much more log evidence it has than a match of either place that says otherwise."""

    @property
    def accepted(self) -> bool:
        """Whether the match may be used: it holds by itself, and nothing else explains its places better."""
        return self.association.accepted and self.lead > 0.0


@one_blas_thread
def match_maps(
    objects1: ObjectMap,
    places1: Sequence[Place],
    atlas2: Atlas,
    settings: MatchingSettings,
    solved: Solved | None = None,
) -> list[Match]:
    """Return every place of map 1 matched with the places of map 2 that are most like it.

    What was ``solved`` before is not solved again; what is, is added there.
    """
    rows = [np.empty(0, np.int64), *(place.rows for place in places1)]
    among = np.unique(np.concatenate(rows)), np.arange(len(atlas2.objects))
    appearance = compare_appearance(atlas2, objects1, among)
    found = [
        match
        for k, place in enumerate(places1)
        for match in match_place(k, place, atlas2, appearance.between(place.rows), settings, solved)
    ]
    return contested(found, places1, atlas2.places)


def match_place(
    number: int,
    place: Place,
    atlas: Atlas,
    ratios: Floats32,
    settings: MatchingSettings,
    solved: Solved | None = None,
) -> list[Match]:
    """Return a place matched with the places of the atlas that are most like it, the most alike first.

    ``ratios`` (k, n) are those of the appearance of the place's objects against all of the atlas's.
    """
    chosen = shortlist(atlas, place, ratios, settings.places.noise_m, settings.retrieval)
    return [
        match_pair(
            number,
            place,
            int(k),
            atlas.places[k],
            ratios[:, atlas.places[k].rows],
            settings,
            solved,
        )
        for k in chosen
    ]


def match_pair(
    number1: int,
    place1: Place,
    number2: int,
    place2: Place,
    ratios: Floats32,
    settings: MatchingSettings,
    solved: Solved | None = None,
) -> Match:
    """Return two places matched, given the ratios (k1, k2) of their objects' appearance."""
    s, both = settings.places, (place1.side, place2.side)
    solved = {} if solved is None else solved
    if both not in solved:
        problem = all_to_all(*both, len(place2), s.gravity, s.noise_m)
        solved[both] = solve(problem, ratios.astype(float).ravel())
    found = solved[both]
    pairs = np.stack([place1.rows[found.pairs[:, 0]], place2.rows[found.pairs[:, 1]]], axis=1)
    return Match(
        place1=number1,
        place2=number2,
        association=replace(found, pairs=pairs),
        T_map2_map1=place2.T_map_place @ found.T_2_1 @ inverse(place1.T_map_place),
    )


def contested(
    matches: Iterable[Match], places1: Sequence[Place], places2: Sequence[Place]
) -> list[Match]:
    """Return the matches with their leads over the rivals that each of their two places has."""
    matches = [m for m in matches if np.isfinite(m.association.log_evidence)]
    lead = np.full(len(matches), np.inf)
    for side in ("place1", "place2"):
        groups: dict[int, list[int]] = {}
        for k, match in enumerate(matches):
            groups.setdefault(getattr(match, side), []).append(k)
        for group in groups.values():
            lead[group] = np.minimum(
                lead[group], _leads([matches[k] for k in group], places1, places2)
            )
    return [replace(match, lead=float(lead[k])) for k, match in enumerate(matches)]


def _leads(matches: Sequence[Match], places1: Sequence[Place], places2: Sequence[Place]) -> Floats:
    """Return each match's lead in log evidence over those that disagree with it about the maps."""
    evidence = np.array([m.association.log_evidence for m in matches])
    differ = ~agreeing(matches, places1, places2)
    rivals = np.where(differ, evidence[None, :], -np.inf).max(axis=1)
    return np.asarray(evidence - rivals)


def agreeing(matches: Sequence[Match], places1: Sequence[Place], places2: Sequence[Place]) -> Bools:
    """Return which matches (m, m) say the same of the maps, but for the drift between their places."""
    T = np.array([m.T_map2_map1 for m in matches]).reshape(-1, 4, 4)
    spots = np.array([places1[m.place1].T_map_place[:3, 3] for m in matches]).reshape(-1, 3)
    travel1 = np.array([places1[m.place1].travel_m for m in matches], float)
    travel2 = np.array([places2[m.place2].travel_m for m in matches], float)
    return agreement(T, spots, travel1, travel2, SAME_M, SAME_DEG, DRIFT)
