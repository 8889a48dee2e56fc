"""Settings of tracking."""

from __future__ import annotations

from pydantic import Field

from commonground.settings import Settings


class TrackingSettings(Settings):
    """How odometry is corrected by what the cameras see; without depth and texture it stays as it is."""

    enabled: bool = True
    """Correct the odometry; without, poses are taken as they come."""
    width_px: int = Field(default=320, ge=64, le=4096)
    """Images are reduced by a whole factor to at least this width."""
    max_range_m: float = Field(default=9.0, gt=0.5)
    """Depth beyond this is left out: at the end of a camera's range only what errs towards it is left."""
    every_m: float = Field(default=0.1, ge=0)
    """A camera's image is registered after this much movement; poses between follow the odometry."""
    references: int = Field(default=12, ge=1, le=10_000)
    """How many such images are kept of each camera; shapes are compared with all of them."""
    pictures: int = Field(default=4, ge=0, le=10_000)
    """Colors are compared with so many of them: the nearest, where things look alike; 0 for none."""
    distant_marks: int = Field(default=250, ge=0, le=100_000)
    """Spots beyond the reach of depth that are followed, to hold the heading; 0 for none."""
    distant_images: int = Field(default=36, ge=3, le=100_000)
    """How many images they are followed over; one is taken with each that is kept."""
    depth_noise: float = Field(default=0.002, gt=0)
    """Standard deviation of depth at 1 m; it grows with the square of the distance."""
    roughness_m: float = Field(default=0.01, gt=0)
    """Standard deviation of surfaces from the planes that stand for them."""
    noise_m: float = Field(default=0.01, gt=0)
    """What is left of the error of the distance after one meter; it grows with the square root."""
    noise_side_m: float = Field(default=0.004, gt=0)
    """The same across the way."""
    noise_deg: float = Field(default=0.022, gt=0)
    """The same of the heading."""
