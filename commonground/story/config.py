"""The settings of every part put together: what ``--config`` files hold and ``--set`` changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from commonground.datasets.settings import SimulationSettings
from commonground.grounding.knowledge.settings import KnowledgeSettings
from commonground.grounding.memory.settings import MemorySettings
from commonground.grounding.prolog.settings import PrologSettings
from commonground.grounding.repair.settings import RepairSettings
from commonground.grounding.settings import GroundingSettings
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.settings import MappingSettings
from commonground.settings import Settings

FIXED = {
    "mapping": "update_every_s",
    "mapping.perception.classical": "reduce normal_window_m patch_bend_deg window_bend_deg least_patch_px "
    "crease_deg wall_height_m support_ratio least_contact_px flat_m ground_tilt_deg ground_m2 floor_m2 "
    "table_below_m wall_tilt_deg upright_share carrier_m2 flat_m2 flat_fill",
    "mapping.perception.fastsam": "look_deg look_s near_share plane_m part_share dim_background",
    "mapping.surface": "truncation_voxels min_ground_weight",
    "mapping.space.places": "min_ground_m2 min_clearance_m max_clearance_m max_cosine max_spacing_m",
    "mapping.space.surface_places": "min_solidity footprint_m",
    "mapping.space.regions": "min_places room_m2 sliver_reach_m",
    "mapping.objects": "association checked_voxels points_kept",
    "mapping.objects.lifting": "least_piece least_area_px least_points least_valid",
    "mapping.objects.evidence": "confirm pair_bound overlap_join forget_m",
    "mapping.objects.motion": "rest_s",
    "mapping.objects.glances": "a_side",
    "mapping.objects.closing": "least_one most_several",
    "mapping.odometry": "slack_deg keyframe_s noise_tilt_deg",
    "mapping.tracking": "every_deg reference_m reference_deg brightness_noise scale_sigma side_sigma "
    "climb_sigma turn_sigma_deg_per_m memory_m turn_share tilt_sigma_deg",
    "localization.matching.places": "side_bias",
    "localization.registration": "drift_yaw_deg_per_m least_margin",
    "localization.relocalizer": "drift_yaw_deg_per_m mapped_m",
    "grounding": "keep_away_m max_choices",
    "knowledge": "simultaneous_s",
    "household": "max_rounds max_hypotheses",
    "assembly": "table_limit schedule_limit_s trial_length",
}
"""Settings that nobody set and that are constants now, by their section: files of older runs have them."""


class Config(Settings):
    """All settings. A section a part; every field has a default that one would ship."""

    fixed: ClassVar[Mapping[str, str]] = FIXED
    simulation: SimulationSettings = SimulationSettings()
    """What ``simulate`` makes."""
    mapping: MappingSettings = MappingSettings()
    """How ``map`` makes maps."""
    localization: LocalizationSettings = LocalizationSettings()
    """How object maps are matched."""
    grounding: GroundingSettings = GroundingSettings()
    """How instructions become goals, and which language model is asked."""
    memory: MemorySettings = MemorySettings()
    """How reports about the world are taken."""
    knowledge: KnowledgeSettings = KnowledgeSettings()
    """What the memory believes at once, what it keeps aside, and how fast belief fades."""
    household: RepairSettings = RepairSettings()
    """How household commands are planned and what fails is repaired."""
    assembly: PrologSettings = PrologSettings()
    """What a knowledge base may take, and how long assembly is planned."""
