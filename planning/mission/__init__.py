"""Missions: plans carried out by robots, with what goes wrong noticed and the plan repaired.

``mission.Mission.step`` is the whole loop: what robots tell in, what they shall do next out.
``runner.Runner`` ties it to robots, a planner, an operator and a journal.
"""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Journal": "journal",
        "Killed": "kills",
        "Mission": "mission",
        "MissionSettings": "settings",
        "Runner": "runner",
        "SceneBelief": "belief",
        "ScenePlanner": "scene_planner",
        "audit": "audit",
        "killed_missions": "kills",
        "simulate_mission": "simulation",
    },
)
