"""Who does what when: allocation, schedules, temporal networks and partial orders of plans."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Dispatcher": "dispatching",
        "Link": "network",
        "Precedence": "problem",
        "Resource": "problem",
        "Schedule": "schedule",
        "TeamProblem": "problem",
        "TemporalNetwork": "network",
        "check_schedule": "check",
        "lower_bound": "bound",
        "network_of": "flexible",
        "scattered_tasks": "instances",
        "solve_team": "solve",
    },
)
