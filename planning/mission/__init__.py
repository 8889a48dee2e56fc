"""Missions: plans carried out by robots, with what goes wrong noticed and the plan repaired.

``mission.Mission.step`` is the whole loop: what robots tell in, what they shall do next out.
``runner.Runner`` ties it to robots, a planner, an operator and a journal.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
