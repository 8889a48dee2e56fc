"""Result of an association: correspondences, transform, covariance, confidence, verdict."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from commonground.arrays import Floats, Ints


class Verdict(StrEnum):
    """Why a transform is accepted or not."""

    ACCEPTED = "accepted"
    """The transform is right with the stated confidence."""
    CHANCE = "chance"
    """Unrelated maps agree this well too often, or nothing agrees at all."""
    AMBIGUOUS = "ambiguous"
    """Another transform explains the maps about as well: rows, grids, symmetric layouts."""
    UNOBSERVABLE = "unobservable"
    """What agrees does not fix the transform: too few objects, or all on a line."""
    INCONSISTENT = "inconsistent"
    """The maps agree only if one is scaled, or tilted against the stated vertical."""
    UNLIKE = "unlike"
    """The layout agrees and the appearance does not: embeddings of different models, or another place."""


@dataclass(frozen=True, slots=True, eq=False)
class Association:
    """Which objects of two maps are the same, the transform between the maps, and how sure that is."""

    rows: Ints
    """(k,) ascending rows of the given pairs; without pairs, i · n2 + j for objects i and j."""
    pairs: Ints
    """(k, 2) the associated objects of map 1 and map 2."""
    probabilities: Floats
    """(k,) that each association is right, if the transform is."""
    T_2_1: Floats
    """(4, 4) with p2 = T_2_1 p1; the identity where there is none."""
    covariance: Floats
    """(6, 6) of ξ in T21_true = T_2_1 exp(ξ): translation first, then rotation, in the frame of map 1."""
    confidence: float
    """Probability that T_2_1 is right: within 1 m at the objects' center, and 5°."""
    verdict: Verdict
    log_evidence: float
    """Log Bayes factor of the transform against unrelated maps."""
    margin: float
    """How much log evidence the best different transform has less; infinite without one."""
    noise_m: float
    """Standard deviation of a position along an axis, as the agreeing objects show it."""

    @property
    def accepted(self) -> bool:
        """Whether the transform may be used."""
        return self.verdict is Verdict.ACCEPTED

    @property
    def ambiguous(self) -> bool:
        """Whether a different transform explains the maps about as well."""
        return self.verdict is Verdict.AMBIGUOUS

    def __len__(self) -> int:
        return len(self.rows)
