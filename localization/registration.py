"""Registration of two object maps: the transform that the largest agreeing set of place matches implies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.blas import one_blas_thread
from commonground.geometry import adjoint, exp_se3, inverse, log_se3, nearest_rotation, transform
from commonground.localization.association.correspondences import AffinityGraph
from commonground.localization.association.decide import log_odds_of_chance, log_odds_of_rival
from commonground.localization.association.densest import densest_set
from commonground.localization.association.result import Verdict
from commonground.localization.matching import Match, agreeing, match_maps
from commonground.localization.places import Place, comparable, wide_places
from commonground.localization.retrieval import make_atlas
from commonground.localization.rigidity import is_rigid
from commonground.localization.settings import LocalizationSettings, RegistrationSettings
from commonground.objects import ObjectMap

DRIFT_YAW_DEG_PER_M = 0.05
"""Heading error of odometry for each meter between two places."""
LEAST_MARGIN = 5.0
"""Log evidence by which the agreeing matches must lead over the best other set, besides a share of theirs."""

STEPS = 20
KERNEL = 9.0
"""Squared deviations from which a match is trusted half as much (Cauchy)."""
UPRIGHT_RAD = 0.01
"""Standard deviation of roll and pitch between two upright maps."""


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """The transform between two maps, and what speaks for it."""

    T_map2_map1: Floats
    """(4, 4); the identity where there is none."""
    covariance: Floats
    """(6, 6) of ξ in T_true = T exp(ξ): translation first, in the frame of map 1."""
    confidence: float
    """Probability that the transform is right where the maps overlap."""
    verdict: Verdict
    matches: tuple[Match, ...]
    """The matches of places that agree on it, the one with most evidence first."""
    object_pairs: Ints
    """(k, 2) rows of the two maps' objects that are the same; each object at most once."""
    log_evidence: float
    """Of all matches together; what several matches saw of the same objects counts once."""
    margin: float
    """How much log evidence the best other set of agreeing matches has less."""

    @property
    def accepted(self) -> bool:
        """Whether the transform may be used."""
        return self.verdict is Verdict.ACCEPTED


@one_blas_thread
def register(
    objects1: ObjectMap, objects2: ObjectMap, settings: LocalizationSettings | None = None
) -> Registration:
    """Return the transform between two robots' maps with submaps, whatever their frames.

    LocalizationError if the maps' embeddings come from different models.
    """
    s = settings or LocalizationSettings()
    objects1, objects2 = comparable(objects1, objects2)
    places1 = wide_places(objects1, s.matching.places)
    places2 = wide_places(objects2, s.matching.places)
    matches = match_maps(
        objects1, places1, make_atlas(objects2, places2, s.matching.appearance), s.matching
    )
    return register_matches(matches, places1, places2, s.registration)


def register_matches(
    matches: Sequence[Match],
    places1: Sequence[Place],
    places2: Sequence[Place],
    settings: RegistrationSettings,
) -> Registration:
    """Return the transform that the largest agreeing set of matches says."""
    promising = [m for m in matches if m.association.log_evidence > 0.0]
    promising.sort(key=lambda m: -m.association.log_evidence)
    if not promising:
        return _nothing()
    agree = agreeing(promising, places1, places2)
    best = _consensus(promising, agree)
    rest = np.flatnonzero(~agree[:, best].any(axis=1)).tolist()
    other = _consensus([promising[k] for k in rest], agree[np.ix_(rest, rest)]) if rest else []
    evidence = total_evidence([promising[k] for k in best])
    margin = evidence - total_evidence([promising[rest[k]] for k in other])
    # a place that repeats itself gives several agreeing sets; the right one must stand out
    clear = margin - settings.least_share * evidence
    members = [promising[k] for k in best]
    T, covariance = robust_mean(members, places1, settings)
    return Registration(
        T_map2_map1=T,
        covariance=covariance,
        confidence=float(
            1.0 / (1.0 + np.exp(-log_odds_of_chance(evidence)) + np.exp(-log_odds_of_rival(clear)))
        ),
        verdict=_verdict(evidence, clear, is_rigid(members, places1, places2), settings),
        matches=tuple(members),
        object_pairs=_object_pairs(members),
        log_evidence=evidence,
        margin=margin,
    )


def _nothing() -> Registration:
    none = np.empty((0, 2), np.int64)
    return Registration(
        np.eye(4), np.eye(6) * 1e6, 0.0, Verdict.CHANCE, (), none, log_evidence=0.0, margin=0.0
    )


def _verdict(evidence: float, clear: float, rigid: bool, settings: RegistrationSettings) -> Verdict:
    if not rigid:
        return Verdict.INCONSISTENT
    if evidence < settings.least_evidence:
        return Verdict.CHANCE
    return Verdict.ACCEPTED if clear >= LEAST_MARGIN else Verdict.AMBIGUOUS


def _consensus(matches: Sequence[Match], agree: Bools) -> list[int]:
    """Return the densest set of matches that agree with each other, weighed by their evidence."""
    weight = np.array([m.association.log_evidence for m in matches])
    pair = np.sqrt(weight[:, None] * weight[None, :]) / weight.max() * agree
    np.fill_diagonal(pair, 0.0)
    starts = np.concatenate([[0], np.cumsum((pair > 0).sum(axis=1))])
    rows, cols = np.nonzero(pair)
    graph = AffinityGraph(starts, cols.astype(np.int32), pair[rows, cols].astype(np.float32))
    core = densest_set(graph, weight / weight.max())
    # rounding keeps the core; everything that agrees with most of it belongs to it
    share = agree[:, core].mean(axis=1)
    return [int(k) for k in np.flatnonzero(share > 0.5)]


def total_evidence(matches: Sequence[Match]) -> float:
    """Return the log evidence of agreeing matches, best first; objects seen before count no more."""
    seen: set[int] = set()
    total = 0.0
    for match in sorted(matches, key=lambda m: -m.association.log_evidence):
        objects = match.association.pairs[:, 0].tolist()
        fresh = sum(k not in seen for k in objects) / max(len(objects), 1)
        total += fresh * match.association.log_evidence
        seen.update(objects)
    return total


def robust_mean(
    matches: Sequence[Match], places1: Sequence[Place], settings: RegistrationSettings
) -> tuple[Floats, Floats]:
    """Return T_map2_map1 and its covariance: reweighted least squares on SE(3) about the matches' center.

    A match far from the center says less: drift bends the maps between.
    """
    spots = np.array([places1[m.place1].T_map_place[:3, 3] for m in matches])
    weight = np.array([m.association.log_evidence for m in matches])
    center = weight @ spots / weight.sum()
    to_center = transform(np.eye(3), center)
    measured = np.array([m.T_map2_map1 for m in matches]) @ to_center
    information = np.linalg.inv(_covariances(matches, places1, to_center, spots - center, settings))
    T = measured[int(weight.argmax())].copy()
    H = information.sum(axis=0)
    trust = np.ones(len(matches))
    for _ in range(STEPS):
        xi = log_se3(inverse(T) @ measured)
        squares = np.einsum("ki,kij,kj->k", xi, information, xi)
        trust = 1.0 / (1.0 + squares / KERNEL)
        H = np.einsum("k,kij->ij", trust, information)
        step = np.linalg.solve(H, np.einsum("k,kij,kj->i", trust, information, xi))
        T = T @ exp_se3(step)
        if np.linalg.norm(step) < 1e-9:
            break
    T[:3, :3] = nearest_rotation(T[:3, :3])
    spread = max(1.0, float((trust * squares).sum() / max(6.0 * trust.sum() - 6.0, 6.0)))
    covariance = np.linalg.inv(H) * spread * _repetition(matches)
    A = adjoint(to_center)
    return T @ inverse(to_center), A @ covariance @ A.T


def _covariances(
    matches: Sequence[Match],
    places1: Sequence[Place],
    to_center: Floats,
    offsets: Floats,
    settings: RegistrationSettings,
) -> Floats:
    """Return covariances (m, 6, 6) of what each match says of the transform at the center."""
    out = []
    for match, offset in zip(matches, offsets, strict=True):
        A = adjoint(inverse(to_center) @ places1[match.place1].T_map_place)
        far = float(np.linalg.norm(offset))
        slide = (settings.drift_m_per_m * far) ** 2
        turn = np.radians(DRIFT_YAW_DEG_PER_M * far) ** 2
        tilt = UPRIGHT_RAD**2
        out.append(
            A @ match.association.covariance @ A.T
            + np.diag([slide, slide, 0.25 * slide, tilt, tilt, turn])
        )
    return np.array(out)


def _repetition(matches: Sequence[Match]) -> float:
    """Return how often the matches use the same objects, which makes them less than independent."""
    pairs = np.concatenate([m.association.pairs for m in matches])
    return len(pairs) / max(len(np.unique(pairs, axis=0)), 1)


def _object_pairs(matches: Sequence[Match]) -> Ints:
    """Return the associations of all matches, the most often and most surely made first, one to one."""
    votes: dict[tuple[int, int], float] = {}
    for match in matches:
        a = match.association
        for (i, j), p in zip(a.pairs.tolist(), a.probabilities.tolist(), strict=True):
            votes[i, j] = votes.get((i, j), 0.0) + p
    taken1: set[int] = set()
    taken2: set[int] = set()
    kept = []
    for i, j in sorted(votes, key=lambda pair: (-votes[pair], pair)):
        if i not in taken1 and j not in taken2:
            kept.append((i, j))
            taken1.add(i)
            taken2.add(j)
    return np.array(sorted(kept), np.int64).reshape(-1, 2)
