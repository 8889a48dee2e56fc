"""Settings of places, surface places, regions and rooms."""

from __future__ import annotations

from pydantic import Field

from commonground.settings import Settings


class SurfacePlaceSettings(Settings):
    """How the ground is cut into convex pieces of even size."""

    size_m: float = Field(default=3.0, gt=0.2, le=50)
    """Diameter of a surface place where nothing cuts it short."""
    min_area_m2: float = Field(default=0.3, ge=0)
    """Smaller pieces that no neighbour can take are left out."""
    min_solidity: float = Field(default=0.8, gt=0, lt=1)
    """A piece that fills less of its convex hull is cut in two."""
    min_border_m: float = Field(default=0.4, ge=0)
    """Neighbours share at least this much border."""
    footprint_m: float = Field(default=0.4, gt=0)
    """Radius of the robot: what lies so near to its path was driven over."""


class SpaceSettings(Settings):
    """Places in free space, surface places on the ground, and what groups them."""

    surface_places: SurfacePlaceSettings = SurfacePlaceSettings()
