"""All settings of mapping."""

from __future__ import annotations

from pydantic import Field

from commonground.mapping.objects.settings import ObjectSettings
from commonground.mapping.perception.settings import PerceptionSettings
from commonground.mapping.space.settings import SpaceSettings
from commonground.mapping.surface.settings import SurfaceSettings
from commonground.mapping.tracking.settings import TrackingSettings
from commonground.settings import Settings


class OdometrySettings(Settings):
    """What movement is believed, and how far."""

    max_speed_mps: float = Field(default=5.0, gt=0)
    """A frame farther from the one before than this speed explains is a jump: the map is cut there."""
    max_turn_dps: float = Field(default=180.0, gt=0)
    """The same for turning, in degrees per second."""
    slack_m: float = Field(default=0.5, ge=0)
    """Movement that is never a jump."""
    longest_gap_s: float | None = Field(default=None, gt=0)
    """After so long without a frame, what comes is mapped as a stretch of its own, for nobody knows what
    became of the odometry meanwhile; unset: however long it was."""
    keyframe_m: float = Field(default=1.0, gt=0)
    """Meters between keyframes of the pose graph."""
    noise_m: float = Field(default=0.1, gt=0)
    """Standard deviation of the distance after one meter; it grows with the square root.

    A drift of 1.5 % over 100 m, most of it a wandering scale, is 0.1 to 0.15."""
    noise_side_m: float = Field(default=0.02, gt=0)
    """The same across the way, besides what errors of the heading make of it."""
    noise_deg: float = Field(default=0.3, gt=0)
    """Standard deviation of the odometry's heading after one meter; it grows with the square root."""


class MappingSettings(Settings):
    """One robot's map: what is seen, surfaces, space, objects, and what is believed of its movement."""

    perception: PerceptionSettings = PerceptionSettings()
    surface: SurfaceSettings = SurfaceSettings()
    space: SpaceSettings = SpaceSettings()
    objects: ObjectSettings = ObjectSettings()
    odometry: OdometrySettings = OdometrySettings()
    tracking: TrackingSettings = TrackingSettings()
    by_scene: bool = True
    """Map small scenes more finely: voxels, submaps and places shrink with how far is seen and driven, and
    poses that the data states as true are not corrected."""
    checkpoint_every_s: float = Field(default=60.0, gt=0)
    """A checkpoint is written this often, in time of the data."""
    give_up_after: int = Field(default=100, ge=1, le=1_000_000)
    """Mapping stops with an error when this many frames in a row cannot be used."""
