"""The settings of every part put together: what ``--config`` files hold and ``--set`` changes."""

from __future__ import annotations

from commonground.datasets.settings import SimulationSettings
from commonground.grounding.knowledge.settings import KnowledgeSettings
from commonground.grounding.memory.settings import MemorySettings
from commonground.grounding.prolog.settings import PrologSettings
from commonground.grounding.repair.settings import RepairSettings
from commonground.grounding.settings import GroundingSettings
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.settings import MappingSettings
from commonground.planning.mission.settings import MissionSettings
from commonground.settings import Settings


class Config(Settings):
    """All settings. A section a part; every field has a default that one would ship."""

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
    mission: MissionSettings = MissionSettings()
    """How often robots try again, and how long a mission waits before it repairs."""
    household: RepairSettings = RepairSettings()
    """How household commands are planned and what fails is repaired."""
    assembly: PrologSettings = PrologSettings()
    """What a knowledge base may take, and how long assembly is planned."""
