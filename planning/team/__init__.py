"""Plans of a team that hold together: who has which thing when, and nobody in anybody's way.

``planner.plan_scene`` is the whole path.
``check.validate`` executes the merged plan of all robots, idle ones included, and shares nothing with the
planners; ``space.share_the_ground`` changes plans until no two robots come too near.
"""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__,
    {
        "Track": "track",
        "plan_scene": "planner",
        "Violation": "check",
        "validate": "check",
    },
)
