"""Who does what when: allocation, schedules, temporal networks and partial orders of plans."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Activity": "steps",
        "Dispatcher": "dispatching",
        "Link": "network",
        "PartialOrder": "ordering",
        "PlanSchedule": "plan_schedule",
        "Precedence": "problem",
        "Resource": "problem",
        "Schedule": "schedule",
        "Step": "steps",
        "TeamProblem": "problem",
        "TemporalNetwork": "network",
        "TotalOrder": "steps",
        "check_plan": "plan_schedule",
        "check_schedule": "check",
        "durative": "steps",
        "lower_bound": "bound",
        "network_of": "flexible",
        "partial_order": "ordering",
        "scattered_tasks": "instances",
        "schedule_plan": "plan_model",
        "solve_team": "solve",
    },
)
