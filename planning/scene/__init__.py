"""Plans on a scene graph: goals become stops in their best order, motion over the places, and a checked plan.

``planner.plan_robot`` is the whole path of one robot; ``planning.team`` plans for several.
``vocabulary`` has a row for each predicate of goals, ``durations``
is where a robot's speed is used, ``certificate`` decides whether a plan does what was asked.
"""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Action": "plan",
        "RobotPlan": "plan",
        "TeamPlan": "plan",
        "parse_goal": "goal",
        "certify": "certificate",
    },
)
