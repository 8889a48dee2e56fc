"""Settings of places, surface places, regions and rooms."""

from __future__ import annotations

from pydantic import Field

from commonground.settings import Settings


class SurfacePlaceSettings(Settings):
    """How the ground is cut into convex pieces of even size."""

    size_m: float = Field(default=2.0, gt=0.2, le=50)
    """Diameter of a surface place where nothing cuts it short."""
    min_area_m2: float = Field(default=0.3, ge=0)
    """Smaller pieces that no neighbor can take are left out."""
    min_border_m: float = Field(default=0.4, ge=0)
    """Neighbors share at least this much border."""


class PlaceSettings(Settings):
    """The sparse graph of free space."""

    body_m: float = Field(default=1.0, gt=0)
    """Space up to this height over the ground is a robot's; where no ground is known, all space is."""
    step_m: float = Field(default=0.2, gt=0)
    """What rises less over the ground is no obstacle."""
    spacing: float = Field(default=1.25, gt=0)
    """Distance between places as a share of their clearance."""
    min_spacing_m: float = Field(default=0.4, gt=0)
    """Places are at least this far apart."""
    min_nodes: int = Field(default=3, ge=1, le=1_000_000)
    """Unconnected bits of fewer places are left out."""


class RegionSettings(Settings):
    """How places are grouped into regions and rooms."""

    indoor_words: tuple[str, ...] = ("floor", "carpet", "rug", "tile", "linoleum")
    """Ground of these classes is cut into rooms; other classes make a region of each area."""
    street_words: tuple[str, ...] = ("road", "street")
    """Ground of these classes is cut into streets at its crossings."""
    narrow: float = Field(default=0.65, gt=0, le=1)
    """A passage this much narrower than the space on both its sides parts rooms."""
    opening_m: float = Field(default=3.5, gt=0)
    """Rooms whose floors meet along more than this are one: no wall is between them."""
    bridge_m: float = Field(default=4.0, ge=0)
    """Ground of one kind is one region across gaps up to this wide: unseen, or with a path through."""
    min_area_m2: float = Field(default=5.0, ge=0)
    """A smaller region is none of its own but part of a neighbor."""


class SpaceSettings(Settings):
    """Places in free space, surface places on the ground, and what groups them."""

    places: PlaceSettings = PlaceSettings()
    surface_places: SurfacePlaceSettings = SurfacePlaceSettings()
    regions: RegionSettings = RegionSettings()
