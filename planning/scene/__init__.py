"""Goals on a scene graph become plans: logic and order apart, motion over the places, checked in the end."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Action": "plan",
        "RobotPlan": "plan",
        "TeamPlan": "plan",
        "parse_goal": "goal",
        "plan_scene": "planner",
        "certify": "certificate",
    },
)
