"""Plans of a team that hold together: who has which thing when, and nobody in anybody's way.

``planner.plan_scene`` is the whole path.
``check.validate`` executes the merged plan of all robots, idle ones included, and shares nothing with the
planners; ``space.share_the_ground`` changes plans until no two robots come too near.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
