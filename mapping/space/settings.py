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
    min_solidity: float = Field(default=0.8, gt=0, lt=1)
    """A piece that fills less of its convex hull is cut in two."""
    min_border_m: float = Field(default=0.4, ge=0)
    """Neighbors share at least this much border."""
    footprint_m: float = Field(default=0.4, gt=0)
    """Radius of the robot: what lies so near to its path was driven over."""


class PlaceSettings(Settings):
    """The sparse graph of free space."""

    body_m: float = Field(default=1.0, gt=0)
    """Space up to this height over the ground is a robot's; where no ground is known, all space is."""
    step_m: float = Field(default=0.2, gt=0)
    """What rises less over the ground is no obstacle."""
    min_ground_m2: float = Field(default=3.0, ge=0)
    """With less ground in view than this, and none driven over, all free space is a place to be."""
    min_clearance_m: float = Field(default=0.25, gt=0)
    """Places and the lines between them keep at least this far from surfaces."""
    max_clearance_m: float = Field(default=2.0, gt=0, le=12)
    """Distances to surfaces are known up to here."""
    max_cosine: float = Field(default=0.2, ge=-1, le=1)
    """The two nearest surfaces of a ridge lie in directions whose angle has at most this cosine."""
    spacing: float = Field(default=1.25, gt=0)
    """Distance between places as a share of their clearance."""
    min_spacing_m: float = Field(default=0.4, gt=0)
    """Places are at least this far apart."""
    max_spacing_m: float = Field(default=1.5, gt=0)
    """In the open, places are this far apart."""
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
    min_places: int = Field(default=6, ge=1, le=1_000_000)
    """A room has at least so many places."""
    room_m2: float = Field(default=3.0, ge=0)
    """Free space that is smaller than this in plan is a corner of a room, not a room."""
    opening_m: float = Field(default=3.5, gt=0)
    """Rooms whose floors meet along more than this are one: no wall is between them."""
    bridge_m: float = Field(default=4.0, ge=0)
    """Ground of one kind is one region across gaps up to this wide: unseen, or with a path through."""
    min_area_m2: float = Field(default=5.0, ge=0)
    """A smaller region is none of its own but part of a neighbor."""
    sliver_reach_m: float = Field(default=4.0, ge=0)
    """A neighbor is at most this far away."""


class SpaceSettings(Settings):
    """Places in free space, surface places on the ground, and what groups them."""

    places: PlaceSettings = PlaceSettings()
    surface_places: SurfacePlaceSettings = SurfacePlaceSettings()
    regions: RegionSettings = RegionSettings()
