"""Missions from an instruction to done: begun, resumed, replayed and explained, each by its folder."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "BACKENDS": "missions",
        "Carried": "missions",
        "begin_mission": "missions",
        "explain_mission": "missions",
        "mission_folder": "folders",
        "read_faults": "folders",
        "remember": "remembered",
        "replay_mission": "missions",
        "resume_mission": "missions",
        "tree_of_mission": "missions",
    },
)
