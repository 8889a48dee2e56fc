"""A track: one thing followed over frames, its voxels, and the votes on what it is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from commonground.arrays import Floats
from commonground.crops import Crop
from commonground.mapping.objects.cloud import VoxelCloud

BINS = 8
"""Directions an object is seen from, counted apart: views from one place say the same thing again."""

EYES = 16
"""Directions for which the nearest viewpoint is remembered: which sides of a thing were seen."""

LEAST_CHANGE, MOST_CHANGE = 0.04, 0.1
"""Radians by which a view counts as changed between two sightings, however near or far they are apart."""

SPAN_GAP_M = 3.0
"""Travel unseen after which a new stretch of sightings begins."""


@dataclass(slots=True, eq=False)
class Motion:
    """How a track moves: it is moving while ``moving`` is true."""

    anchor: Floats
    """(3,) where its middle was when it was last at rest."""
    center: Floats
    """(3,) its middle when last seen."""
    stamp_ns: int
    velocity: Floats = field(default_factory=lambda: np.zeros(3))
    score: float = 0.0
    """Running mean of the share of its voxels that were seen through."""
    moving: bool = False
    rest_ns: int = 0
    """Since when a moving thing has stood still."""


@dataclass(slots=True, eq=False)
class Track:
    """A thing followed over frames; becomes an object of the map once confirmed."""

    number: int
    """Unique in one mapper and never used again."""
    cloud: VoxelCloud
    logit: float
    """Log-odds that it exists."""
    first_ns: int
    last_ns: int
    last_travel_m: float
    motion: Motion
    label_logs: Floats
    """(c,) weighted sum of log label scores."""
    embedding: Floats
    """(d,) weighted sum of unit vectors."""
    sightings: int = 0
    confirmed: bool = False
    archived: bool = False
    """Far behind: its voxels are coarse, until it is seen again."""
    sealed: bool = False
    """From before a jump of the odometry: never matched again."""
    embedding_weight: float = 0.0
    label_weight: float = 0.0
    views: Floats = field(default_factory=lambda: np.zeros(BINS))
    """(BINS,) sightings from each direction."""
    glances: Floats = field(default_factory=lambda: np.zeros(BINS))
    """(BINS,) how much the best look from each direction showed, where looks are taken one by one."""
    glanced: Floats = field(default_factory=lambda: np.zeros(BINS))
    """(BINS,) looks taken from each direction."""
    eyes: Floats = field(default_factory=lambda: np.full((EYES, 3), np.nan))
    """(EYES, 3) the nearest place it was seen from in each direction, or from which a wall shows its end; NaN
    where there is none."""
    eye: Floats = field(default_factory=lambda: np.full(6, np.nan))
    """(6,) where the camera stood when it was last seen, and the way it looked."""
    change: float = 0.0
    """How much the view has changed over its sightings, in radians: the same view again tells little."""
    several: float = 0.0
    """Net evidence that it is several things."""
    structure: float = 0.0
    """Net evidence that it is a part of the room."""
    flat: float = 0.0
    """Sightings in which only color told it from the surface that it lies on, less the others."""
    farthest_m: float = 0.0
    """Farthest range it was detected from."""
    spans: list[list[float]] = field(default_factory=list)
    """Stretches of travel [from, to] during which it was seen."""
    history: list[tuple[int, float, float]] = field(default_factory=list)
    """Sightings (stamp_ns, range in meters, mask area in pixels), thinned evenly."""
    history_step: int = 1
    """Every how many sightings one is remembered."""
    crops: list[Crop] = field(default_factory=list)
    """Its best pictures, best first."""
    low: Floats = field(default_factory=lambda: np.full(3, np.inf))
    """(3,) box of its voxels, for gating."""
    high: Floats = field(default_factory=lambda: np.full(3, -np.inf))
    version: int = 0
    """Changes with every sighting and prune: what was computed for another version is stale."""

    @property
    def existence(self) -> float:
        """Probability that it exists."""
        return float(1.0 / (1.0 + np.exp(-self.logit)))

    @property
    def center(self) -> Floats:
        """The middle (3,) of its voxels' box."""
        return 0.5 * (self.low + self.high)

    def note(
        self, stamp_ns: int, travel_m: float, range_m: float, area_px: float, most: int
    ) -> None:
        """Count a sighting and remember it, if it is its turn."""
        if self.sightings % self.history_step == 0:
            self.history.append((stamp_ns, range_m, area_px))
        if len(self.history) > most:
            self.history = self.history[::2]
            self.history_step *= 2
        self.sightings += 1
        self.last_ns = max(self.last_ns, stamp_ns)
        self.farthest_m = max(self.farthest_m, range_m)
        if self.spans and travel_m - self.spans[-1][1] < SPAN_GAP_M:
            self.spans[-1][1] = travel_m
        else:
            self.spans.append([travel_m, travel_m])
        self.last_travel_m = travel_m

    def seen_from(self, T_odom_cam: Floats, center: Floats) -> None:
        """Remember the viewpoint of a sighting around ``center``, and how much the view has changed."""
        eye, axis = T_odom_cam[:3, 3], T_odom_cam[:3, 2]
        away = eye - center
        moved = float(np.linalg.norm(eye - self.eye[:3]) / max(float(np.linalg.norm(away)), 0.1))
        turned = float(np.arccos(np.clip(axis @ self.eye[3:], -1.0, 1.0)))
        if self.sightings:
            self.change += min(max(moved + turned, LEAST_CHANGE), MOST_CHANGE)
        self.eye = np.concatenate([eye, axis])
        direction = int((np.arctan2(away[1], away[0]) / (2 * np.pi)) % 1.0 * EYES) % EYES
        before = self.eyes[direction] - center
        if not away @ away >= before @ before:  # nothing before is NaN
            self.eyes[direction] = eye

    def ends_toward(self, normal: Floats, away_m: float) -> None:
        """Remember that the end in a direction (2,) of the plan is known, as if it was seen from there."""
        direction = int((np.arctan2(normal[1], normal[0]) / (2 * np.pi)) % 1.0 * EYES) % EYES
        if np.isnan(self.eyes[direction, 0]):
            self.eyes[direction] = self.center + away_m * np.array([*normal, 0.0])
            self.version += 1

    def touch(self) -> None:
        """Bring the box up to date after the voxels changed."""
        self.version += 1
        if self.cloud.count:
            self.low, self.high = self.cloud.bounds()
