"""A team that maps while it drives: a process per robot, one that fuses, and a folder that tells of both."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "LiveTeam": "settings",
        "TeamState": "state",
        "load_live_team": "settings",
        "read_team": "state",
        "run_team": "team",
    },
)
