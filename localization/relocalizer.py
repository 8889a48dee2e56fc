"""Relocalization of a robot in a fused map by several pose hypotheses: lost, tentative, localized."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.blas import one_blas_thread
from commonground.errors import LocalizationError
from commonground.geometry import adjoint, apply, gravity_aligned, inverse
from commonground.localization.association.decide import log_odds_of_chance, log_odds_of_rival
from commonground.localization.association.result import Verdict
from commonground.localization.hypotheses import (
    NO_PAIRS,
    Hypothesis,
    merged,
    moved,
    observe_near,
    same,
    spread,
    updated,
)
from commonground.localization.matching import SAME_DEG, SAME_M, Match, match_place
from commonground.localization.nearby import upright_gap
from commonground.localization.places import Place, comparable, map_places, submap_place, wide_place
from commonground.localization.retrieval import AppearanceRatios, compare_appearance, make_atlas
from commonground.localization.seen_again import repeated, seen_again, usually
from commonground.localization.settings import LocalizationSettings
from commonground.objects import ObjectMap, Submap

MAPPED_M = 12.0
"""A place of the map this near must show some of the objects; farther off, nothing is expected."""

DOUBT = 1.0
"""Log-odds by which a match that is not accepted stays below what is believed."""
LATELY_M = 50.0
"""What was seen on so much travel has to be where a pose that is believed says."""
EARLIER = 3
"""Objects of earlier submaps that must agree to count as a submap that does."""


class State(StrEnum):
    """What a robot knows of its place in the map."""

    LOST = "lost"
    """Nothing that it saw tells the place."""
    TENTATIVE = "tentative"
    """There is a best hypothesis, and it may be wrong."""
    LOCALIZED = "localized"
    """The pose is known with the stated covariance."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """Where a robot is in the map, after one of its submaps."""

    stamp_ns: int
    state: State
    T_map_odom: Floats | None
    """(4, 4) of the best hypothesis; None while lost."""
    covariance: Floats | None
    """(6, 6) of ξ in T_map_odom exp(ξ), translation first, in the odometry frame."""
    T_map_submap: Floats | None
    """(4, 4) upright pose of the submap, and its covariance in the submap's frame below."""
    covariance_submap: Floats | None
    confidence: float
    """Probability of the best hypothesis."""
    since_m: float
    """Travel since a submap last agreed with it."""
    supports: int
    """Submaps that agreed with it."""
    pairs: Ints
    """(k, 2) rows of the robot's and the map's objects that the last submap saw again."""
    hypotheses: int


class Relocalizer:
    """Localizes one robot in one map, submap by submap; runs beside mapping or over a finished map.

    Each submap is matched with the places of the map that look alike, which starts hypotheses, and
    is looked at where the hypotheses so far say it is, which confirms or contradicts them.
    """

    def __init__(
        self, objects_map: ObjectMap, settings: LocalizationSettings | None = None
    ) -> None:
        """Prepare the fused map; LocalizationError if there is nothing in it to recognize."""
        self.settings = settings or LocalizationSettings()
        if len(objects_map) < 2:
            raise LocalizationError(
                f"the map has {len(objects_map)} objects: a robot cannot be localized among them"
            )
        self.map = objects_map
        matching = self.settings.matching
        self.atlas = make_atlas(
            objects_map, map_places(objects_map, matching.places), matching.appearance
        )
        self.spots = np.array([place.T_map_place[:3, 3] for place in self.atlas.places])
        self.usual = usually(objects_map, objects_map.submaps)
        """Share of things that are seen again from one submap of the map to the next."""
        self.hypotheses: list[Hypothesis] = []
        self.T_odom_before: Floats | None = None
        self.state = State.LOST
        self.travel_m = 0.0
        self.driven: dict[int, float] = {}
        """Travel at each submap since the start, by stamp."""

    @one_blas_thread
    def update(self, objects: ObjectMap, submap: Submap) -> Estimate:
        """Return the estimate after one more submap of the robot's own map (in its odometry frame)."""
        objects = self._in_one_vocabulary(objects)
        place = submap_place(objects, submap, self.settings.matching.places)
        self._drive(place)
        appearance = compare_appearance(self.atlas, objects)
        ratios = appearance.between(place.rows)
        matches = self._matches(place, ratios)
        followed = [
            self._follow(hypothesis, objects, place, ratios, matches)
            for hypothesis in self.hypotheses
        ]
        wide, news = self._wide(objects, submap), matches
        if len(wide) > len(place):
            matches = self._matches(wide, appearance.between(wide.rows))
            news = [m for m in matches if self._is_news(m, place)]
            followed = [
                (self._borne_out(hypothesis, objects, news, matches), pairs)
                for hypothesis, pairs in followed
            ]
        hypotheses = [hypothesis for hypothesis, _ in followed]
        started = self._started(objects, news, matches, hypotheses, place)
        self.hypotheses = merged([*hypotheses, *started], self.settings.relocalizer)
        pairs = next(
            (p for t, p in followed if self.hypotheses and t is self.hypotheses[0]), NO_PAIRS
        )
        return self._estimate(place, pairs, lambda: self._contradicted(objects, submap, appearance))

    def _contradicted(
        self, objects: ObjectMap, submap: Submap, appearance: AppearanceRatios
    ) -> bool:
        """Return whether what was seen lately speaks against the best hypothesis, or for another as well."""
        lately = [
            other
            for other in objects.submaps
            if other.robot == submap.robot
            and self.travel_m - self.driven.get(other.stamp_ns, -np.inf) <= LATELY_M
        ]
        rows = np.unique(np.concatenate([submap.rows, *(s.rows for s in lately)]))
        T_map_odom = self.hypotheses[0].T_map_place @ inverse(gravity_aligned(submap.T_map_submap))
        own, mapped = apply(T_map_odom, objects.centroids[rows]), self.map.centroids
        alike = appearance.between(rows) >= 0.0
        usual = min(self.usual, usually(objects, lately) or self.usual)
        return seen_again(own, mapped, alike).contradicts(usual) or repeated(own, mapped, alike)

    def forget(self) -> None:
        """Start anew, as after the robot was carried away."""
        self.hypotheses, self.T_odom_before, self.state = [], None, State.LOST
        self.travel_m, self.driven = 0.0, {}

    def _drive(self, place: Place) -> None:
        before, self.T_odom_before = self.T_odom_before, place.T_map_place
        if before is not None:
            step = inverse(before) @ place.T_map_place
            self.travel_m += float(np.linalg.norm(step[:3, 3]))
            self.hypotheses = [moved(t, step, self.settings.relocalizer) for t in self.hypotheses]
        self.driven[place.stamp_ns] = self.travel_m

    def _wide(self, objects: ObjectMap, submap: Submap) -> Place:
        """Return the submap as a place with what was seen from those before it, where it holds little."""
        s = self.settings.matching.places
        behind = [
            (self.travel_m - self.driven[other.stamp_ns], other)
            for other in objects.submaps
            if other.robot == submap.robot and other.stamp_ns in self.driven
        ]
        # of a live robot's context all lies behind
        twice = s.model_copy(update={"context_m": 2.0 * s.context_m})
        return wide_place(objects, submap, behind, twice)

    def _is_news(self, match: Match, place: Place) -> bool:
        """Return whether a match of the wide place rests on the submap too, and fits as it stands."""
        if match.association.verdict in (Verdict.INCONSISTENT, Verdict.UNLIKE):
            return False
        return bool(np.isin(match.association.pairs[:, 0], place.rows).any())

    def _borne_out(
        self, hypothesis: Hypothesis, objects: ObjectMap, news: list[Match], matches: list[Match]
    ) -> Hypothesis:
        """Return a track with the evidence of all that was seen lately, where that says the same."""
        for match in news:
            new = self._told(match, objects, matches)
            if new.log_odds > hypothesis.log_odds and same(
                hypothesis, new, self.settings.relocalizer
            ):
                return replace(
                    new,
                    belief=max(hypothesis.belief, new.belief),
                    supports=max(hypothesis.supports, 2),
                    objects=hypothesis.objects | new.objects,
                )
        return hypothesis

    def _told(self, match: Match, objects: ObjectMap, matches: list[Match]) -> Hypothesis:
        """Return the hypothesis that one match tells."""
        found, odds = match.association, self._odds(match, matches)
        return Hypothesis(
            T_map_place=self._pose(match),
            covariance=found.covariance,
            behind_m=self._behind(objects, found.pairs[:, 0]),
            log_odds=odds,
            belief=min(odds, self.settings.relocalizer.max_log_odds),
            supports=1,
            since_m=0.0,
            objects=frozenset(found.pairs[:, 1].tolist()),
        )

    def _behind(self, objects: ObjectMap, rows: Ints) -> float:
        """Return the travel since the robot was where it saw some of its objects."""
        middle = objects.first_seen_ns[rows] // 2 + objects.last_seen_ns[rows] // 2
        at = np.interp(middle, list(self.driven), list(self.driven.values()))
        return self.travel_m - float(np.median(at))

    def _odds(self, match: Match, matches: list[Match]) -> float:
        """Return the log-odds of a match against all other poses in the map."""
        prior = float(np.log(max(len(self.atlas), 1)))
        echo = self._echo(self._pose(match), matches, not match.association.accepted)
        odds = float(match.association.log_evidence - max(prior, echo))
        # what would not be accepted by itself needs another submap that agrees
        most = (
            np.inf
            if match.association.accepted
            else self.settings.relocalizer.localized_log_odds - DOUBT
        )
        return min(odds, most)

    def _in_one_vocabulary(self, objects: ObjectMap) -> ObjectMap:
        """Return the robot's objects with the map's words; refuse those of another embedding model."""
        words_map, objects = comparable(self.map, objects)
        if words_map is not self.map:
            self.map = words_map
            self.atlas = make_atlas(words_map, self.atlas.places, self.settings.matching.appearance)
        return objects

    def _matches(self, place: Place, ratios: Floats32) -> list[Match]:
        """Return the submap matched with the places of the map that look alike, the best first."""
        if len(place) < 2:
            return []
        found = match_place(0, place, self.atlas, ratios, self.settings.matching)
        found = [m for m in found if np.isfinite(m.association.log_evidence)]
        return sorted(found, key=lambda m: -m.association.log_evidence)

    def _follow(
        self,
        hypothesis: Hypothesis,
        objects: ObjectMap,
        place: Place,
        ratios: Floats32,
        matches: list[Match],
    ) -> tuple[Hypothesis, Ints]:
        """Return the track after looking where it says that the submap is, and the objects seen again."""
        s = self.settings
        far = np.linalg.norm(self.spots - hypothesis.T_map_place[:3, 3], axis=1)
        nearest = int(far.argmin())
        mapped = self.atlas.places[nearest]
        if far[nearest] > MAPPED_M or len(mapped) < 2 or len(place) < 2:
            return hypothesis, NO_PAIRS
        noise_m = s.matching.places.noise_m
        observation = observe_near(
            hypothesis, place, mapped, ratios[:, mapped.rows], s.relocalizer, noise_m,
            lambda rows: self._behind(objects, rows),
        )  # fmt: skip
        doubted = hypothesis.belief < s.relocalizer.localized_log_odds
        echo = self._echo(hypothesis.T_map_place, matches, doubted)
        return updated(hypothesis, observation, echo, s.relocalizer), observation.pairs

    def _echo(self, T_map_place: Floats, matches: list[Match], doubted: bool) -> float:
        """Return the log evidence of the best match that says another pose: what repetition reaches.

        Among things that lie alike after half a turn one match comes close to two poses, and one of these
        is told by it: while the pose is ``doubted``, the other one counts as well.
        """
        most = 0.0
        for match in matches:
            evidence, margin = match.association.log_evidence, match.association.margin
            gap = upright_gap(T_map_place, self._pose(match))
            if np.linalg.norm(gap[:3]) > SAME_M or abs(np.degrees(gap[3])) > SAME_DEG:
                return max(evidence, most)
            if doubted:
                most = max(evidence - margin, most)
        return most

    def _pose(self, match: Match) -> Floats:
        return gravity_aligned(
            self.atlas.places[match.place2].T_map_place @ match.association.T_2_1
        )

    def _started(
        self,
        objects: ObjectMap,
        news: list[Match],
        matches: list[Match],
        hypotheses: list[Hypothesis],
        place: Place,
    ) -> list[Hypothesis]:
        """Return new hypotheses from the places that look alike, where none of the present ones is.

        A match that rests on objects of earlier submaps as well is what two submaps agree on.
        """
        out: list[Hypothesis] = []
        s = self.settings.relocalizer
        for match in news:
            new = self._told(match, objects, matches)
            if new.log_odds > s.min_log_odds and not any(
                same(t, new, s) for t in (*hypotheses, *out)
            ):
                earlier = (~np.isin(match.association.pairs[:, 0], place.rows)).sum()
                out.append(replace(new, supports=2 if earlier >= EARLIER else 1))
        return out

    def _estimate(self, place: Place, pairs: Ints, contradicted: Callable[[], bool]) -> Estimate:
        best = self.hypotheses[0] if self.hypotheses else None
        lead = (
            best.log_odds - max([0.0, *(t.log_odds for t in self.hypotheses[1:])]) if best else 0.0
        )
        self.state = self._judged(best, lead, contradicted)
        believed = best if self.state is not State.LOST else None
        covariance = None if believed is None else spread(believed, self.settings.relocalizer)
        T_submap_odom = inverse(place.T_map_place)
        A = adjoint(place.T_map_place)
        against = np.inf
        if believed is not None:
            against = np.exp(-log_odds_of_chance(believed.belief)) + np.exp(
                -log_odds_of_rival(lead)
            )
        return Estimate(
            stamp_ns=place.stamp_ns,
            state=self.state,
            T_map_odom=None if believed is None else believed.T_map_place @ T_submap_odom,
            covariance=None if covariance is None else A @ covariance @ A.T,
            T_map_submap=None if believed is None else believed.T_map_place,
            covariance_submap=covariance,
            confidence=float(1.0 / (1.0 + against)),
            since_m=np.inf if believed is None else believed.since_m,
            supports=0 if believed is None else believed.supports,
            pairs=pairs if believed is not None else NO_PAIRS,
            hypotheses=len(self.hypotheses),
        )

    def _judged(
        self, best: Hypothesis | None, lead: float, contradicted: Callable[[], bool]
    ) -> State:
        s = self.settings.relocalizer
        if best is None or best.belief < s.tentative_log_odds:
            return State.LOST
        enough = best.supports >= 2 or best.log_odds >= s.one_submap_log_odds
        clear = best.belief >= s.localized_log_odds and lead >= s.lead_log_odds
        if enough and clear and best.since_m <= s.stale_m:
            return State.TENTATIVE if contradicted() else State.LOCALIZED
        return State.TENTATIVE if best.since_m <= 2.0 * s.stale_m else State.LOST
