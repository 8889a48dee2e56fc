"""Settings of place matching, map registration and relocalization."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from commonground.settings import Settings


class PlaceSettings(Settings):
    """What of an object map is matched."""

    radius_m: float = Field(default=18.0, gt=0)
    """Objects farther from a place's center are left out where a fused map is cut into places."""
    widest_m: float = Field(default=40.0, gt=0)
    """The same where there are not enough objects so near."""
    spacing_m: float = Field(default=8.0, gt=0)
    """Distance between the places that a fused map is cut into."""
    max_objects: int = Field(default=60, ge=4, le=10_000)
    """The nearest objects of a place at most."""
    least_existence: float = Field(default=0.3, ge=0, le=1)
    """Objects that are less likely there are left out."""
    noise_m: float = Field(default=0.15, gt=0)
    """Standard deviation of an object's position along each axis, beyond its own covariance."""
    gravity: bool = True
    """Up is z in all maps; else places may be turned anyhow, and only distances between objects count."""
    enough_objects: int = Field(default=30, ge=0, le=10_000)
    """Objects from which a place needs no more; one that has fewer reaches farther."""
    context_m: float = Field(default=30.0, ge=0)
    """Travel within which a submap with few objects takes those of the submaps before and after."""
    drift_m_per_m: float = Field(default=0.02, ge=0)
    """Odometry error for each meter of that travel."""

    @model_validator(mode="after")
    def _reaches_on(self) -> PlaceSettings:
        if self.widest_m < self.radius_m:
            raise ValueError(
                f"widest_m {self.widest_m:g} is less than radius_m {self.radius_m:g}: places with few "
                "objects reach farther, not less far"
            )
        return self


class RetrievalSettings(Settings):
    """Which places are worth matching."""

    max_candidates: int = Field(default=8, ge=0, le=100_000)
    """Places matched with each place; 0 matches all to all."""
    prefilter_places: int = Field(default=300, ge=1, le=100_000)
    """Places whose layouts are compared; of more, the most alike by appearance alone."""


class MatchingSettings(Settings):
    """How places of two maps are matched."""

    places: PlaceSettings = PlaceSettings()
    appearance: tuple[Literal["embedding", "label", "shape", "size"], ...] = (
        "embedding",
        "label",
        "shape",
        "size",
    )
    """What of an object besides its position is compared."""
    retrieval: RetrievalSettings = RetrievalSettings()


class RegistrationSettings(Settings):
    """How the hypotheses about two maps become one transform."""

    drift_m_per_m: float = Field(default=0.02, ge=0)
    """Odometry error for each meter between two places."""
    least_evidence: float = Field(default=15.0)
    """Log evidence that the agreeing matches must have together."""
    least_share: float = Field(default=0.15, ge=0, lt=1)
    """Share of their evidence by which they must lead in any case."""
    join_objects: int = Field(default=8, ge=2, le=10_000)
    """Different objects that must agree for fusion to join two robots: a bench with its bin, lamp and sign
    stands in many places, and five objects agree even between worlds that share nothing."""
    join_evidence: float = Field(default=20.0, gt=0)
    """Log evidence that fusion joins two robots by, if not more is asked of any two maps (least_evidence)."""
    surfaces: bool = True
    """Rooms that few objects join are joined if surfaces and free space agree; else it is told why not."""

    @property
    def evidence_to_join(self) -> float:
        """Log evidence from which fusion joins two robots."""
        return max(self.join_evidence, self.least_evidence)


class RelocalizerSettings(Settings):
    """When a robot knows where it is."""

    drift_m_per_m: float = Field(default=0.02, ge=0)
    """Odometry error for each meter driven."""
    localized_log_odds: float = Field(default=8.5, gt=0)
    """Log-odds from which a hypothesis is believed."""
    lead_log_odds: float = Field(default=5.0, gt=0)
    """Log-odds by which it must lead over the next."""
    one_submap_log_odds: float = Field(default=25.0, gt=0)
    """Log-odds from which one submap is enough; below, a second must agree."""
    tentative_log_odds: float = Field(default=2.0)
    """Log-odds from which a hypothesis is worth telling."""
    max_log_odds: float = Field(default=18.0, gt=0)
    """Bound of the belief: a robot that was carried away finds out after a few submaps."""
    kept_per_submap: float = Field(default=0.85, gt=0, le=1)
    """Share of the log-odds that the next submap inherits, so that a robot can change its mind."""
    min_log_odds: float = Field(default=-6.0, lt=0)
    """Log-odds at which a hypothesis is dropped; also the most that one submap can say against it."""
    stale_m: float = Field(default=80.0, gt=0)
    """Travel without agreement after which a position no longer counts as known."""
    max_hypotheses: int = Field(default=20, ge=1, le=10_000)
    """Hypotheses kept."""


class LocalizationSettings(Settings):
    """Everything about matching object maps."""

    outliers: Literal["decided", "truncated", "cauchy", "gauss"] = "decided"
    """How fusion treats wrong closures, for ablations: it decides of each whether it is used, or uses all
    under a kernel alone (truncated least squares, Cauchy's, or plain least squares)."""
    matching: MatchingSettings = MatchingSettings()
    registration: RegistrationSettings = RegistrationSettings()
    relocalizer: RelocalizerSettings = RelocalizerSettings()
