"""Settings of the distance field, the mesh and the ground."""

from __future__ import annotations

from pydantic import Field

from commonground.settings import Settings

GROUND_WORDS = (
    "road", "parking", "parking lot", "sidewalk", "crosswalk", "pavement", "grass", "lawn", "path",
    "trail", "ground", "dirt", "gravel", "sand", "terrain", "floor", "carpet", "rug", "plaza",
    "ramp",
)  # fmt: skip


class SurfaceSettings(Settings):
    """The truncated signed distance field around the robot, and what is read from it."""

    voxel_m: float = Field(default=0.1, ge=0.01, le=1.0)
    """Edge length of a voxel."""
    max_range_m: float = Field(default=10.0, gt=0.3, le=100)
    """Depth beyond this clears space but makes no surface."""
    min_range_m: float = Field(default=0.1, ge=0)
    """Depth nearer than this is not believed."""
    max_weight: float = Field(default=40.0, gt=0)
    """Evidence of a voxel stops growing here, so that a changed world is believed after a while."""
    min_weight: float = Field(default=0.03, ge=0)
    """Evidence a voxel needs to take part in the mesh; one look from 1 m gives 1, from 5 m 1/25."""
    ground_words: tuple[str, ...] = GROUND_WORDS
    """Surface classes that can be driven or walked on; of a perception that names surfaces, at least one."""
    cell_voxels: int = Field(default=2, ge=1, le=8)
    """Edge length of a cell of the ground map in voxels; must divide 8."""
    max_slope_deg: float = Field(default=30.0, gt=0, lt=90)
    """Steeper surfaces are no ground."""
    max_step_m: float = Field(default=0.2, gt=0)
    """A larger difference in height between neighboring cells parts the ground."""
    headroom_m: float = Field(default=1.2, gt=0)
    """Free height over the ground that a robot needs."""
    mirrors: bool = False
    """Say at the end what lies behind a wall and repeats what lies before it."""
