"""Settings of the simulator: the world, the sensors, the robots' driving, and imperfect masks."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from commonground.reading import LONGEST_DRIVE_M, MOST_SEED
from commonground.settings import Settings


class WorldSettings(Settings):
    """What there is to see."""

    kind: Literal["campus", "office", "hybrid"] = "campus"
    """``campus`` is outdoors, ``office`` indoors, ``hybrid`` a campus whose buildings are driven through."""
    size_m: float | None = Field(default=None, ge=20, le=2000)
    """Edge length of the square campus (200 m; hybrid 140 m), or length of the office floor (45 m)."""
    objects: int | None = Field(default=None, ge=1, le=40_000)
    """How many objects there are at most: 380 on a campus, 260 in an office, 420 in a hybrid world."""
    seed: int = Field(default=0, ge=0, le=MOST_SEED)
    """Everything about the world follows from it."""
    session: int = Field(default=0, ge=0, le=1_000_000)
    """0 is the world as made; every other one is a visit after things have changed."""
    changes: float = Field(default=0.2, ge=0, le=1)
    """Share of the movable objects that differ in a later session: removed, moved or added."""

    @model_validator(mode="after")
    def _room(self) -> WorldSettings:
        least = {"campus": 60, "hybrid": 100, "office": 20}[self.kind]
        if self.size_m is not None and self.size_m < least:
            raise ValueError(f"a world of kind {self.kind} needs a size_m of {least} or more")
        return self


class SensorSettings(Settings):
    """The cameras of every robot."""

    width: int = Field(default=640, ge=32, le=4096)
    """Image width in pixels."""
    height: int = Field(default=480, ge=24, le=4096)
    """Image height in pixels."""
    horizontal_fov_deg: float = Field(default=74.0, gt=20, lt=140)
    """Angle the image spans from left to right."""
    min_depth_m: float = Field(default=0.3, gt=0)
    """Nearer than this there is no depth."""
    max_depth_m: float = Field(default=10.0, gt=0)
    """Farther than this there is no depth."""
    depth_noise: float = Field(default=0.0015, ge=0)
    """Standard deviation of depth at 1 m; it grows with the square of the distance."""
    edge_dropout: float = Field(default=0.5, ge=0, le=1)
    """Share of the pixels along depth edges without depth."""
    flying_pixels: float = Field(default=0.1, ge=0, le=1)
    """Share of the pixels along depth edges whose depth lies between near and far."""
    exposure_change: float = Field(default=0.12, ge=0, le=0.9)
    """Standard deviation of the slow change of brightness, as a share."""
    color_noise: float = Field(default=3.0, ge=0, le=60)
    """Standard deviation of brightness noise in steps of 255."""
    motion_blur_ms: float = Field(default=0.0, ge=0, le=100)
    """Exposure time whose motion smears the color image; 0 leaves it sharp."""


class MaskSettings(Settings):
    """How instance masks are spoiled, as a real segmenter's would be; all zero leaves them true."""

    split: float = Field(default=0.0, ge=0, le=1)
    """Share of the objects in a frame cut in two."""
    merged: float = Field(default=0.0, ge=0, le=1)
    """Share of the objects in a frame given to an adjoining one."""
    missed: float = Field(default=0.0, ge=0, le=1)
    """Share of the objects in a frame not seen at all."""
    jitter_px: float = Field(default=0.0, ge=0, le=20)
    """Standard deviation by which mask borders wander, in pixels."""
    mislabeled: float = Field(default=0.0, ge=0, le=1)
    """Share of the objects in a frame given a wrong class."""

    @staticmethod
    def realistic() -> MaskSettings:
        """Return a setting that spoils masks about as much as a fast class-agnostic segmenter does."""
        return MaskSettings(split=0.06, merged=0.05, missed=0.12, jitter_px=1.5, mislabeled=0.05)


class DrivingSettings(Settings):
    """Where and how robots drive."""

    length_m: float = Field(default=100.0, ge=1, le=LONGEST_DRIVE_M)
    """Meters each robot drives."""
    overlap: float = Field(default=0.5, ge=0, le=1)
    """Share of the first robot's route that each other robot also drives, every second one backwards."""
    frame_rate_hz: float = Field(default=4.0, gt=0, le=30)
    """Frames per second of each camera."""
    drift_percent: float = Field(default=1.5, ge=0, le=20)
    """Typical error of the odometry over 100 m, in percent of the distance."""
    speed_mps: float | None = Field(default=None, ge=0.05, le=5)
    """Cruising speed; without it each robot has its own: husky 1.0, spot 0.8 m/s."""
    routes_of_session: int | None = Field(default=None, ge=0, le=1_000_000)
    """Drive the routes of an earlier session again: the robots, in their order, come back where it went."""


class SimulationSettings(Settings):
    """Everything that determines a simulated dataset, besides the names of the robots."""

    seed: int = Field(default=0, ge=0, le=MOST_SEED)
    """Routes, noise and drift follow from it; the world has its own."""
    world: WorldSettings = WorldSettings()
    sensor: SensorSettings = SensorSettings()
    driving: DrivingSettings = DrivingSettings()
    masks: MaskSettings = MaskSettings()
