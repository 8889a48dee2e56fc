"""Settings of the object map: lifting, tracking, evidence, submaps."""

from __future__ import annotations

from pydantic import Field

from commonground.settings import Settings


class LiftingSettings(Settings):
    """How masks become points."""

    near_m: float = Field(default=0.2, gt=0)
    """Depth nearer than this is not used."""
    far_m: float = Field(default=10.0, gt=0)
    """Depth farther than this is not used: the noise of stereo and structured light grows with z²."""
    voxel_m: float = Field(default=0.05, gt=0)
    """Finest voxel of an object; large objects coarsen by doubling it."""
    noise_m: float = Field(default=0.004, ge=0)
    """Standard deviation of depth close by."""
    noise_growth: float = Field(default=0.002, ge=0)
    """Standard deviation of depth gained per square meter of distance."""
    slope: float = Field(default=0.02, ge=0)
    """Relative depth step between neighboring pixels of one surface seen at a slant."""
    supporters: int = Field(default=3, ge=0, le=8)
    """Neighbors (of eight) a pixel needs on its surface; fewer make it a flying pixel."""
    most_points: int = Field(default=4000, ge=100, le=1_000_000)
    """Larger masks are read at a stride that leaves about this many points."""


class EvidenceSettings(Settings):
    """How sightings and their absence turn into existence, membership, joins and motion."""

    start: float = Field(default=-0.6, le=0)
    """Log-odds of existence at the first sighting."""
    seen: float = Field(default=0.8, gt=0)
    """Log-odds gained by a full sighting: log of the odds of a detection if it is there or not."""
    missed: float = Field(default=0.35, gt=0)
    """Log-odds lost by a view of the place without a detection."""
    gone: float = Field(default=1.0, gt=0)
    """Log-odds lost by a look right through the object."""
    most: float = Field(default=6.0, gt=0)
    """Bound of the log-odds, so that the map can change its mind."""
    least_sightings: int = Field(default=3, ge=1, le=10_000)
    """Sightings an object needs at least."""
    least_change: float = Field(default=0.0, ge=0, le=10)
    """Radians by which the view of an object must have changed over its sightings."""
    join: float = Field(default=2.0, gt=0)
    """Net evidence at which two tracks become one."""
    least_inside: float = Field(default=0.0, ge=0, lt=1)
    """Of a mask with less inside a thing that was in view well enough, only that much is taken to be it."""
    several: float | None = Field(default=None, gt=0)
    """Net evidence at which a track that is several things is taken apart; unset: never."""
    most_structure: float | None = Field(default=None, gt=0, lt=1)
    """Share of what is seen of a track that images may say to be ground or wall; with more, again and again,
    it is a piece of the room, or a group with one, and begins anew. Unset: any."""
    bare: float = Field(default=0.5, ge=0)
    """Vote against a voxel of a thing that was found, where the image shows neither mask nor surface."""
    prune: float = Field(default=1.0, gt=0)
    """Votes against a voxel, as a multiple of those for it, at which it is dropped."""


class MotionSettings(Settings):
    """When a thing moves."""

    passed: float = Field(default=0.2, gt=0, lt=1)
    """Mean share of a track's voxels seen through above which it is moving."""
    shift_m: float = Field(default=0.4, gt=0)
    """Least shift of the center before anything is called moving."""


class SubmapSettings(Settings):
    """Where submaps are taken and what is in them."""

    every_m: float = Field(default=10.0, gt=0)
    """Travel between submaps."""
    radius_m: float = Field(default=15.0, gt=0)
    """Objects farther from the submap's origin are left out."""
    window_m: float = Field(default=12.0, gt=0)
    """Objects must have been seen within this much travel before or after the origin."""
    most: int = Field(default=40, ge=3, le=10_000)
    """The nearest objects at most."""


class CropSettings(Settings):
    """Pictures kept of each object."""

    most: int = Field(default=3, ge=0, le=8)
    """Pictures of an object at most, 30 kB together; 0 keeps none."""
    size_px: int = Field(default=128, ge=16, le=512)
    """Longer edge at most."""
    least_px: float = Field(default=150.0, ge=1)
    """Mask area from which a view is worth a picture."""


class GlanceSettings(Settings):
    """Which views are shown to an encoder that is asked only where it is worth it."""

    a_second: float = Field(default=10.0, ge=1)
    """So many views a second of the recording at most."""
    better: float = Field(default=1.5, ge=1)
    """And more where they show so many times more of it."""


class ClosingSettings(Settings):
    """How things follow from all views at the end, whatever was believed on the way."""

    views: int = Field(default=0, ge=0, le=10_000)
    """Views kept for it, evenly over the time; 0: things stay what they were taken for on the way."""
    width_px: int = Field(default=320, ge=32, le=4096)
    """About how wide these are kept."""
    points: int = Field(default=360, ge=16, le=10_000)
    """Points of each mask kept at most."""
    least_seen: float = Field(default=0.3, gt=0, le=1)
    """A view that shows a smaller share of a mask of another says nothing of it."""
    agree: float = Field(default=0.8, gt=0, le=1)
    """Share of the views that show two masks that put them under one, for them to be one thing."""
    own: float = Field(default=0.6, gt=0, lt=1)
    """Share of the views of a voxel of a thing that show it under the mask of that."""
    most_inside: float = Field(default=0.5, gt=0, le=1)
    """A thing with more of itself inside one that more views show is none."""


class ObjectSettings(Settings):
    """One robot's object map."""

    lifting: LiftingSettings = LiftingSettings()
    evidence: EvidenceSettings = EvidenceSettings()
    motion: MotionSettings = MotionSettings()
    submaps: SubmapSettings = SubmapSettings()
    crops: CropSettings = CropSettings()
    glances: GlanceSettings = GlanceSettings()
    closing: ClosingSettings = ClosingSettings()
    voxels_per_object: int = Field(default=4096, ge=64, le=1_000_000)
    """Voxels of an object near the robot at most; beyond, it coarsens."""
    voxels_archived: int = Field(default=1024, ge=64, le=1_000_000)
    """Voxels of an object left behind at most."""
    active_m: float = Field(default=25.0, gt=0)
    """Objects farther from the camera are archived until it comes back."""
    drift: float = Field(default=0.015, ge=0)
    """Expected odometry error as a share of the travel: an object not seen for long is not judged missing."""
    trusted_drift_m: float = Field(default=0.25, gt=0)
    """Expected drift since the last sighting up to which absence counts."""
    least_existence: float = Field(default=0.5, ge=0, le=1)
    """Probability an object needs to be in the map that is handed out."""
    least_extent_m: float = Field(default=0.12, ge=0)
    """Objects whose longest edge is shorter are left out."""
    most_extent_m: float | None = Field(default=None, gt=0)
    """Objects whose longest edge is longer are left out; unset: none. In a room they are parts of it."""
    wall_m: tuple[float, float, float] = (3.0, 1.5, 0.3)
    """What is longer and higher than the first two and thinner than the third is a wall and left out."""
    seldom: float = Field(default=0.0, ge=0, lt=1)
    """Voxels with a smaller share of the votes that most voxels of an object have are no part of its box."""
    history_kept: int = Field(default=32, ge=2, le=100_000)
    """Sightings remembered per object, thinned evenly over time."""
