"""Plans on a scene graph: goals become stops in their best order, motion over the places, and a checked plan.

``planner.plan_robot`` is the whole path of one robot; ``planning.team`` plans for several.
``vocabulary`` has a row for each predicate of goals, ``durations``
is where a robot's speed is used, ``certificate`` decides whether a plan does what was asked.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
